"""What a relation calls the things that it leads to: "which galas did we have at Crayle?" asks for what races are "at
gala", where no class is called so, and for no race."""

from __future__ import annotations

import re

from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.linking.class_names import words_of_class
from triplewise.tools.query_graph.linking.mentions import folded_words, is_form_of
from triplewise.tools.query_graph.schema_view import SchemaView, Step
from triplewise.tools.text.verb_forms import PREPOSITIONS

_WHICH = re.compile(
    r"\b(?:which|what|how many)\s+(?:of\s+)?(?:(?:the|our|my|these|those|other)\s+)?(?P<noun>[^\W\d_]{3,})\b", re.I
)
_PRONOUNS = frozenset(("one", "ones", "thing", "things", "kind", "sort", "day", "year", "time", "date"))
_SAMPLE = 5
"""Answers that are looked at for their kind."""
_LEAST = 2
"""Things of which a relation's noun is the name of a kind."""


def of_what_is_called_so(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts that answer with what is of one kind with the things that a relation's last word calls so, where a
    question asks for these by that word; all where none does, or where a class is called so."""
    asked = _WHICH.search(sentence.plain)
    noun = asked["noun"].lower() if asked else ""
    if not noun or noun in _PRONOUNS:
        return drafts
    if any(is_form_of(word, noun) for kind in schema.classes for word in words_of_class(schema, kind)):
        return drafts
    called = [r for r in schema.relations if schema.value_kind(r) is None and _calls(schema.words(r), noun)]
    things = frozenset[str]().union(*(schema.starts(Step(r, inverse=True)) for r in called))
    kinds = {kind for node in schema.first(things) for kind in schema.kinds(node)} if len(things) >= _LEAST else set()
    if not kinds:
        return drafts

    def fits(draft: Draft) -> bool:
        own = {kind for node in schema.first(draft.answers)[:_SAMPLE] for kind in schema.kinds(node)}
        return draft.form not in ("select", "count") or not kinds.isdisjoint(own)

    return [d for d in drafts if fits(d)] if any(d.form == "select" and fits(d) for d in drafts) else drafts


def _calls(relation: str, noun: str) -> bool:
    *before, last = folded_words(relation) or [""]
    return PREPOSITIONS.issuperset(before) and is_form_of(last, noun)
