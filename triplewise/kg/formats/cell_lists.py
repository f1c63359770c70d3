"""Cells that list several things: "brass, glass" where brass and glass stand alone elsewhere in the column."""

from __future__ import annotations

from collections.abc import Collection

_MARKS = ("; ", " | ", ", ")
_LONGEST = 6
"""Words of a part; what is longer is part of a sentence."""


def listed(cells: Collection[str], names: Collection[str]) -> dict[str, tuple[str, ...]]:
    """The parts of each cell that is a list; a cell that names a row (one of ``names``) is none.

    Each part must be another cell of the column or the name of a row. Of semicolons and bars, which hardly stand in
    names, it is enough that some part of the column occurs twice, and all cells with the mark are lists.
    """
    known = {*cells, *names}
    found: dict[str, tuple[str, ...]] = {}
    for mark in _MARKS:
        marked = {cell: tuple(p.strip() for p in cell.split(mark)) for cell in cells if mark in cell}
        marked = {cell: parts for cell, parts in marked.items() if cell not in names and cell not in found}
        lists = {cell: parts for cell, parts in marked.items() if _is_list(parts)}
        told = [part for parts in lists.values() for part in parts]
        again = len(set(told)) < len(told) or not known.isdisjoint(told)
        alike = mark != ", " and again and len(lists) == len(marked)
        found |= {cell: parts for cell, parts in lists.items() if alike or known.issuperset(parts)}
    return found


def _is_list(parts: tuple[str, ...]) -> bool:
    """Whether all parts are there, each once, and none is a sentence."""
    short = all(part and len(part.split()) <= _LONGEST and part[-1] not in ".!?" for part in parts)
    return short and len(set(parts)) == len(parts)
