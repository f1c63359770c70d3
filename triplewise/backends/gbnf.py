"""Grammars (GBNF) for llama.cpp: what a reply may be, built in code and checked before use.

llama.cpp crashes the process on a malformed grammar, so every grammar is built from these parts and
passes ``check`` first; none is ever taken from a user or a model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

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
    for option in options:
        literal(option)
        node = tree
        for char in option:
            node = node.setdefault(char, {})
        node[""] = {}
    if not tree:
        raise ConfigError("a grammar needs at least one option.")
    return _tree(tree)


def _tree(node: dict[str, Any]) -> str:
    """The expression of a prefix-tree node; chains of single characters become one literal."""
    branches = []
    for char, child in node.items():
        if not char:
            continue
        text = char
        while len(child) == 1 and "" not in child:
            only = next(iter(child))
            text += only
            child = child[only]
        rest = _tree(child) if any(child) else ""
        branches.append(f"{literal(text)} {rest}".strip())
    body = branches[0] if len(branches) == 1 and "" not in node else f"({' | '.join(branches)})"
    return f"({body})?" if "" in node else body


def choice_list(options: Sequence[str], *, max_items: int, separator: str) -> str:
    """A grammar of 1 to ``max_items`` of the options, joined by the separator."""
    more = f" ({literal(separator)} item){{0,{max_items - 1}}}" if max_items > 1 else ""
    return f"root ::= item{more}\nitem ::= {choice(options)}\n"


def permutation(n: int, *, separator: str = ", ", at_most: int | None = None) -> str:
    """A grammar of ``at_most`` (default n) numbers from 1 to n, joined by the separator.

    GBNF cannot forbid a number to occur twice without n! rules; the parser drops doubles.
    """
    if n < 1:
        raise ConfigError("a permutation needs at least one number.")
    numbers = " | ".join(f'"{i}"' for i in range(1, n + 1))
    count = at_most or n
    more = f" ({literal(separator)} number){{{count - 1}}}" if count > 1 else ""
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


# checking --------------------------------------------------------------------------------------

_TOKENS = re.compile(
    r"""(?P<space>[ \t]+)|(?P<string>"(?:[^"\\\n]|\\.)*")|(?P<chars>\[\^?(?:[^\]\\\n]|\\.)+\])"""
    r"""|(?P<name>[a-zA-Z][a-zA-Z0-9-]*)|(?P<op>[|()])|(?P<repeat>[?*+]|\{\d+(?:,\d*)?\})"""
)


def check(grammar: str) -> str:
    """The grammar, if it is well formed: balanced, every rule defined; else ConfigError."""
    rules: dict[str, str] = {}
    for line in grammar.strip().split("\n"):
        name, sep, body = line.partition("::=")
        if not sep or not re.fullmatch(r"[a-zA-Z][a-zA-Z0-9-]*", name.strip()) or name.strip() in rules:
            raise ConfigError(f"grammar: not a rule: {line[:80]!r}")
        rules[name.strip()] = body.strip()
    if "root" not in rules:
        raise ConfigError("grammar: there is no rule root.")
    for name, body in rules.items():
        _check_rule(name, body, rules)
    return grammar


def _check_rule(name: str, body: str, rules: dict[str, str]) -> None:
    depth, position, repeatable, empty = 0, 0, False, True
    while position < len(body):
        match = _TOKENS.match(body, position)
        if match is None:
            raise ConfigError(f"grammar: rule {name}: cannot read {body[position : position + 40]!r}")
        kind, text = match.lastgroup, match.group()
        position = match.end()
        if kind == "space":
            continue
        if kind == "repeat" and not repeatable:
            raise ConfigError(f"grammar: rule {name}: nothing to repeat before {text!r}")
        if kind == "name" and text not in rules:
            raise ConfigError(f"grammar: rule {name}: {text!r} is not defined")
        if text in "()|":
            depth += {"(": 1, ")": -1, "|": 0}[text]
            if depth < 0 or (empty and text in ")|"):
                raise ConfigError(f"grammar: rule {name}: {text!r} is out of place")
        repeatable = kind in ("string", "chars", "name") or text == ")"
        empty = text in ("(", "|")
    if depth or empty:
        raise ConfigError(f"grammar: rule {name} ends too early")
