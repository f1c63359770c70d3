"""Times that a sentence names by today's date: "this year", "next month". No reading holds them, for a graph does not
tell when it is asked, so that they are named and not passed over."""

from __future__ import annotations

import re
from collections.abc import Iterable

_RELATIVE = re.compile(
    r"\b(?:(?:this|last|next|the past|the coming) (?:year|month|week|quarter|season)|yesterday|tomorrow)\b(?!['’]s)",
    re.I,
)


def not_taken_in(text: str, names: Iterable[str]) -> list[str]:
    """A warning for each such time; none for what a relation of the graph, one of ``names``, is called."""
    said = dict.fromkeys(match.group().lower() for match in _RELATIVE.finditer(text))
    known = [name.lower() for name in names] if said else []
    return [
        f"{time!r} was not taken into account. Name the year, the month or the days instead."
        for time in said
        if not any(time in name for name in known)
    ]
