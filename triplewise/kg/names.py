"""Names: folding for comparison, and readable forms of ids and relation names."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def fold(text: str) -> str:
    """Case- and accent-folded, one space between words: "Amélie " and "amelie" are one."""
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return " ".join(text.casefold().split())


def words_of(text: str) -> list[str]:
    """The folded words of a text, apostrophes inside words kept."""
    return re.findall(r"\w+(?:['’]\w+)*", fold(text))


def entity_label(entity: str) -> str:
    """A label for an id that has none: a literal's value, an IRI's last part, underscores as spaces."""
    if entity.startswith('"'):
        end = entity.rfind('"')
        return entity[1:end] if end > 0 else entity[1:]
    if entity.startswith(("http://", "https://", "urn:")):
        entity = re.split(r"[/#:]", entity.rstrip("/#"))[-1] or entity
    if "%" in entity:
        entity = unquote(entity)
    return entity.replace("_", " ").strip() or entity


def relation_words(relation: str) -> str:
    """A relation id in words: directed_by, birthPlace, /film/director/film and film.director.film.

    Of a Freebase path the last two parts are kept, of a compound path the last part of each half.
    """
    name = relation
    if name.startswith(("http://", "https://")):
        name = re.split(r"[/#]", name.rstrip("/#"))[-1]
    parts = [p for p in re.split(r"[/.]+", name) if p]
    if "./" in name:
        halves = [[p for p in half.split("/") if p] for half in name.split("./")]
        parts = [half[-1] for half in halves if half]
    name = " ".join(parts[-2:]) if len(parts) > 1 else (parts[0] if parts else relation)
    return " ".join(_CAMEL.sub(" ", name.replace("_", " ").replace("-", " ")).split()).lower() or relation
