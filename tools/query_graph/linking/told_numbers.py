"""Things that are called by their class and a number that a relation tells: "chapter 4" of one that has a title."""

from __future__ import annotations

import re
from collections.abc import Iterator

from triplewise.kg.names import fold
from triplewise.tools.query_graph.schema_view import SchemaView, Step

_NUMBER = re.compile(r"(?:(?P<of>.+) )?(?:number|nr|num|no)\.?")
"""The relation "number", or "chapter number" of chapters."""


def names_by_number(schema: SchemaView) -> Iterator[tuple[str, str]]:
    """(thing, "chapter 4") for all things of a class of which each has another number."""
    for relation in schema.relations:
        found = _NUMBER.fullmatch(schema.words(relation).lower())
        if not found or schema.value_kind(relation) != "number" or not schema.functional(Step(relation)):
            continue
        for kind in schema.classes:
            label = schema.store.label(kind)
            if found["of"] and found["of"] != fold(label):
                continue
            numbers = schema.each(schema.set_of(kind), Step(relation))
            texts = {node: schema.label(told[0]) for node, told in numbers.items()}
            if len(texts) > 1 and len(set(texts.values())) == len(texts) and all(t.isdecimal() for t in texts.values()):
                yield from ((node, f"{label} {text}") for node, text in texts.items())
