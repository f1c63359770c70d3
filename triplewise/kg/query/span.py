"""The time between two days in whole units: days, weeks, months and years that have gone by, whichever day is first.

Of a day that is told only as a year or a month, years are the difference of the years, months that of the months, and
days cannot be told.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Literal, NamedTuple

from triplewise.kg.values import parse_value

SpanUnit = Literal["days", "weeks", "months", "years"]
UNITS: tuple[SpanUnit, ...] = ("days", "weeks", "months", "years")
PARTS: dict[SpanUnit, int] = {"days": 1, "weeks": 7, "months": 100, "years": 10_000}
"""What of the number of a full day (``Moment.full``) is one unit."""


class Moment(NamedTuple):
    """A day as numbers. ``full``: None where not all of the day is told; ``rough``: the year or month alone, None where
    the unit needs more."""

    full: int | None
    rough: int | None

    @property
    def told(self) -> bool:
        """Whether a span can begin or end here."""
        return self.full is not None or self.rough is not None


def is_day(label: str) -> bool:
    """Whether a label is a day, a month or a year."""
    return parse_value(label).kind in ("date", "year")


def moment(label: str, unit: SpanUnit) -> Moment:
    """A label as the numbers that are subtracted: of days their ordinals, of years yyyymmdd, of months the same with
    the months counted."""
    value = parse_value(label)
    if value.kind not in ("date", "year"):
        return Moment(None, None)
    year, month, day = (*map(int, value.key), 0, 0)[:3]
    if unit in ("days", "weeks"):
        return Moment(_ordinal(year, month, day), None)
    if unit == "years":
        return Moment(year * 10_000 + month * 100 + day if day else None, year)
    months = year * 12 + month
    return Moment(months * 100 + day if day else None, months if month else None)


def between(one: Moment, other: Moment, unit: SpanUnit) -> int | None:
    """Whole units between two days; None where they cannot be told."""
    if one.full is not None and other.full is not None:
        return abs(other.full - one.full) // PARTS[unit]
    if one.rough is not None and other.rough is not None:
        return abs(other.rough - one.rough)
    return None


def whole(moments: Iterable[Moment], unit: SpanUnit) -> int | None:
    """Whole units from the first to the last of several days; None where fewer than two are told."""
    told = set(moments)
    full, rough = ({k for m in told if (k := m[i]) is not None} for i in (0, 1))
    if len(told) < 2:
        return None
    if all(m.full is not None for m in told):
        return (max(full) - min(full)) // PARTS[unit]
    return max(rough) - min(rough) if all(m.rough is not None for m in told) else None


def in_words(number: int, unit: SpanUnit) -> str:
    """ "1 day", "34 days"."""
    return f"{number} {unit[:-1] if number == 1 else unit}"


def _ordinal(year: int, month: int, day: int) -> int | None:
    try:
        return date(year, month, day).toordinal()
    except ValueError:  # only the month is told, there is no such day, or it was before the first of our era
        return None
