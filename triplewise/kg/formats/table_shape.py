"""Which files are tables, told by their first lines: four or more columns, the same number in each, under a header that
reads like one.

Three columns are a triple, but where the first is headed by a word such as "name" or "ship_id". Two are a table there
too, and in a .csv file, whose header no other cell repeats: what one does is a line of an edge list.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Collection
from itertools import islice

from triplewise.kg.formats.headers import names_triple, parts_named
from triplewise.kg.formats.row_kinds import heads_key, kind_key
from triplewise.kg.values import parse_value

DELIMITERS = (",", ";", "\t", "|")
_LOOKED_AT = 20
_BAD = 0.1
"""Share of the rows looked at that may be of another width: the reader tells of them later."""


def delimiter_of(start: str) -> str:
    """What parts the cells of a file, by its first lines: what all of them have equally often, at best most often."""

    def fits(delimiter: str) -> tuple[bool, float, int]:
        rows = _rows(start, delimiter)
        width = len(rows[0]) if rows else 0
        return width > 1, sum(len(row) == width for row in rows) / max(len(rows), 1), width

    return max(DELIMITERS, key=fits)


def is_table(start: str, delimiter: str, *, spreadsheet: bool = False, known: Collection[str] = ()) -> bool:
    """Whether the first lines of a file are a table's; one row, or one in ten, may be of another width, and is told of
    later. So is a header that lacks a word or has one twice, where there are too many columns for triples.

    ``spreadsheet``: of a .csv file; then two columns need no word such as "name" above the first, and three are a
    table's too where they are headed by what the rows of a table beside it are (``known``).
    """
    header, *rows = _rows(start, delimiter) or [[]]
    rows = [row[: len(header)] + [cell for cell in row[len(header) :] if cell.strip()] for row in rows]
    whole = [row for row in rows if len(row) == len(header)]
    wide = len(header) > 3
    headed = spreadsheet and (_is_headed(header, whole) or _heads_known(header, known))
    if not wide and not _heads_names(header) and not headed:
        return False
    if len(rows) - len(whole) > max(_BAD * len(rows), len(whole) > 1) or not whole or names_triple(header):
        return False
    names = [cell.strip().casefold() for cell in header]
    if not wide and (not all(names[1:]) or len(set(names)) < len(names)):
        return False
    told = header[1:] if names[0] == "no" else header  # "No" heads numbers, and is no answer there
    if any(parse_value(cell).kind != "text" for cell in told if cell.strip()):
        return False
    return not any(cell == name for row in whole for cell, name in zip(row, header, strict=True) if cell.strip())


def _is_headed(header: list[str], rows: list[list[str]]) -> bool:
    """Whether two columns have a header of their own: the first line of an edge list is told of again, or says so."""
    return len(header) == 2 and not parts_named(header) and not any(cell in header for row in rows for cell in row)


def _heads_known(header: list[str], known: Collection[str]) -> bool:
    """Whether three columns tell of the things of tables: "Day, Teacher, Room" beside a table of teachers."""
    return len(header) == 3 and _may_head(header) and any(kind_key(cell) in known for cell in header)


def _may_head(header: list[str]) -> bool:
    """Whether two or three columns are none of a triple's; "subject" alone is what somebody teaches."""
    parts = parts_named(header)
    return 1 not in parts and not parts >= {0, 2}


def _heads_names(header: list[str]) -> bool:
    """Whether two or three columns are headed as a table's: no line of triples is about "name"."""
    return len(header) in (2, 3) and _may_head(header) and heads_key(header[0])


def _rows(start: str, delimiter: str) -> list[list[str]]:
    """The first rows of a file that are whole."""
    lines = [line for line in start.lstrip("\ufeff").splitlines(keepends=True) if line.strip() and line[0] != "#"]
    whole = [line for line in lines if line.endswith(("\n", "\r"))] or lines
    try:
        return list(islice(csv.reader(io.StringIO("".join(whole)), delimiter=delimiter), _LOOKED_AT))
    except csv.Error:
        return []
