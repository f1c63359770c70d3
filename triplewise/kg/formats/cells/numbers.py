"""Numbers as spreadsheets show them ("1.150,00 €", "2,5 kg", "GBP 45", "1 250"), in the form that ``values`` reads."""

from __future__ import annotations

import re

from triplewise.kg.values import parse_value

_CODE = "AUD|BRL|CAD|CHF|CNY|CZK|DKK|EUR|GBP|HUF|INR|JPY|KRW|MXN|NOK|NZD|PLN|RUB|SEK|TRY|USD|ZAR"
_SPACES = " \u00a0\u202f'’"
"""What parts thousands beside a comma and a point; the second and third are spaces that do not break."""
_CELL = re.compile(
    rf"(?P<minus>[-+−–]?)\s?(?:(?P<sign>[€$£])|(?P<code>{_CODE}))?\s?(?P<late>[-−–]?)"
    rf"(?P<digits>\d(?:[\d.,{_SPACES}]*\d)?)(?:[.,][-–—])?(?P<rest>(?:\s?[^\s\d.,].*)?)",
    re.S,
)


def _digits(thousands: str, decimal: str) -> re.Pattern[str]:
    """A number without needless zeros in front: "007" and "01234" are codes."""
    parted = rf"[1-9]\d{{0,2}}(?P<mark>[{thousands}{_SPACES}])\d{{3}}(?:(?P=mark)\d{{3}})*"
    return re.compile(rf"(?P<whole>{parted}|0|[1-9]\d*)(?:{decimal}(?P<part>\d+))?")


_POINT, _COMMA = _digits(",", r"\."), _digits(".", ",")


def plain_number(cell: str, *, comma: bool = False) -> str | None:
    """A cell as ``parse_value`` reads a number, its unit or money kept; None where it is none.

    What is read as it stands is not altered. ``comma``: the decimals are behind a comma, so that "1.150" is more than a
    thousand and "1,150" hardly more than one.
    """
    match = _CELL.fullmatch(cell)
    number = (_COMMA if comma else _POINT).fullmatch(match["digits"]) if match else None
    if match is None or number is None:
        return None
    if not comma and _is_number(cell):
        return cell
    if any(space in match["digits"] for space in _SPACES) and match["minus"] == "+":  # the number of a telephone
        return None
    whole = re.sub(r"\D", "", number["whole"])
    digits = (f"{int(whole):,}" if number["mark"] else whole) + (f".{number['part']}" if number["part"] else "")
    minus = "-" if (match["minus"] + match["late"]).strip("+") else ""
    behind = f" {match['code']}" if match["code"] else ""
    found = f"{minus}{match['sign'] or ''}{digits}{behind}{match['rest']}"
    return found if _is_number(found) else None


def _is_number(text: str) -> bool:
    return parse_value(text).kind in ("number", "year")
