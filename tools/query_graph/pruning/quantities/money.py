"""Sums of money are told by what tells money: "how much did we make at the fair?" by its takings and no number of
visitors, and the cheapest room by what a room costs itself, and no class that is held there."""

from __future__ import annotations

import re
from functools import cache

from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, Row
from triplewise.tools.query_graph.linking.mentions import folded_words
from triplewise.tools.query_graph.linking.said_relations import says_relation
from triplewise.tools.query_graph.schema_view import SchemaView

_CURRENCY = re.compile(
    r"[€£$]\s?\d|(?:\d|\b(?:ten|twenty|thirty|forty|fifty|hundred|thousand|million))\s?"
    r"(?:€|£|\$|(?:euros?|pounds?|quid|dollars?|bucks|eur|gbp|usd)\b)",
    re.I,
)
_NO_MONEY = re.compile(
    r"\b(?:calories|kcal|count|number|guests?|people|persons|seats|beds|minutes?|hours?|days?|nights?|years?|age|percent|"
    r"points?|stars?|pages?)\b",
    re.I,
)
_PAID_FOR = re.compile(r"\b(?:what|which\s+[^\W\d_]+)\b.*\b(?:pay|pays|paid|paying)\s+for\W*$", re.I)
_POUNDS = {"weight"}
"""What pounds may be as well, where no sign says that they are money."""


def of_asked_money(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that answer with, or order by, another number than the money that is asked for, where
    the graph tells that of the things themselves; a relation of which a word is said stays."""
    tells = cues.asked_money(sentence.text)
    if not tells:
        return drafts
    words = _own_words(sentence)

    def number(draft: Draft) -> Row | None:
        return _value_row(schema, draft)

    own = {
        _about(d)
        for d in drafts
        if d.answers and (row := number(d)) and _is_own(d, row) and tells(schema.words(row[1]))
    }

    def is_another(draft: Draft) -> bool:
        row = number(draft)
        return (
            bool(row)
            and _about(draft) in own
            and not tells(schema.words(row[1]))
            and not says_relation(schema, words, row[1])
        )

    drafts = [d for d in drafts if not is_another(d)]
    members = frozenset(m for kind in sentence.classes for m in schema.members(kind))

    def is_of_class(draft: Draft) -> bool:
        row = number(draft)
        said = row is not None and isinstance(row[0], int) and says_relation(schema, words, row[1])
        return bool(said and row and draft.answers and members & schema.heads(row[1]))

    if not any(map(is_of_class, drafts)):
        return drafts  # else "what did the repair of the bike cost?" asks for no price of the bike
    own_price = {id(d) for d in drafts if (row := number(d)) and isinstance(row[0], str)}
    return [d for d in drafts if id(d) not in own_price or _is_said(schema, words, number(d))]


def of_paid_for(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts that answer with things, where it is asked what money is paid for, and neither how much nor when."""
    if not _PAID_FOR.search(sentence.text):
        return drafts
    return [d for d in drafts if not any(t == 0 and schema.value_kind(r) for _, r, t in d.rows)] or drafts


def _is_said(schema: SchemaView, words: list[str], row: Row | None) -> bool:
    """Whether a sentence says the relation of a pattern."""
    return row is not None and says_relation(schema, words, row[1])


def of_said_currency(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that hold an amount of money against what surely is none, the calories of a dish or a
    van's payload, where others hold it against something else."""
    if not _CURRENCY.search(sentence.text):
        return drafts

    @cache
    def is_other(relation: str) -> bool:
        words = schema.words(relation)
        if cues.is_price(words) or schema.value_kind(relation) != "number":
            return False
        return bool(
            _NO_MONEY.search(words) or cues.measures_of(words) - (_POUNDS if "£" not in sentence.text else set())
        )

    def compares_other(draft: Draft) -> bool:
        valued = {v for v, _, right in draft.filters if isinstance(right, str)}
        return any(t in valued and is_other(r) for _, r, t in draft.rows)

    kept = [d for d in drafts if not compares_other(d)]
    return kept if any(d.filters for d in kept) else drafts


def of_own_price(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those by which something else than a thing's own price makes it the dearest or the cheapest,
    where things of the class that is asked for have one and nothing is said of the other."""
    if not cues.asked_price_order(sentence.text):
        return drafts
    words = _own_words(sentence)
    kinds = frozenset(sentence.classes)

    def by_price(draft: Draft) -> bool:
        row = _value_row(schema, draft)
        return row is not None and row[0] == 0 and cues.is_price(schema.measure(row[1]))

    def of_kind(draft: Draft) -> bool:
        return any(kinds.intersection(schema.kinds(n)) for n in schema.first(draft.answers)[:1])

    def is_another(draft: Draft) -> bool:
        row = _value_row(schema, draft)
        if not draft.order or draft.order[2] or row is None or by_price(draft) or not of_kind(draft):
            return False
        others = {t for h, r, t in draft.rows if r == TYPE and h != 0}
        return not others & kinds and not any(says_relation(schema, words, r) for _, r, _ in draft.rows if r != TYPE)

    own = any(d.order and not d.order[2] and by_price(d) and of_kind(d) for d in drafts)
    return [d for d in drafts if not is_another(d)] if own else drafts


def _value_row(schema: SchemaView, draft: Draft) -> Row | None:
    """The pattern of the number that a draft answers with or orders by."""
    if draft.form != "select" or (draft.order and draft.order[2]):
        return None
    end = draft.order[0] if draft.order else 0
    told = (row for row in draft.rows if row[2] == end and isinstance(row[2], int))
    return next((row for row in told if schema.value_kind(row[1]) == "number"), None)


def _is_own(draft: Draft, row: Row) -> bool:
    """Whether a number is that of what is named, or of the things that are asked for."""
    return row[0] == 0 if draft.order else isinstance(row[0], str)


def _about(draft: Draft) -> object:
    """What a draft's number is told of: what is named, or the best of a class."""
    return frozenset(draft.links), frozenset(draft.classes) if draft.order else None, bool(draft.order)


def _own_words(sentence: Sentence) -> list[str]:
    """The words of a sentence without those of classes."""
    of_class = {i for first, last in sentence.classes.values() for i in range(first, last + 1)}
    return [word for i, word in enumerate(folded_words(sentence.text)) if i not in of_class]
