"""A model that draws every reply at random from the grammar that the node gives it, by a seed out of node and prompt.

The same prompt under the same grammar gets the same reply in every process, so that what a graph makes of a few hundred
questions can be compared before and after a change, without a model and without recorded replies. It knows nothing: the
replies are well formed, and mostly wrong.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import BaseMessage

from triplewise.backends.fake import ScriptedChatModel

_LETTERS = "abcdefghijklmnopqrstuvwxyz "
_MORE = 2
"""Times that something without an upper bound is drawn beyond its least."""
_DEEP = 60
"""Rules within each other from which on the first alternative is taken."""
_TOKEN = re.compile(
    r'\s*(?:"(?P<text>(?:[^"\\]|\\.)*)"|\[(?P<chars>(?:[^\]\\]|\\.)*)\]|(?P<name>[a-zA-Z][\w-]*)|(?P<mark>[()|])'
    r"|(?P<times>[?*+]|\{\d+(?:,\d*)?\}))"
)
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))")
_NAMED = {"n": "\n", "t": "\t", "r": "\r"}


@dataclass(slots=True)
class _Element:
    """A text, a set of characters, a rule's name, or a list of alternatives, and how often it stands there."""

    kind: str
    value: Any
    least: int = 1
    most: int = 1


def drawing_model() -> ScriptedChatModel:
    """The model, for any graph."""
    return ScriptedChatModel(responses=_reply, supports_grammar=True, name_="drawn")


def _reply(messages: list[BaseMessage], kwargs: dict[str, Any]) -> str:
    asked = json.dumps([kwargs["node"], [[m.type, m.text] for m in messages], kwargs.get("grammar")])
    rng = random.Random(hashlib.sha256(asked.encode()).digest())
    if ranked := kwargs.get("rank"):
        return json.dumps({choice: -8 * rng.random() for choice in ranked})
    grammar = kwargs.get("grammar")
    if not grammar:  # a node that reads free text: some line of the prompt, which is sometimes one of those offered
        return rng.choice([line for line in messages[-1].text.splitlines() if line.strip()] or ["nothing"])
    return draw(grammar, rng)


def draw(grammar: str, rng: random.Random) -> str:
    """A random text of a grammar (GBNF as ``backends.llama.gbnf`` writes it)."""
    rules = {name.strip(): body for name, _, body in (line.partition("::=") for line in grammar.splitlines()) if body}
    read: dict[str, list[list[_Element]]] = {}

    def rule(name: str, depth: int) -> str:
        if name not in read:
            read[name] = _alternatives(list(_TOKEN.finditer(rules[name])), 0)[0]
        return some(read[name], depth)

    def some(alternatives: list[list[_Element]], depth: int) -> str:
        chosen = alternatives[0] if depth > _DEEP else rng.choice(alternatives)
        return "".join(one(element, depth + 1) for element in chosen for _ in range(_times(element, rng)))

    def one(element: _Element, depth: int) -> str:
        if element.kind == "rule":
            return rule(element.value, depth)
        if element.kind == "group":
            return some(element.value, depth)
        return element.value if element.kind == "text" else rng.choice(element.value)

    return rule("root", 0)


def _times(element: _Element, rng: random.Random) -> int:
    return rng.randint(element.least, min(element.most, element.least + _MORE))


def _alternatives(tokens: list[re.Match[str]], at: int) -> tuple[list[list[_Element]], int]:
    found: list[list[_Element]] = [[]]
    while at < len(tokens):
        kind, value = str(tokens[at].lastgroup), tokens[at][str(tokens[at].lastgroup)]
        at += 1
        if value == ")" and kind == "mark":
            return found, at
        if value == "|" and kind == "mark":
            found.append([])
        elif kind == "mark":
            inner, at = _alternatives(tokens, at)
            found[-1].append(_Element("group", inner))
        elif kind == "times":
            last = found[-1][-1]
            least, _, most = value.strip("{}").partition(",")
            bounds = {"?": (0, 1), "*": (0, 10**6), "+": (1, 10**6)}.get(value)
            last.least, last.most = bounds or (int(least), int(most or (10**6 if "," in value else least)))
        elif kind == "name":
            found[-1].append(_Element("rule", value))
        else:
            found[-1].append(_Element(kind, _plain(value) if kind == "text" else _members(value)))
    return found, at


def _plain(text: str) -> str:
    def char(match: re.Match[str]) -> str:
        code = match[1] or match[2] or match[3]
        return chr(int(code, 16)) if code else _NAMED.get(match[4], match[4])

    return _ESCAPE.sub(char, text)


def _members(chars: str) -> str:
    """The characters of a class; of one that excludes some, the letters that it leaves."""
    excluded = chars.startswith("^")
    plain = _plain(chars.removeprefix("^"))
    ranges = re.findall(r"(.)-(.)", plain, re.S)
    members = set(re.sub(r".-.", "", plain, flags=re.S))
    for low, high in ranges:
        members |= {chr(code) for code in range(ord(low), min(ord(high), ord(low) + 200) + 1)}
    return "".join(c for c in _LETTERS if c not in members) if excluded else "".join(sorted(members))
