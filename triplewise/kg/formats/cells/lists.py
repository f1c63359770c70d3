"""Cells that list several things: "brass, glass" where brass and glass stand alone elsewhere in the column."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from itertools import combinations

_MARKS = ("; ", " | ", ", ")
_LONGEST = 6
"""Words of a part; what is longer is part of a sentence."""


def listed(cells: Collection[str], names: Collection[str]) -> dict[str, tuple[str, ...]]:
    """The parts of each cell that is a list; a cell that names a row (one of ``names``) is none.

    Each part must be another cell of the column or the name of a row, or the column be one of lists, of which all cells
    with the mark are split. Of semicolons and bars, which hardly stand in names, it is enough for that that some part
    of the column occurs twice.
    """
    known = {*cells, *names}
    found: dict[str, tuple[str, ...]] = {}
    for mark in _MARKS:
        marked = {cell: tuple(p.strip() for p in cell.split(mark)) for cell in cells if mark in cell}
        marked = {cell: parts for cell, parts in marked.items() if cell not in names and cell not in found}
        lists = {cell: parts for cell, parts in marked.items() if _is_list(parts)}
        alike = len(lists) == len(marked) and (_are_free if mark == ", " else _occur_again)(lists, known)
        found |= {cell: parts for cell, parts in lists.items() if alike or known.issuperset(parts)}
    return found


def _occur_again(lists: Mapping[str, tuple[str, ...]], known: Collection[str]) -> bool:
    """Whether some part occurs in two cells, or is known."""
    told = [part for parts in lists.values() for part in parts]
    return len(set(told)) < len(told) or not set(told).isdisjoint(known)


def _are_free(lists: Mapping[str, tuple[str, ...]], known: Collection[str]) -> bool:
    """Whether the parts of most cells stand elsewhere in another place, before or after others or alone.

    In "Leeds, England" and "Roe, Ada" the second part may occur again, yet always as the last. A name may be a first
    name and a surname by chance, so that two parts must stand in several places.
    """
    places: dict[str, set[tuple[int, int]]] = defaultdict(set)
    for parts in lists.values():
        for place, part in enumerate(parts):
            places[part].add((place, len(parts) - place))
    moving = {part for part, found in places.items() if _moves(found)}
    free = moving | (places.keys() & set(known))
    most = sum(not free.isdisjoint(parts) for parts in lists.values()) > len(lists) / 2
    return most and bool(moving) and len(free) > 1


def _moves(places: Collection[tuple[int, int]]) -> bool:
    """Whether a part is told from the first as well as from the last by different numbers in two cells."""
    return any(a[0] != b[0] and a[1] != b[1] for a, b in combinations(places, 2))


def _is_list(parts: tuple[str, ...]) -> bool:
    """Whether all parts are there, each once, and none is a sentence."""
    short = all(part and len(part.split()) <= _LONGEST and part[-1] not in ".!?" for part in parts)
    return short and len(set(parts)) == len(parts)
