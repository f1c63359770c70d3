"""Generation, stage 4: things that have two or more of something: "who belongs to more than one club?"

A query graph has no condition on a count for each answer. That there are at least two is said by two patterns whose
ends differ; that there are fewer cannot be said so.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations

from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph.candidates.drafts import Condition, Draft, row_of
from triplewise.tools.query_graph.candidates.refinements import Refinements
from triplewise.tools.query_graph.linking.class_names import words_of_class
from triplewise.tools.query_graph.linking.mentions import Word, is_form_of, singulars, words_in
from triplewise.tools.query_graph.linking.value_mentions import ValueMention
from triplewise.tools.query_graph.schema_view import Step

_BETWEEN = frozenset(("or", "more", "different", "other", "of", "the", "such", "separate", "distinct"))
"""Words between a number and what it counts: "two or more different countries"."""
_MOST = 4
"""The greatest number of ends that are told apart."""
_STEM = 4
"""Letters of a noun that a relation's word begins with."""


class Several(Refinements):
    """Sets of things that have at least so many of something."""

    @cached_property
    def counting_nouns(self) -> dict[int, Sequence[Word]]:
        """The position of a value in the sentence → the noun that it was found to count."""
        return {}

    def several(self, bases: list[Draft], classes: list[Draft]) -> None:
        """Numbers that count things keep the answers that have so many of these."""
        for i, mention in enumerate(self.s.values):
            noun, least = self.noun_after(mention), self.at_least(mention)
            if not noun or not 2 <= least <= _MOST:
                continue
            for draft in [d for d in (*classes, *bases) if d.kind or d.links or d.values]:
                if self.late():
                    return
                probe = self.schema.first(draft.answers)[:30]
                steps = {s for node in probe for s in self.schema.steps(node)}
                steps -= {s for step in draft.steps for s in (step, step.back)}
                for step in sorted(steps, key=lambda s: (-self.affinity(s), s)):
                    if i not in draft.values and not self.schema.functional(step):
                        self.having_several(draft, step, noun, least, i)

    def having_several(self, draft: Draft, step: Step, noun: Sequence[Word], least: int, value: int) -> None:
        reached = {n: frozenset(ends) for n, ends in self.schema.each(draft.answers, step).items()}
        kinds = {k for ends in reached.values() for e in ends for k in self.schema.store.types(e)}
        kind = next((k for k in sorted(kinds) if _is_called(words_of_class(self.schema, k), noun)), "")
        such = frozenset(self.schema.members(kind)) if kind else frozenset().union(*reached.values())
        kept = frozenset(n for n, ends in reached.items() if len(ends & such) >= least)
        if not kept or not (kind or self.is_named(step.relation, noun)):
            return
        self.counting_nouns[value] = noun
        first = draft.next_variable or 1
        ends = range(first, first + least)
        mixed = not all(such.issuperset(ends) for ends in reached.values())
        apart: tuple[Condition, ...] = tuple((a, "not in", b) for a, b in combinations(ends, 2))
        self.refine(
            draft.but(
                rows=(*draft.rows, *(row_of(0, step, v) for v in ends), *((v, TYPE, kind) for v in ends if mixed)),
                answers=kept,
                unsaid=(*draft.unsaid, *apart),
                said=(f"{self.schema.words(step.relation)} at least {least}",),
                steps=(*draft.steps, step.back),  # as its route runs: what is counted is not gone on to
                routes=(*draft.routes, (first, step.back, 0)),
                values=(*draft.values, value),
                classes=tuple(dict.fromkeys((*draft.classes, *((kind,) if kind in self.s.classes else ())))),
                prior=draft.prior + 0.3 + 0.4 * self.affinity(step),
            )
        )

    def noun_after(self, mention: ValueMention) -> Sequence[Word]:
        """The words of which the first are a noun that a number counts; none for a number with a unit."""
        words = words_in(self.s.text)
        at = next((n for n, w in enumerate(words) if w.start >= mention.end), len(words))
        while at < len(words) and words[at].text in _BETWEEN:
            at += 1
        counts = mention.kind == "number" and len(mention.texts) == 1 and not mention.rank
        return words[at:] if counts else ()

    def at_least(self, mention: ValueMention) -> int:
        """The least number that a mention allows; 0 where it allows fewer as well, or is no whole number."""
        if not mention.low.isdecimal():
            return 0
        conditions = [c for c in self.conditions(mention, "number") if len(c) == 1]
        op = conditions[0][0][0] if conditions else ">="
        return {">": int(mention.low) + 1, ">=": int(mention.low)}.get(op, 0)

    def counts_others(self, value: int, relation: str) -> bool:
        noun = self.counting_nouns.get(value)
        return noun is not None and not self.is_named(relation, noun)

    def is_named(self, relation: str, noun: Sequence[Word]) -> bool:
        """Whether a relation is called by a noun: who is "sponsored by" something has sponsors."""
        forms = [form for form in (noun[0].text, *singulars(noun[0].text)) if len(form) >= _STEM]
        return any(w.text.startswith(form) for w in words_in(self.schema.words(relation)) for form in forms)


def _is_called(label: Sequence[str], noun: Sequence[Word]) -> bool:
    """Whether a class is called by the first words of a noun, or by its last word alone: "club" for an alpine club."""
    whole = [w.text for w in noun[: len(label)]]
    return (len(whole) == len(label) and all(map(is_form_of, label, whole))) or is_form_of(label[-1], noun[0].text)
