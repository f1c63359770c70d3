"""Part of a name in small letters beside a name that is written as one: "what make of boiler has Marta got?" asks of
Marta, and not of the one boiler of five that the word boiler might be."""

from __future__ import annotations

from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.linking.mentions import words_in, written_as_names
from triplewise.tools.query_graph.schema_view import SchemaView

_PART = 0.75
"""The score of a link up to which only a part of a name is said."""


def of_written_names(_schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that are only about what words in small letters may be a part of the name of, where
    some are about what is written as a name."""
    written = written_as_names(sentence.text, words_in(sentence.text))
    spans = [set(range(x.first, x.last + 1)) for x in sentence.links]
    named = {i for i, span in enumerate(spans) if span & written and not sentence.links[i].is_value}
    weak = {i for i, x in enumerate(sentence.links) if x.first >= 0 and x.score < _PART and i not in named}
    if not weak or not any(d.answers and named.intersection(d.links) for d in drafts):
        return drafts
    return [d for d in drafts if not d.links or not weak.issuperset(d.links)]
