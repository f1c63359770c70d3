"""What a sentence denies must be what a reading takes away: of "horses that are not in Mill Yard", not those in Mill
Yard that lack something else."""

from __future__ import annotations

import re
from collections.abc import Sequence

from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, Row

_NOT_SO = re.compile(
    r"(?:\b(?:not|never|except|without|other than|apart from|excluding)|n['’]t)(?: (?!only\b)[\w'’-]+){0,3}? $", re.I
)
"""What stands before what is denied: "not in ", "not ridden by ", "isn't a "."""


def taking_away(sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts that take away what the sentence denies by name; all where it denies nothing, or none does."""
    denied = {
        link.node
        for link in sentence.links
        if (at := re.search(rf"\b{re.escape(link.name)}", sentence.text, re.I))
        and _NOT_SO.search(sentence.text[: at.start()])
    }

    def holds(rows: Sequence[Row]) -> bool:
        return any(end in denied for head, _, tail in rows for end in (head, tail))

    away = [d for d in drafts if holds(d.minus) and not holds(d.rows)] if denied else []
    spoken = [d for d in away if d.filters or d.order or all(_tells(row) for row in d.rows)]
    return spoken or away or drafts


def _tells(row: Row) -> bool:
    """Whether a pattern narrows its variable: "has any sire" hardly does."""
    return isinstance(row[0], str) or isinstance(row[2], str)
