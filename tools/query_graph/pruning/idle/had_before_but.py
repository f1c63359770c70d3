"""What is had by the words before a "but" is not what is lacking: "bookings that have a fee but haven't been paid"."""

from __future__ import annotations

import re

from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, Row
from triplewise.tools.query_graph.linking.mentions import folded_words
from triplewise.tools.query_graph.linking.said_relations import says_relation
from triplewise.tools.query_graph.schema_view import SchemaView

_HAVE_BUT = re.compile(
    r"\b(?:have|has|had|got|with)\s+(?:an?|the|some|their|its)\s+(?P<had>[^,;.?!]{1,60}?),?\s+but\b", re.I
)


def of_what_is_had(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """Of the drafts that take anything away those that have by the relation which is said to be had, and take away
    something else; all where none does."""
    found = _HAVE_BUT.search(sentence.text)
    if not found or cues.NEGATED.search(sentence.text[: found.end("had")]):
        return drafts
    words = folded_words(found["had"])

    def has_it(rows: tuple[Row, ...]) -> bool:
        return any(r != TYPE and says_relation(schema, words, r) for _, r, _ in rows)

    left = [d for d in drafts if not d.minus or (has_it(d.rows) and not has_it(d.minus))]
    return left if any(d.minus for d in left) else drafts
