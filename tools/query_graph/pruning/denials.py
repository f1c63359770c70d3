"""What a sentence denies must be what a reading takes away: of "horses that are not in Mill Yard", not those in Mill
Yard that lack something else."""

from __future__ import annotations

import re
from collections.abc import Sequence

from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, Row
from triplewise.tools.query_graph.linking.mentions import Link, words_in

_NOT_SO = re.compile(
    r"(?:\b(?:not|never|except|without|other than|apart from|excluding)|n['’]t)(?: (?!only\b)[\w'’-]+){0,3}? $", re.I
)
"""What stands before what is denied: "not in ", "not ridden by ", "isn't a "."""
_WHOLE = 0.99
"""The score of a link from which on the whole of a name is said."""


def taking_away(sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts that take away what the sentence denies by name; all where it denies nothing, or none does."""
    words = words_in(sentence.text)

    def before(link: Link) -> str:
        """What stands before a name, in its own words or by another ("Swiss" for Switzerland)."""
        if at := re.search(rf"\b{re.escape(link.name)}", sentence.text, re.I):
            return sentence.text[: at.start()]
        whole = link.first >= 0 and link.score > _WHOLE
        return sentence.text[: words[link.first].start] if whole else ""

    denied = {link.node for link in sentence.links if _NOT_SO.search(before(link))}

    def holds(rows: Sequence[Row]) -> bool:
        return any(end in denied for head, _, tail in rows for end in (head, tail))

    away = [d for d in drafts if holds(d.minus) and not holds(d.rows)] if denied else []
    spoken = [d for d in away if d.filters or d.order or all(_tells(row) for row in d.rows)]
    return spoken or away or drafts


def _tells(row: Row) -> bool:
    """Whether a pattern narrows its variable: "has any sire" hardly does."""
    return isinstance(row[0], str) or isinstance(row[2], str)
