"""Which SPARQL queries may run: SELECT and ASK over the default graph, of words on an allow-list only.

A query is cut into tokens, each of a known form and each bare word one of ``_WORDS``; what is sent is put together
again from these tokens, so that nothing of the text that was not understood reaches a server. SERVICE, FROM, GRAPH,
LOAD and all updates are no words of the list; code point escapes, which servers decode before they parse, and
characters outside ASCII stand in strings, IRIs and nowhere else, and escapes of the first kind nowhere.
"""

from __future__ import annotations

import re

from triplewise.errors import QuestionError

MAX_QUERY = 400_000
"""Characters of a query."""
MAX_DEPTH = 30
"""Brackets within brackets."""
_FORMS = frozenset({"SELECT", "ASK"})
_ALLOWED = """
    PREFIX DISTINCT REDUCED AS WHERE GROUP BY HAVING ORDER ASC DESC LIMIT OFFSET OPTIONAL UNION MINUS FILTER BIND VALUES
    EXISTS NOT IN UNDEF TRUE FALSE A COUNT SUM MIN MAX AVG SAMPLE STR LANG LANGMATCHES DATATYPE BOUND IRI URI ABS CEIL
    FLOOR ROUND CONCAT STRLEN UCASE LCASE CONTAINS STRSTARTS STRENDS STRBEFORE STRAFTER YEAR MONTH DAY HOURS MINUTES
    SECONDS COALESCE IF STRLANG STRDT SAMETERM ISIRI ISURI ISBLANK ISLITERAL ISNUMERIC SUBSTR
"""
_WORDS = _FORMS.union(_ALLOWED.split())
_CASTS = "<http://www.w3.org/2001/XMLSchema#"
_TOKEN = re.compile(
    r"""
    (?P<space>[ \t\r\n]+)
  | (?P<iri><[^\x00-\x20<>"{}|^`\\]*>)
  | (?P<string>"(?:[^"\\\n\r]|\\[tbnrf"'\\])*"|'(?:[^'\\\n\r]|\\[tbnrf"'\\])*')
  | (?P<language>@[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)
  | (?P<variable>[?$][A-Za-z_][A-Za-z0-9_]*)
  | (?P<number>[+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
  | (?P<prefixed>[A-Za-z][A-Za-z0-9_-]*:[A-Za-z0-9_-]*|:[A-Za-z0-9_-]+)
  | (?P<word>[A-Za-z][A-Za-z0-9_]*)
  | (?P<sign>\^\^|&&|\|\||!=|<=|>=|[{}()\[\].,;=<>!+*/|^-])
    """,
    re.X,
)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_PAIRS = {")": "(", "}": "{", "]": "["}


def read_only(query: str, *, rows: int | None = None) -> str:
    """The query put together again from its tokens, with at most ``rows`` rows; raises QuestionError."""
    if len(query) > MAX_QUERY:
        raise QuestionError(f"the query is longer than {MAX_QUERY:,} characters.")
    if found := _CONTROL.search(query):
        raise QuestionError(f"the query holds the character U+{ord(found.group()):04X}.")
    tokens, prefixes = _tokens(query), dict[str, str]()
    _balanced(tokens)
    words = [text.upper() for kind, text in tokens if kind == "word"]
    form = next((w for w in words if w != "PREFIX"), "")
    if form not in _FORMS:
        raise QuestionError("only SELECT and ASK queries are run.")
    for i, (kind, text) in enumerate(tokens):
        if kind == "word" and text.upper() == "PREFIX":
            _prefix(tokens[i + 1 : i + 3], prefixes)
        elif kind == "prefixed" and text.split(":", 1)[0] not in prefixes:
            raise QuestionError(f"the prefix of {text[:60]!r} is not declared.")
        elif kind == "sign" and text == "(" and i:
            _called(*tokens[i - 1], prefixes)
    return _capped(tokens, form, rows)


def _called(kind: str, text: str, prefixes: dict[str, str]) -> None:
    """What stands before a bracket: of functions with an IRI, which servers have of their own, only casts are run."""
    if kind == "prefixed":
        prefix, _, rest = text.partition(":")
        kind, text = "iri", f"<{prefixes[prefix]}{rest}>"
    if kind == "iri" and not text.startswith(_CASTS):
        raise QuestionError(f"the function {text[:60]!r} is not run.")


def _tokens(query: str) -> list[tuple[str, str]]:
    found, at = [], 0
    while at < len(query):
        match = _TOKEN.match(query, at)
        if match is None:
            raise QuestionError(f"the query holds {query[at : at + 20]!r}, which is not read.")
        kind, text = match.lastgroup or "", match.group()
        if kind == "word" and text.upper() not in _WORDS:
            raise QuestionError(f"{text[:60]!r} is no word of the queries that are run.")
        if kind == "word" and text != "a" and text.upper() == "A":
            raise QuestionError(f"{text!r} is no word of the queries that are run.")
        if kind != "space":
            found.append((kind, text))
        at = match.end()
    return found


def _balanced(tokens: list[tuple[str, str]]) -> None:
    open_: list[str] = []
    for kind, text in tokens:
        if kind == "sign" and text in "([{":
            open_.append(text)
        elif kind == "sign" and text in _PAIRS and (not open_ or open_.pop() != _PAIRS[text]):
            raise QuestionError("the brackets of the query do not match.")
        if len(open_) > MAX_DEPTH:
            raise QuestionError(f"the query has more than {MAX_DEPTH} brackets within brackets.")
    if open_:
        raise QuestionError("the brackets of the query do not match.")


def _prefix(tokens: list[tuple[str, str]], prefixes: dict[str, str]) -> None:
    """Note a prefix; only at the start can it be one, which the server's parser sees to."""
    if len(tokens) < 2 or not tokens[0][1].endswith(":") or tokens[1][0] != "iri":
        raise QuestionError("PREFIX is followed by a name with a colon and an IRI.")
    prefixes[tokens[0][1][:-1]] = tokens[1][1][1:-1]


def _capped(tokens: list[tuple[str, str]], form: str, rows: int | None) -> str:
    """The tokens as text; the outermost LIMIT is lowered to ``rows``, or set."""
    depth, limited, parts = 0, form == "ASK", []
    for i, (kind, text) in enumerate(tokens):
        if kind == "sign":
            depth += (text == "{") - (text == "}")
        if kind == "number" and depth == 0 and i and tokens[i - 1][1].upper() == "LIMIT":
            limited = True
            if not text.isdigit():
                raise QuestionError("LIMIT is followed by a whole number.")
            text = text if rows is None else str(min(int(text[:18]), rows))
        if kind == "word" and depth == 0 and text.upper() == "VALUES":
            raise QuestionError("VALUES stands inside WHERE { … } in the queries that are run.")
        glued = kind == "language" or text == "^^" or (i and tokens[i - 1][1] == "^^")
        parts.append(text if glued or not parts else f" {text}")
    query = "".join(parts)
    return query if limited or rows is None else f"{query} LIMIT {rows}"
