"""The header and the rows of a table as they stand in the file: what is bad is told, and what is none is left out."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from triplewise.errors import GraphFileError
from triplewise.kg.formats.cells.numbers import plain_number
from triplewise.kg.formats.collector import Collector
from triplewise.kg.formats.row_kinds import plain
from triplewise.kg.names import one_line

_SUMS = {
    "total", "totals", "sum", "sums", "grandtotal", "subtotal", "totaltotal", "average", "averages", "mean", "summe",
    "gesamt", "gesamtsumme", "insgesamt", "mittelwert",
}  # fmt: skip
"""First words of a row below the others that is about all of them."""

log = logging.getLogger(__name__)


@dataclass
class Records:
    """The header of a table, its rows, each as wide as the header, and the lines that the rows begin in."""

    header: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)


def table_records(records: Iterable[tuple[int, list[str]]], collector: Collector) -> Records:
    """The cells of a table. Columns without header and cells, and a last row of totals, are left out.

    A row of another width, or without its first cell, goes to the collector as bad. Raises GraphFileError where two
    columns have the same header, or one with cells has none.
    """
    found = Records()
    top = 0
    for number, cells in records:
        cells = [cell.strip() for cell in cells]
        if not found.header:
            found.header, top = cells, number
            if len(cells) < 2:
                collector.bad(number, "a table needs a header of two columns or more.")
            continue
        width = len(found.header)
        if not any(cells[width:]):
            cells = cells[:width]  # nothing but empty cells behind the last column
        if not any(cells) and len(cells) == width:
            continue
        if len(cells) == width:
            found.rows.append(cells)
            found.lines.append(number)
            continue
        count = f"{len(cells)} column{'s' * (len(cells) != 1)}"
        mend = "Put a cell that holds what parts the cells in double quotes, or load the rest: --skip-bad-lines."
        collector.bad(number, f"{count} instead of the header's {width}.", mend if len(cells) > width else "")
    _drop_sums(found, collector)
    _drop_nameless(found, collector)
    _drop_empty(found)
    _check_header(found.header, top, collector)
    return found


def _drop_sums(found: Records, collector: Collector) -> None:
    """Leave out last rows that begin with a word such as "Total" and have but numbers behind it."""
    while found.rows and _is_sum(found.rows[-1]):
        cells, line = found.rows.pop(), found.lines.pop()
        told = one_line(next(filter(None, cells)))
        log.warning('%s:%d: left out as a row of totals: "%s".', one_line(str(collector.path)), line, told)


def _is_sum(cells: Sequence[str]) -> bool:
    word, *others = [cell for cell in cells if cell] or [""]
    is_word = plain(word) in _SUMS or word.casefold().startswith(("total ", "grand total"))
    return is_word and bool(others) and all(map(_is_number, others))


def _is_number(cell: str) -> bool:
    return any(plain_number(cell, comma=comma) is not None for comma in (False, True))


def _drop_nameless(found: Records, collector: Collector) -> None:
    """Hand rows without a first cell to the collector."""
    for cells, line in zip(found.rows, found.lines, strict=True):
        if not cells[0]:
            collector.bad(line, "the first column, which names the row, is empty.")
    named = [place for place, cells in enumerate(found.rows) if cells[0]]
    found.rows, found.lines = [found.rows[p] for p in named], [found.lines[p] for p in named]


def _drop_empty(found: Records) -> None:
    """Leave out the columns that have neither a header nor a cell, as a sheet has them behind the last one."""
    width = range(len(found.header))
    kept = [c for c in width if c == 0 or found.header[c] or any(row[c] for row in found.rows)]
    if len(kept) < len(found.header):
        found.header = [found.header[c] for c in kept]
        found.rows = [[row[c] for c in kept] for row in found.rows]


def _check_header(header: Sequence[str], line: int, collector: Collector) -> None:
    """Raise GraphFileError where a column has no header, or that of another one."""
    seen: dict[str, int] = {}
    for number, cell in enumerate(header, 1):
        if number > 1 and not cell:
            hint = "The first line names all columns; remove what stands above it."
            raise GraphFileError(collector.path, f"column {number} of the table has no header.", line, hint)
        if (first := seen.setdefault(cell, number)) != number:
            reason = f'columns {first} and {number} of the table have the same header, "{one_line(cell)}".'
            raise GraphFileError(collector.path, reason, line, "Give each column a name of its own.")
