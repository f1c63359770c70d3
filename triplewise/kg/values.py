"""Literal values: what a node's label says as a number, a date or a time of day, and how two values compare.

Values of one kind compare with each other; a year compares with a date by the date's year ("2014" = "2014-08-11" is
false, but "2014-08-11" > "2013" is true, as "after 2013" is meant). A date may be written in words, as people write it:
"22 May 1872" and "May 22, 1872" are the same value as "1872-05-22". So are "22.05.1872" and "22/05/1872": the day comes
first but where only the month can ("05/22/1872"); a graph whose days all come second is read so when it is loaded.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from typing import Literal, NamedTuple

from triplewise.errors import QuestionError
from triplewise.kg.names import fold

Kind = Literal["number", "year", "date", "time", "yes-no", "text"]

_DIGITS = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_LARGE = r"(?i:thousand|million|billion|bn|(?:mio|mrd)\.?)"
_PER = r"\s?(?:/\s?|per |an? )[^\W\d]{1,12}"
_ROUGHLY = re.compile(r"^(?:(?:about|around|approx(?:imately)?\.?|roughly|circa|ca?\.)\s|~\s?)(?=[\d€$£+-])", re.I)
_REMARK = r"(?:\s\([^()]{1,40}\))?"
"""What stands in brackets behind an amount: "£140 (family)"."""
_NUMBER = re.compile(
    rf"(?P<number>[-+]?{_DIGITS}(?:[eE][-+]?\d{{1,2}})?)(?![a-fA-F]$)(?:\s?(?P<large>k|{_LARGE})(?![^\W\d]))?"
    rf"(?:\s?(?P<unit>(?:°?[^\W\d]{{1,12}}|[%€$£°]{{1,2}})(?:{_PER})?){_REMARK})?"
)
"""A letter from a to f right behind a number is no unit: grade 7b, flat 12a."""
_MONEY = re.compile(
    rf"(?P<sign>[-+]?)(?P<unit>[€$£])\s?(?P<number>{_DIGITS})(?:\s?(?P<large>[kKmM]|{_LARGE})(?![^\W\d]))?"
    rf"(?:{_PER}|\s?[^\W\d]{{1,12}})?{_REMARK}"
)
"""An "m" is a million of money alone: "300m" is a length."""
_POWERS = {"k": 3, "thousand": 3, "m": 6, "million": 6, "mio": 6, "bn": 9, "billion": 9, "mrd": 9}
_DATE = re.compile(r"(-?\d{4})-(\d\d)(?:-(\d\d))?(?:[T ]\d\d:\d\d.*)?")
_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_abbr) if name}
_MONTH = "(?P<month>" + "|".join(rf"{m[:3]}(?:{m[3:]})?" for m in calendar.month_name if m) + "|Sept)"
_DAY = r"(?P<day>\d\d?)(?:st|nd|rd|th)?"
_WEEKDAY = "(?:(?:" + "|".join(rf"{d[:3]}(?:{d[3:]})?" for d in calendar.day_name) + r"|Tues|Thurs)\.?,?\s+)?"
_DATES_IN_WORDS = [
    re.compile(_WEEKDAY + form, re.IGNORECASE)
    for form in (
        rf"{_DAY}(?:\s+(?:of\s+)?|-){_MONTH}\.?(?:,?\s+|-)(?P<year>[12]\d{{3}})",
        rf"{_MONTH}\.?\s+{_DAY},?\s+(?P<year>[12]\d{{3}})",
        rf"{_MONTH}\.?,?\s+(?:of\s+)?(?P<year>[12]\d{{3}})",
    )
]
_NUMBERED_DATE = re.compile(r"(\d\d?)([./])(\d\d?)\2([12]\d{3})")
_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?")
_TIME_IN_HALVES = re.compile(r"(1[0-2]|0?[1-9])(?:[.:]([0-5]\d))?\s?([aApP])\.?[mM]\.?")
""" "9am", "1.30pm"."""
_DURATION = re.compile(r"([0-5]?\d):([0-5]\d)(?::([0-5]\d))?(\.\d{1,3})?")
""" "41:12", "3:59.4", "1:02:33.5": in a column of such, "19:58" is one as well, and stands before "41:12"."""
_HOURS = r"(?P<hours>\d{1,3})\s?h(?:(?:ou)?rs?)?\.?(?:[ ,]{0,2}|,?\sand\s)"
_MINUTES = r"(?P<minutes>[0-5]?\d)\s?m(?:in(?:ute)?s?)?\.?"
_SECONDS = r"(?:[ ,]{0,2}|,?\sand\s)(?P<seconds>[0-5]?\d(?:\.\d{1,3})?)\s?s(?:ec(?:ond)?s?)?\.?"
_DURATIONS_IN_UNITS = [
    re.compile(form)
    for form in (f"{_HOURS}{_MINUTES}(?:{_SECONDS})?", rf"{_HOURS}(?P<minutes>[0-5]?\d)", _MINUTES + _SECONDS)
]
""" "2h 31m", "2 hrs 31 min", "2h31", "3m 59.4s"."""
_YEAR = re.compile(r"[12]\d{3}")


class Value(NamedTuple):
    """A parsed value: ``key`` orders the values of one kind; ``unit`` is what stood behind a number, or its money."""

    kind: Kind
    key: tuple[float, ...]
    unit: str = ""


@lru_cache(maxsize=200_000)
def parse_value(text: str) -> Value:
    """What a label says: "1,450,000" and "12 kg" are numbers, "1972" a year, "2014-08" and "11 August 2014" dates,
    "18:30" and "6.30pm" times of day, and "41:12", "3:59.4" and "2h 31m" as long as these.

    "12k", "1.5 million" and "£1.2m" are the whole numbers; what money is for ("£40 pcm", "£5 an hour"), a remark in
    brackets behind an amount ("£140 (family)") and "about" before it are passed over.
    """
    text = _ROUGHLY.sub("", text.strip())
    if _YEAR.fullmatch(text):
        return Value("year", (float(text),))
    if match := _DATE.fullmatch(text):
        year, month, day = match.groups()
        if 1 <= int(month) <= 12 and (day is None or 1 <= int(day) <= 31):
            return Value("date", (float(year), float(month), float(day or 0)))
    if match := _TIME.fullmatch(text):
        return Value("time", tuple(float(part or 0) for part in match.groups()))
    if match := _TIME_IN_HALVES.fullmatch(text):
        hour = int(match[1]) % 12 + (12 if match[3].lower() == "p" else 0)
        return Value("time", (float(hour), float(match[2] or 0), 0.0))
    if found := _duration(text):
        return found
    if match := _NUMBER.fullmatch(text):
        return Value("number", (_number(match["number"], match["large"]),), match["unit"] or "")
    if match := _MONEY.fullmatch(text):
        return Value("number", (_number(match["sign"] + match["number"], match["large"]),), match["unit"])
    if text.lower() in ("yes", "no", "true", "false"):
        return Value("yes-no", (float(text.lower() in ("yes", "true")),))
    return _numbered_date(text) or _date_in_words(text) or Value("text", ())


def _duration(text: str) -> Value | None:
    if match := _DURATION.fullmatch(text):
        return Value("time", (float(match[1]), float(match[2]), float(match[3] or 0) + float(match[4] or 0)))
    for form in _DURATIONS_IN_UNITS:
        if match := form.fullmatch(text):
            parts = match.groupdict()
            return Value("time", tuple(float(parts.get(part) or 0) for part in ("hours", "minutes", "seconds")))
    return None


def is_duration(text: str) -> bool:
    """Whether a text tells how long something took, and can be no time of day: "41:12" and "2h 31m", not "19:58"."""
    return _TIME.fullmatch(text) is None and _duration(text) is not None


_OF_TIME = re.compile(r"h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?", re.I)


def mixes_durations(texts: Iterable[str]) -> bool:
    """Whether some of these are durations that cannot be held against others: "59:40" against "1:02:33", whose first
    numbers are minutes and hours, "2h 5m" against "45 min"."""
    told = [text for text in texts if parse_value(text).kind in ("time", "number")]
    lasting = [text for text in told if is_duration(text)]
    if not lasting:
        return False
    parts = {text.count(":") for text in told if parse_value(text).kind == "time"}
    return len(parts) > 1 or any(_OF_TIME.fullmatch(parse_value(text).unit) for text in told)


def is_numbered_date(text: str) -> bool:
    """Whether a text is a date as "22/05/1872" or "22.05.1872" is: in a table it may name a row as well."""
    return _NUMBERED_DATE.fullmatch(text) is not None


def _numbered_date(text: str) -> Value | None:
    """A date of numbers alone, its day first; of those with slashes "05/22/1872" can only be in May."""
    match = _NUMBERED_DATE.fullmatch(text)
    if match is None:
        return None
    day, month = int(match[1]), int(match[3])
    if match[2] == "/" and month > 12:
        day, month = month, day
    if not (1 <= day <= 31 and 1 <= month <= 12):
        return None
    return Value("date", (float(match[4]), float(month), float(day)))


def _date_in_words(text: str) -> Value | None:
    """A day or month with the English name of its month or the usual abbreviation; None for other texts."""
    if not text[-4:].isdigit():
        return None
    match = next((m for form in _DATES_IN_WORDS if (m := form.fullmatch(text))), None)
    if match is None:
        return None
    day = match.groupdict().get("day")
    if day is not None and not 1 <= int(day) <= 31:
        return None
    return Value("date", (float(match["year"]), float(_MONTHS[match["month"][:3].lower()]), float(day or 0)))


def _number(digits: str, large: str | None) -> float:
    """As a float, multiplied before it is rounded to one: "1.1 million" is 1100000."""
    digits = digits.replace(",", "")
    return float(Decimal(digits).scaleb(_POWERS[large.lower().rstrip(".")]) if large else digits)


def month_first_dates(texts: Iterable[str]) -> dict[str, str]:
    """Each "05/06/1872" among texts → "1872-05-06", where another of them ("05/22/1872") shows that the months come
    first and none that the days do; none else."""
    found = {text: m for text in texts if (m := _NUMBERED_DATE.fullmatch(text)) and m[2] == "/"}
    if any(int(m[1]) > 12 for m in found.values()) or all(int(m[3]) <= 12 for m in found.values()):
        return {}
    return {text: f"{m[4]}-{int(m[1]):02d}-{int(m[3]):02d}" for text, m in found.items()}


def comparable(a: Value, b: Value) -> bool:
    """Whether ``<`` has a meaning between them: numbers with numbers and years, dates with dates and years, times."""
    kinds = {a.kind, b.kind}
    if kinds & {"text", "yes-no"}:
        return False
    return len(kinds) == 1 or kinds in ({"number", "year"}, {"date", "year"})


def compare(left: str, op: str, right: str) -> bool:
    """Whether ``left op right`` holds between two labels; ``op`` is one of = != < <= > >=.

    "yes" equals "true". Values that cannot be ordered (a name and a number) satisfy no inequality. Raises QuestionError
    on another operator.
    """
    a, b = parse_value(left), parse_value(right)
    if op in ("=", "!="):
        same = a.key == b.key if comparable(a, b) or a.kind == b.kind == "yes-no" else fold(left) == fold(right)
        return same == (op == "=")
    if op not in ("<", "<=", ">", ">="):
        raise QuestionError(f"no comparison {op!r}.", "Known: = != < <= > >=.")
    if not comparable(a, b):
        return False
    x, y = a.key, b.key
    if a.kind != b.kind and "year" in (a.kind, b.kind):  # a year against a date: by the year
        x, y = x[:1], y[:1]
    return {"<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y}[op]
