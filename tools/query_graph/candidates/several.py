"""Generation, stage 4: things that have two or more of something: "who belongs to more than one club?"; and those of
which rows tell twice or more: "who has booked more than once?".

A query graph has no condition on a count for each answer. That there are at least two is said by two patterns whose
ends differ; that there are fewer cannot be said so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Condition, Draft, End, row_of
from triplewise.tools.query_graph.candidates.refinements import ORDERED, Refinements
from triplewise.tools.query_graph.linking.class_names import words_of_class
from triplewise.tools.query_graph.linking.mentions import Word, is_form_of, singulars, words_in
from triplewise.tools.query_graph.linking.said_relations import says_relation
from triplewise.tools.query_graph.linking.value_mentions import ValueMention
from triplewise.tools.query_graph.schema_view import SchemaView, Step
from triplewise.tools.text.persons import Persons
from triplewise.tools.text.verb_forms import word_set

_BETWEEN = frozenset(("or", "more", "different", "other", "of", "the", "such", "separate", "distinct"))
"""Words between a number and what it counts: "two or more different countries"."""
_MOST = 4
"""The greatest number of ends that are told apart."""
_NEAREST = 6
"""Relations of which it is looked up who has several of what they lead to."""
_MEASURED = word_set("""
    hour minute second day night week month year decade euro pound dollar cent percent degree kilo kilogram gram ton
    tonne litre liter metre meter kilometre kilometer km mile foot inch acre hectare point star thousand million billion
""")
"""Units, which a number measures and does not count."""
_STEM = 4
"""Letters of a noun that a relation's word begins with."""
OFTEN = "often"
"""Marks a reading by which rows tell of a thing as often as the sentence says."""
_COUNTED = "two three four five six seven eight nine ten"
_NUMBERS = {word: number for number, word in enumerate(_COUNTED.split(), 2)}
_ONCE = {"once": 1, "twice": 2, "thrice": 3, "several": 2, "multiple": 2, **_NUMBERS}
_TIMES = re.compile(
    r"\b(?:(?P<more>more than|over)\s+|(?P<less>(?:less|fewer) than|at most|up to|under|only|exactly)\s+)?"
    rf"(?P<number>once|twice|thrice|(?:\d+|several|multiple|{'|'.join(_NUMBERS)})(?:\s+or\s+more)?\s+times)\b"
    r"(?!\s+(?:as|an?|per|each|every|the|daily|weekly|monthly|yearly|more|less|longer|bigger|higher)\b)",
    re.I,
)
"""How often something was done; neither "twice as long" nor "three times a week"."""


_VAGUE = ("several", "multiple")
_AT = re.compile(r"\bat\s+$", re.I)
_AT_LEAST = re.compile(r"\b(?:at least|no less than)\s+$", re.I)
_OR_MORE = re.compile(r"\s+or\s+more\b", re.I)
_LIMITS = {
    "more than": ">", "over": ">", "less than": "<", "fewer than": "<", "under": "<", "at most": "<=", "up to": "<=",
}  # fmt: skip
_NUMBERING = frozenset(("times", "number", "count", "total", "frequency"))
_COMPARED = re.compile(r"\b(?:(?:more|other|fewer|less) than|at least|over)\s+$", re.I)


class Times(NamedTuple):
    """How often at least something was done, and where a sentence says so."""

    least: int
    start: int
    end: int


class Frequency(NamedTuple):
    """How often a claim says that something was done: an operator and a number, and where it says so."""

    op: str
    number: int
    start: int
    end: int


def claimed_frequency(text: str) -> Frequency | None:
    """How often a claim says that something was done; None where it does not say it."""
    found = _TIMES.search(text)
    if not found:
        return None
    limit, behind = (found["more"] or found["less"] or "").lower(), text[found.end() :]
    first, *rest = found["number"].lower().split()
    if first == "once" and not limit and (behind.strip(" .!?") or _AT.search(text[: found.start()])):
        return None  # "Ann once lived here", "two at once"
    at_least = "more" in rest or first in _VAGUE or _OR_MORE.match(behind) or _AT_LEAST.search(text[: found.start()])
    number = int(first) if first.isdigit() else _ONCE[first]
    return Frequency(_LIMITS.get(limit, ">=" if at_least else "="), number, *found.span())


def said_times(text: str) -> Times | None:
    """How often at least a sentence says that something was done; None where it says no more than once, or less."""
    for found in _TIMES.finditer(text):
        number = found["number"].lower().split()[0]
        least = (int(number) if number.isdigit() else _ONCE[number]) + bool(found["more"])
        if least > 1 and not found["less"]:
            return Times(least, *found.span())
    return None


class Several(Refinements):
    """Sets of things that have at least so many of something."""

    @cached_property
    def counting_nouns(self) -> dict[int, Sequence[Word]]:
        """The position of a value in the sentence → the noun that it was found to count."""
        return {}

    def several(self, bases: list[Draft], classes: list[Draft]) -> None:
        """Numbers that count things keep the answers that have so many of these."""
        if times := said_times(self.s.text):
            self.often(times, bases, classes)
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
                        if step.inverse and draft.kind and not draft.steps:
                            self.having_several_by_rows(draft, step, noun, least, i)
            self.of_relations(noun, least, i)

    def of_relations(self, noun: Sequence[Word], least: int, value: int) -> None:
        """The things that have so many of what a relation leads to, whatever they are: the relations that the noun
        calls, and where it calls none those that are nearest."""
        several = [step for r in self.schema.relations for step in (Step(r), Step(r, inverse=True))]
        ordered = {r for r in self.schema.relations if self.schema.value_kind(r) in ORDERED}
        several = [step for step in several if not self.schema.functional(step) and step.relation not in ordered]
        things = self.called_so(noun)

        def is_called(step: Step) -> bool:
            ends = self.schema.starts(step.back)
            of_heads = step.inverse and not self.schema.words(step.relation).endswith(" of")
            return (self.is_named(step.relation, noun) and not of_heads) or 2 * len(ends & things) > len(ends)

        called = [step for step in several if is_called(step)]
        anything = bool(called) or (self.s.values[value].low == "1" and not self.calls_class(noun))
        for step in sorted(called or several, key=lambda s: (-self.affinity(s), s))[:_NEAREST]:
            if step.relation not in self.schema.left_out:
                draft = Draft((), self.schema.starts(step), prior=self.affinity(step) - 0.1)
                self.having_several(draft, step, noun, least, value, anything=anything)

    def called_so(self, noun: Sequence[Word]) -> frozenset[str]:
        """The things that a relation called by a noun leads to: what repairs are "on bike" are bikes."""
        named = (r for r in self.schema.relations if self.is_named(r, noun) and not self.schema.value_kind(r))
        return frozenset().union(*(self.schema.starts(Step(r, inverse=True)) for r in named))

    def calls_class(self, noun: Sequence[Word]) -> bool:
        """Whether some class is called by a noun."""
        return any(_is_called(words_of_class(self.schema, kind), noun) for kind in self.schema.classes)

    def often(self, times: Times, bases: list[Draft], classes: list[Draft]) -> None:
        """What rows tell of so many times, among the things that a draft finds by one row each: who has hired the
        Heron twice is the hirer of two of its bookings."""
        values = tuple(i for i, v in enumerate(self.s.values) if times.start <= v.start < times.end)
        for draft in [d for d in (*classes, *bases) if not (d.order or d.minus or d.filters or d.unsaid)]:
            if self.late() or not 2 <= times.least <= _MOST:
                return
            if draft.kind and not draft.steps:
                steps = {s for node in self.schema.first(draft.answers)[:30] for s in self.schema.steps(node)}
                for step in sorted(s for s in steps if s.inverse and not self.schema.functional(s)):
                    found = draft.but(
                        rows=(row_of(0, step, 1), *draft.rows), steps=(step.back,), routes=((1, step.back, 0),)
                    )
                    for one in (found, *self.of_sheets(found, step)):
                        self.having_often(one, times, values)
            elif len(draft.routes) == 1 and len(draft.steps) <= 2 and not set(values) & set(draft.values):
                self.having_often(draft, times, values)

    def of_sheets(self, draft: Draft, step: Step) -> Iterator[Draft]:
        """A draft of rows 1 that a step leads to, of the rows of one sheet each where several share the column."""
        for sheet in self.sheets(step):
            yield draft.but(
                rows=(*draft.rows, (1, TYPE, sheet.kind)), routes=((-1, sheet.near.back, 1, step.back, 0),),
                steps=(sheet.near, step.back), prior=draft.prior + 0.3 * self.affinity(sheet.near),
                classes=(*draft.classes, *((sheet.kind,) if sheet.kind in self.s.classes else ())),
            )  # fmt: skip

    def having_often(self, draft: Draft, times: Times, values: tuple[int, ...]) -> None:
        """The things of a draft that so many rows lead to. That there is none such is an answer too: who was trained
        twice did not book twice instead."""
        route = draft.routes[0]
        row, last = route[-3], route[-2]
        if not isinstance(last, Step) or not isinstance(row, int):
            return
        if not last.inverse and self.schema.value_kind(last.relation):
            return
        before = self._before(draft, row, last)
        reached = self.schema.each(draft.answers, last.back)
        kept = frozenset(n for n, ends in reached.items() if len(before.intersection(ends)) >= times.least)
        if not kept and not (draft.links or self._may_be_asked_for(draft)):
            return
        size, copies = draft.next_variable, range(times.least)

        def again(end: End, number: int) -> End:
            return end + number * size if isinstance(end, int) and end else end

        rows = tuple(dict.fromkeys((again(h, n), r, again(t, n)) for n in copies for h, r, t in draft.rows))
        apart: tuple[Condition, ...] = tuple(
            (row + a * size, "not in", row + b * size) for a, b in combinations(copies, 2)
        )
        keep = self.refine if kept else self.emit
        keep(
            draft.but(
                rows=rows, answers=kept, unsaid=apart, said=(f"at least {times.least} times",),
                values=(*draft.values, *values), extra=(*draft.extra, OFTEN), prior=draft.prior + 0.5,
            )
        )  # fmt: skip

    def _may_be_asked_for(self, draft: Draft) -> bool:
        """Whether a draft finds things of a class that is said, or persons where "who" is asked."""
        few = self.schema.first(draft.answers)[:1]
        if any(kind in self.s.classes for node in few for kind in self.schema.store.types(node)):
            return True
        return bool(cues.WHO.search(self.s.text)) and any(map(Persons(self.schema).holds, few))

    def _before(self, draft: Draft, row: int, last: Step) -> frozenset[str]:
        """The nodes that a draft's last step is taken from."""
        kinds = [t for h, r, t in draft.rows if (h, r) == (row, TYPE) and isinstance(t, str)]
        start, *steps = [part for part in draft.routes[0] if isinstance(part, (Step, str))]
        nodes = self.schema.set_of(kinds[0]) if kinds else self.schema.starts(last)
        if isinstance(start, str):
            found = frozenset((start,))
            for step in steps[:-1]:
                found = self.schema.follow(found, step)  # pyright: ignore[reportArgumentType]
            nodes &= found
        return nodes

    def having_several(
        self, draft: Draft, step: Step, noun: Sequence[Word], least: int, value: int, *, anything: bool = False
    ) -> None:
        """The things of a draft from which a step leads to so many; ``anything``: whether what it leads to need not be
        called by the noun."""
        reached = {n: frozenset(ends) for n, ends in self.schema.each(draft.answers, step).items()}
        kinds = {k for ends in reached.values() for e in ends for k in self.schema.store.types(e)}
        kind = next((k for k in sorted(kinds) if _is_called(words_of_class(self.schema, k), noun)), "")
        such = self.schema.set_of(kind) if kind else frozenset().union(*reached.values())
        kept = frozenset(n for n, ends in reached.items() if len(ends & such) >= least)
        if not kept or not (anything or kind or self.is_named(step.relation, noun)):
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
                extra=(
                    *draft.extra,
                    *((OFTEN,) if _COMPARED.search(self.s.text[: self.s.values[value].start]) else ()),
                ),
                classes=tuple(dict.fromkeys((*draft.classes, *((kind,) if kind in self.s.classes else ())))),
                prior=draft.prior + 0.3 + 0.4 * self.affinity(step),
            )
        )

    def having_several_by_rows(self, draft: Draft, step: Step, noun: Sequence[Word], least: int, value: int) -> None:
        """The things of a class that rows tie to so many of what a noun calls: the students whose enrolments are for
        more than one course."""
        rows_of = self.schema.each(draft.answers, step)
        rows = frozenset(row for found in rows_of.values() for row in found)
        onwards = {s for row in self.schema.first(rows)[:30] for s in self.schema.steps(row) if not s.inverse}
        for second in sorted(s for s in onwards if s != step.back and not self.schema.value_kind(s.relation)):
            ends = {row: frozenset(found) for row, found in self.schema.each(rows, second).items()}
            kinds = {k for found in ends.values() for e in found for k in self.schema.store.types(e)}
            kind = next((k for k in sorted(kinds) if _is_called(words_of_class(self.schema, k), noun)), "")
            such = self.schema.set_of(kind) if kind else frozenset[str]()
            had = {n: frozenset().union(*(ends.get(row, ()) for row in found)) & such for n, found in rows_of.items()}
            kept = frozenset(n for n, found in had.items() if len(found) >= least)
            if not kept:
                continue
            self.counting_nouns[value] = noun
            first = draft.next_variable or 1
            pairs = [(first + 2 * k, first + 2 * k + 1) for k in range(least)]
            tied = [row for r, end in pairs for row in (row_of(0, step, r), row_of(r, second, end))]
            apart: tuple[Condition, ...] = tuple((a, "not in", b) for (_, a), (_, b) in combinations(pairs, 2))
            self.refine(
                draft.but(
                    rows=(*draft.rows, *tied), answers=kept, unsaid=(*draft.unsaid, *apart),
                    said=(f"{self.schema.words(second.relation)} at least {least}",),
                    steps=(*draft.steps, second.back, step.back),
                    routes=(*draft.routes, (pairs[0][1], second.back, pairs[0][0], step.back, 0)),
                    values=(*draft.values, value), extra=(*draft.extra, OFTEN),
                    classes=tuple(dict.fromkeys((*draft.classes, *((kind,) if kind in self.s.classes else ())))),
                    prior=draft.prior + 0.3 + 0.4 * self.affinity(second),
                )
            )  # fmt: skip

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
        if noun is None and self.s.values[value].low == "1" and self.at_least(self.s.values[value]) == 2:
            noun = self.noun_after(self.s.values[value]) or None  # nobody has more than one of what is measured so
            noun = None if noun and noun[0].text in _MEASURED else noun
        return noun is not None and not self.is_named(relation, noun)

    def is_named(self, relation: str, noun: Sequence[Word]) -> bool:
        """Whether a relation is called by a noun: who is "sponsored by" something has sponsors."""
        forms = [form for form in (noun[0].text, *singulars(noun[0].text)) if len(form) >= _STEM]
        return any(w.text.startswith(form) for w in words_in(self.schema.words(relation)) for form in forms)


def of_said_times(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts that say how often at least, or of how many, where a question says it: who has booked is not who has
    booked more than once. Where the graph cannot tell how often, none is left."""
    often = [
        d for d in drafts if OFTEN in d.extra and not _goes_back(d) and (not d.order or cues.MOST.search(sentence.text))
    ]
    times = said_times(sentence.text)
    if not often and not times:
        return drafts
    kept, values = set(map(id, often)), {i for d in often for i in d.values}

    def tells_number(draft: Draft) -> bool:
        """Whether a number that a relation tells is what is said: "times serviced"."""
        if times:
            return any(w.text in _NUMBERING for r in draft.steps for w in words_in(schema.words(r.relation)))
        return OFTEN not in draft.extra and not values.isdisjoint(draft.values)

    return [d for d in drafts if id(d) in kept or tells_number(d)]


def of_own_number(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts by which the answers themselves have several of something, where there are such: who owns more than
    one bike is not the owner of a bike on which there is more than one job. One whose relation is said stays."""
    words = [word.text for word in words_in(sentence.text)]
    several = [(d, _counted(d)) for d in drafts if d.form == "select" and _counted(d)]
    own = [d for d, counted in several if any({h, t} == {0, v} for v in counted for h, _, t in d.rows)]
    kept = set(map(id, own))

    def is_said(draft: Draft, counted: set[End]) -> bool:
        told = {r for h, r, t in draft.rows if counted & {h, t} and r != TYPE}
        return any(says_relation(schema, words, r) for r in told)

    if not own or (not any(is_said(d, _counted(d)) for d in own) and any(is_said(d, v) for d, v in several)):
        return drafts
    left_out = {id(d) for d, _ in several if id(d) not in kept}
    if cues.WHO.match(sentence.text):  # who brought more than one is not what was brought by more than one
        done = {id(d) for d in own if all(schema.words(r).endswith(" by") for h, r, _ in d.rows if h == 0)}
        done &= {id(d) for d in own if any(h == 0 for h, _, _ in d.rows)}
        left_out |= done if len(done) < len(own) else set()
    return [d for d in drafts if id(d) not in left_out]


def _counted(draft: Draft) -> set[End]:
    """The variables of which there are to be several: they are told apart from each other."""
    return {end for v, op, right in draft.unsaid if op == "not in" and isinstance(right, int) for end in (v, right)}


def _goes_back(draft: Draft) -> bool:
    """Whether a draft answers with one of what it counts: crops that were sold once to whom two were sold."""
    counted = {v for v, _, _ in draft.unsaid}
    others = {(r, t) for h, r, t in draft.rows if h in counted} | {(h, r) for h, r, t in draft.rows if t in counted}
    return any((r, t) in others if h == 0 else (h, r) in others for h, r, t in draft.rows if 0 in (h, t))


def _is_called(label: Sequence[str], noun: Sequence[Word]) -> bool:
    """Whether a class is called by the first words of a noun, or by its last word alone: "club" for an alpine club."""
    whole = [w.text for w in noun[: len(label)]]
    return (len(whole) == len(label) and all(map(is_form_of, label, whole))) or is_form_of(label[-1], noun[0].text)
