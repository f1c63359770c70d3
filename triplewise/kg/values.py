"""Literal values: what a node's label says as a number, a date or a time of day, and how two values compare.

Values of one kind compare with each other; a year compares with a date by the date's year ("2014" = "2014-08-11" is
false, but "2014-08-11" > "2013" is true, as "after 2013" is meant).
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import Literal, NamedTuple

from triplewise.errors import QuestionError
from triplewise.kg.names import fold

Kind = Literal["number", "year", "date", "time", "yes-no", "text"]

_DIGITS = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_LARGE = r"(?i:thousand|million|billion|bn|(?:mio|mrd)\.?)"
_PER = r"\s?(?:/\s?|per )[^\W\d]{1,12}"
_NUMBER = re.compile(
    rf"(?P<number>[-+]?{_DIGITS}(?:[eE][-+]?\d{{1,2}})?)(?:\s?(?P<large>k|{_LARGE})(?![^\W\d]))?"
    rf"(?:\s?(?P<unit>(?:°?[^\W\d]{{1,12}}|[%€$£°]{{1,2}})(?:{_PER})?))?"
)
_MONEY = re.compile(
    rf"(?P<sign>[-+]?)(?P<unit>[€$£])\s?(?P<number>{_DIGITS})(?:\s?(?P<large>[kKmM]|{_LARGE})(?![^\W\d]))?"
    rf"(?:{_PER}|\s?[^\W\d]{{1,12}})?"
)
"""An "m" is a million of money alone: "300m" is a length."""
_POWERS = {"k": 3, "thousand": 3, "m": 6, "million": 6, "mio": 6, "bn": 9, "billion": 9, "mrd": 9}
_DATE = re.compile(r"(-?\d{4})-(\d\d)(?:-(\d\d))?(?:[T ]\d\d:\d\d.*)?")
_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?")
_YEAR = re.compile(r"[12]\d{3}")


class Value(NamedTuple):
    """A parsed value: ``key`` orders the values of one kind; ``unit`` is what stood behind a number, or its money."""

    kind: Kind
    key: tuple[float, ...]
    unit: str = ""


@lru_cache(maxsize=200_000)
def parse_value(text: str) -> Value:
    """What a label says: "1,450,000" and "12 kg" are numbers, "1972" a year, "2014-08" and "2014-08-11" dates.

    "12k", "1.5 million" and "£1.2m" are the whole numbers; what money is for ("£40 pcm", "£5 per hour") is passed over.
    """
    text = text.strip()
    if _YEAR.fullmatch(text):
        return Value("year", (float(text),))
    if match := _DATE.fullmatch(text):
        year, month, day = match.groups()
        if 1 <= int(month) <= 12 and (day is None or 1 <= int(day) <= 31):
            return Value("date", (float(year), float(month), float(day or 0)))
    if match := _TIME.fullmatch(text):
        return Value("time", tuple(float(part or 0) for part in match.groups()))
    if match := _NUMBER.fullmatch(text):
        return Value("number", (_number(match["number"], match["large"]),), match["unit"] or "")
    if match := _MONEY.fullmatch(text):
        return Value("number", (_number(match["sign"] + match["number"], match["large"]),), match["unit"])
    if text.lower() in ("yes", "no", "true", "false"):
        return Value("yes-no", (float(text.lower() in ("yes", "true")),))
    return Value("text", ())


def _number(digits: str, large: str | None) -> float:
    """As a float, multiplied before it is rounded to one: "1.1 million" is 1100000."""
    digits = digits.replace(",", "")
    return float(Decimal(digits).scaleb(_POWERS[large.lower().rstrip(".")]) if large else digits)


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
