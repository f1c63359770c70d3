"""Claims of how often something was done: "Ann has complained twice" is of two complaints of hers, whatever they are
about, so that their number is held against the one that is said."""

from __future__ import annotations

from collections.abc import Sequence

from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.candidates.several import OFTEN, Frequency, claimed_frequency
from triplewise.tools.query_graph.linking.mentions import words_in
from triplewise.tools.query_graph.schema_view import SchemaView

_SETS = 60
"""Sets whose number is held against how often something is said to have been done, those nearest to the claim."""
_SURE = 0.99
_NEARLY = 0.6
"""The score of the likeliest name from which on it is meant where none is said whole: "the left turntable"."""


def of_claimed_times(
    schema: SchemaView, sentence: Sentence, questions: Sequence[Draft], drafts: list[Draft]
) -> list[Draft]:
    """The readings of a claim that a named thing did something, or had it done to it, so many times: that there are so
    many rows of what a question's reading finds, or a number that the graph tells; of any other claim all ``drafts``.
    """
    said, words = claimed_frequency(sentence.text), words_in(sentence.text)
    named = [x for x in sentence.links if not x.is_value and x.first >= 0]
    sure = [x for x in named if x.score > _SURE] or [x for x in named if x.score > _NEARLY][:1]
    if said and any(words[x.first].start <= said.start < words[x.last].end for x in sure):
        return drafts  # of what is called "Once Bitten"
    others = [v for v in sentence.values if v.kind == "number" and not (said and said.start <= v.start < said.end)]
    if not said or others or not sure:
        return drafts
    values = tuple(i for i, v in enumerate(sentence.values) if said.start <= v.start < said.end)
    sets = [d for d in questions if _is_of_named(schema, d) and not set(values) & set(d.values)]
    denied = bool(cues.NEGATED.search(sentence.text))
    counts = [_counted(d, said, values).but(denied=denied) for d in sorted(sets, key=lambda d: -d.prior)[:_SETS]]
    told = [d for d in drafts if not d.compare and set(values) & set(d.values) and OFTEN not in d.extra]
    return [*counts, *told] if counts else drafts


def _is_of_named(schema: SchemaView, draft: Draft) -> bool:
    """Whether a draft finds things, and no values, that are tied to what the sentence names."""
    plain = draft.form == "select" and not (draft.order or draft.minus or draft.filters) and OFTEN not in draft.extra
    return plain and bool(draft.links) and not any(t == 0 and schema.value_kind(r) for _, r, t in draft.rows)


def _counted(draft: Draft, said: Frequency, values: tuple[int, ...]) -> Draft:
    """The claim that there are so many of what a draft finds."""
    return draft.but(
        form="count", compare=(said.op, str(said.number)), values=(*draft.values, *values), prior=draft.prior + 0.2
    )
