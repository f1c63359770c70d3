"""Months that a sentence names without a year: what was "in April" was so in any April of which the graph tells."""

from __future__ import annotations

import calendar
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from triplewise.kg.values import parse_value
from triplewise.tools.query_graph.linking.mentions import Link, folded_words, words_in
from triplewise.tools.query_graph.linking.value_mentions import MONTHS

_NAMES = "|".join(sorted(MONTHS, key=len, reverse=True))
_IN_MONTH = re.compile(
    r"\b(?:in|during|throughout|of|for|between|from)\s+(?:(?:early|late|mid)[\s-]+)?"
    rf"(?P<month>{_NAMES})\b\.?"
    rf"(?P<more>(?:\s*(?:,|,?\s(?:or|and|to|till|until|through)\b|[-–])\s*(?:in\s+)?(?:{_NAMES})\b\.?)*)"
    r"(?!\s*,?\s*(?:the\s+|of\s+)?\d)(?!\s*(?:and|to|till|until|through|or|-|–)\s+(?:\w+\s+)?\d)",
    re.I,
)
"""Neither a month with its year or day nor a span of such; a bare "may" is a verb."""
_ONE_MORE = re.compile(rf"(?P<how>,|\w+|[-–])\s*(?:in\s+)?(?P<month>{_NAMES})\b", re.I)
_ALTERNATIVES = frozenset((",", "or", "and"))
_DAY = r"(?:the\s+)?(?P<{}>\d{{1,2}})(?:st|nd|rd|th)?"
_DAY_OF_MONTH = re.compile(
    rf"\b{_DAY.format('day')}\s+(?:of\s+)?(?P<month>{_NAMES})\b\.?(?!,?\s+(?:of\s+)?\d{{4}})"
    rf"|\b(?P<first>{_NAMES})\.?\s+{_DAY.format('last')}\b(?!,?\s+\d{{4}})",
    re.I,
)
"""A day without its year: "6 June", "May the 24th"."""


_LIMIT = re.compile(
    r"\b(?:before|after|until|till|by|since|from|prior\s+to|(?:earlier|later)\s+than)\s+(?:the\s+)?$", re.I
)
"""What holds other days against one."""
_DAY_ALONE = re.compile(
    r"\b(?P<how>on|of|from|for|since|until|till|before|after|by)\s+(?:(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day),?\s+)?"
    r"the\s+(?P<day>\d{1,2})(?:st|nd|rd|th)\b"
    rf"(?=\s*(?:$|[?.!;]|,(?!\s*(?:{_NAMES})\b)|(?:at|in|by|with|for|and|or|did|was|were|is|has|had)\b))",
    re.I,
)
"""A day without its month: "on the 12th", which no noun follows."""
_EDGE = re.compile(
    rf"(?:the\s+)?(?:very\s+)?(?P<edge>start|beginning|begining|end)\s+of\s+(?:that\s+)?(?P<month>{_NAMES})\b(?:\s+(?P<year>\d{{4}}))?",
    re.I,
)
"""The first or the last day of a month: "the end of June"."""
_BOUNDS = re.compile(
    r"\b(?:between|since|from|to|until|till|by|before|after)\s+$|\bbetween\s[^,.;?]{2,40}\sand\s+$", re.I
)
"""What makes it a bound; what happens at the end of June happens in it."""
_SPAN = re.compile(
    rf"\b(?:between|from)\s+{_DAY.format('a')}(?:\s+(?:of\s+)?(?P<month>{_NAMES}))?\s*(?:and|to|till|until|through|-|–)\s*"
    rf"{_DAY.format('b')}\s+(?:of\s+)?(?P<to>{_NAMES})\b(?!,?\s+(?:of\s+)?\d{{4}})",
    re.I,
)
"""From a day to another, without their year."""
_OF_MONTHS = re.compile(
    rf"\b(?P<lead>between|from)\s+(?P<start>(?:the\s+)?(?:start|beginning|begining)\s+of\s+)?(?P<a>(?:{_NAMES})(?:\s+\d{{4}})?)"
    rf"\s+(?P<to>and|to|till|until|through)\s+(?P<end>(?:the\s+)?(?:very\s+)?end\s+of\s+)?(?P<b>(?:{_NAMES})(?:\s+\d{{4}})?)\b",
    re.I,
)
"""From a month to another, of which but one may have its first or last day told: "January to the end of June"."""
_NEW_YEAR = re.compile(r"\bnew year(?:['’]?s(?: day)?)?,? (\d{4})\b", re.I)
_YEAR_FIRST = re.compile(
    rf"\b(?:between|from)\s+(?:{_DAY.format('a')}\s+(?:of\s+)?)?(?P<month>{_NAMES})\s+(?P<year>\d{{4}})\s+(?:and|to|till|until|through)\s+"
    rf"(?:{_DAY.format('b')}\s+(?:of\s+)?)?(?P<to>{_NAMES})\b(?!,?\s+(?:of\s+)?\d)",
    re.I,
)
"""A span whose year is told at its beginning alone."""
_SINCE_MONTH = re.compile(
    rf"\b(?:before|after|until|till|since)\s+(?:{_NAMES})\b(?=\s*(?:$|[?!.,;:])|\s+(?:and|or|but|of|in|at|on|for|to|with|by|"
    r"who|which|that|we|i|they|you|he|she|did|does|do|was|were|is|are|has|have|had|then|already|yet|this|last)\b)"
    r"(?!,?\s+(?:of\s+)?(?:the\s+)?\d|\s+of\s+(?:this|last|that|the)\b|\s+(?:this|last)\b)",
    re.I,
)
"""A month without its year that others are held against."""
_USUAL = 0.5
"""Share of a graph's days that lie in one year from which on a day without a year is of that year."""
_NO_LEAP = 2023
"""A year in which February has 28 days."""
_WHOLE = 0.99
"""The score of a link from which on all words of a name are said."""


class Month(NamedTuple):
    """A month of any year, or one ``day`` of it, and where it stands; ``others``: months that may be as well."""

    number: int
    start: int
    end: int
    day: int = 0
    others: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """Its name, as sentences have it."""
        months = " or ".join(calendar.month_name[number] for number in (self.number, *self.others))
        return f"{self.day or ''} {months}".strip()

    @property
    def condition(self) -> str:
        """What is said of a day in it."""
        return f"in {self.name}"

    def suits(self, kind: str | None) -> bool:
        """Whether what a relation to values of this kind leads to may be in it."""
        return kind == "date"

    def holds(self, label: str) -> bool:
        """Whether a date is in it."""
        value = parse_value(label)
        return value.kind == "date" and value.key[1] in (self.number, *self.others) and self.day in (0, value.key[2])


def find_months(sentence: str, links: Sequence[Link], relations: Iterable[str]) -> list[Month]:
    """The months of any year that a sentence names; none where a thing, a text or a relation is called by one."""
    words = words_in(sentence)
    named = [(words[x.first].start, words[x.last].end, x.score > _WHOLE) for x in links if x.first >= 0]
    whole = [(a, b) for a, b, is_whole in named if is_whole]
    called: set[str] | None = None
    found: list[Month] = []
    for match in _DAY_OF_MONTH.finditer(sentence):
        day, month = int(match["day"] or match["last"]), MONTHS[(match["month"] or match["first"]).lower()]
        called_so = any(a <= match.start() and match.end() <= b for a, b in whole)  # the Rehearsal 3 November
        if 1 <= day <= 31 and not called_so:
            found.append(Month(month, *match.span(), day))
    for match in _IN_MONTH.finditer(sentence):
        start, end = match.start("month"), match.end("more")
        called = {w for r in relations for w in folded_words(r)} if called is None else called
        within = [
            (a, b) for a, b, is_whole in named if a < end and start < b and (is_whole or not start <= a <= b <= end)
        ]
        if match["month"].lower() not in called and not within:  # "in June" is not the drill loan June
            first, *others = _months(match)
            found.append(Month(first, start, end, others=tuple(others)))
    return found


def _months(match: re.Match[str]) -> Iterator[int]:
    """The numbers of the months that are named as alternatives or as a span: "June or July", "November to January"."""
    last = MONTHS[match["month"].lower()]
    yield last
    span = match.group().lower().startswith("between")
    for more in _ONE_MORE.finditer(match["more"]):
        number = MONTHS[more["month"].lower()]
        if span or more["how"].lower() not in _ALTERNATIVES:
            while last % 12 + 1 != number:
                last = last % 12 + 1
                yield last
        last = number
        yield number


def usual_year(dates: Iterable[tuple[float, ...]]) -> str:
    """The year in which most days of a graph lie, each day (year, month, day); "" where there is none such."""
    years = Counter(int(date[0]) for date in dates)
    year, number = next(iter(years.most_common(1)), (0, 0))
    return str(year) if number and number >= _USUAL * years.total() else ""


def by_day(dates: Iterable[tuple[float, ...]]) -> dict[int, list[tuple[int, int, int]]]:
    """Day of the month → the dates (year, month, day) that have it."""
    found: dict[int, list[tuple[int, int, int]]] = {}
    for date in dates:
        if len(date) > 2:
            found.setdefault(int(date[2]), []).append((int(date[0]), int(date[1]), int(date[2])))
    return found


def with_month(sentence: str, days: Mapping[int, Sequence[tuple[int, int, int]]], year: str) -> str:
    """A sentence with month and year behind a day that is named alone, where only one date of this year is such a day,
    or of all dates only one that is such a day of the week: "on the 12th" is on 12 April 2025. ``days``: ``by_day``."""

    def told(match: re.Match[str]) -> str:
        weekday, fit = (match["weekday"] or "").lower(), list(days.get(int(match["day"]), ()))
        if weekday:
            fit = [d for d in fit if calendar.day_name[calendar.weekday(*d)].lower() == weekday]
        else:
            fit = [d for d in fit if str(d[0]) == year]
        return f"{match['how']} {fit[0][2]} {calendar.month_name[fit[0][1]]} {fit[0][0]}" if len(fit) == 1 else match[0]

    return _DAY_ALONE.sub(told, sentence)


def with_days(sentence: str, year: str) -> str:
    """A sentence with the day that the start or the end of a month is, where it bounds others: "since the start of
    August" is since 1 August; but "from May to the end of June" is a span of months. ``year``: that in which most is,
    "" where there is none such."""

    def in_months(match: re.Match[str]) -> str:
        both = match["start"] and match["end"]
        return match[0] if both else f"{match['lead']} {match['a']} {match['to']} {match['b']}"

    def told(match: re.Match[str]) -> str:
        if not _BOUNDS.search(sentence[: match.start()]):
            return match[0]
        month = MONTHS[match["month"].lower()]
        last = calendar.monthrange(int(match["year"] or year or _NO_LEAP), month)[1]
        day = last if match["edge"].lower() == "end" else 1
        return f"{day} {match['month']}{' ' + match['year'] if match['year'] else ''}"

    sentence = _OF_MONTHS.sub(in_months, _NEW_YEAR.sub(r"1 January \1", sentence))
    return _EDGE.sub(told, sentence)


def with_years_of_span(sentence: str, dates: Iterable[tuple[float, ...]]) -> str:
    """A sentence with the years of a span of days that names none, where most dates (year, month, day) that lie in such
    a span are of one: "between 1 December and 31 January"; of one that names the first, with the last."""
    if early := _YEAR_FIRST.search(sentence):
        over = MONTHS[early["to"].lower()] < MONTHS[early["month"].lower()]
        return f"{sentence[: early.end()]} {int(early['year']) + over}{sentence[early.end() :]}"
    found = _SPAN.search(sentence)
    if not found:
        return sentence
    last = MONTHS[found["to"].lower()], int(found["b"])
    first = (MONTHS[found["month"].lower()] if found["month"] else last[0]), int(found["a"])
    over, held = last < first, Counter[int]()
    for date in dates:
        for year in {int(date[0]), int(date[0]) - over} if len(date) > 2 else ():
            held[year] += (year, *first) <= date[:3] <= (year + over, *last)
    ((year, most),) = held.most_common(1) or [(0, 0)]
    if 2 * most <= held.total():
        return sentence
    told = f"{sentence[: found.end()]} {year + over}{sentence[found.end() :]}"
    return f"{told[: found.end('month')]} {year}{told[found.end('month') :]}" if over and found["month"] else told


def with_year(sentence: str, year: str) -> str:
    """A sentence with the year behind a day or a month that others are held against, and behind a span of days: "before
    the 25th of March" is so of one year, which nobody says where all is of that year. As it is where ``year`` is ""."""
    if not year:
        return sentence
    spans = [match.span() for match in _SPAN.finditer(sentence)]
    ends = [end for _, end in spans]
    for match in _DAY_OF_MONTH.finditer(sentence):
        inside = any(a <= match.start() < b for a, b in spans)
        if not inside and _LIMIT.search(sentence[: match.start()]):
            ends.append(match.start() + len(match.group().rstrip(".")))  # the full stop ends the sentence
    ends += [match.end() for match in _SINCE_MONTH.finditer(sentence)]
    for end in sorted(ends, reverse=True):
        sentence = f"{sentence[:end]} {year}{sentence[end:]}"
    return sentence
