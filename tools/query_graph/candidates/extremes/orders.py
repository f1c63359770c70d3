"""The things with the greatest or least value, or with most or fewest of something."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import combinations

from triplewise.kg.query.graph import TYPE
from triplewise.kg.values import Kind, Value, comparable, parse_value
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.drafts import Draft, move_answer, row_of
from triplewise.tools.query_graph.candidates.several import Several
from triplewise.tools.query_graph.schema_view import SchemaView, Step


class Orders(Several):
    """The stage of orders."""

    def ordered(self, bases: list[Draft], classes: list[Draft]) -> None:
        sets = [*classes, *[d for d in bases if len(d.answers) > 1], *self.best_refined(8), *self.inner]
        if not self.superlative:
            sets = self.not_many([d for d in sets if d.classes or d.links])[:4]
        for draft in sets:
            if self.late():
                return
            for steps in self.orders_at(draft)[:12]:
                valued, variable = self.with_value(draft, steps)
                values = self.by_value(draft.answers, steps)
                for descending in self.directions(steps):
                    kept = extreme(values, descending)
                    if kept:
                        best = valued.but(
                            answers=kept, order=(variable, descending, None),
                            prior=draft.prior + 0.2 + 0.5 * self.affinity(steps[-1]), hops=max(draft.hops, len(steps)),
                        )  # fmt: skip
                        if (self.emit(best) or self.schema.nameless(kept)) and len(steps) == 1:
                            self.onwards(best, again=0)
                        if len(steps) == 1:
                            self.own_value(draft, steps[0], descending)
            self.most(draft)

    def own_value(self, draft: Draft, step: Step, descending: bool) -> None:
        """The greatest or least value of some things, where it is asked for itself: "when did we last play?"."""
        relation = step.relation
        told = cues.asked_extreme(self.s.text, self.schema.words(relation), self.schema.value_kind(relation) or "")
        if told == (">" if descending else "<") and not draft.filters:  # those of filtered sets come later
            moved = move_answer(draft, step)
            kept = greatest(self.schema, self.schema.follow(draft.answers, step), descending)
            self.emit(
                moved.but(
                    answers=kept, order=(0, descending, None), steps=(*draft.steps, step),
                    prior=draft.prior + 0.2 + 0.5 * self.affinity(step),
                )
            )  # fmt: skip

    def orders_at(self, draft: Draft) -> list[tuple[Step, ...]]:
        """The steps to values that things can be ordered by; what lasts the longest has the most nights, where nights
        are told, and no first day; who has been there the longest came first, where it is told when they came."""
        found = [steps for steps, _ in self.values_at(draft)]
        newest = cues.NEWEST.search(self.s.text)
        if newest or cues.TENURE.search(self.s.text):
            words = {s: self.schema.words(s[-1].relation) for s in found if self.is_day(s[-1].relation)}
            came = {steps[:-1] for steps, text in words.items() if cues.is_beginning(text)}
            rest = {s: text for s, text in words.items() if s[:-1] in came and not cues.is_beginning(text)}
            return [s for s in found if s not in rest or (newest and not cues.is_birth(rest[s]))]
        if not cues.asks_what_lasts(self.s.text):
            return found
        last = {steps: steps[-1].relation for steps in found}
        told = {steps[:-1] for steps, r in last.items() if self.schema.value_kind(r) == "number" and self.is_span(r)}
        dates = [s for s, r in last.items() if s[:-1] in told and self.is_day(r)]
        return [steps for steps in found if steps not in dates]

    def is_day(self, relation: str) -> bool:
        """Whether a relation leads to days or years."""
        return self.schema.value_kind(relation) in ("date", "year")

    def measures_another(self, relation: str) -> bool:
        """Whether an extreme is said of what other relations measure: the shortest film is not the youngest member."""
        return bool(self.measuring) and relation not in self.measuring

    @cached_property
    def measuring(self) -> set[str]:
        """The relations to numbers that measure what an extreme of the sentence is said of."""
        measures = cues.measured_by(self.s.text)
        numbers = (r for r in self.schema.relations if measures and self.schema.value_kind(r) == "number")
        return {r for r in numbers if any(measure.search(self.schema.measure(r)) for measure in measures)}

    def is_span(self, relation: str) -> bool:
        """Whether the numbers that a relation leads to tell how long something lasts."""
        return bool(cues.SPAN.search(self.schema.words(relation)))

    def directions(self, steps: Sequence[Step]) -> tuple[bool, ...]:
        """Whether the highest, the lowest, or either value at the end of a way is asked for: "last" and "longest" tell
        it of dates, "oldest" of ages and "lightest" of weights; how long one has been there is a value of one's own."""
        step = steps[-1]
        kind, told = self.schema.value_kind(step.relation), ""
        if kind in ("date", "year"):
            words = self.schema.words(step.relation)
            if cues.TENURE.search(self.s.text) and cues.is_birth(words):
                return ()  # who has been there the longest is not the oldest
            told = cues.extreme_date(self.s.text, words)
        elif kind == "number" and cues.TENURE.search(self.s.text):
            return (True, False) if len(steps) == 1 and self.is_span(step.relation) else ()
        elif kind == "number" and self.measures_another(step.relation):
            return ()
        elif kind in ("number", "time"):
            measure = self.schema.measure(step.relation)
            told = cues.extreme_number(self.s.text, measure) or cues.extreme_time(self.s.text, measure, kind)
        return (told == ">",) if told else (True, False)

    def most(self, draft: Draft) -> None:
        """Things with the most or the fewest of something."""
        probe = self.schema.first(draft.answers)[:30]
        steps = {s for node in probe for s in self.schema.steps(node)} - {None}
        steps = {s for s in steps if s.relation not in self.schema.left_out and not self.schema.functional(s)}
        for step in sorted(steps, key=lambda s: (-self.affinity(s), s))[:8]:
            reached = self.schema.each(draft.answers, step)
            ends = frozenset().union(*reached.values()) if self.s.classes else frozenset[str]()
            for kind in (None, *(c for c in self.s.classes if any(c in self.schema.store.types(t) for t in ends))):
                if kind is None:
                    counts = {n: len(ts) for n, ts in reached.items()}
                else:
                    such = {t for t in ends if kind in self.schema.store.types(t)}
                    counts = {n: k for n, ts in reached.items() if (k := len(such.intersection(ts)))}
                for descending in (True, False):
                    if not counts:
                        continue
                    top = (max if descending else min)(counts.values())
                    kept = frozenset(n for n, c in counts.items() if c == top)
                    variable = draft.next_variable or 1
                    rows = (*draft.rows, row_of(0, step, variable))
                    if kind:
                        rows = (*rows, (variable, TYPE, kind))
                    self.emit(
                        draft.but(
                            rows=rows,
                            unsaid=draft.unsaid + self.beside(draft, step),
                            answers=kept,
                            order=(variable, descending, "count"),
                            steps=(*draft.steps, step),
                            classes=tuple({*draft.classes, *((kind,) if kind else ())}),
                            prior=draft.prior + 0.1 + 0.5 * self.affinity(step),
                        )
                    )


def greatest(schema: SchemaView, nodes: Iterable[str], descending: bool) -> frozenset[str]:
    """Of values the greatest, or the least."""
    keys = {node: key for node in nodes if (key := parse_value(schema.label(node)).key)}
    best = (max if descending else min)(keys.values(), default=())
    return frozenset(node for node, key in keys.items() if key == best)


def extreme(values: dict[str, set[str]], descending: bool) -> frozenset[str]:
    """Of values and the things that have them: the things whose greatest (or least) value is the greatest (or least)
    of all. Things with values that cannot be ordered among themselves are left out."""
    keys: dict[tuple[float, ...], set[str]] = {}
    kinds = defaultdict[Kind, set[str]](set)
    for label, nodes in values.items():
        if (value := parse_value(label)).key:
            keys[value.key] = keys[value.key] | nodes if value.key in keys else nodes
            kinds[value.kind] |= nodes
    mixed = set[str]()
    for one, other in combinations(kinds, 2):
        if not comparable(Value(one, ()), Value(other, ())):
            mixed |= kinds[one] & kinds[other]
    ordered = {key: left for key, nodes in keys.items() if (left := nodes - mixed)}
    if len(frozenset().union(*ordered.values())) < 2:
        return frozenset()
    return frozenset(ordered[(max if descending else min)(ordered)])
