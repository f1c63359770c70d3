"""One way to complete a sentence, and of which kind it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from triplewise.kg.query import QueryGraph
from triplewise.kg.query.reckon import Reckoning

Kind = Literal[
    "alone", "pronoun", "ellipsis", "swap", "count", "else", "among", "namesake", "more", "ordinal", "all", "compared"
]


@dataclass(frozen=True, slots=True)
class Interpretation:
    """One way to complete a sentence. ``text`` stands alone; ``how`` says what was put in; ``given``: the ids that
    were; ``query``: an edit of the last one, which needs no reading; ``keep``: only these may be answers; ``drop``:
    these may not; ``each``: the same is asked of each of these, as of the one that was put in; ``reckon``: the total or
    average of the numbers of each is asked; ``counted``: how many answers there are is asked."""

    text: str
    kind: Kind = "alone"
    how: str = ""
    given: tuple[str, ...] = ()
    query: QueryGraph | None = None
    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    each: tuple[str, ...] = ()
    reckon: Reckoning | None = None
    counted: bool = False
