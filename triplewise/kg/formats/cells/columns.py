"""The cells of a table's columns in the forms that ``values`` reads: dates, numbers, yes and no, and nothing.

A column is taken for one of these where nine in ten of its filled cells are, and is else left as it is; so is each cell
that does not fit. What a column leaves open, the order of day and month or the mark before the decimals, is as in the
other columns of the file that tell it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial

from triplewise.kg.formats.cells.dates import iso_date
from triplewise.kg.formats.cells.numbers import plain_number
from triplewise.kg.values import is_numbered_date, parse_value

_ENOUGH = 0.9
_FEW = 4
_NOTHING = {"n/a", "N/A", "#N/A", "-", "–", "—", "?", "NULL", "null", "nan", "NaN", "NAN"}
""""Nan" and "NA" may be names, and "none" may be what a cell tells."""
_YES, _NO = {"yes", "true", "ja", "y", "j"}, {"no", "false", "nein", "n"}
_TICKS = {"x", "✓", "✔", "☑"}
_CODES = {
    "id", "key", "code", "nr", "no", "number", "ref", "reference", "identifier", "uuid", "index", "name", "label",
    "title", "phone", "telephone", "tel", "mobile", "cell", "fax", "postcode", "zip", "plz", "pin", "iban", "bic",
    "isbn", "ean", "sku", "barcode", "serial", "account", "passport", "plate", "ip", "version", "extension", "ext",
    "vat",
}  # fmt: skip
"""Last words of a header whose cells are called by digits and do not count anything."""
_ANYWHERE = {"phone", "telephone", "tel", "fax", "postcode", "zip", "plz", "iban", "isbn"}
_STARTS_WITH_YEAR = re.compile(r"-?\d{4}-")
_SPACED = re.compile(r"\d+(?:[ \u00a0\u202f]\d+)+")

_Reading = Callable[[str], str | None]


def plain_columns(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    names: Sequence[Collection[str]],
    *,
    kept: Collection[int],
    first: int = 1,
) -> list[dict[str, str]]:
    """By column, what cells are read as; "" for one that says nothing, and none for one that is left as it is.

    ``kept``: columns that are names, in which only empty cells are told. Also left as they are: columns that are headed
    as ids, telephone numbers, postcodes, names, and those with words in them that name a row (in ``names``, by column).
    ``first``: the first one that is read, 1 where the first names the rows.
    """
    found: list[dict[str, str]] = [{} for _ in header]
    open_columns: dict[int, Counter[str]] = {}
    for place in range(first, len(header)):
        cells = Counter(row[place] for row in rows)
        del cells[""]
        if "+" not in cells:  # beside a plus "-" is a value
            found[place] = dict.fromkeys(cells.keys() & _NOTHING, "")
        blank = len(rows) > cells.total() or bool(found[place])
        for cell in found[place]:
            del cells[cell]
        if place in kept or is_code(header[place]) or any(_is_text(cell) and cell in names[place] for cell in cells):
            continue
        if told := _yes_or_no(cells, blank):
            found[place] |= told
        elif cells:
            open_columns[place] = cells
    dates = {p: Counter({c: n for c, n in cells.items() if _kind(c) != "year"}) for p, cells in open_columns.items()}
    for place, told in _decided(
        dates, partial(_date, month_first=False), partial(_date, month_first=True), dotted=True
    ):
        found[place] |= told
        del open_columns[place]
    numbers = {p: cells for p, cells in open_columns.items() if not _like_codes(cells)}
    for place, told in _decided(numbers, plain_number, partial(plain_number, comma=True)):
        found[place] |= told
    return found


def is_code(header: str) -> bool:
    """Whether the cells under a header are called by digits that do not count anything, or are names."""
    words = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", re.sub(r"\(.*?\)", "", header)).lower())
    return bool(words) and (words[-1] in _CODES or not _ANYWHERE.isdisjoint(words))


def _kind(cell: str) -> str:
    return parse_value(cell).kind


def _is_text(cell: str) -> bool:
    return _kind(cell) == "text" or is_numbered_date(cell)


def _date(cell: str, *, month_first: bool) -> str | None:
    is_iso = _STARTS_WITH_YEAR.match(cell) and _kind(cell) == "date"  # others that are dates have their month in words
    return cell if is_iso else iso_date(cell, month_first=month_first)


def _decided(
    columns: Mapping[int, Counter[str]], first: _Reading, second: _Reading, *, dotted: bool = False
) -> Iterator[tuple[int, dict[str, str]]]:
    """The columns that fit one of two readings, read by the one that fits more cells.

    Where both fit as many, the others of the file tell, if they agree, else the first is taken; with ``dotted`` it is
    where the cells have points between digits, whatever the others tell.
    """
    fitting: dict[int, tuple[list[dict[str, str]], int]] = {}
    for place, cells in columns.items():
        ways = [{cell: form for cell in cells if (form := way(cell)) is not None} for way in (first, second)]
        counts = [sum(cells[cell] for cell in way) for way in ways]
        if cells and max(counts) >= (_enough(cells.total()) if dotted else _ENOUGH * cells.total()):
            fitting[place] = ways, counts[1] - counts[0]
    told = {more > 0 for _, more in fitting.values() if more}
    for place, (ways, more) in fitting.items():
        free = not more and not (dotted and any(re.match(r"\d+\.\d", cell) for cell in ways[0]))
        yield place, ways[more > 0 or (free and told == {True})]


def _yes_or_no(cells: Counter[str], blank: bool) -> dict[str, str]:
    """What cells say where all are yes or no, or ticks beside empty ones: "N" alone may be the north."""
    words = {cell.lower() for cell in cells}
    if words <= _TICKS and blank:
        return dict.fromkeys(cells, "yes")
    fit = sum(n for cell, n in cells.items() if cell.lower() in _YES | _NO)
    both = bool(words & _YES and words & _NO)  # then one cell may say "pending"
    if fit >= (_enough(cells.total()) if both else cells.total()) and words not in ({"n"}, {"j"}):
        return {cell: "yes" if cell.lower() in _YES else "no" for cell in cells if _told(cell)}
    return {}


def _told(cell: str) -> bool:
    return cell.lower() in _YES | _NO and _is_text(cell)


def _enough(cells: int) -> float:
    """How many cells of a column of dates, or of yes and no, must fit: nine in ten, and from four on all but one."""
    return min(_ENOUGH * cells, cells - 1 if cells >= _FEW else cells)


def _like_codes(cells: Collection[str]) -> bool:
    """Whether all are groups of digits of one length, as telephone numbers and postcodes are: no amounts."""
    lengths = {len(re.sub(r"\D", "", cell)) for cell in cells}
    return len(lengths) == 1 and min(lengths) > 4 and all(map(_SPACED.fullmatch, cells))
