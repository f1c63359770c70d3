"""The tables of a folder beside each other: what their rows are, which are the same, and which rows a cell means."""

from __future__ import annotations

import re
from collections import ChainMap, defaultdict
from collections.abc import Mapping, Sequence

from triplewise.kg.formats.row_kinds import heads_ids, kind_key, kind_of_file, named_thing
from triplewise.kg.formats.row_names import are_ids
from triplewise.kg.formats.tables import Meant, Table
from triplewise.kg.values import parse_value

_MARKS = re.compile(r"; | \| |, ")
_BY_CHANCE = 0.25
"""Share of a column's cells that single words may be by chance which name rows too: a role "Viola" is no instrument."""


class Links:
    """The tables of a folder, each with its file's name without suffix, and how they hang together.

    Tables whose header or file has the same word for the rows are about the same things. So is a table of names alone
    that another table gives to ids. Numbers, and ids that tables of other things also have, get the word before them
    ("teacher 1"), so that the first teacher is not the first pupil, and no value.
    """

    def __init__(self, tables: Sequence[Table]) -> None:
        self.tables = tables
        heads = [kind_key(named_thing(table.header[0])) for table in tables]
        self.keys = [
            {head, kind_key(t.kind), "" if t.apart else kind_key(kind_of_file(t.stem))} - {""}
            for head, t in zip(heads, tables, strict=True)
        ]
        meant = {head: table.kind for head, table in zip(heads, tables, strict=True) if head != kind_key(table.kind)}
        spelled: dict[str, str] = {}
        for table in self.tables:
            key = kind_key(table.kind)
            table.kind = spelled.setdefault(kind_key(meant.get(key, key)), meant.get(key, table.kind))
        for table in self.tables:
            self._tie(table)
        self._number()
        for table in self.tables:
            table.others = self._same_rows(table)
        self._rows = self._by_name()

    def _tie(self, table: Table) -> None:
        """Make the rows of a table nodes of their own that tell of the things of another table, and differ; the same
        where such a table's rows are nodes already."""
        if not table.clashes or not (table.things or table.header[0]):
            return
        firsts, key = {cells[0] for cells in table.rows}, kind_key(table.kind)
        others = [
            other
            for other, keys in zip(self.tables, self.keys, strict=True)
            if other is not table and not other.apart and 2 * len(firsts & other.ids.keys()) >= len(firsts)
            and (key in keys or not all(map(_is_number, firsts)))
        ]  # fmt: skip
        if others and not (table.apart or table.named) and key != kind_key(kind_of_file(table.stem)):
            table.set_apart()
        if others and table.apart:
            table.own = table.own or table.clashes.same()
            table.things = False
            table.named, table.guessed = 0, ()

    def _number(self) -> None:
        """Give ids that are numbers, or that tables of other things have too, the word for their things."""
        kinds = [table.kind or f"row {i}" for i, table in enumerate(self.tables, 1)]
        ids = [{cells[0] for cells in table.rows if table.things} for table in self.tables]
        having: dict[str, set[str]] = defaultdict(set)
        for kind, own in zip(kinds, ids, strict=True):
            for one in own:
                having[one].add(kind)
        are = [bool(own) and are_ids([*own]) for own in ids]
        numbered = {
            kind
            for kind, own, fit in zip(kinds, ids, are, strict=True)
            if fit and any(_is_number(one) or len(having[one]) > 1 for one in own)
        }
        for table, kind, fit in zip(self.tables, kinds, are, strict=True):
            if fit and kind in numbered:
                table.prefix = f"{kind} "

    def _same_rows(self, table: Table) -> dict[str, str]:
        """The rows with ids that the first cells of a table of names are: of a table of the same things, else of the
        only one that has half of the names."""
        if table.named or table.guessed or table.prefix or not table.things:
            return {}
        firsts, half = {cells[0] for cells in table.rows}, list[dict[str, str]]()
        for other, keys in zip(self.tables, self.keys, strict=True):
            if other.named or other.guessed:
                meant = {cell: next(iter(rows)) for cell in firsts if len(rows := other.ids.get(cell, ())) == 1}
                if meant and kind_key(table.kind) in keys:
                    return meant
                if meant and 2 * len(meant) >= len(firsts):
                    half.append(meant)
        return half[0] if len(half) == 1 else {}

    def _by_name(self) -> dict[str, set[str]]:
        """Name → rows of any table; numbers are no names but where they are ids as they stand."""
        found: dict[str, set[str]] = defaultdict(set)
        for table in self.tables:
            for name, rows in _named(table).items():
                found[name] |= rows
        return dict(found)

    def names(self) -> dict[str, str]:
        """The names that one row has and that are not its id: what they mean in a file of triples."""
        only = ((name, *rows) for name, rows in self._rows.items() if len(rows) == 1)
        return {name: row for name, row in only if name != row}

    def meant(self, table: Table) -> list[Meant]:
        """Which rows the cells of each column of a table may mean."""
        return [self._meant(table, place) for place in range(len(table.header))]

    def _meant(self, table: Table, place: int) -> Meant:
        """The rows that the column's header names, if half of its cells are such; else any, its own table's first."""
        header = table.header[place]
        cells = {row[place] for row in table.rows} - {""}
        parts = {part for cell in cells for part in (cell, *_MARKS.split(cell))}
        anywhere = ChainMap(table.ids if heads_ids(header) else _named(table), self._rows)
        named = self._headed(header)
        link = place or not table.things
        if link and named:
            rows: dict[str, set[str]] = defaultdict(set)
            for other in named:
                for name in parts & other.ids.keys():
                    rows[name] |= other.ids[name]
            if 2 * sum(cell in rows or not rows.keys().isdisjoint(_MARKS.split(cell)) for cell in cells) >= len(cells):
                return Meant(ChainMap(rows, anywhere), numbers=True)
        if heads_ids(header) and cells and all(map(_is_number, cells)):
            return self._numbered(table, cells, blank=any(not row[place] for row in table.rows))
        if place == 0 and table.things:
            return Meant(table.ids, numbers=True)
        if link and place != (table.named or -1) and not named and (apart := self._by_chance(table, place, anywhere)):
            return Meant({}, numbers=False, apart=apart)
        return Meant(anywhere, numbers=heads_ids(header))

    def _by_chance(self, table: Table, place: int, rows: Mapping[str, set[str]]) -> set[str]:
        """The cells of a column that are called as rows by chance; none where the column links to rows.

        It does where half of its cells name some, since one may be misspelt or missing. Of fewer, those are by chance
        that their row names already, as the role "Macbeth" is one in the play "Macbeth", and single words where they
        are rare: two words are hardly the name of two things.
        """
        cells = {row[place] for row in table.rows} - {""}
        names = {part for cell in cells for part in (cell, *_MARKS.split(cell))} & rows.keys()
        hits = {cell for cell in cells if not names.isdisjoint((cell, *_MARKS.split(cell)))}
        if heads_ids(table.header[place]) or 2 * len(hits) >= len(cells):
            return set()
        told = [0, *(p for p, header in enumerate(table.header) if p and p != place and self._headed(header))]
        others = hits - {row[place] for row in table.rows if any(row[place] == row[p] for p in told)}
        rare = len(hits) < _BY_CHANCE * len(cells)
        return names if not others or (rare and all(map(str.isalpha, others))) else set()

    def _headed(self, header: str) -> list[Table]:
        """The tables whose rows a header names."""
        head = f" {kind_key(header)}"
        return [t for t, keys in zip(self.tables, self.keys, strict=True) if any(head.endswith(f" {k}") for k in keys)]

    def _numbered(self, table: Table, cells: set[str], *, blank: bool) -> Meant:
        """The rows whose numbers stand in a column that is headed as one of ids, yet by another word than the rows.

        They are of the one table that has them all. Of several it is the column's own, if some cell is empty: of rows
        that all have a "parent" among themselves none is the first. Else nothing tells.
        """
        having: Sequence[Table] = [t for t in self.tables if cells <= t.ids.keys()]
        if table in having and (blank or len(having) == 1):
            having = [table]
        if len(having) == 1:
            return Meant(having[0].ids, numbers=True)
        return Meant(table.ids, numbers=not having)


def _named(table: Table) -> dict[str, set[str]]:
    """The rows of a table by their names; a number before which a word was set is none."""
    return {name: rows for name, rows in table.ids.items() if not table.prefix or not _is_number(name)}


def _is_number(cell: str) -> bool:
    return parse_value(cell).kind != "text"


def known_kinds(stems: Sequence[str]) -> set[str]:
    """What the rows of tables are, by the names of their files, as ``is_table`` compares it with headers."""
    return {kind_key(kind_of_file(stem)) for stem in stems} - {""}
