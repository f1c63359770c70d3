"""A table as a graph: each row a thing, named by its first cell, each column a relation, called as its header.

A table is told by its first lines: four or more columns, the same number in each, under a header that reads like one.
Three columns are a triple, but where the first is headed by a word such as "name" or "ship_id". Two are a table there
too, and in a .csv file, whose header no other cell repeats: what one does is a line of an edge list.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from triplewise.kg.formats.cell_lists import listed
from triplewise.kg.formats.collector import Collector
from triplewise.kg.formats.columns import is_code, plain_columns
from triplewise.kg.formats.headers import names_triple, parts_named
from triplewise.kg.formats.row_names import are_ids, names_rows, naming_places, singular, words_of_header
from triplewise.kg.names import literal_parts, quote_literal, relation_words
from triplewise.kg.values import parse_value

DELIMITERS = (",", ";", "\t", "|")
_NAMES = {"name", "label", "title", "fullname", "displayname"}
_KEYS = {"", "id", "key", "code", "nr", "no", "number", "identifier", "ref", "uuid", "index", "unnamed0", *_NAMES}
"""Headers of a first column that say how a thing is told apart, not what it is."""
_KEY_WORD = re.compile(r"(?:[\s_-]+(?i:id|key|code|nr|no|number|name)|(?<=[a-z])(?:Id|ID|Key|Code|Nr|No|Number|Name))$")
""""ship_id" and "Ship name" are about ships."""
_ID_WORD = re.compile(r"(?<=\w) id$", re.I)
_LOOKED_AT = 20


def delimiter_of(start: str) -> str:
    """What parts the cells of a file, by its first lines: what all of them have equally often, at best most often."""

    def fits(delimiter: str) -> tuple[bool, float, int]:
        rows = _rows(start, delimiter)
        width = len(rows[0]) if rows else 0
        return width > 1, sum(len(row) == width for row in rows) / max(len(rows), 1), width

    return max(DELIMITERS, key=fits)


def is_table(start: str, delimiter: str, *, spreadsheet: bool = False, known: Collection[str] = ()) -> bool:
    """Whether the first lines of a file are a table's; one in ten may be of another width, and is told of later.

    ``spreadsheet``: of a .csv file; then two columns need no word such as "name" above the first, and three are a
    table's too where they are headed by what the rows of a table beside it are (``known``).
    """
    header, *rows = _rows(start, delimiter) or [[]]
    whole = [row for row in rows if len(row) == len(header)]
    headed = spreadsheet and (_is_headed(header, whole) or _heads_known(header, known))
    if len(header) < 4 and not _heads_names(header) and not headed:
        return False
    if len(whole) < 0.9 * len(rows) or not whole or names_triple(header):
        return False
    names = [cell.strip().casefold() for cell in header]
    if not all(names[1:]) or len(set(names)) < len(names):
        return False
    if any(parse_value(cell).kind != "text" for cell in header if cell.strip()):
        return False
    return not any(cell == name for row in whole for cell, name in zip(row, header, strict=True) if cell.strip())


def _is_headed(header: list[str], rows: list[list[str]]) -> bool:
    """Whether two columns have a header of their own: the first line of an edge list is told of again, or says so."""
    return len(header) == 2 and not parts_named(header) and not any(cell in header for row in rows for cell in row)


def _names_rows(header: str, rows: list[list[str]], place: int) -> bool:
    known = _plain(header) in _NAMES
    return known and (_plain(header) not in ("title", "label") or names_rows([cells[place] for cells in rows]))


def _heads_known(header: list[str], known: Collection[str]) -> bool:
    """Whether three columns tell of the things of tables: "Day, Teacher, Room" beside a table of teachers."""
    return len(header) == 3 and _may_head(header) and any(kind_key(cell) in known for cell in header)


def _may_head(header: list[str]) -> bool:
    """Whether two or three columns are none of a triple's; "subject" alone is what somebody teaches."""
    parts = parts_named(header)
    return 1 not in parts and not parts >= {0, 2}


def _heads_names(header: list[str]) -> bool:
    """Whether two or three columns are headed as a table's: no line of triples is about "name"."""
    if len(header) not in (2, 3) or not _may_head(header):
        return False
    return _plain(header[0]) in _KEYS - {""} or bool(_KEY_WORD.search(header[0].strip()))


def kind_key(header: str) -> str:
    """What the header of a column says that its cells are, to be compared: "ship" of "Ship_ID" and "ships"."""
    return " ".join(map(singular, words_of_header(_KEY_WORD.sub("", header.strip()))))


@dataclass
class Table:
    """The rows of a table, and what tells their names."""

    header: list[str]
    rows: list[list[str]]
    kind: str
    """What the rows are, "" where neither the header nor the file says."""
    named: int
    """The column of their names, 0 where that is the first, or where there are ``guessed`` ones."""
    guessed: tuple[int, ...]
    """The columns that were taken for their names, with no header that says so."""
    prefix: str = ""
    """Before the first cells in ids, where other things have the same numbers."""
    others: Mapping[str, str] = field(default_factory=dict)
    """Rows of tables beside it that are meant by its first cells."""

    def row(self, cell: str) -> str:
        """The id of the row with this first cell."""
        return self.others.get(cell) or f"{self.prefix}{cell}"

    def label(self, cells: Sequence[str]) -> str:
        """What a row is called."""
        return " ".join(cells[place] for place in self.guessed or (self.named,))

    @cached_property
    def ids(self) -> dict[str, set[str]]:
        """Name or first cell → the rows that it may mean."""
        found: dict[str, set[str]] = defaultdict(set)
        for cells in self.rows:
            for name in {cells[0], self.label(cells)} - {""}:
                found[name].add(self.row(cells[0]))
        return dict(found)


class Meant(NamedTuple):
    """Which rows the cells of a column may mean."""

    rows: Mapping[str, set[str]]
    """By name."""
    numbers: bool
    """Whether a number is a row's; else it is a value."""
    apart: Collection[str] = ()
    """Names of rows that are no more than texts here."""


def read_table(records: Iterable[tuple[int, list[str]]], collector: Collector) -> None:
    """Gather a table's triples; a cell that is empty tells nothing.

    The header of the first column is the class of its things, unless it is a word such as "id" or "name". A column
    called "name" or "label" beside an id gives names; cells of other columns that hold one row's name mean that row,
    a number only in a column called as an id ("boss_id"), else it is a value. Rows with the same first cell are about
    the same thing.

    Beside ids, where no column is called so, an address, a subject or the like names rows (``row_names.py``), and is
    then no relation, as a column "name" is none; the id is another name. A given and a family name together are a name
    and stay relations. Dates, numbers, yes and no are read in the forms that spreadsheets show (``columns.py``), and a
    cell may list several things (``cell_lists.py``). Raises GraphFileError on a row of another width.
    """
    if table := parse_table(records, collector):
        meant = [Meant(table.ids, heads_ids(relation)) for relation in table.header]
        add_table(table, meant, collector)
        collector.relation_labels |= link_words([(table, meant)])


def parse_table(records: Iterable[tuple[int, list[str]]], collector: Collector) -> Table | None:
    """The rows of a table and what names them; None where it has no header."""
    header: list[str] = []
    rows: list[list[str]] = []
    for number, cells in records:
        cells = [cell.strip() for cell in cells]
        if not header:
            header = cells
            if len(cells) < 2:
                collector.bad(number, "a table needs a header of two columns or more.")
        elif len(cells) != len(header):
            count = f"{len(cells)} column{'s' * (len(cells) != 1)}"
            collector.bad(number, f"{count} instead of the header's {len(header)}.")
        elif not cells[0]:
            collector.bad(number, "the first column, which names the row, is empty.")
        else:
            rows.append(cells)
    if not header:
        return None
    kind = _KEY_WORD.sub("", header[0])
    kind = "" if _plain(kind) in _KEYS else kind
    named = next((i for i, cell in enumerate(header[1:], 1) if _names_rows(cell, rows, i)), 0)
    guessed = () if named else _naming_places(header, rows, kind)
    return Table(header, rows, kind, guessed[0] if len(guessed) == 1 else named, guessed)


def add_table(table: Table, meant: Sequence[Meant], collector: Collector) -> None:
    """Gather the triples of a table whose cells mean rows by ``meant``, for each column."""
    header, rows, named = table.header, table.rows, table.named
    plain = plain_columns(header, rows, [column.rows for column in meant], kept={named})
    lists = [
        {} if place in (0, named) or is_code(relation) else listed({row[place] for row in rows} - {*told}, column.rows)
        for place, (relation, told, column) in enumerate(zip(header, plain, meant, strict=True))
    ]
    for cells in rows:
        row, label = table.row(cells[0]), table.label(cells)
        if table.kind:
            collector.add(row, "rdf:type", table.kind, text=table.kind)
        if len(table.guessed) > 1:
            collector.add(row, "rdfs:label", label, text=label)
        if table.guessed:
            collector.add(row, "skos:altLabel", cells[0], text=cells[0])
        for place, (relation, written) in enumerate(zip(header[1:], cells[1:], strict=True), 1):
            cell = plain[place].get(written, written)
            if not cell:
                continue
            if place == named:
                text, language = literal_parts(cell) or (cell, "")
                collector.add(row, "rdfs:label", cell, text=text, language=language)
                continue
            for part in lists[place].get(cell, (cell,)):
                _add_cell(row, relation, part, meant[place], collector)


def link_words(tables: Iterable[tuple[Table, Sequence[Meant]]]) -> dict[str, str]:
    """What the columns of ids are called that tell other rows throughout: "maker" of "maker_id", as one says it, unless
    another column is called so."""
    links: dict[str, bool] = {}
    for table, meant in tables:
        for place, (relation, column) in enumerate(zip(table.header[1:], meant[1:], strict=True), 1):
            cells = {row[place] for row in table.rows} - {""}
            told = bool(cells) and all(len(column.rows.get(cell, ())) == 1 for cell in cells)
            links[relation] = links.get(relation, True) and told
    shown = {r: _ID_WORD.sub("", relation_words(r)) if told else relation_words(r) for r, told in links.items()}
    alike = Counter(shown.values())
    return {r: words for r, words in shown.items() if words != relation_words(r) and alike[words] == 1}


def heads_ids(relation: str) -> bool:
    """Whether a column is headed as one of ids, which may be other rows' ("boss_id")."""
    return _plain(relation).endswith(("id", "nr", "no", "ref", "key"))


def _add_cell(row: str, relation: str, cell: str, meant: Meant, collector: Collector) -> None:
    """What a cell tells of its row: a value, a thing, or the row that it names."""
    if cell in meant.apart:
        collector.add(row, relation, quote_literal(cell), text=cell)
    elif len(rows := meant.rows.get(cell, set())) != 1:
        text, language = literal_parts(cell) or (cell, "")
        collector.add(row, relation, cell, text=text, language=language)
    elif meant.numbers or parse_value(cell).kind == "text":
        (other,) = rows
        collector.add(row, relation, other, text=other)
    else:  # a number that is also the number of a row
        collector.add(row, relation, f'"{cell}"', text=cell)


def _naming_places(header: list[str], rows: list[list[str]], kind: str) -> tuple[int, ...]:
    """The columns that call the rows, where the first has ids rather than names."""
    first = _plain(header[0])
    if not rows or first.endswith(("name", "label", "title")):
        return ()
    columns = list(zip(*rows, strict=True))
    headed = first in _KEYS - {""} or bool(_KEY_WORD.search(header[0]))
    return naming_places(header, columns, kind, headed=headed) if headed or are_ids(columns[0]) else ()


def _rows(start: str, delimiter: str) -> list[list[str]]:
    """The first rows of a file that are whole."""
    lines = [line for line in start.lstrip("\ufeff").splitlines(keepends=True) if line.strip() and line[0] != "#"]
    whole = [line for line in lines if line.endswith(("\n", "\r"))] or lines
    try:
        return list(islice(csv.reader(io.StringIO("".join(whole)), delimiter=delimiter), _LOOKED_AT))
    except csv.Error:
        return []


def _plain(header: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", header.lower())
