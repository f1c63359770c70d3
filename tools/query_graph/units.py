"""Which numbers a value with a unit may be in a graph: "two metres" are 200 where heights are told in centimetres, and
"7000 m" are 7000 where mountains have heights of thousands."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from triplewise.kg.names import words_of
from triplewise.kg.values import parse_value
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.query_graph.value_mentions import ValueMention

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
_SMALLER = tuple((frozenset(unit.split()), frozenset(smaller.split())) for unit, smaller in _NAMES)
"""Names of units, and of the smaller one that a graph may tell the same in."""
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


class Units:
    """The numbers that values with a unit may be, by relation; over one graph."""

    def __init__(self, schema: SchemaView) -> None:
        self.schema = schema
        self._known = lru_cache(maxsize=None)(self._find)

    def texts(self, mention: ValueMention, sentence: str, relation: str) -> tuple[str, ...]:
        """The forms of a value that the relation may have, as it was said first where that is one of them.

        The relation's name or its values may tell the unit. Where they do not, the number as it was said is always
        one, and that of the smaller unit only where it is near the relation's values and what was said is not.
        """
        if mention.kind != "number" or len(mention.texts) < 2:
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

    def _find(self, relation: str) -> _Known:
        values = [parse_value(self.schema.label(t.tail)) for t in self.schema.store.triples(relation=relation)]
        numbers = [v.key[0] for v in values if v.kind in ("number", "year")]
        units = frozenset((*words_of(self.schema.words(relation)), *(v.unit.lower() for v in values)))
        return _Known(units, min(numbers, default=0.0), max(numbers, default=0.0))
