"""What kind of values a relation leads to, told by some of its triples and by its name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import islice

from triplewise.kg.base import KGStore
from triplewise.kg.names import literal_parts
from triplewise.kg.values import Kind, mixes_durations, parse_value

_SAMPLE = 200
"""Triples of a relation that are looked at."""
_LAST_YEAR = 2150
"""The year after which a number of four digits is none."""
_AMOUNT = re.compile(
    r"\b(?:prices?|costs?|fees?|fares?|rents?|salary|salaries|wages?|budgets?|takings|revenue|turnover|eur|euros?|gbp|usd|"
    r"pounds?|dollars?|population|inhabitants|capacity|seats?|km|metres?|meters?|kg|kcal|calories|elevation|altitude)\b",
    re.I,
)
"""Words of a relation whose numbers are no years."""


def kind_of_values(store: KGStore, relation: str, words: str, is_thing: Callable[[str], bool]) -> Kind | None:
    """The kind of a relation's tails; None where most are things. ``words``: what the relation is called in words."""
    counts: Counter[Kind] = Counter()
    things, beyond = 0, False
    tails = [triple.tail for triple in islice(store.triples(relation=relation), _SAMPLE)]
    labels = list(map(store.label, tails))
    for tail, value in zip(tails, map(parse_value, labels), strict=True):
        beyond |= value.kind == "year" and value.key[0] > _LAST_YEAR
        if value.kind != "text":
            counts[value.kind] += 1
        elif literal_parts(tail) or not is_thing(tail):
            counts["text"] += 1
        else:
            things += 1
    kind, most = counts.most_common(1)[0] if counts else ("text", 0)
    if counts["number"] and counts["year"] and kind == "year":
        kind = "number" if counts["number"] > 0.2 * most else kind
    if kind == "year" and (beyond or _AMOUNT.search(words)):
        kind = "number"  # 1500 may be a price, and 2480 is no year
    if counts["date"] and kind == "year":
        kind = "date"  # one day among years is in its year as well, which no equality tells
    if counts["time"] and mixes_durations(labels):
        kind = "text"
    return kind if most and sum(counts.values()) >= 2 * things else None
