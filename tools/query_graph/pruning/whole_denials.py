"""A denial covers all that is said of what is asked for: "dishes that have no egg" are those without any ingredient
that contains egg, neither those with some ingredient that contains none, nor those that have egg."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, Row
from triplewise.tools.query_graph.linking.mentions import folded_words, words_in
from triplewise.tools.query_graph.pruning.denials import denied_of, is_denied_in_question
from triplewise.tools.query_graph.schema_view import SchemaView

_ONLY = frozenset(("only", "just", "merely"))


def of_whole_denials(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that affirm what others deny of all things of the asked class, or that deny the last
    part of it only, where a question denies its verb."""
    asked = denied_of(schema, sentence)
    if (
        not asked
        or not is_denied_in_question(sentence)
        or not _ONLY.isdisjoint(word.text for word in words_in(sentence.text))
    ):
        return drafts
    plain = [d for d in drafts if d.minus_of == 0 and set(d.rows) == {(0, TYPE, asked)} and not (d.order or d.filters)]
    denied = [said for d in plain if (said := _said(schema, d.minus))]

    def affirms(draft: Draft) -> bool:
        return not (draft.minus or draft.order or draft.filters) and _said(schema, draft.rows) in denied

    def denies_last(draft: Draft) -> bool:
        if not draft.minus or draft.minus_of in (0, None):
            return False
        said = _said(schema, (*draft.rows, *draft.minus))
        return any(whole.total() > 1 and whole <= said for whole in denied)

    return [d for d in drafts if not (affirms(d) or denies_last(d))]


def of_denied_relation(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that take nothing away, where a question says a relation by all its words, denies it,
    and some drafts take that away: "which ones haven't we paid the balance on?" asks for what has no balance paid."""
    if not (is_denied_in_question(sentence) and cues.NEGATED.search(sentence.plain)):
        return drafts
    words = set(folded_words(sentence.plain))

    def is_said(relation: str) -> bool:
        own = set(folded_words(schema.words(relation)))
        return len(own) > 1 and own <= words

    def takes_away(draft: Draft) -> bool:
        plain = draft.minus_of == 0 and draft.answers and len(draft.minus) == 1
        return bool(plain) and is_said(draft.minus[0][1])

    def says_no(draft: Draft) -> bool:
        return bool(draft.minus) or any(schema.value_kind(r) in ("yes-no", "number") for _, r, _ in draft.rows)

    return [d for d in drafts if says_no(d)] if any(map(takes_away, drafts)) else drafts


def _said(schema: SchemaView, rows: Iterable[Row]) -> Counter[str]:
    """The relations and the named things of some patterns, classes left out; nothing where one has yes or no."""
    rows = [row for row in rows if row[1] != TYPE]
    if any(schema.value_kind(relation) == "yes-no" for _, relation, _ in rows):
        return Counter()
    return Counter(part for row in rows for part in row if isinstance(part, str))
