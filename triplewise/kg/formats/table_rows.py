"""Tables whose first column repeats: whether their rows are things of their own, and what is lost where they are not.

"Job, Part, Quantity" has a row for each part of a job. Were its rows one thing for each job, nothing would tell which
quantity is of which part. So each row becomes a nameless node that tells the job, the part and the quantity, as a
statement with qualifiers does. What is the same in all rows of a job, as its customer, is told of the job itself.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from triplewise.kg.formats.cells.dates import iso_date
from triplewise.kg.values import parse_value

_LINKS, _OWN_LINKS = 0.25, 0.5
"""Share of the rows that must clash for rows to be things of their own; the second where the file is called as the
first column ("Customer No" in a list of customers) or has names for it: there two rows with one number are a slip."""
_ALIKE = 1 / 3
"""Share of a column's things that stand in another column for its header to be a part that they play: home and away."""
_MOSTLY = 0.9
_TOLD = 3
"""Clashes that a warning names."""


@dataclass
class Clashes:
    """How the rows of a table with the same first cell differ. ``rows``: cells; ``lines``: where each begins."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    lines: Sequence[int]

    @cached_property
    def _alike(self) -> dict[str, list[int]]:
        """First cell → the places of its rows, where there are several."""
        found: dict[str, list[int]] = defaultdict(list)
        for place, cells in enumerate(self.rows):
            found[cells[0]].append(place)
        return {first: places for first, places in found.items() if len(places) > 1}

    @cached_property
    def _varying(self) -> dict[str, tuple[int, ...]]:
        """First cell → the columns in which its rows have several values."""
        columns = range(1, len(self.header))
        return {
            first: tuple(c for c in columns if len({self.rows[p][c] for p in places} - {""}) > 1)
            for first, places in self._alike.items()
        }

    @cached_property
    def _clashing(self) -> dict[str, tuple[int, ...]]:
        """The same where two columns or more vary, so that one thing's values do not tell which go together."""
        return {first: columns for first, columns in self._varying.items() if len(columns) > 1}

    def __bool__(self) -> bool:
        return bool(self._clashing)

    def are_links(self, *, own: bool) -> bool:
        """Whether so many rows clash that they are no slips. ``own``: the rows are rather the things."""
        size = sum(len(self._alike[first]) for first in self._clashing)
        return size > (_OWN_LINKS if own else _LINKS) * len(self.rows)

    def same(self) -> frozenset[int]:
        """The columns, but the first, that are the same in all rows with the same first cell."""
        return frozenset(range(1, len(self.header))).difference(*self._varying.values())

    def told(self) -> str:
        """Which rows clash, for a warning."""
        found = []
        for first, columns in list(self._clashing.items())[:_TOLD]:
            lines = ", ".join(str(self.lines[p]) for p in self._alike[first][:_TOLD])
            found.append(f'"{first}" in lines {lines} (other {", ".join(self.header[c] for c in columns[:_TOLD])})')
        more = len(self._clashing) - len(found)
        return "; ".join(found) + (f"; {more:,} more" if more else "")


def are_values(cells: Sequence[str]) -> bool:
    """Whether the cells of a column are mostly numbers, dates and the like, and name nothing."""
    filled = Counter(cell for cell in cells if cell)
    fit = sum(n for cell, n in filled.items() if parse_value(cell).kind != "text" or iso_date(cell) is not None)
    return fit >= _MOSTLY * filled.total()


def is_role(rows: Sequence[Sequence[str]], column: int) -> bool:
    """Whether what stands in a column stands in another too, so that its header says no more than the part it plays."""
    own = {row[column] for row in rows} - {""}
    others = ({row[c] for row in rows} for c in range(len(rows[0])) if c != column)
    return any(len(own & other) > _ALIKE * len(own) for other in others)
