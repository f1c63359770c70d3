"""The total and the average of values, written as the values are: "£12.50" and "£3" together are "£15.50"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from math import isfinite
from typing import Literal

from triplewise.kg.values import parse_value

Reckoning = Literal["total", "average"]
_DIGITS = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?")
_SIGNS = ("€", "£", "$")
_FRACTION = 2
"""Decimal places of an average of whole numbers, at most."""


def is_number(label: str) -> bool:
    """Whether a label is a number that can be added: a day or a time of day is none."""
    return parse_value(label).kind in ("number", "year")  # "1500" is read as a year, and may be a price


def amount(how: Reckoning, numbers: Sequence[float]) -> Fraction | float:
    """The total or the average of some numbers, as they are written: three times 0.1 is 0.3."""
    if not all(map(isfinite, numbers)):
        return sum(numbers)
    total = sum((Fraction(repr(number)) for number in numbers), Fraction())
    return total / len(numbers) if how == "average" else total


def reckon(how: Reckoning, labels: Sequence[str]) -> str:
    """The total or the average of the labels that are numbers; "" where there are none, or their units differ."""
    labels = [label.strip() for label in labels if is_number(label)]
    parts = [(match, label) for label in labels if (match := _DIGITS.search(label))]
    frames = {(label[: match.start()], label[match.end() :]) for match, label in parts}
    if len(frames) == 1:
        (before, after), numbers = frames.pop(), [Decimal(match.group().replace(",", "")) for match, _ in parts]
    else:
        values = [parse_value(label) for label in labels]
        units = {value.unit for value in values}
        if len(units) != 1:
            return ""
        unit = units.pop()
        before, after = (unit, "") if unit in _SIGNS else ("", f" {unit}" if unit else "")
        numbers = [Decimal(repr(value.key[0])).normalize() for value in values]
    total, places = sum(numbers, Decimal()), max(map(_places, numbers))
    if how == "average":
        total /= len(numbers)
        exact = total.quantize(Decimal(1).scaleb(-max(places, _FRACTION)), ROUND_HALF_EVEN)
        total = exact if places else exact.normalize()
    grouped = any("," in match.group() for match, _ in parts)
    places = max(places, _places(total))
    return f"{before}{total:{',' if grouped else ''}.{places}f}{after}"


def _places(number: Decimal) -> int:
    """Digits behind the decimal point."""
    exponent = number.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0
