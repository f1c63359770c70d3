"""Grammars (GBNF) for llama.cpp: what a reply may be, built in code and checked before use.

llama.cpp crashes the process on a malformed or a very large grammar, so every grammar is built from these parts
and passes ``gbnf_check.check`` first; none is ever taken from a user or a model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from triplewise.backends.llama.gbnf_check import MAX_REPETITIONS
from triplewise.errors import ConfigError

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def literal(text: str) -> str:
    """A quoted terminal that matches exactly ``text``; raises ConfigError on an empty or NUL text."""
    if not text or "\0" in text:
        raise ConfigError("a grammar literal must hold text without NUL characters.")
    return '"' + "".join(_escape(c) for c in text) + '"'


def _escape(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    code = ord(char)
    if 0xD800 <= code <= 0xDFFF:  # a lone surrogate can never be generated
        return "\\uFFFD"
    if code < 0x20 or code == 0x7F:
        return f"\\x{code:02X}"
    return char


def choice(options: Iterable[str]) -> str:
    """An expression that matches exactly one of the options, as a prefix tree.

    Without the tree llama.cpp would follow one branch per option; with it thousands of entity names
    cost as little as a few.
    """
    tree: dict[str, Any] = {}
    options = list(options)
    for option in options:
        literal(option)
        node = tree
        for char in option:
            node = node.setdefault(char, {})
        node[""] = {}
    if not tree:
        raise ConfigError("a grammar needs at least one option.")
    return _tree(tree, 0)


MAX_NESTED = 30
"""Brackets within brackets that ``choice`` writes: names that each begin with the one before could need thousands."""

MAX_OPTIONAL = 400
"""Brackets within something optional; beyond, llama.cpp is given the two cases instead."""


def _tree(node: dict[str, Any], depth: int) -> str:
    """The expression of a prefix-tree node; chains of single characters become one literal."""
    if depth > MAX_NESTED:
        ends = _ends(node)
        body = f"({' | '.join(literal(end) for end in ends if end)})"
        return f"{body}?" if "" in ends else body
    branches = []
    for char, child in node.items():
        if not char:
            continue
        text = char
        while len(child) == 1 and "" not in child:
            only = next(iter(child))
            text += only
            child = child[only]
        rest = _tree(child, depth + 1) if any(child) else ""
        if rest.endswith(")?") and rest.count("(") > MAX_OPTIONAL:
            branches.append(literal(text))
            rest = rest[:-1]
        branches.append(f"{literal(text)} {rest}".strip())
    body = branches[0] if len(branches) == 1 and "" not in node else f"({' | '.join(branches)})"
    return f"({body})?" if "" in node else body


def _ends(node: dict[str, Any]) -> list[str]:
    """All that may follow at a node of the prefix tree, one text each."""
    found: list[str] = []
    stack: list[tuple[dict[str, Any], str]] = [(node, "")]
    while stack:
        here, text = stack.pop()
        found += [text] * ("" in here)
        stack += [(child, text + char) for char, child in here.items() if char]
    return sorted(found)


def _more(expression: str, least: int, most: int) -> str:
    """The expression repeated; beyond what llama.cpp can write out the number is left to the parser."""
    if most > MAX_REPETITIONS:
        return f"{expression}*"
    return f"{expression}{{{most}}}" if least == most else f"{expression}{{{least},{most}}}"


def choice_list(options: Sequence[str], *, max_items: int, separator: str) -> str:
    """A grammar of 1 to ``max_items`` of the options, joined by the separator."""
    more = " " + _more(f"({literal(separator)} item)", 0, max_items - 1) if max_items > 1 else ""
    return f"root ::= item{more}\nitem ::= {choice(options)}\n"


def permutation(n: int, *, separator: str = ", ", at_most: int | None = None) -> str:
    """A grammar of ``at_most`` (default n) numbers from 1 to n, joined by the separator.

    GBNF cannot forbid a number to occur twice without n! rules; the parser drops doubles.
    """
    if n < 1:
        raise ConfigError("a permutation needs at least one number.")
    numbers = choice(map(str, range(1, n + 1)))
    count = at_most or n
    more = " " + _more(f"({literal(separator)} number)", count - 1, count - 1) if count > 1 else ""
    return f"root ::= number{more}\nnumber ::= {numbers}\n"


# JSON schema ----------------------------------------------------------------------------------

_JSON_RULES = {
    "ws": '[ ]?',
    "char": r'[^"\\\x00-\x1F\x7F] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F]{4})',
    "string": '"\\"" char{0,240} "\\""',
    "integer": '"-"? ("0" | [1-9] [0-9]{0,14})',
    "number": 'integer ("." [0-9]{1,8})?',
    "boolean": '"true" | "false"',
    "null": '"null"',
}  # fmt: skip
_MAX_ITEMS = 32


def json_schema_to_gbnf(schema: dict[str, Any]) -> str:
    """A grammar whose every reply ``json.loads`` reads into a value of the schema's shape.

    Supported: objects (properties in order, optional ones may be left out), arrays, strings, numbers,
    integers, booleans, null, enum, const, anyOf/oneOf, allOf of one, $ref into $defs. Numeric bounds,
    patterns and formats are to be validated afterwards. Raises ConfigError on anything else.
    """
    return _SchemaCompiler(schema).grammar()


class _SchemaCompiler:
    def __init__(self, schema: dict[str, Any]) -> None:
        self.schema = schema
        self.rules: dict[str, str] = {}
        self.refs: dict[str, str] = {}

    def grammar(self) -> str:
        root = self.expression(self.schema)
        rules = {"root": root, **self.rules}
        body = "\n".join(f"{name} ::= {rule}" for name, rule in rules.items())
        used: dict[str, str] = {}
        text = body
        for _ in _JSON_RULES:  # rules use rules
            for name, rule in _JSON_RULES.items():
                if name not in used and re.search(rf"\b{name}\b", text):
                    used[name] = rule
                    text += f"\n{name} ::= {rule}"
        return text + "\n"

    def rule(self, expression: str) -> str:
        name = f"r{len(self.rules)}"
        self.rules[name] = expression
        return name

    def expression(self, schema: Any) -> str:
        if schema is True or schema == {}:
            raise ConfigError("a JSON schema without a type cannot be held to a grammar.", "Give every field a type.")
        if not isinstance(schema, dict):
            raise ConfigError(f"not a JSON schema: {schema!r}.")
        if "$ref" in schema:
            return self.reference(schema["$ref"])
        if "const" in schema:
            return literal(json.dumps(schema["const"], ensure_ascii=False))
        if "enum" in schema:
            return "(" + " | ".join(literal(json.dumps(v, ensure_ascii=False)) for v in schema["enum"]) + ")"
        for key in ("anyOf", "oneOf"):
            if key in schema:
                return "(" + " | ".join(self.expression(s) for s in schema[key]) + ")"
        if len(schema.get("allOf", ())) == 1:
            return self.expression(schema["allOf"][0])
        kind = schema.get("type")
        if isinstance(kind, list):
            return "(" + " | ".join(self.expression({**schema, "type": k}) for k in kind) + ")"
        if kind == "object":
            return self.object(schema)
        if kind == "array":
            return self.array(schema)
        if kind in ("string", "integer", "number", "boolean", "null"):
            return str(kind)
        raise ConfigError(f"this JSON schema cannot be held to a grammar: {json.dumps(schema)[:200]}")

    def reference(self, ref: str) -> str:
        if ref not in self.refs:
            node: Any = self.schema
            for part in ref.removeprefix("#/").split("/"):
                if not isinstance(node, dict) or part not in node:
                    raise ConfigError(f"the JSON schema has no {ref}.")
                node = node[part]
            self.refs[ref] = self.rule("")
            self.rules[self.refs[ref]] = self.expression(node)
        return self.refs[ref]

    def object(self, schema: dict[str, Any]) -> str:
        properties = schema.get("properties") or {}
        if not properties:
            extra = schema.get("additionalProperties")
            if isinstance(extra, dict) and extra:
                pair = f'string ":" ws {self.rule(self.expression(extra))}'
                return f'"{{" ({pair} ("," ws {pair}){{0,{_MAX_ITEMS}}})? "}}"'
            return '"{}"'
        required = set(schema.get("required", ()))
        members = [
            (
                name in required,
                f"{literal(json.dumps(name, ensure_ascii=False) + ':')} ws {self.rule(self.expression(s))}",
            )
            for name, s in properties.items()
        ]
        return f'"{{" {self.members(members)} "}}"'

    def members(self, members: list[tuple[bool, str]]) -> str:
        """Members in order, optional ones left out freely; commas only between those that are there."""
        starts: list[str] = []
        for i, (needed, member) in enumerate(members):
            tail = " ".join(f'"," ws {m}' if n else f'("," ws {m})?' for n, m in members[i + 1 :])
            starts.append(f"{member} {tail}".strip())
            if needed:
                break
        else:
            starts.append("")
        body = " | ".join(s for s in starts if s)
        return f"({body})?" if "" in starts else f"({body})"

    def array(self, schema: dict[str, Any]) -> str:
        item = self.rule(self.expression(schema.get("items", {})))
        low, high = int(schema.get("minItems", 0)), int(schema.get("maxItems", _MAX_ITEMS))
        if high == 0:
            return '"[]"'
        more = f'{item} ("," ws {item}){{{max(low - 1, 0)},{high - 1}}}'
        return f'"[" {more} "]"' if low else f'"[" ({more})? "]"'
