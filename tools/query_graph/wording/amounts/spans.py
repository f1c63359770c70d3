"""The time between days that a question asks for: it is read as the question when that was, and from the days that
answer it the time is reckoned."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from triplewise.kg.query import execute
from triplewise.kg.query.span import SpanUnit, is_day
from triplewise.kg.values import parse_value
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.drafts import Condition, Draft, End, Row, answering, asking, relation_to
from triplewise.tools.query_graph.candidates.extremes.lasting import BEGINS, ENDS, PLANNED, begin_and_end
from triplewise.tools.query_graph.candidates.generate import Generator
from triplewise.tools.query_graph.linking.mentions import Link
from triplewise.tools.query_graph.nearness import Nearness
from triplewise.tools.query_graph.ranking import Ranking
from triplewise.tools.query_graph.schema_view import Step
from triplewise.tools.query_graph.wording.amounts.asked_spans import AskedSpan, asked_span

_SAMPLE = 20
"""Things of which it is looked at what days they have."""
_TRIED = 4
"""Readings of when something was that are paired with those of when something else was."""
_LIKELY = 0.2
"""The probability from which on somebody's birth is told."""
_DOUBTED = 0.4
"""The probability that none is meant where days are asked for, and the row of what is named has two."""
_UNLIKELY = 0.9
"""How likely it is that no reading is meant, from which on the first one tells nothing."""
_LENGTHS = frozenset(("m", "km", "mi", "mile", "miles", "cm", "mm", "ft", "feet", "yd", "yards", "metres", "meters"))
_DAYS = ("date", "year")
_TAKES = re.compile(r"\b(?:long|length|durations?|lasts?|lasted|took|takes?|mins?|minutes?|hours?|hrs?|days?|nights?|"
                    r"weeks?|months?|years?|time|running|runtime|drive)\b", re.I)  # fmt: skip
"""Relations to numbers that tell themselves how long something takes."""
_AGED = re.compile(r"\b(?:ages?|aged|old|years?)\b", re.I)
_TWO = re.compile(r"\b(?:two|both|2)\b", re.I)
_DEATH = re.compile(r"\b(?:died|dies|death|dead|deceased|dod|passed away)\b", re.I)
_SUBJECT, _OWNER = re.compile(r"\b(?:he|she|they|him)\b", re.I), re.compile(r"\b(?:his|her|their|its)\b", re.I)
_OBJECT = re.compile(r"\b(?:it|them)\b", re.I)
_KEPT = re.compile(r"\b(?:keep|hang on to|hold on to|hold onto|hang onto|hang on|hold)\b", re.I)
_VERB = re.compile(r"^(?:did|was|were|do|does|is|are|had|has)\b", re.I)


class SpanReader:
    """Reads the questions for a time between days over one graph."""

    def __init__(self, generator: Generator, rank: Callable[..., Ranking], affinity: Callable[[str], Nearness]) -> None:
        """``rank``, ``affinity``: as those of ``Reader``."""
        self.generator, self.schema, self.store = generator, generator.schema, generator.store
        self._rank, self._affinity = rank, affinity

    def ranking(self, text: str, given: Sequence[str], shortlist: int) -> Ranking | None:
        """The readings of a question for a time that days tell, or those of a number that tells it; none where it lacks
        a day, and None for any other question, which is read as it is."""
        asked = asked_span(text)
        if asked is None or not any(kind in _DAYS for kind in map(self.schema.value_kind, self.schema.relations)):
            return None

        def when(question: str) -> Ranking:
            found = self._rank(question, given=given, shortlist=shortlist)
            return replace(found, readings=tuple(r for r in found.readings if self._tells_day(r.draft)))

        read = {"age": self._age, "between": self._between, "several": self._several, "lasting": self._lasting}
        if asked.how in ("lasting", "age"):
            plain = self._rank(text, given=given, shortlist=shortlist, of_spans=False)
            if self._told_by_number(asked, plain):
                return plain
        found = read[asked.how](asked, when)
        return _shared(found) if found and (found.readings or found.none == 1) else None

    def _told_by_number(self, asked: AskedSpan, plain: Ranking) -> bool:
        """Whether the question is rather answered by a number of minutes, or an age, that the graph holds; ``plain``:
        its readings as it stands."""
        draft = plain.readings[0].draft if plain.readings else None
        relation = relation_to(draft, 0) if draft else ""
        if draft is None or draft.form != "select" or not draft.answers or plain.none > _UNLIKELY:
            return False
        if self.schema.value_kind(relation) not in ("number", "time"):
            return False
        told = {parse_value(self.schema.label(node)).unit.lower() for node in self.schema.first(draft.answers)}
        units = {unit[:1] for unit in told}
        fitting = told.isdisjoint(_LENGTHS) and (not asked.told or not (units - {"", asked.unit[0]}))
        return fitting and bool((_AGED if asked.how == "age" else _TAKES).search(self.schema.words(relation)))

    def _tells_day(self, draft: Draft) -> bool:
        relation = relation_to(draft, 0)
        plain = draft.form == "select" and draft.order is None and bool(draft.answers)
        return plain and bool(relation) and self.schema.value_kind(relation) in _DAYS

    def _lasting(self, asked: AskedSpan, when: Callable[[str], Ranking]) -> Ranking:
        """From the one day of a row to the other: a loan's from when it was lent to when it was returned."""
        found = when(f"when {_KEPT.sub('have', asked.one)}?")
        near = self._affinity(asked.one)
        spans = [(r, self._with_other_day(r.draft, asked.unit, near)) for r in found.readings]
        told = [replace(r, draft=draft) for r, draft in spans if draft]
        named = [len({found.sentence.links[i].first for i in r.draft.links}) for r in (*found.readings[:1], *told)]
        told = [r for r, names in zip(told, named[1:], strict=True) if names == max(named)]
        none = 1.0 if asked.told and found.readings and not told else found.none  # one of the days is missing
        if asked.told and told and max(named):  # days are asked for, and the row of what is named has two
            none = min(none, _DOUBTED)
        return replace(found, readings=tuple(told), none=none)

    def _with_other_day(self, draft: Draft, unit: SpanUnit, near: Nearness, *, switched: bool = False) -> Draft | None:
        """A reading of a day as the time between it and another day of what has it; None where there is no other.

        ``near``: how near each relation is to what is said; ``switched``: it is what is said of the other day alone.
        """
        holder, own, _ = next(row for row in draft.rows if row[2] == 0)
        held = (holder,) if isinstance(holder, str) else execute(self.store, asking(draft, holder)).ids
        days: dict[str, str] = {}
        for node in held[:_SAMPLE]:
            found = {s.relation: self.schema.go(node, s) for s in self.schema.steps(node) if not s.inverse}
            told = {r: min(ends) for r, ends in found.items() if self.schema.value_kind(r) in _DAYS}
            days.update({r: day for r, day in told.items() if r not in days} if own in told else {})
        said = {r: self.schema.words(r) for r in days}
        happened = {r for r in days if not (PLANNED.search(said[r]) or cues.is_birth(said[r]))}
        others = happened - {own}
        if not others or own not in happened:
            return None
        other = max(sorted(others), key=lambda r: near(Step(r)))
        limited = any(variable == 0 for variable, _, _ in (*draft.filters, *draft.unsaid))
        if not (switched or limited) and (ends := begin_and_end(said, happened)):
            own, other = ends if own not in ends[1:] else ends[::-1]
        fresh = draft.next_variable
        rows = tuple((h, own, t) if t == 0 and h == holder else (h, r, t) for h, r, t in draft.rows)
        first = parse_value(self.schema.label(days[other])) < parse_value(self.schema.label(days[own]))
        both = draft.but(rows=(*rows, (holder, other, fresh)), form="span", span=(fresh, unit))
        both = both if first else answering(both, fresh, both.answers)
        return both if execute(self.store, both.query()).amounts else None

    def _several(self, asked: AskedSpan, when: Callable[[str], Ranking]) -> Ranking:
        """From the first to the last of several days."""
        found = when(f"when were {asked.one}?")
        several = [r for r in found.readings if len(r.draft.answers) > 1]
        if _TWO.search(asked.one):
            several = [r for r in several if len(r.draft.answers) == 2] or several
        days = self._from_beginnings([r.draft for r in several])
        drafts = (draft.but(form="span", span=(None, asked.unit)) for draft in days)
        return replace(found, readings=tuple(replace(r, draft=d) for r, d in zip(several, drafts, strict=True)))

    def _from_beginnings(self, drafts: list[Draft]) -> list[Draft]:
        """The drafts, where the first says when something ended after that which says when it began."""
        if not drafts or not ENDS.search(self.schema.words(relation_to(drafts[0], 0))):
            return drafts
        rest = [frozenset(row for row in draft.rows if row[2] != 0) for draft in drafts]
        begun = [
            k
            for k, draft in enumerate(drafts)
            if rest[k] == rest[0] and BEGINS.search(self.schema.words(relation_to(draft, 0)))
        ]
        return [drafts[begun[0]], *drafts[: begun[0]], *drafts[begun[0] + 1 :]] if begun else drafts

    def _between(self, asked: AskedSpan, when: Callable[[str], Ranking]) -> Ranking:
        """From when one thing was to when another was; what names nothing is told by the same row."""
        links = [self._named(said) for said in (asked.one, asked.other)]
        other = asked.other
        if links[0] and _OBJECT.search(other):
            other = _OBJECT.sub(self.schema.label(links[0][0].node), other)
        if bool(links[0]) == bool(links[1]) or other != asked.other:
            return _paired(when(_when(asked.one)), when(_when(other)), asked.unit)
        told, left = (_when(asked.one), other) if links[0] else (_when(other), asked.one)
        found, near = when(told), self._affinity(left)
        spans = [(r, self._with_other_day(r.draft, asked.unit, near, switched=True)) for r in found.readings]
        return replace(found, readings=tuple(replace(r, draft=draft) for r, draft in spans if draft))

    def _named(self, said: str) -> list[Link]:
        """What a part of the question names, the surest first; a day is no name."""
        links = [x for x in self.generator.read(said).links if not is_day(self.schema.label(x.node))]
        return sorted(links, key=lambda x: -x.score)

    def _age(self, asked: AskedSpan, when: Callable[[str], Ranking]) -> Ranking | None:
        """From when somebody was born to when something was, or to today."""
        born = when(f"when was {asked.one} born?")
        births = [r for r in born.readings if cues.is_birth(self.schema.words(relation_to(r.draft, 0)))]
        if not births or births[0].probability < _LIKELY:
            return None
        born = replace(born, readings=tuple(r for r in births if len(r.draft.answers) == 1))
        if not asked.other:
            ages = [(r, self._last_age(r.draft, today=asked.now)) for r in born.readings]
            return replace(born, readings=tuple(replace(r, draft=draft) for r, draft in ages if draft))
        if asked.at and is_day(asked.other):
            dated = (replace(r, draft=r.draft.but(form="span", span=(asked.other, "years"))) for r in born.readings)
            return replace(born, readings=tuple(dated))
        event = _OWNER.sub(f"{asked.one}'s", _SUBJECT.sub(asked.one, asked.other))
        happened = when(f"when was {event}?" if asked.at else f"when {event}?")
        later = [r for r in happened.readings if not cues.is_birth(self.schema.words(relation_to(r.draft, 0)))]
        return _paired(replace(happened, readings=tuple(later)), born, "years")

    def _last_age(self, draft: Draft, *, today: bool) -> Draft | None:
        """The years from somebody's birth to their death, or to today where the graph tells of none; None where the age
        in the past is asked for, and no death told."""
        holder = next(head for head, _, tail in draft.rows if tail == 0)
        held = (holder,) if isinstance(holder, str) else execute(self.store, asking(draft, holder)).ids
        steps = {s.relation for node in held[:_SAMPLE] for s in self.schema.steps(node) if not s.inverse}
        if died := next((r for r in sorted(steps) if self._is_death(r)), None):
            fresh = draft.next_variable
            return draft.but(rows=(*draft.rows, (holder, died, fresh)), form="span", span=(fresh, "years"))
        return draft.but(form="span", span=(date.today().isoformat(), "years")) if today else None

    def _is_death(self, relation: str) -> bool:
        return self.schema.value_kind(relation) in _DAYS and bool(_DEATH.search(self.schema.words(relation)))


def _when(said: str) -> str:
    """The question when what is said was."""
    return f"when {said}?" if _VERB.match(said) else f"when was {said}?"


def _shared(found: Ranking) -> Ranking:
    """Readings among which what no other reading is meant by is shared."""
    total = sum(r.probability for r in found.readings) or 1.0
    share = (1 - found.none) / total
    return replace(found, readings=tuple(replace(r, probability=r.probability * share) for r in found.readings))


def _paired(until: Ranking, since: Ranking, unit: SpanUnit) -> Ranking:
    """The time between what two questions ask for, by the likelihoods of their readings."""
    pairs = [
        replace(a, draft=_joined(a.draft, b.draft, unit), probability=a.probability * b.probability)
        for a in until.readings[:_TRIED]
        for b in since.readings[:_TRIED]
        if a.draft.rows != b.draft.rows or a.draft.filters != b.draft.filters
    ]
    none = 1 - (1 - until.none) * (1 - since.none)
    return replace(until, readings=tuple(sorted(pairs, key=lambda r: -r.probability)), none=none)


def _joined(draft: Draft, other: Draft, unit: SpanUnit) -> Draft:
    """The time between the answers of two readings, whose variables stay apart."""
    fresh = draft.next_variable

    def end(part: End) -> End:
        return part + fresh if isinstance(part, int) else part

    def conditions(found: Sequence[Condition]) -> Iterator[Condition]:
        for variable, op, right in found:
            yield variable + fresh, op, right + fresh if isinstance(right, int) else right

    rows: list[Row] = [(end(h), r, end(t)) for h, r, t in other.rows]
    return draft.but(
        rows=(*draft.rows, *rows), filters=(*draft.filters, *conditions(other.filters)),
        unsaid=(*draft.unsaid, *conditions(other.unsaid)), form="span", span=(fresh, unit),
    )  # fmt: skip
