"""What is said to be done of what is asked for: of "which loads has Quill paid for?" those that were ordered by Quill
and have a day on which they were paid, and not all."""

from __future__ import annotations

from collections.abc import Sequence

from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.linking.mentions import folded_words, is_form_of, words_in
from triplewise.tools.query_graph.ranking import Ranked
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.text.verb_forms import is_participle

_LEAST = 0.05
"""The probability from which on a reading is looked at."""


def of_said_state(schema: SchemaView, sentence: Sentence, readings: Sequence[Ranked]) -> int:
    """The place of the likeliest reading that is the first one with a condition more, which the sentence says by a
    participle that nothing of the first one says; 0 where there is none."""
    first = readings[0].draft
    if first.form not in ("select", "count") or first.order or first.minus or len(first.answers) < 2:
        return 0
    named = {i for k, link in enumerate(sentence.links) if k in first.links for i in range(link.first, link.last + 1)}
    said = [w.text for i, w in enumerate(words_in(sentence.text)) if i not in named and is_participle(w.text)]
    told = {w for row in first.rows if row[1] != TYPE for w in folded_words(schema.words(row[1]))}
    said = [w for w in said if not any(is_form_of(w, t) for t in told)]
    for at, ranked in enumerate(readings[1:], 1) if said else ():
        draft = ranked.draft
        more = set(draft.rows) - set(first.rows)
        if ranked.probability < _LEAST or len(more) != 1 or draft.form != first.form or draft.order or draft.minus:
            continue
        ((head, relation, tail),) = more
        alike = set(first.rows) < set(draft.rows) and draft.links == first.links and draft.filters == first.filters
        if alike and isinstance(head, int) and isinstance(tail, int) and 0 < len(draft.answers) < len(first.answers):
            words = folded_words(schema.words(relation))
            if any(is_participle(w) and is_form_of(w, s) for w in words for s in said):
                return at
    return 0
