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
from triplewise.tools.query_graph.pruning.said_answers import says_no_of
from triplewise.tools.query_graph.schema_view import SchemaView, Step

_NOT_SO = re.compile(
    r"(?:\b(?:not|never|except|without|other than|apart from|excluding)|n['’]t)"
    r"(?P<between>(?: (?!only\b)[\w'’-]+){0,3}?) $|\b(?:no|free (?:of|from)) $",
    re.I,
)
"""What stands before what is denied: "not in ", "not ridden by ", "isn't a ", "no "."""
_DOES = re.compile(r"\b(?:do|does|did|is|are|was|were|has|have|had|will|would|can|could) $", re.I)
_DOES_NOT = re.compile(r" (?:not|never)\b", re.I)
"""What stands around who does not do what is asked for: "which events did Ann not work at?"."""
_NO_SUCH = re.compile(
    r"(?:\b(?:no|without(?: an?| any)?)|(?:\b(?:not|never)|n['’]t)(?: (?!only\b)[\w'’-]+){1,3}?) $", re.I
)
"""What stands before a class of which nothing is: "no ", "hasn't made any "; but not "isn't a "."""
_NO = re.compile(r"\b(?:no|none|without|nobody|lack\w*|free (?:of|from))\b", re.I)
_RELATIVE = re.compile(r"\w\s+(?:that|who|which|whose|where|with)\b", re.I)
"""What says that something is denied of a row: "boats with a review that has no date"."""
_WHOLE = 0.99
"""The score of a link from which on the whole of a name is said."""


def taking_away(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts that take away what the sentence denies, by name or by class; all where it denies nothing, or none
    does."""
    away = _without_names(schema, sentence, drafts)
    kinds = _denied_classes(schema, sentence)
    return [d for d in away if any(_holds_class(schema, d.minus, kind) for kind in kinds)] or away


def _without_names(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts that take away what the sentence denies by name, or that say no of what it denies of that name: who
    did "not pass Winter Riding" has a no there."""
    found = [(link, said) for link in sentence.links if (said := _denial(sentence, link)) is not None]
    denied = {link.node for link, _ in found}

    def holds(rows: Sequence[Row]) -> bool:
        return any(end in denied for head, _, tail in rows for end in (head, tail))

    for _, between in found:
        if any(holds(d.rows) and says_no_of(schema, d, between) for d in drafts):
            return drafts
    away = [d for d in drafts if holds(d.minus) and not holds(d.rows)] if denied else []
    spoken = [d for d in away if d.filters or d.order or all(_tells(row) for row in d.rows)]
    return spoken or away or drafts


def _denial(sentence: Sentence, link: Link) -> str | None:
    """The words between "not" and a name, which stands there in its own words, by another ("Swiss" for Switzerland), or
    in short with its capital ("Yuki"); None where it is not denied."""
    words, text = words_in(sentence.text), sentence.text
    if at := re.search(rf"\b{re.escape(link.name)}", text, re.I):
        start, end = at.span()
    elif link.first >= 0 and (link.score > _WHOLE or text[words[link.first].start].isupper()):
        start, end = words[link.first].start, words[link.last].end
    else:
        return None
    if before := _NOT_SO.search(text[:start]):
        return before["between"] or ""
    around = _DOES.search(text[:start]) and _DOES_NOT.match(text[end:])
    return "" if around or _is_free_of(sentence, link) else None


def _is_free_of(sentence: Sentence, link: Link) -> bool:
    """Whether a name is denied by what is written to it: "egg-free", and no "Meat-Free Menu" that is a name."""
    free, words = link.last + 1, words_in(sentence.text)
    if not cues.FREE_OF.match(sentence.text, words[link.last].end):
        return False
    return not any(x.score > _WHOLE and x.first <= free <= x.last for x in sentence.links)


def _denied_classes(schema: SchemaView, sentence: Sentence) -> list[str]:
    """The classes of which there is nothing, by the sentence, for what it asks for."""
    words, asked = words_in(sentence.text), asked_class(schema, sentence)
    before = {kind: sentence.text[: words[first].start] for kind, (first, _) in sentence.classes.items()}
    return [k for k, text in before.items() if k != asked and _NO_SUCH.search(text)]


def _holds_class(schema: SchemaView, rows: Sequence[Row], kind: str) -> bool:
    """Whether some patterns speak of a thing of a class, by the class or by a relation that leads to no others."""
    members = frozenset(schema.members(kind))
    ends = {(e, Step(r, inverse=e == t)) for h, r, t in rows if r != TYPE for e in (h, t) if isinstance(e, int) and e}
    return any(tail == kind for _, _, tail in rows) or any(schema.starts(step) <= members for _, step in ends)


def of_no_row(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that find things by a row which lacks something, where a question denies its verb of
    the things themselves and some drafts take away those of which a sheet has any row."""
    asked = denied_of(schema, sentence)
    if not asked:
        return drafts
    sheets = dict(found for d in drafts if (found := _sheet_without(d)) and found[0] != asked)

    def lacks(draft: Draft) -> bool:
        if not draft.minus:
            return False
        by_row = {r for h, r, t in draft.rows if draft.minus_of and (h, t) == (draft.minus_of, 0)}
        few = schema.first(draft.answers)[:1]
        kinds = {kind for n in few for kind in schema.store.types(n)}  # a starter is a dish, and no row about dishes
        are_rows = draft.minus_of == 0 and asked not in kinds and not kinds.isdisjoint(sheets)
        return are_rows or not by_row.isdisjoint(sheets.values())

    return [d for d in drafts if not lacks(d)]


def denied_of(schema: SchemaView, sentence: Sentence) -> str:
    """The class of the things of which a question denies its verb; "" where it denies none, or one of other things."""
    denied = cues.NEGATED.search(sentence.text) or _NO.search(sentence.text)
    if denied and _RELATIVE.search(sentence.text[: denied.start()]):
        return ""
    return asked_class(schema, sentence) if denied or any(_is_free_of(sentence, x) for x in sentence.links) else ""


def _sheet_without(draft: Draft) -> tuple[str, str] | None:
    """The class of rows of which a draft's things have none, and the relation by which others have them."""
    if draft.minus_of != 0 or len(draft.minus) != 2:
        return None
    kinds = {h: t for h, r, t in draft.minus if r == TYPE and isinstance(t, str)}
    return next(((kinds[h], r) for h, r, t in draft.minus if h in kinds and t == 0), None)


def _tells(row: Row) -> bool:
    """Whether a pattern narrows its variable: "has any sire" hardly does."""
    return isinstance(row[0], str) or isinstance(row[2], str)
