"""Names: folding for comparison, literals' quoted forms, and readable forms of ids and relation names."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import NamedTuple
from urllib.parse import unquote

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"(?:@([A-Za-z][A-Za-z0-9-]*)|\^\^\S+)?', re.S)
_SIGNED = re.compile(r'"\+(\d+(?:\.\d+)?)"\^\^<http://www\.w3\.org/2001/XMLSchema#(?:decimal|integer)>')
_MIDNIGHT = re.compile(r'"(-?\d{4,}-\d\d-\d\d)T00:00:00Z"\^\^<http://www\.w3\.org/2001/XMLSchema#dateTime>')
_PERCENT = re.compile(r"%[0-9A-Fa-f]{2}")
_PREFIX = re.compile(r"[A-Za-z][\w-]*:(?=[^\s:/])")
_JOINERS = "\u200c\u200d"
"""Invisible, harmless, and part of words in Persian and Hindi and of emoji."""
_SCHEME = ("http://", "https://", "urn:")


class LiteralParts(NamedTuple):
    """A literal's bare value and its language tag ("" where it has none)."""

    value: str
    language: str


def literal_parts(node: str) -> LiteralParts | None:
    """The parts of a literal's quoted form; None for an entity, also for '"Weird Al" Yankovic'."""
    if not node.startswith('"') or (match := _LITERAL.fullmatch(node)) is None:
        return None
    value = match.group(1)
    return LiteralParts(re.sub(r'\\(["\\])', r"\1", value) if "\\" in value else value, match.group(2) or "")


def quote_literal(value: str, language: str = "", datatype: str = "") -> str:
    """The id of a literal: the value in quotes, quotes and backslashes escaped, then @language or ^^<datatype>."""
    text = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"' + (f"@{language}" if language else f"^^<{datatype}>" if datatype else "")


def is_shown(char: str) -> bool:
    """Whether a character is safe on a terminal: no control, no bidi override, no line separator, no surrogate."""
    return char.isprintable() or char in _JOINERS


def printable(text: str) -> str:
    """A text out of a file or a model, so that it cannot drive a terminal; line breaks stay, other space is one."""
    if not (plain := text.replace("\r\n", "\n")).isprintable():
        shown = (c if c == "\n" or is_shown(c) else " " if c.isspace() else "\N{REPLACEMENT CHARACTER}" for c in plain)
        return "".join(shown)
    return plain


_BREAKS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def name_line(text: str) -> str:
    """A name as prompts show it: without line breaks and control characters, so that it cannot begin a line of its own.

    What a graph calls a thing is data: it must not forge a further triple, a number or a message.
    """
    if text.isprintable():  # almost all; a bracket of two calls would cost as much as the rest of a look-up
        return text
    return _BREAKS.sub(" ", text).strip() or "?"


def triple_line(head: str, relation: str, tail: str) -> str:
    """A triple of names as one line of a prompt; a name that would close the bracket stands in quotes."""
    return f"({', '.join(map(_in_brackets, (head, relation, tail)))})"


def _in_brackets(name: str) -> str:
    name, depth = name_line(name), 0
    for char in name:
        depth += {"(": 1, ")": -1}.get(char, 0)
        if depth < 0:
            break
    return name if not depth else json.dumps(name, ensure_ascii=False)


def one_line(text: str) -> str:
    """``printable`` on one line, one space between words: names and messages."""
    return printable(" ".join(text.split()))


def fold(text: str) -> str:
    """Case- and accent-folded, one space between words: "Amélie " and "amelie" are one."""
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return " ".join(text.casefold().split())


def words_of(text: str) -> list[str]:
    """The folded words of a text, apostrophes inside words kept."""
    return re.findall(r"\w+(?:['’]\w+)*", fold(text))


def _local_name(iri: str) -> str:
    """The last part of an IRI. DBpedia's names may hold slashes and colons: all after /resource/ is the name."""
    _, resource, name = iri.partition("/resource/")
    if resource and name:
        return name
    return re.split(r"[/#:]" if iri.startswith("urn:") else r"[/#]", iri.rstrip("/#"))[-1]


def entity_label(entity: str) -> str:
    """A label for an id that has none: a literal's value, an IRI's last part, underscores as spaces.

    Wikidata writes quantities as "+812" and days as the midnight that they begin with: these are 812 and the day.
    """
    if entity.endswith(">") and (match := _SIGNED.fullmatch(entity) or _MIDNIGHT.fullmatch(entity)):
        return match.group(1)
    if (literal := literal_parts(entity)) is not None:
        return literal.value
    if entity.startswith("_:"):
        return entity
    name = (_local_name(entity) or entity) if entity.startswith(_SCHEME) else entity
    if " " not in name and _PERCENT.search(name):
        name = unquote(name)
    return name.replace("_", " ").strip() or entity


def relation_words(relation: str) -> str:
    """A relation id in words: directed_by, birthPlace, /film/director/film and film.director.film.

    Of a Freebase path the last two parts are kept, of a compound path the last part of each half.
    """
    name = relation
    if name.startswith(_SCHEME):
        name = _local_name(name)
    elif match := _PREFIX.match(name):
        name = name[match.end() :]
    parts = [p for p in re.split(r"[/.]+", name) if p]
    if "./" in name:
        halves = [[p for p in half.split("/") if p] for half in name.split("./")]
        parts = [half[-1] for half in halves if half]
    name = " ".join(parts[-2:]) if len(parts) > 1 else (parts[0] if parts else relation)
    return " ".join(_CAMEL.sub(" ", name.replace("_", " ").replace("-", " ")).split()).lower() or relation
