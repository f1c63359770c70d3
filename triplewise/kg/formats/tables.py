"""A table as a graph: each row a thing, named by its first cell, each column a relation, called as its header.

A table whose first column repeats, as the orders of order lines do, has rows that only tie things together: each is a
nameless node (``table_rows.py``).
"""

from __future__ import annotations

import logging
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from triplewise.kg.formats.cells.columns import is_code, plain_columns
from triplewise.kg.formats.cells.lists import listed
from triplewise.kg.formats.collector import Collector
from triplewise.kg.formats.row_kinds import (
    NAMES,
    heads_ids,
    heads_key,
    is_plural,
    kind_key,
    kind_of_file,
    kind_of_rows,
    named_thing,
    plain,
)
from triplewise.kg.formats.row_names import are_ids, names_rows, naming_places
from triplewise.kg.formats.table_records import table_records
from triplewise.kg.formats.table_rows import Clashes, are_values, is_role
from triplewise.kg.names import literal_parts, one_line, quote_literal, relation_words
from triplewise.kg.values import is_numbered_date, parse_value

_KEY_BEHIND = re.compile(r"(?<=\w) (?:id|no|nr|number|code|ref|key)$", re.I)
"""What a header says behind the word for the things that are told by their ids."""

log = logging.getLogger(__name__)


@dataclass
class Table:
    """The rows of a table, and what tells their names."""

    header: list[str]
    rows: list[list[str]]
    clashes: Clashes
    kind: str
    """What the things of the first column are, "" where neither the header nor the file says."""
    stem: str
    """The name of the file, without suffix."""
    part: int = 0
    """The number of the file in its folder, 0 where it is alone."""
    named: int = 0
    """The column of their names, 0 where that is the first, or where there are ``guessed`` ones."""
    guessed: tuple[int, ...] = ()
    """The columns that were taken for their names, with no header that says so."""
    apart: bool = False
    """Whether each row is a nameless node of its own, and what its first cell tells is only tied by it."""
    own: frozenset[int] = frozenset()
    """The columns that tell of the thing of the first cell and not of the row, where rows are ``apart``."""
    things: bool = True
    """Whether the first cells are things of this table, and not those of another one, or values."""
    prefix: str = ""
    """Before the first cells in ids, where other things have the same numbers."""
    others: Mapping[str, str] = field(default_factory=dict)
    """Rows of tables beside it that are meant by its first cells."""

    def row(self, cell: str) -> str:
        """The id of the thing with this first cell."""
        return self.others.get(cell) or f"{self.prefix}{cell}"

    def node(self, number: int) -> str:
        """The nameless node of a row that is ``apart``, by its number from 1."""
        return f"_:f{self.part}-row-{number}" if self.part else f"_:row-{number}"

    def label(self, cells: Sequence[str]) -> str:
        """What the thing of a row is called."""
        return " ".join(cells[place] for place in self.guessed or (self.named,))

    @cached_property
    def ids(self) -> dict[str, set[str]]:
        """Name or first cell → the things that it may mean."""
        found: dict[str, set[str]] = defaultdict(set)
        for cells in self.rows if self.things else ():
            for name in {cells[0], self.label(cells)} - {""}:
                found[name].add(self.row(cells[0]))
        return dict(found)

    def set_apart(self) -> None:
        """Make each row a node of its own. A column that is the same in all rows of a thing stays told of the thing."""
        self.apart, self.own = True, self.clashes.same()
        if self.named not in self.own:
            self.named = 0
        if is_role(self.rows, 0):
            self.kind = ""
        if are_values([cells[0] for cells in self.rows]) and not heads_key(self.header[0]):
            self.things, self.kind, self.own = False, "", frozenset()


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

    The header of the first column is the class of its things, unless it is a word such as "id" or "name", or short for
    what the file's name says. A column called "name" or "label" beside an id gives names; cells of other columns that
    hold one row's name mean that row, a number only in a column called as an id ("boss_id"), else it is a value. Rows
    with the same first cell are about the same thing; where too many of these differ in several columns, each row is a
    nameless node (``table_rows.py``).

    Beside ids, where no column is called so, an address, a subject or the like names rows (``row_names.py``), and is
    then no relation, as a column "name" is none; the id is another name. A given and a family name together are a name
    and stay relations. Dates, numbers, yes and no are read in the forms that spreadsheets show (``cells/columns.py``),
    and a cell may list several things (``cells/lists.py``). Raises GraphFileError on a row of another width.
    """
    if table := parse_table(records, collector):
        meant = [Meant(table.ids, heads_ids(relation) or place == 0) for place, relation in enumerate(table.header)]
        add_table(table, meant, collector)
        collector.relation_labels |= link_words([(table, meant)])
        warn_of_clashes(table, collector)


def parse_table(records: Iterable[tuple[int, list[str]]], collector: Collector) -> Table | None:
    """The rows of a table and what names them; None where it has no header."""
    found = table_records(records, collector)
    header, rows, stem = found.header, found.rows, collector.path.stem
    if not header:
        return None
    table = Table(header, rows, Clashes(header, rows, found.lines), kind_of_rows(header[0], stem), stem, collector.part)
    if not table.kind and (collector.part or is_plural(stem)):
        table.kind = kind_of_file(stem)
    table.named = next((i for i, cell in enumerate(header[1:], 1) if _names_rows(cell, rows, i)), 0)
    own = (
        bool(table.named) or kind_of_rows(header[0], stem) == "" or kind_key(header[0]) == kind_key(kind_of_file(stem))
    )
    if table.clashes and table.clashes.are_links(own=own):
        table.set_apart()
    guessed = () if table.named else _naming_places(table)
    table.named, table.guessed = (guessed[0] if len(guessed) == 1 else table.named), guessed
    return table


def warn_of_clashes(table: Table, collector: Collector) -> None:
    """Say which rows of a table are read as one though they differ, so that what goes together is lost."""
    if table.clashes and not table.apart:
        file = one_line(table.stem)
        log.warning(
            "%s: rows with the same first cell are read as one thing, so that which of its values go together is lost: "
            "%s. Where each is a thing of its own, put an id of its own first.",
            file, one_line(table.clashes.told()),
        )  # fmt: skip


def add_table(table: Table, meant: Sequence[Meant], collector: Collector) -> None:
    """Gather the triples of a table whose cells mean rows by ``meant``, for each column."""
    header, rows, named = table.header, table.rows, table.named
    first = 0 if table.apart and not table.things else 1
    told = plain_columns(header, rows, [column.rows for column in meant], kept={named} - {0}, first=first)
    lists = [
        {} if place in (0, named) or is_code(relation) else listed({row[place] for row in rows} - {*read}, column.rows)
        for place, (relation, read, column) in enumerate(zip(header, told, meant, strict=True))
    ]
    for number, cells in enumerate(rows, 1):
        thing = _thing(table, cells[0], meant[0])
        row = table.node(number) if table.apart else thing
        if table.apart and header[0] and (cell := told[0].get(cells[0], cells[0])):
            _add_cell(row, header[0], cell, meant[0], collector)
        if table.things:
            _add_names(table, thing, cells, collector)
        for place, (relation, written) in enumerate(zip(header[1:], cells[1:], strict=True), 1):
            cell = told[place].get(written, written)
            if not cell:
                continue
            if place == named:
                text, language = literal_parts(cell) or (cell, "")
                collector.add(thing, "rdfs:label", cell, text=text, language=language)
                continue
            for part in lists[place].get(cell, (cell,)):
                _add_cell(thing if place in table.own else row, relation, part, meant[place], collector)


def _thing(table: Table, cell: str, meant: Meant) -> str:
    """The thing of a first cell: a row of another table where it means one."""
    linked = meant.rows.get(cell, set()) if not table.things else set()
    return next(iter(linked)) if len(linked) == 1 else table.row(cell)


def _add_names(table: Table, thing: str, cells: Sequence[str], collector: Collector) -> None:
    """The class of a thing, and the names that its row gives it beside those in a column headed so."""
    if table.kind:
        collector.add(thing, "rdf:type", table.kind, text=table.kind)
    if len(table.guessed) > 1:
        label = table.label(cells)
        collector.add(thing, "rdfs:label", label, text=label)
    if table.guessed:
        collector.add(thing, "skos:altLabel", cells[0], text=cells[0])


def link_words(tables: Iterable[tuple[Table, Sequence[Meant]]]) -> dict[str, str]:
    """What the columns of ids are called that tell other rows throughout: "maker" of "maker_id", as one says it, unless
    another column is called so."""
    links: dict[str, bool] = {}
    for table, meant in tables:
        for place, (relation, column) in enumerate(zip(table.header, meant, strict=True)):
            if (place == 0 and not table.apart) or place == table.named != 0:
                continue
            cells = {row[place] for row in table.rows} - {""}
            told = bool(cells) and all(len(column.rows.get(cell, ())) == 1 for cell in cells)
            links[relation] = links.get(relation, True) and told
    shown = {r: _KEY_BEHIND.sub("", relation_words(r)) if told else relation_words(r) for r, told in links.items()}
    alike = Counter(shown.values())
    return {r: words for r, words in shown.items() if words != relation_words(r) and alike[words] == 1}


def _add_cell(row: str, relation: str, cell: str, meant: Meant, collector: Collector) -> None:
    """What a cell tells of its row: a value, a thing, or the row that it names."""
    if cell in meant.apart:
        collector.add(row, relation, quote_literal(cell), text=cell)
    elif len(rows := meant.rows.get(cell, set())) != 1:
        text, language = literal_parts(cell) or (cell, "")
        collector.add(row, relation, cell, text=text, language=language)
    elif meant.numbers or parse_value(cell).kind == "text" or is_numbered_date(cell):
        (other,) = rows
        collector.add(row, relation, other, text=other)
    else:  # a number that is also the number of a row
        collector.add(row, relation, f'"{cell}"', text=cell)


def _names_rows(header: str, rows: list[list[str]], place: int) -> bool:
    known = plain(header) in NAMES
    return known and (plain(header) not in ("title", "label") or names_rows([cells[place] for cells in rows]))


def _naming_places(table: Table) -> tuple[int, ...]:
    """The columns that call the things, where the first has ids rather than names."""
    header, rows = table.header, table.rows
    if table.apart:  # a thing has several rows, of which the first is as good
        rows = list({cells[0]: cells for cells in reversed(rows)}.values())
    if not rows or not table.things or plain(header[0]).endswith(("name", "label", "title")):
        return ()
    columns = list(zip(*rows, strict=True))
    headed = heads_key(header[0])
    if not headed and not are_ids(columns[0]):
        return ()
    kinds = named_thing(header[0]), table.kind
    places = naming_places(header, columns, kinds, headed=headed)
    return places if not table.apart or table.own.issuperset(places) else ()
