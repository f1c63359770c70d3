"""N-Triples, a line at a time: https://www.w3.org/TR/n-triples/.

Written here because rdflib rewrites literals ("007"^^xsd:integer becomes 7, 1E999999999 a gigabyte of zeros) and
takes ten seconds for a line of a megabyte. Each pattern below consumes its line once, from left to right.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from triplewise.kg.names import quote_literal

_XSD_STRING = "http://www.w3.org/2001/XMLSchema#string"
_SPACE = re.compile(r"[ \t]*")
_IRI = re.compile(r'<([^\x00-\x20<>"{}|^`]*)>')
_BLANK = re.compile(r"_:([\w:](?:[\w:.·-]*[\w:·-])?)")
_STRING = re.compile(r'"((?:[^"\\\n\r]|\\.)*+)"')
_LANGUAGE = re.compile(r"@([A-Za-z]+(?:-[A-Za-z0-9]+)*)")
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", re.DOTALL)
_ESCAPED = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", '"': '"', "'": "'", "\\": "\\"}


class Statement(NamedTuple):
    """One line's triple as ids; ``text`` is the tail as plain text, ``language`` its tag."""

    head: str
    relation: str
    tail: str
    text: str
    language: str


def parse_line(line: str) -> Statement | None:
    """The statement of a line, None for an empty line or a comment; raises ValueError that says what is wrong."""
    reader = _Line(line.strip(" \t\r\n"))
    if not reader.text or reader.text.startswith("#"):
        return None
    head = reader.iri() or reader.blank()
    if not head:
        raise ValueError(f"a line begins with <an IRI> or _:a blank node, not {reader.here()}")
    relation = reader.iri()
    if not relation:
        raise ValueError(f"the second term is an <IRI>, not {reader.here()}")
    tail = text = reader.iri() or reader.blank()
    language = ""
    if not tail:
        text, language, datatype = reader.literal()
        tail = quote_literal(text, language, "" if datatype == _XSD_STRING else datatype)
    reader.end()
    return Statement(head, relation, tail, text, language)


class _Line:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def here(self) -> str:
        return repr(self.text[self.at : self.at + 40]) if self.at < len(self.text) else "the line's end"

    def take(self, pattern: re.Pattern[str]) -> str | None:
        match = pattern.match(self.text, self.at)
        if match is None:
            return None
        self.at = match.end()
        return match.group(match.lastindex or 0)

    def iri(self) -> str:
        self.take(_SPACE)
        start = self.at
        found = self.take(_IRI)
        if found is None:
            return ""
        if not found:
            raise ValueError("an IRI is empty")
        if "\\" in found:
            found = _unescape(found)
            if any(c <= " " or c in '<>"{}|^`' for c in found):
                self.at = start
                raise ValueError(f"no IRI: {self.here()}")
        return found

    def blank(self) -> str:
        self.take(_SPACE)
        found = self.take(_BLANK)
        return f"_:{found}" if found else ""

    def literal(self) -> tuple[str, str, str]:
        self.take(_SPACE)
        found = self.take(_STRING)
        if found is None:
            raise ValueError(f'the third term is an <IRI>, _:a blank node or a "literal", not {self.here()}')
        value = _unescape(found) if "\\" in found else found
        if language := self.take(_LANGUAGE):
            return value, language, ""
        if not self.text.startswith("^^", self.at):
            return value, "", ""
        self.at += 2
        datatype = self.iri()
        if not datatype:
            raise ValueError(f"after ^^ stands the <IRI> of a datatype, not {self.here()}")
        return value, "", datatype

    def end(self) -> None:
        self.take(_SPACE)
        if not self.text.startswith(".", self.at):
            raise ValueError(f"a statement ends with a full stop, not {self.here()}")
        self.at += 1
        self.take(_SPACE)
        if self.at < len(self.text) and self.text[self.at] != "#":
            raise ValueError(f"after the full stop stands {self.here()}")


def _unescape(text: str) -> str:
    return _ESCAPE.sub(_unescaped, text)


def _unescaped(match: re.Match[str]) -> str:
    code = match.group(1)
    if len(code) == 1:
        if code in _ESCAPED:
            return _ESCAPED[code]
        raise ValueError(f"no escape: {match.group()!r}")
    number = int(code[1:], 16)
    if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
        raise ValueError(f"no character: {match.group()}")
    return chr(number)
