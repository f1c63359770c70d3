"""Whether llama.cpp can decode under a grammar: it crashes the process on one that is malformed or too large.

The checks follow llama.cpp's own reading of GBNF: escapes and classes that it knows, every rule defined, no left
recursion (also behind something that may be empty), nothing empty repeated, and bounds on repetitions and size.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from triplewise.errors import ConfigError

MAX_REPETITIONS = 1_999
"""Of one ``{m,n}``, times the rules within what is repeated: llama.cpp makes a rule of each bracket and each copy."""
MAX_ELEMENTS = 400_000
"""Terminals and names once all repetitions are written out."""
MAX_LENGTH = 4_000_000
"""Characters."""
MAX_DEPTH = 120
"""Brackets within brackets."""
_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9-]*")
_SPACE = re.compile(r"[ \t]*")
_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*+)"')
_CLASS = re.compile(r"\[\^?((?:[^\]\\\n]|\\.)++)\]")
_REPEAT = re.compile(r"[?*+]|\{(\d{1,9})(,(\d{0,9}))?\}")
_ESCAPE = re.compile(r'\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[tnr\\"\[\]-])')
_ESCAPED = {"t": "\t", "n": "\n", "r": "\r"}


@dataclass(slots=True)
class _Part:
    """A piece of a rule: its elements and rules once written out, whether it may be empty, what it may begin with."""

    size: int
    empty: bool
    rules: int = 1
    firsts: frozenset[str] = frozenset()


def check(grammar: str) -> str:
    """The grammar, if llama.cpp can read it; else ConfigError that says where it is wrong."""
    if not isinstance(grammar, str):
        raise ConfigError(f"grammar: a text in GBNF is needed, not {type(grammar).__name__}.")
    if len(grammar) > MAX_LENGTH:
        raise ConfigError(f"grammar: {len(grammar):,} characters; at most {MAX_LENGTH:,} are tried.", _FEWER)
    bodies: dict[str, str] = {}
    for line in grammar.strip().split("\n"):
        name, sep, body = line.partition("::=")
        if not sep or not _NAME.fullmatch(name.strip()) or name.strip() in bodies:
            raise ConfigError(f"grammar: not a rule: {line[:80]!r}")
        bodies[name.strip()] = body.strip()
    if "root" not in bodies:
        raise ConfigError("grammar: there is no rule root.")
    nullable: set[str] = set()
    rules: dict[str, _Part] = {}
    while True:  # what may be empty depends on the rules: until nothing more is found
        rules = {name: _Rule(name, body, bodies, nullable).read() for name, body in bodies.items()}
        found = {name for name, part in rules.items() if part.empty}
        if found == nullable:
            break
        nullable = found
    if sum(part.size for part in rules.values()) > MAX_ELEMENTS:
        raise ConfigError(f"grammar: more than {MAX_ELEMENTS:,} elements once repetitions are written out.", _FEWER)
    _refuse_left_recursion(rules)
    return grammar


_FEWER = "Offer fewer choices, or allow fewer repetitions."


def _refuse_left_recursion(rules: dict[str, _Part]) -> None:
    done: set[str] = set()
    for start in rules:
        path: list[str] = []
        stack: list[tuple[str, bool]] = [(start, False)]
        while stack:
            name, leaving = stack.pop()
            if leaving:
                path.pop()
                done.add(name)
            elif name in path:
                raise ConfigError(f"grammar: rule {name} begins with itself (left recursion).")
            elif name not in done:
                path.append(name)
                stack.append((name, True))
                stack += [(first, False) for first in sorted(rules[name].firsts)]


class _Rule:
    """Reads one rule's body."""

    def __init__(self, name: str, body: str, bodies: dict[str, str], nullable: set[str]) -> None:
        self.name, self.text, self.bodies, self.nullable = name, body, bodies, nullable
        self.at = 0

    def fail(self, what: str) -> ConfigError:
        return ConfigError(f"grammar: rule {self.name}: {what}")

    def here(self) -> str:
        return repr(self.text[self.at : self.at + 40])

    def read(self) -> _Part:
        part = self.alternatives(0)
        if self.at < len(self.text):
            raise self.fail(f"cannot read {self.here()}")
        return part

    def alternatives(self, depth: int) -> _Part:
        if depth > MAX_DEPTH:
            raise self.fail(f"more than {MAX_DEPTH} brackets within each other.")
        size, rules, empty, firsts = 0, 0, False, set[str]()
        while True:
            part = self.sequence(depth)
            size, rules, empty = size + part.size, rules + part.rules, empty or part.empty
            firsts |= part.firsts
            if not self.text.startswith("|", self.at):
                return _Part(size, empty, rules, frozenset(firsts))
            self.at += 1

    def sequence(self, depth: int) -> _Part:
        size, rules, empty, firsts, count = 0, 0, True, set[str](), 0
        while True:
            self.at = _SPACE.match(self.text, self.at).end()  # pyright: ignore[reportOptionalMemberAccess]
            if self.at >= len(self.text) or self.text[self.at] in "|)":
                if not count:
                    where = f"at {self.here()}" if self.at < len(self.text) else "at its end"
                    raise self.fail(f"something is missing {where}")
                return _Part(size, empty, rules, frozenset(firsts))
            part = self.repeated(self.element(depth))
            count, size, rules = count + 1, size + part.size, rules + part.rules
            if size > MAX_ELEMENTS:
                raise ConfigError(f"grammar: rule {self.name} is larger than {MAX_ELEMENTS:,} elements.", _FEWER)
            if empty:
                firsts |= part.firsts
            empty = empty and part.empty

    def element(self, depth: int) -> _Part:
        char = self.text[self.at]
        if char == "(":
            self.at += 1
            part = self.alternatives(depth + 1)
            if not self.text.startswith(")", self.at):
                raise self.fail("a bracket is not closed")
            self.at += 1
            return _Part(part.size, part.empty, part.rules + 1, part.firsts)
        if char == '"':
            return self.string()
        if char == "[":
            return self.characters()
        if name := _NAME.match(self.text, self.at):
            self.at = name.end()
            if name.group() not in self.bodies:
                raise self.fail(f"{name.group()!r} is not defined")
            return _Part(1, name.group() in self.nullable, 0, frozenset({name.group()}))
        raise self.fail(f"cannot read {self.here()}")

    def string(self) -> _Part:
        match = _STRING.match(self.text, self.at)
        if match is None:
            raise self.fail(f"a text is not closed: {self.here()}")
        if "\\" in match.group(1):
            self.escapes(match.group(1))
        self.at = match.end()
        return _Part(max(len(match.group(1)), 1), not match.group(1), 0)

    def characters(self) -> _Part:
        match = _CLASS.match(self.text, self.at)
        if match is None:
            raise self.fail(f"a class of characters is not closed: {self.here()}")
        chars = self.escapes(match.group(1))
        for low, dash, high in zip(chars, chars[1:], chars[2:], strict=False):
            if dash == ("-", False) and low[0] > high[0]:
                raise self.fail(f"the range {match.group()[:40]} runs backwards")
        self.at = match.end()
        return _Part(1, False, 0)

    def escapes(self, text: str) -> list[tuple[str, bool]]:
        """(character, whether it was escaped) of a text or a class."""
        found: list[tuple[str, bool]] = []
        at = 0
        while at < len(text):
            if text[at] != "\\":
                found.append((text[at], False))
                at += 1
                continue
            match = _ESCAPE.match(text, at)
            if match is None:
                raise self.fail(f"no escape: {text[at : at + 4]!r}")
            code = match.group()[1:]
            number = int(code[1:], 16) if len(code) > 1 else ord(_ESCAPED.get(code, code))
            if number > 0x10FFFF:
                raise self.fail(f"no character: {match.group()}")
            found.append((chr(number), True))
            at = match.end()
        return found

    def repeated(self, part: _Part) -> _Part:
        match = _REPEAT.match(self.text, self.at)
        if match is None:
            return part
        self.at = match.end()
        least, most = {"?": (0, 1), "*": (0, None), "+": (1, None)}.get(match.group(), (-1, None))
        if least < 0:
            least = int(match.group(1))
            upper = match.group(3)
            most = least if match.group(2) is None else int(upper) if upper else None
        times = max(least, most or 0, 1)
        if (most is not None and most < least) or times * max(part.rules, 1) > MAX_REPETITIONS:
            raise self.fail(f"the repetition {match.group()} is none, or comes to more than {MAX_REPETITIONS:,} rules.")
        if part.empty and (most is None or most > 1):
            raise self.fail("something that may be empty is repeated")
        if _REPEAT.match(self.text, self.at):
            raise self.fail(f"nothing to repeat before {self.here()}")
        copies = times + (most is None)
        return _Part(part.size * copies, part.empty or least == 0, part.rules + copies, part.firsts)
