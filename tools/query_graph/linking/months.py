"""Months that a sentence names without a year: what was "in April" was so in any April of which the graph tells."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from triplewise.kg.values import parse_value
from triplewise.tools.query_graph.linking.mentions import Link, folded_words, words_in
from triplewise.tools.query_graph.linking.value_mentions import MONTHS

_IN_MONTH = re.compile(
    r"\b(?:in|during|throughout|of|for)\s+(?:(?:early|late|mid)[\s-]+)?"
    rf"(?P<month>{'|'.join(sorted(MONTHS, key=len, reverse=True))})\b\.?"
    r"(?!\s*,?\s*(?:the\s+|of\s+)?\d)(?!\s*(?:and|to|till|until|through|or|-|–)\s)",
    re.I,
)
"""Neither a month with its year or day nor a span of months; a bare "may" is a verb."""


class Month(NamedTuple):
    """A month of any year, and where its name stands."""

    number: int
    start: int
    end: int

    @property
    def name(self) -> str:
        """Its name, as sentences have it."""
        return calendar.month_name[self.number]

    def holds(self, label: str) -> bool:
        """Whether a date is in it."""
        value = parse_value(label)
        return value.kind == "date" and value.key[1] == self.number


def find_months(sentence: str, links: Sequence[Link], relations: Iterable[str]) -> list[Month]:
    """The months of any year that a sentence names; none where a thing, a text or a relation is called by one."""
    words = words_in(sentence)
    named = [(words[x.first].start, words[x.last].end) for x in links if x.first >= 0]
    called: set[str] | None = None
    found: list[Month] = []
    for match in _IN_MONTH.finditer(sentence):
        start, end = match.span("month")
        called = {w for r in relations for w in folded_words(r)} if called is None else called
        if match["month"].lower() not in called and not any(a < end and start < b for a, b in named):
            found.append(Month(MONTHS[match["month"].lower()], start, end))
    return found
