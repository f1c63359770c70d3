"""Lines of text, and delimited files of triples: numbered lines in bounded memory, the records of a CSV file."""

from __future__ import annotations

import csv
import io
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from triplewise.errors import GraphFileError
from triplewise.kg.formats.collector import Collector
from triplewise.kg.formats.headers import read_header
from triplewise.kg.names import literal_parts

MAX_LINE = 1_000_000
"""Characters; a longer line is a mistake (or an attack), not a triple."""

MAX_CELL_LINES = 50
"""Lines that one quoted CSV cell may span."""

SNIFFED = 65_536
BINARY = "this is a binary file."
DELIMITERS = {"tsv": "\t", "csv": ",", "pipe": "|"}


def start_of(path: Path) -> str:
    """The text that a file begins with."""
    with path.open("rb") as file:
        return file.read(SNIFFED).decode("utf-8", "replace").lstrip("\ufeff")


def numbered_lines(path: Path, collector: Collector) -> Iterator[tuple[int, str]]:
    """Numbered lines, decoded; bounded memory whatever the file holds."""
    with path.open("rb") as file:
        number = 0
        while raw := file.readline(MAX_LINE + 1):
            number += 1
            if len(raw) > MAX_LINE:
                while raw and not raw.endswith(b"\n"):
                    raw = file.readline(MAX_LINE)
                collector.bad(number, f"the line is longer than {MAX_LINE:,} characters.")
                continue
            if b"\0" in raw:
                if number == 1:
                    raise GraphFileError(path, BINARY, hint="Graph files are text: CSV, TSV, Turtle and the like.")
                collector.bad(number, "the line holds a NUL byte.")
                continue
            try:
                yield number, raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                collector.bad(number, f"byte {error.start + 1} is not UTF-8.", "Save the file as UTF-8.")


def read_triples(
    path: Path, delimiter: str, collector: Collector, rows: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Gather the triples of a delimited file, whose ends may be names of the ``rows`` of tables beside it, by name."""
    first, order = True, (0, 1, 2)
    lines = numbered_lines(path, collector)
    records = (
        csv_records(lines, collector, delimiter)
        if delimiter in ",;"
        else ((number, line.rstrip("\r\n").split(delimiter)) for number, line in _content(lines))
    )
    for number, cells in records:
        cells = [cell.strip() for cell in cells]
        if len(cells) != 3:
            count = f"{len(cells)} column{'s' * (len(cells) != 1)}"
            collector.bad(number, f"{count} instead of 3 (head, relation, tail).", _other_delimiter(cells))
        elif not all(cells):
            collector.bad(number, f"column {cells.index('') + 1} is empty.")
        elif first and (found := _header(cells, number, collector)) is not None:
            order = found
        else:
            head, relation, tail = (cells[i] for i in order)
            text, language = literal_parts(tail) or (tail, "")
            collector.add(rows.get(head, head), relation, rows.get(tail, tail), text=text, language=language)
        first = False


def _header(cells: list[str], number: int, collector: Collector) -> tuple[int, int, int] | None:
    """The order of the columns by a header line, None where the line is a triple."""
    try:
        return read_header(cells)
    except ValueError as error:
        names = "Name the columns head, relation and tail, or remove the line."
        raise GraphFileError(collector.path, str(error), number, names) from None


def _other_delimiter(cells: list[str]) -> str:
    """What to do about a line whose cells are parted by another delimiter than the format's."""
    if len(cells) == 1:
        for kind, delimiter in DELIMITERS.items():
            if cells[0].count(delimiter) == 2:
                return f"The line looks like {kind}: say --format {kind}."
    if len(cells) != 1:
        return "A table, each row a thing under a header, is read with --format table, which tells what is wrong in it."
    return ""


def _content(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Lines that are neither empty nor a comment."""
    return ((number, line) for number, line in lines if line.strip() and not line.startswith("#"))


def csv_records(
    lines: Iterable[tuple[int, str]], collector: Collector, delimiter: str
) -> Iterator[tuple[int, list[str]]]:
    """(first line, cells) of each record. A quoted cell may hold line breaks; one that is never closed
    spoils its own line only."""
    source = iter(lines)
    waiting: deque[tuple[int, str]] = deque()
    while entry := waiting.popleft() if waiting else next(source, None):
        number, record = entry
        if not record.strip() or record.startswith("#"):
            continue
        used: list[tuple[int, str]] = []
        while True:
            try:
                cells = next(
                    csv.reader(io.StringIO(record.rstrip("\r\n"), newline=""), delimiter=delimiter, strict=True)
                )
            except csv.Error as error:
                following = None
                if str(error) == "unexpected end of data" and len(used) < MAX_CELL_LINES:
                    following = waiting.popleft() if waiting else next(source, None)
                if following is None:
                    waiting.extendleft(reversed(used))
                    collector.bad(number, f"not CSV: {error}.")
                    break
                used.append(following)
                record += following[1]
            else:
                yield number, cells
                break
