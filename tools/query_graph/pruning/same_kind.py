"""Two that have the same of a kind: "are they in the same band?" is not told by an instrument that both play."""

from __future__ import annotations

from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.linking.mentions import words_in
from triplewise.tools.query_graph.schema_view import SchemaView, Step


def of_same_kind(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts in which what two have in common is of the class behind "same", where some are; else all."""
    words = [w.text for w in words_in(sentence.text)]
    said = [kind for kind, (first, _) in sentence.classes.items() if first and words[first - 1] == "same"]
    if len(said) != 1:
        return drafts
    members = frozenset(schema.members(said[0]))
    shared = [_shared(draft) for draft in drafts]
    fits = [any(schema.starts(step.back) <= members for step in steps) for steps in shared]
    if not any(fits):
        return drafts
    return [draft for draft, steps, fit in zip(drafts, shared, fits, strict=True) if fit or not steps]


def _shared(draft: Draft) -> list[Step]:
    """The steps that lead to a variable at which two rows meet."""
    ends = [
        (e, Step(r, e == h and e != t)) for h, r, t in draft.rows if r != TYPE for e in (h, t) if isinstance(e, int)
    ]
    numbers = [e for e, _ in ends]
    return [step for e, step in ends if numbers.count(e) > 1]
