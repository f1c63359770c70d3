"""A noun that is asked for and that the graph tells as a value: "which of the wrecks" are things whose kind is a wreck,
and no dives there."""

from __future__ import annotations

import re

from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.linking.mentions import words_in
from triplewise.tools.query_graph.schema_view import SchemaView

_WHICH = re.compile(
    r"^(?:(?:so|and|ok|right)[, ]+)?which (?:of (?:the|our|my|your|their|his|her|these|those) )?(?=[^\W\d_]+s\b)", re.I
)
_SURE = 0.9
"""The score of a link from which on the noun is the value."""


def of_asked_value(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts that answer with what has the value, where some do and the noun is no class."""
    found = _WHICH.match(sentence.text)
    at = next((i for i, word in enumerate(words_in(sentence.text)) if found and word.start == found.end()), -1)
    if at < 0 or any(first <= at <= last for first, last in sentence.classes.values()):
        return drafts
    values = {x.node for x in sentence.links if x.is_value and (x.first, x.last) == (at, at) and x.score > _SURE}
    if not values:
        return drafts

    def has_it(draft: Draft) -> bool:
        told = any(head == 0 and tail in values for head, _, tail in draft.rows)
        return told or draft.form == "ask" or bool(draft.compare)

    return [d for d in drafts if has_it(d)] or drafts
