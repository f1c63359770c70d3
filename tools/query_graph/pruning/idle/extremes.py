"""Extremes that no word asks for: "which parts run low, with less than 5 left?" wants all, and not the fewest."""

from __future__ import annotations

from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.schema_view import SchemaView


def of_said_extremes(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that take the highest or lowest of values which a number of the sentence bounds already,
    where it has no superlative; all where no other is left."""
    del schema  # what the words say decides
    if not sentence.values or cues.MOST.search(sentence.text):
        return drafts
    return [d for d in drafts if not _is_bounded_twice(d)] or drafts


def _is_bounded_twice(draft: Draft) -> bool:
    if not draft.order or draft.order[2]:
        return False
    by = {relation for _, relation, tail in draft.rows if tail == draft.order[0]}
    bounded = {left for left, op, right in draft.filters if op in ("<", "<=", ">", ">=") and isinstance(right, str)}
    return any(relation in by and tail in bounded for _, relation, tail in draft.rows)
