"""What a sentence denies must be what a reading takes away: of "horses that are not in Mill Yard", not those in Mill
Yard that lack something else; of "boats that were never hired" not those of a booking without a hirer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, Row
from triplewise.tools.query_graph.linking.mentions import Link, words_in
from triplewise.tools.query_graph.pruning.asked_kind import asked_class
from triplewise.tools.query_graph.schema_view import SchemaView

_NOT_SO = re.compile(
    r"(?:\b(?:not|never|except|without|other than|apart from|excluding)|n['’]t)(?: (?!only\b)[\w'’-]+){0,3}? $", re.I
)
"""What stands before what is denied: "not in ", "not ridden by ", "isn't a "."""
_NO = re.compile(r"\b(?:no|without|nobody|lack\w*)\b", re.I)
_RELATIVE = re.compile(r"\w\s+(?:that|who|which|whose|where|with)\b", re.I)
"""What says that something is denied of a row: "boats with a review that has no date"."""
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


def of_no_row(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that find things by a row which lacks something, where a question denies its verb of
    the things themselves and some drafts take away those of which a sheet has any row."""
    denied = cues.NEGATED.search(sentence.text) or _NO.search(sentence.text)
    asked = asked_class(schema, sentence)
    if not asked or not denied or _RELATIVE.search(sentence.text[: denied.start()]):
        return drafts
    sheets = dict(found for d in drafts if (found := _sheet_without(d)) and found[0] != asked)

    def lacks(draft: Draft) -> bool:
        if not draft.minus:
            return False
        by_row = {r for h, r, t in draft.rows if draft.minus_of and (h, t) == (draft.minus_of, 0)}
        few = schema.first(draft.answers)[:1]
        are_rows = draft.minus_of == 0 and any(kind in sheets for n in few for kind in schema.store.types(n))
        return are_rows or not by_row.isdisjoint(sheets.values())

    return [d for d in drafts if not lacks(d)]


def _sheet_without(draft: Draft) -> tuple[str, str] | None:
    """The class of rows of which a draft's things have none, and the relation by which others have them."""
    if draft.minus_of != 0 or len(draft.minus) != 2:
        return None
    kinds = {h: t for h, r, t in draft.minus if r == TYPE and isinstance(t, str)}
    return next(((kinds[h], r) for h, r, t in draft.minus if h in kinds and t == 0), None)


def _tells(row: Row) -> bool:
    """Whether a pattern narrows its variable: "has any sire" hardly does."""
    return isinstance(row[0], str) or isinstance(row[2], str)
