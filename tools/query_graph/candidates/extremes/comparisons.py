"""Things of which a value, or a number of things, is more or less than another's."""

from __future__ import annotations

import re
from collections import defaultdict

from triplewise.kg.query.graph import TYPE
from triplewise.kg.values import compare
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.amounts import of_named_amount
from triplewise.tools.query_graph.candidates.drafts import Draft, row_of, without
from triplewise.tools.query_graph.candidates.extremes.lasting import LongestTimes
from triplewise.tools.query_graph.candidates.extremes.orders import extreme
from triplewise.tools.query_graph.candidates.own_values import told_order
from triplewise.tools.query_graph.candidates.refinements import ORDERED
from triplewise.tools.query_graph.linking.mentions import Link, words_in
from triplewise.tools.query_graph.schema_view import Step

_NEXT = re.compile(
    r"\bnext\b.*\b(?:after|behind|above|below|before)\b|"
    r"\b(?:right|straight|directly|immediately|just) (?:after|before|behind|above|below)\b",
    re.I,
)
"""Asks for the nearest of those that are more, or less: "who was the next to join after Ann?" """


class Comparisons(LongestTimes):
    """The stage of comparisons."""

    def compared(self, bases: list[Draft], classes: list[Draft]) -> None:
        links = self.s.links if self.comparing else self.s.links[:2]
        for i in range(len(links)):
            for j in range(i + 1, len(links)):
                if not links[i].overlaps(links[j]) and links[i].node != links[j].node:
                    self.two(i, j)
        for draft in classes if self.comparing else ():
            if draft.kind and not self.late():
                self.two_values(draft)
        following = bool(_NEXT.search(self.s.text))
        if not (self.comparing or following):
            classes, bases = self.not_many(classes), self.not_many(bases)
        for i, link in enumerate(links):
            if self.late():
                return
            kinds = set(self.schema.kinds(link.node))
            own = [c for c in classes if c.kind in kinds or c.kind in self.s.classes]
            sets = [*own, *[b for b in bases if i not in b.links and len(b.answers) > 1][:12]]
            for step in self.schema.steps(link.node):
                if step.inverse or self.schema.value_kind(step.relation) not in ORDERED:
                    continue
                said = following or self.after_than(link, self.dated(step))
                told = self.told_direction(step) if said else ""
                limits = [self.schema.label(v) for v in self.schema.go(link.node, step)]
                for draft in sets:
                    valued, variable = self.with_value(draft, (step,))
                    values = self.by_value(draft.answers, (step,))
                    itself = {link.node} & draft.answers & self.schema.starts(step)
                    for op in (told,) if told else ("<", ">"):
                        passing = {v: n for v, n in values.items() if any(compare(v, op, limit) for limit in limits)}
                        kept = frozenset().union(*passing.values()) - itself
                        if following:
                            kept = extreme(passing, op == "<")
                        if kept or told:  # nothing may be longer than the longest
                            other = variable + 1
                            self.emit(
                                valued.but(
                                    rows=(*valued.rows, row_of(link.node, step, other)),
                                    answers=kept,
                                    filters=((variable, op, other),),
                                    unsaid=valued.unsaid + valued.filters + without(0, itself),
                                    order=(variable, op == "<", None) if following else None,
                                    links=(*draft.links, i),
                                    prior=draft.prior + 0.2 + 0.4 * self.affinity(step),
                                )
                            )

    def dated(self, step: Step) -> bool:
        """Whether a step leads to dates or times of day."""
        kind = self.schema.value_kind(step.relation)
        if kind == "time":
            return cues.is_point(self.schema.measure(step.relation), kind)
        return kind in ("date", "year")

    def told_direction(self, step: Step) -> str:
        """How the sentence compares what a step leads to: "<" or ">", "" where its words do not tell."""
        return cues.direction(self.s.text, self.dated(step), self.schema.measure(step.relation))

    def after_than(self, link: Link, dated: bool) -> bool:
        """Whether a thing is what others are compared with, by a day perhaps: "longer than the Falcon", "after Ann"."""
        words = words_in(self.s.text)
        comparing = ("than", "then", *(("after", "before") if dated else ()))
        return any(w.text in comparing for w in words[max(0, link.first - 2) : max(0, link.first)])

    def two_values(self, draft: Draft) -> None:
        """Things of which one value is more than another: away goals than home goals."""
        probe = self.schema.first(draft.answers)[:10]
        steps = sorted(
            {
                s
                for n in probe
                for s in self.schema.steps(n)
                if not s.inverse and self.schema.value_kind(s.relation) in ORDERED
            }
        )
        for a in steps:
            for b in steps:
                alike = a != b and self.schema.value_kind(a.relation) == self.schema.value_kind(b.relation)
                if alike and told_order(self.schema, self.s.text, a, b) != "<":
                    one, first = self.with_value(draft, (a,))
                    both, second = self.with_value(one, (b,))
                    left, right = (self.schema.each(draft.answers, s) for s in (a, b))
                    label = self.schema.label
                    kept = frozenset(
                        n for n, vs in left.items()
                        if any(compare(label(v), ">", label(w)) for v in vs for w in right.get(n, ()))
                    )  # fmt: skip
                    if kept and len(kept) < len(draft.answers):
                        near = 0.2 * (self.affinity(a) + self.affinity(b))
                        self.emit(
                            both.but(
                                answers=kept,
                                filters=((first, ">", second),),
                                unsaid=both.unsaid + both.filters,
                                prior=draft.prior + near,
                            )
                        )

    def two(self, i: int, j: int) -> None:
        """Which of two named things has more of something."""
        a, b = self.s.links[i].node, self.s.links[j].node
        shared = set(self.schema.steps(a)) & set(self.schema.steps(b))
        for step in of_named_amount(self.schema, self.s, sorted(shared), (a, b)):
            ordered = not step.inverse and self.schema.value_kind(step.relation) in ORDERED
            if not ordered and self.schema.functional(step):
                continue
            told = self.told_direction(step)
            if ordered and self.dated(step) and not told and cues.AMOUNTS.search(self.s.text):
                continue  # who has more is not who came later
            base = Draft((row_of(0, step, 1),), frozenset((a, b)), (step,), links=(i, j), hops=1)
            reached = {n: set(self.schema.go(n, step)) for n in (a, b)}
            if not ordered and (kind := self.said_kind(frozenset().union(*reached.values()))):
                base = base.but(rows=(*base.rows, (1, TYPE, kind)), classes=(kind,))
                reached = {n: ends.intersection(self.schema.members(kind)) for n, ends in reached.items()}
            values = defaultdict[str, set[str]](set)
            for node, ends in reached.items():
                for label in map(self.schema.label, ends) if ordered else (str(len(ends)),):
                    values[label].add(node)
            for descending in (told == ">",) if told else self.directions((step,)):
                if kept := extreme(values, descending):
                    self.emit(
                        base.but(
                            answers=kept,
                            filters=((0, "in", (a, b)),),
                            order=(1, descending, None if ordered else "count"),
                            prior=self.prior((step,), (i, j)) + 0.2 * ordered,
                        )
                    )

    def said_kind(self, nodes: frozenset[str]) -> str:
        """The class of some of the nodes that the sentence says of them; "" where it says none, or one of all."""
        return next((k for k in self.s.classes if 0 < len(nodes.intersection(self.schema.members(k))) < len(nodes)), "")
