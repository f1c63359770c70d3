"""Dates as spreadsheets show them ("01/03/2023", "1.3.23", "12 Mar 2023", "März 2023"), as ISO dates."""

from __future__ import annotations

import datetime
import re

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january januar jän jänner", "feb february februar", "mar march mär mrz märz", "apr april",
            "may mai", "jun june juni", "jul july juli", "aug august", "sep sept september",
            "oct october okt oktober", "nov november", "dec december dez dezember",
        ),
        1,
    )
    for name in names.split(" ")
}  # fmt: skip
_WEEKDAY = (
    r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|"
    r"(?:mo|di|mi|do|fr|sa|so|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag))\.?,?\s+"
)
_MONTH = rf"(?P<name>{'|'.join(_MONTHS)})\.?"
_DAY = r"(?P<day>\d\d?)(?:st|nd|rd|th|\.)?"
_YEAR = r"(?P<year>\d{4})"
_SHORT = r"(?P<year>\d{4}|['’]?\d\d)"
_CLOCK = r"(?:,?[\sT]\s*(?P<clock>(?:[01]?\d|2[0-3]):[0-5]\d)(?P<seconds>:[0-5]\d)?(?:\s?(?P<half>[ap])\.?m\.?)?)?"
_FORMS = [
    re.compile(rf"(?:{_WEEKDAY})?(?:{form}){_CLOCK}", re.I)
    for form in (
        r"(?P<one>\d\d?)(?P<mark>[/.-])(?P<other>\d\d?)(?P=mark)(?P<year>\d{4})",
        r"(?P<one>\d\d?)(?P<mark>/)(?P<other>\d\d?)(?P=mark)(?P<year>\d\d)",
        r"(?P<one>\d\d)(?P<mark>\.)(?P<other>\d\d)(?P=mark)(?P<year>\d\d)",
        r"(?P<year>\d{4})(?P<mark>[/.-])(?P<month>\d\d?)(?P=mark)(?P<day>\d\d?)",
        r"(?P<month>0?[1-9]|1[0-2])/(?P<year>\d{4})",
        rf"{_DAY}(?:\s+of)?(?:\s+|(?P<mark>[-/])){_MONTH}(?:,?\s+|(?P=mark)){_SHORT}",
        rf"{_MONTH}\s+{_DAY},?\s+{_YEAR}",
        rf"{_MONTH}(?:,?(?:\s+of)?\s+{_YEAR}|[-/]{_SHORT.replace('year', 'short')})",
    )
]


def iso_date(cell: str, *, month_first: bool = False) -> str | None:
    """The ISO form of a date, "2023-03" of a month; None where the cell is no date.

    ``month_first``: "01/03/2023" is the third of January. Of two digits 30 to 99 are years of the last century, as
    spreadsheets read them.
    """
    match = next((m for form in _FORMS if (m := form.fullmatch(cell))), None)
    if match is None:
        return None
    parts = match.groupdict()
    digits = (parts.get("year") or parts["short"]).lstrip("'’")
    year = int(digits) if len(digits) == 4 else int(digits) + (1900 if int(digits) >= 30 else 2000)
    day = int(parts["day"]) if parts.get("day") else None
    if parts.get("one"):
        day, month = (int(parts[p]) for p in (("other", "one") if month_first else ("one", "other")))
    else:
        month = _MONTHS[parts["name"].lower()] if parts.get("name") else int(parts["month"])
    try:
        datetime.date(year, month, 1 if day is None else day)
    except ValueError:
        return None
    if day is None:
        return None if parts["clock"] else f"{year:04d}-{month:02d}"
    time = _time(parts)
    return f"{year:04d}-{month:02d}-{day:02d}" + (f"T{time}" if time.strip("0:") else "")


def _time(parts: dict[str, str | None]) -> str:
    """The time of day behind a date; midnight is what a spreadsheet writes where there is none."""
    hour, _, minute = (parts["clock"] or "0:00").partition(":")
    if half := parts["half"]:
        hour = str(int(hour) % 12 + 12 * (half.lower() == "p"))
    return f"{int(hour):02d}:{minute}{parts['seconds'] or ''}"
