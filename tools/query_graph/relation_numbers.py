"""What the numbers of a graph's relations tell: which number a value with a unit is, and which relations count.

"Two metres" are 200 where heights are told in centimetres, and "7000 m" are 7000 where mountains have heights of
thousands. Of a relation that counts, 0 says that there is none: no fatalities.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from triplewise.kg.names import words_of
from triplewise.kg.values import parse_value
from triplewise.tools.query_graph.linking.value_mentions import ValueMention
from triplewise.tools.query_graph.schema_view import SchemaView, Step
from triplewise.tools.query_graph.winners import PLACING, WINNING

_NAMES = (
    ("m metre metres meter meters", "cm centimetre centimetres centimeter centimeters"),
    ("km kilometre kilometres kilometer kilometers", "m metre metres meter meters"),
    ("h hr hrs hour hours", "min mins minute minutes"),
    ("week weeks fortnight", "day days"),
    ("year years", "month months"),
    ("kg kilo kilos", "g gram grams"),
    ("ton tons tonne tonnes", "kg kilo kilos"),
    ("l litre litres liter liters", "ml"),
)
_COUNTED_IN = {"thousand": 1e3, "thousands": 1e3, "million": 1e6, "millions": 1e6, "billion": 1e9, "billions": 1e9}
"""What a relation's name says that its numbers are counted in."""
_SMALLER = tuple((frozenset(unit.split()), frozenset(smaller.split())) for unit, smaller in _NAMES)
"""Names of units, and of the smaller one that a graph may tell the same in."""
_CURRENCIES = tuple(
    frozenset(names.split()) for names in ("€ eur euro euros", "£ gbp pound pounds", "$ usd dollar dollars")
)
_EITHER = frozenset(("h", "hr", "hrs", "hour", "hours", "week", "weeks", "fortnight"))
"""Units of which a graph is as likely to tell the smaller one."""
_SLACK = 1.2
"""How far outside of a relation's values a number may be that is compared with them."""


class _Known(NamedTuple):
    """What a graph tells of a relation: words that may be its unit, the least and the greatest number."""

    units: frozenset[str]
    low: float
    high: float

    def near(self, number: float) -> bool:
        return self.low / _SLACK <= number <= self.high * _SLACK


class RelationNumbers:
    """What the numbers of one graph's relations tell."""

    def __init__(self, schema: SchemaView) -> None:
        self.schema = schema
        self._known = lru_cache(maxsize=None)(self._find)
        self._none = lru_cache(maxsize=None)(self._find_none)
        self._some = lru_cache(maxsize=None)(self._find_some)
        self.by_chance = lru_cache(maxsize=None)(self._are_equal_by_chance)

    @cached_property
    def ranks(self) -> frozenset[str]:
        """The relations that tell places among others: of each race one result is the 1st, one the 2nd."""
        return frozenset(r for r in self.schema.relations if self._ranks(Step(r)))

    @cached_property
    def places(self) -> frozenset[str]:
        """Those of them that are called places, where no relation tells who won."""
        words = {r: WINNING.union(PLACING).intersection(words_of(self.schema.words(r))) for r in self.schema.relations}
        told = any(WINNING & said for said in words.values())
        return frozenset() if told else frozenset(r for r in self.ranks if words[r])

    def _ranks(self, step: Step) -> bool:
        """Whether a number tells apart what is of the same thing, and counts from 1 without gaps; places may be shared
        in some, and who did not finish has none ("DNF")."""
        if self.schema.value_kind(step.relation) != "number" or not self.schema.functional(step):
            return False
        heads = self.schema.starts(step)
        for of in {s for head in self.schema.first(heads) for s in self.schema.steps(head)} - {step}:
            if not self.schema.functional(of) or (not of.inverse and self.schema.value_kind(of.relation)):
                continue
            places: dict[str, list[int]] = defaultdict(list)
            for head, (end,) in self.schema.each(heads, of).items():
                labels = map(self.schema.label, self.schema.go(head, step))
                places[end] += (int(label) for label in labels if label.isdecimal())
            several = [sorted(told) for told in places.values() if len(told) > 1]
            if any(told == [*range(1, len(told) + 1)] for told in several) and all(map(_are_places, several)):
                return True
        return False

    def _are_equal_by_chance(self, one: Step, other: Step) -> bool:
        """Whether two steps lead to numbers that tell different things, laps and points, or to a yes to different
        questions. The numbers of one may be a key of its things that the other refers to, as a booking's room is the
        number of a room."""
        kinds = {self.schema.value_kind(s.relation) for s in (one, other)}
        if one.inverse or other.inverse or one == other or kinds not in ({"number"}, {"yes-no"}):
            return False
        return kinds == {"yes-no"} or not (self._is_key_of(one, other) or self._is_key_of(other, one))

    def _is_key_of(self, one: Step, other: Step) -> bool:
        """Whether each number that ``other`` leads to is that of one thing, which ``one`` tells it of."""
        return self.schema.functional(one.back) and self.schema.starts(other.back) <= self.schema.starts(one.back)

    def texts(self, mention: ValueMention, sentence: str, relation: str) -> tuple[str, ...]:
        """The forms of a value that the relation may have, as it was said first where that is one of them.

        The relation's name or its values may tell the unit. Where they do not, the number as it was said is always
        one, and that of the smaller unit only where it is near the relation's values and what was said is not. A
        relation "viewers millions" has 11.3 for 11,300,000.
        """
        if mention.kind != "number":
            return mention.texts
        if counted := next((by for unit, by in _COUNTED_IN.items() if unit in self._known(relation).units), 0):
            return tuple(f"{float(t) / counted:.12g}" if float(t) >= counted else t for t in mention.texts)
        if len(mention.texts) < 2:
            return mention.texts
        said, *scaled = mention.texts
        spoken = set(words_of(sentence[mention.start : mention.end]))
        spoken |= {w.lstrip("0123456789") for w in spoken}
        known = self._known(relation)
        for unit, smaller in _SMALLER:
            if spoken & unit and known.units & unit:
                return (said,)
            if spoken & unit and known.units & smaller:
                return tuple(scaled)
        if known.near(float(said)) and not spoken & _EITHER:
            return (said,)
        return (said, *(text for text in scaled if known.near(float(text))))

    def has_unit(self, mention: ValueMention, sentence: str, relation: str) -> bool:
        """Whether a number is said with a unit that the relation has, or with a larger or smaller one."""
        behind = words_of(sentence[mention.start :])[:2]
        spoken = {w.lstrip("0123456789") for w in (*words_of(sentence[mention.start : mention.end]), *behind)} - {""}
        known = self._known(relation).units
        spoken |= {sign for sign in "€£$" if sign in sentence[max(mention.start - 2, 0) : mention.end + 2]}
        same = (*(unit | smaller for unit, smaller in _SMALLER), *_CURRENCIES)
        return mention.kind == "number" and (
            bool(spoken & known) or any(both & known and both & spoken for both in same)
        )

    def none(self, step: Step) -> frozenset[str]:
        """The things that a step's values say to have none of what they count; empty where they do not count."""
        return frozenset() if step.inverse else self._none(step.relation)

    def some(self, step: Step) -> frozenset[str]:
        """The things that have a step, without those of which it counts none."""
        counts = bool(self.none(step))
        return self._some(step.relation) if counts else self.schema.starts(step)

    def _find_none(self, relation: str) -> frozenset[str]:
        if self.schema.value_kind(relation) != "number":
            return frozenset()
        found: dict[str, list[str]] = {}
        for triple in self.schema.store.triples(relation=relation):
            found.setdefault(self.schema.label(triple.tail), []).append(triple.head)
        counts = all(label.isdecimal() for label in found) and len(found) > 1
        return frozenset(found.get("0", ())) if counts else frozenset()

    def _find_some(self, relation: str) -> frozenset[str]:
        triples = self.schema.store.triples(relation=relation)
        return frozenset(t.head for t in triples if self.schema.label(t.tail) != "0")

    def _find(self, relation: str) -> _Known:
        values = [parse_value(self.schema.label(t.tail)) for t in self.schema.store.triples(relation=relation)]
        numbers = [v.key[0] for v in values if v.kind in ("number", "year")]
        units = frozenset((*words_of(self.schema.words(relation)), *(v.unit.lower() for v in values)))
        return _Known(units, min(numbers, default=0.0), max(numbers, default=0.0))


def _are_places(told: Sequence[int]) -> bool:
    """Whether sorted numbers are the places of a race, some of which may be shared: 1, 2, 2, 4."""
    return all(place in (at, told[at - 2] if at > 1 else 1) for at, place in enumerate(told, 1))
