"""Generation, stages 4 and 6: sets made smaller, by values, by having something, by yes and no."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property

from triplewise.kg.values import Kind, compare, parse_value
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.differences import Differences
from triplewise.tools.query_graph.candidates.drafts import (
    IN_MONTH,
    IN_NO_MONTH,
    Condition,
    Draft,
    at_least_one,
    row_of,
    without,
)
from triplewise.tools.query_graph.joined.values import JoinedValues
from triplewise.tools.query_graph.linking.bounds import bound, is_limit
from triplewise.tools.query_graph.linking.mentions import folded_words, words_in
from triplewise.tools.query_graph.linking.months import Month
from triplewise.tools.query_graph.linking.value_mentions import ValueMention
from triplewise.tools.query_graph.schema_view import Step

ORDERED: tuple[Kind, ...] = ("number", "year", "date", "time")
"""Kinds of values that can be ordered."""

_ADDED = re.compile(r"^\s*(?:%|(?!or\b|and\b)[a-z]+)?\s+(?:more|less|fewer)\b(?!\s+th[ae]n\b)", re.I)
"""What says of a number that it is added, or taken off: the buyer pays "20 percent more"."""
_CURRENCY = re.compile(r"[€£$]\s?\d")
_OF_MONEY = re.compile(r"\s?(?:[€£$]|(?:euros?|pounds?|quid|dollars?|bucks|pence)\b)", re.I)
"""A sign of money before a number, and what stands behind one."""

_ALSO = 8
"""Sets that another value narrows which are narrowed by days or years that "or" joins as well."""
_AGAIN = 12
"""Sets told by one value that are told by a second one as well."""
_WITHIN = re.compile(
    r"\b(?:(?:in|during|throughout)\s+(?:(?:early|late|mid)[\s-]+)?|"
    r"on\s+(?:the\s+|[^\W\d_]+day,?\s+(?:the\s+)?)?|at\s+(?:(?:about|around|exactly)\s+)?)$",
    re.I,
)
"""What says of a day or a time that it lies within the month or the year behind it, or is the one behind it, neither
before nor after."""


class Refinements(Differences):
    """Filters over the likeliest sets."""

    def values_at(self, draft: Draft) -> Iterator[tuple[tuple[Step, ...], str]]:
        """The steps to an ordered value that things of a draft have, nearest to the sentence first."""
        probe = self.schema.first(draft.answers)[:30]
        steps = {s for node in probe for s in self.schema.steps(node)}
        direct = [s for s in steps if not s.inverse and self.schema.value_kind(s.relation) in ORDERED]
        yield from (((s,), s.relation) for s in sorted(direct, key=lambda s: (-self.affinity(s), s)))
        around: list[tuple[float, Step, Step]] = []
        for step in steps:
            if step.relation in self.schema.left_out or self.schema.value_kind(step.relation):
                continue
            beyond = {
                s for node in probe[:8] for n in list(self.schema.go(node, step))[:3] for s in self.schema.steps(n)
            }
            around += [
                (self.affinity(step) + self.affinity(s), step, s)
                for s in beyond
                if not s.inverse and self.schema.value_kind(s.relation) in ORDERED
            ]
        around.sort(key=lambda a: (-a[0], a[1], a[2]))
        yield from (((a, b), b.relation) for _, a, b in around[:6])

    def with_value(self, draft: Draft, steps: tuple[Step, ...]) -> tuple[Draft, int]:
        """A draft with a variable for a value of its answers, and the variable.

        Where the draft has a variable for the only value already, it is that one.
        """
        if there := self.variable_of(draft, steps):
            return draft, there
        variable = draft.next_variable or 1
        rows, at = list(draft.rows), 0
        for step in steps:
            rows.append(row_of(at, step, variable))
            at, variable = variable, variable + 1
        unsaid = draft.unsaid + self.beside(draft, steps[0])
        return draft.but(rows=tuple(rows), steps=(*draft.steps, *steps), unsaid=unsaid), at

    def by_value(self, nodes: frozenset[str], steps: tuple[Step, ...]) -> dict[str, set[str]]:
        """The labels of the values that steps lead to, each with those of the nodes that have it."""
        found = self._by_value.get((nodes, steps))
        if found is None:
            reached = defaultdict[str, set[str]](set)
            for node, ends in self.schema.each(nodes, steps[0]).items():
                for step in steps[1:]:
                    ends = self.schema.follow(frozenset(ends), step)
                for end in ends:
                    reached[end].add(node)
            found = self._by_value[nodes, steps] = {}
            for end, having in reached.items():
                label = self.schema.label(end)
                found[label] = found[label] | having if label in found else having
        return found

    def variable_of(self, draft: Draft, steps: tuple[Step, ...]) -> int:
        """The variable that a step's only value has in a draft; 0 where there is none."""
        step = steps[0]
        if len(steps) > 1 or step.inverse or not self.schema.functional(step):
            return 0
        return next((t for h, r, t in draft.rows if (h, r) == (0, step.relation) and isinstance(t, int)), 0)

    def beside(self, draft: Draft, step: Step) -> tuple[Condition, ...]:
        """That things of a kind without a name are meant, where others have the step as well."""
        return () if draft.rows else without(0, self.schema.starts(step) - draft.answers)

    def filtered(self, bases: list[Draft], classes: list[Draft]) -> None:
        """The sets with a value as a sentence says it, and of the likeliest that a time tells those with a second one
        that is none: the gigs in 2024 that sold more than 120 tickets."""
        for draft in [*classes, *bases, *self.inner] if self.s.values else ():
            if self.late():
                return
            self.by_said_values(draft)
        if len({self._is_of_time(mention) for mention in self.s.values}) > 1:
            timed = {i for i, mention in enumerate(self.s.values) if self._is_of_time(mention)}
            once = [d for d in self.refined if d.filters and len(d.values) == 1 and d.values[0] in timed]
            for draft in sorted(once, key=lambda d: -d.prior)[:_AGAIN]:
                if not self.late():
                    self.by_said_values(draft, again=True)

    def by_said_values(self, draft: Draft, *, again: bool = False) -> None:
        """A set with one of its values as a sentence says it; ``again``: beside the one that it has been told by."""
        if draft.extra == ("missing",) or len(draft.answers) < 1:
            return
        for steps, relation in list(self.values_at(draft))[:10]:
            kind = self.schema.value_kind(relation)
            valued, variable = self.with_value(draft, steps)
            values = self.by_value(draft.answers, steps)
            for i, mention in enumerate(self.s.values):
                if (
                    i in draft.values
                    or not kind
                    or not _fits(mention, kind, self.s.text)
                    or self.counts_others(i, relation)
                    or (again and self._is_of_time(mention))
                ):
                    continue
                if mention.rank and relation not in self.numbers.ranks:
                    continue
                for conditions in self.conditions(mention, kind, relation):
                    kept = frozenset().union(
                        *(nodes for v, nodes in values.items() if all(fits(v, c) for c in conditions))
                    )
                    said = len(kept) == 1 or self.is_measured(mention, draft, steps)
                    bounds = any(op in ("<", "<=", ">", ">=") for op, _ in conditions)
                    bound = bounds and bool(draft.kind) and not draft.steps and len(steps) == 1
                    if (kept or self.s.of_all or bound) and (said or self.narrows(kept, draft)):
                        keep = self.refine if kept else self.emit
                        told = tuple((variable, op, value) for op, value in conditions)
                        keep(
                            valued.but(
                                answers=kept,
                                filters=(*draft.filters, *told) if again else told,
                                unsaid=valued.unsaid if again else valued.unsaid + valued.filters,
                                values=(*draft.values, i),
                                prior=draft.prior + 0.3 + 0.4 * self.affinity(steps[-1]),
                                hops=max(draft.hops, len(steps)),
                            )
                        )

    @staticmethod
    def _is_of_time(mention: ValueMention) -> bool:
        """Whether a value is a day or a year, and no number or time of day."""
        return mention.kind in ("date", "year")

    def monthly(self, bases: list[Draft], classes: list[Draft]) -> None:
        """The sets with a date in a month that is named without its year, or on any of some days or in any of some
        years; beside these what another value narrows."""
        joined = [values for values in self.s.joined if not values.denied]
        narrowed = self.best_refined(_ALSO) if joined else []
        for month in (*self.s.months, *joined):
            for draft in [*classes, *bases, *self.inner, *narrowed]:
                if self.late():
                    return
                for steps, relation in list(self.values_at(draft))[:10] if draft.answers else ():
                    if not month.suits(self.schema.value_kind(relation)):
                        continue
                    valued, variable = self.with_value(draft, steps)
                    of = {v: n for v, n in self.by_value(draft.answers, steps).items() if month.holds(v)}
                    reached = draft.answers
                    for step in steps:
                        reached = self.schema.follow(reached, step)
                    days = tuple(sorted(node for node in reached if self.schema.label(node) in of))
                    if not days:
                        self.in_no_month(draft, steps, relation, month)
                        continue
                    found = valued.but(
                        answers=frozenset().union(*of.values()), hops=max(draft.hops, len(steps)), filters=(),
                        unsaid=(*valued.unsaid, *valued.filters, (variable, "in", days)),
                        said=(*draft.said, f"{self.schema.words(relation)} {month.condition}"),
                        extra=(*draft.extra, IN_MONTH), prior=draft.prior + 0.3 + 0.4 * self.affinity(steps[-1]),
                    )  # fmt: skip
                    self.refine(found)
                    if draft.kind and not draft.steps and len(steps) == 1:
                        self.onwards(found, again=0)

    def counts_others(self, value: int, relation: str) -> bool:
        """Whether a number of the sentence counts things and is no value of a relation."""
        raise NotImplementedError

    def narrows(self, kept: frozenset[str], draft: Draft) -> bool:
        """Whether a condition says something of a draft's answers: not all meet it, or it is of all that one asks."""
        return self.s.of_all or len(kept) < len(draft.answers)

    def is_measured(self, mention: ValueMention, draft: Draft, steps: tuple[Step, ...]) -> bool:
        """Whether a sentence surely holds a value of what a draft finds by name against another, by its unit or by the
        nearest relation of its kind: such a condition is meant also where all meet it."""
        relation = steps[-1].relation
        if len(steps) > 1 or not draft.links or not is_limit(self.s.text, mention):
            return False
        if self.numbers.has_unit(mention, self.s.text, relation):
            return True
        kind = self.schema.value_kind(relation)
        alike = (r for _, r in self.values_at(draft) if self.schema.value_kind(r) == kind)
        return kind in ("date", "year") and mention.kind in ("date", "year") and next(alike) == relation

    def conditions(
        self, mention: ValueMention, kind: Kind, relation: str = ""
    ) -> Iterator[tuple[tuple[str, str], ...]]:
        """The filters that a value's mention may mean: what stands before it says which way; without ``relation`` those
        of a count, which has no unit."""
        told = bound(self.s.text, mention)
        before, after = self.s.text[: mention.start], _ADDED.sub("", self.s.text[mention.end :])
        around = before[-28:] + " " + after[:14]
        less, more, inclusive = (bool(p.search(around)) for p in (cues.LESS, cues.MORE, cues.INCLUSIVE))
        whole = f"{before} {after}"
        if not (less or more):
            less, more = bool(cues.LESS.search(whole)), bool(cues.MORE.search(whole))
        either_way = kind != "number" and not _WITHIN.search(before)  # a misspelt "befor"
        if not (less or more) and (either_way or cues.ANY_WAY.search(whole)):
            less = more = True
        low, high = mention.low, mention.high
        if low != high:
            yield (">=", low), ("<=", high)
        elif kind == "date" and mention.kind == "year":
            yield (("year", low),)
        texts = self.numbers.texts(mention, self.s.text, relation) if relation and low == high else ()
        for first, last in [(text, text) for text in texts] or [(low, high)]:
            if told:
                yield ((told, first),)
                continue
            if less:
                yield (("<=" if inclusive else "<", last if inclusive else first),)
                if inclusive:
                    yield (("<", first),)
            if more:
                yield ((">=" if inclusive else ">", first if inclusive else last),)
                if inclusive:
                    yield ((">", last),)
        for number, other in enumerate(self.s.values):  # between 2010 and 2015
            if other is not mention and other.kind == mention.kind and self.s.values.index(mention) < number:
                a, b = sorted((low, other.high), key=lambda v: parse_value(v).key)
                yield (">=", a), ("<=", b)

    @cached_property
    def _nearest_time(self) -> str:
        """Of the relations to days or years the one that is nearest to the sentence."""
        dated = (r for r in self.schema.relations if self.schema.value_kind(r) in ("date", "year"))
        return max(dated, key=lambda r: self.affinity(Step(r)), default="")

    def in_no_month(self, draft: Draft, steps: tuple[Step, ...], relation: str, month: Month | JoinedValues) -> None:
        """What has no such date although the sentence says the date's relation: nobody moved in in July, and who was
        born then is not asked for. Of days and years that "or" joins the nearest relation need not be said."""
        spoken = {w.text for w in words_in(self.s.text)}
        said = spoken.issuperset(folded_words(self.schema.words(relation)))
        said |= isinstance(month, JoinedValues) and relation == self._nearest_time
        if len(steps) == 1 and said:
            valued, variable = self.with_value(draft, steps)
            self.emit(
                valued.but(
                    answers=frozenset(), filters=((variable, "=", month.name),), unsaid=valued.unsaid + valued.filters,
                    extra=(*draft.extra, IN_MONTH, IN_NO_MONTH),
                    prior=draft.prior + 0.3 + 0.4 * self.affinity(steps[-1]),
                )
            )  # fmt: skip

    def yes_no(self, bases: list[Draft], classes: list[Draft]) -> None:
        """Things that have yes, or no, as a value: nobody says "organic yes"."""
        for draft in [*classes, *bases[:16]] if self.schema.tells_yes_or_no else ():
            relations = [
                s
                for s in {s for n in self.schema.first(draft.answers)[:20] for s in self.schema.steps(n)}
                if not s.inverse and self.schema.value_kind(s.relation) == "yes-no"
            ]
            for step in sorted(relations):
                for value in sorted({v for n in self.schema.first(draft.answers) for v in self.schema.go(n, step)}):
                    kept = draft.answers.intersection(self.schema.go(value, step.back))
                    if kept and self.narrows(kept, draft):
                        route = (value, step.back, 0)
                        made = self.emit(
                            draft.but(
                                rows=(*draft.rows, row_of(0, step, value)),
                                unsaid=draft.unsaid + self.beside(draft, step),
                                answers=kept,
                                steps=(*draft.steps, step),
                                routes=(*draft.routes, route),
                                prior=draft.prior + 0.5 * self.affinity(step),
                            )
                        )
                        if made and (draft.classes or draft.links or self.affinity(step) > 0.3):
                            bases.append(made)

    def having(self, bases: list[Draft], classes: list[Draft]) -> None:
        """Things that have a relation at all: the series that have ended, the planes that are leased."""
        both = bool(re.search(r"\bboth\b", self.s.text, re.I))  # who has "both directed and produced"
        for draft in [*[c for c in classes if c.classes or (both and c.steps)], *bases]:
            if len(draft.answers) < 2 or self.late():
                continue
            probe = self.schema.first(draft.answers)[:40]
            steps = {s for node in probe for s in self.schema.steps(node)} - set(draft.steps)
            for step in sorted(steps, key=lambda s: (-self.affinity(s), s))[:6]:
                kept = draft.answers & self.numbers.some(step)
                if kept and self.narrows(kept, draft) and step.relation not in self.schema.left_out:
                    variable = draft.next_variable or 1
                    self.refine(
                        draft.but(
                            rows=(*draft.rows, row_of(0, step, variable)),
                            answers=kept,
                            unsaid=(*draft.unsaid, *((at_least_one(variable),) if self.numbers.none(step) else ())),
                            steps=(*draft.steps, step),
                            routes=(*draft.routes, (variable, step.back, 0)),
                            prior=draft.prior + 0.3 * self.affinity(step) - 0.05,
                        )
                    )


def _fits(mention: ValueMention, kind: Kind, text: str) -> bool:
    value = parse_value(mention.low)
    if kind in ("year", "date"):
        return value.kind in ("year", "date") and not is_money(text, mention)
    return value.kind == kind or (kind == "number" and value.kind == "year")


def is_money(text: str, mention: ValueMention) -> bool:
    """Whether a number stands beside a currency: £2,000 is no year."""
    said = text[max(0, mention.start - 2) : mention.end]
    return bool(_CURRENCY.search(said) or _OF_MONEY.match(text, mention.end))


def fits(value: str, condition: tuple[str, str]) -> bool:
    """Whether a value, by its label, meets a condition: an operator and a value."""
    op, right = condition
    if op == "year":
        parsed = parse_value(value)
        return parsed.kind in ("date", "year") and parsed.key[:1] == parse_value(right).key[:1]
    return compare(value, op, right)
