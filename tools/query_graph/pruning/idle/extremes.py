"""Extremes that no word asks for: "which parts run low, with less than 5 left?" wants all, and not the fewest."""

from __future__ import annotations

import re

from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.schema_view import SchemaView

_COMPARES = re.compile(
    r"\b(?:next|or|than|prefer\w*|rather|how (?:often|many|much|long)|favou?rite|low|high|short)\b", re.I
)
"""What may ask for the first or last of some things without a superlative."""

_BOUND = re.compile(r"\bat (?:least|most)\b", re.I)


def of_said_extremes(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that take the highest or lowest of values which a number of the sentence bounds already,
    where it has no superlative, or of any values where that is but a relation's name ("passed their last check") or
    nothing compares ("who gave money for the show?"), and those by which several are the first of one month by their
    months; all where no other is left."""
    drafts = [d for d in drafts if not _is_of_one_value(d)] or drafts
    said = cues.MOST.search(_BOUND.sub(" ", sentence.text))
    if said and not cues.MOST.search(_without_relations(schema, sentence.text)):
        return [d for d in drafts if not d.order or d.order[2]] or drafts
    if not said and not _COMPARES.search(sentence.text) and not _runs(sentence.text):
        return [d for d in drafts if not d.order] or drafts
    if said or not sentence.values or cues.NEXT.search(sentence.text):
        return drafts
    return [d for d in drafts if not _is_bounded_twice(d)] or drafts


def _runs(text: str) -> bool:
    """Whether a comparative stands in a sentence."""
    return bool(cues.direction(text, False) or cues.direction(text, True))


def _is_of_one_value(draft: Draft) -> bool:
    """Whether an order goes by a month that a condition says, so that several are the first and the last alike."""
    if not draft.order or draft.order[2] or len(draft.answers) < 2:
        return False
    end = draft.order[0]
    bounds = {op for left, op, right in draft.filters if left == end and isinstance(right, str)}
    told = {(h, r) for h, r, t in draft.rows if isinstance(t, str)}
    return {">=", "<="} <= bounds or any((h, r) in told for h, r, t in draft.rows if t == end)


def _without_relations(schema: SchemaView, text: str) -> str:
    """A sentence without the names of several words of relations that have a superlative in them."""
    for words in map(schema.words, schema.relations):
        if len(words.split()) > 1 and cues.MOST.search(words):
            text = re.sub(rf"\b{re.escape(words)}s?\b", " ", text, flags=re.I)
    return text


def _is_bounded_twice(draft: Draft) -> bool:
    if not draft.order or draft.order[2]:
        return False
    by = {relation for _, relation, tail in draft.rows if tail == draft.order[0]}
    bounded = {left for left, op, right in draft.filters if op in ("<", "<=", ">", ">=") and isinstance(right, str)}
    return any(relation in by and tail in bounded for _, relation, tail in draft.rows)
