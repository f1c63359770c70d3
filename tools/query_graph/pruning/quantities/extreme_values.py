"""The last or first day of several, the highest of several numbers: "when were we last there?" is not answered by the
day when a thing was built, nor "what was the highest price?" by the thing that cost it."""

from __future__ import annotations

from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, relation_to
from triplewise.tools.query_graph.linking.mentions import words_in
from triplewise.tools.query_graph.linking.said_relations import says_relation
from triplewise.tools.query_graph.schema_view import SchemaView

_DIRECT = 2
"""Patterns by which what is named has several such values: of one that has a day of its own it may be the last one."""


def of_extreme_values(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """Where an extreme value is asked for and a reading gives that of what is named: no reading about the same that
    answers with no such value, or with one of which the sentence has no word."""
    own = [d for d in drafts if d.order and d.order[0] == 0 and d.answers and not d.minus and len(d.rows) <= _DIRECT]
    extreme = {frozenset(d.rows): _named(sentence, d) for d in own}
    if not extreme:
        return drafts
    words = {word.text for word in words_in(sentence.text)}

    def asked(relation: str) -> bool:
        kind = schema.value_kind(relation) if relation else None
        return bool(kind and cues.asked_extreme(sentence.text, schema.words(relation), kind))

    def fits(draft: Draft) -> bool:
        relation, named = relation_to(draft, 0), _named(sentence, draft)
        if not draft.order and not any(spans >= named for spans in extreme.values()):
            return True
        if draft.form != "select" or not draft.answers or not asked(relation):
            return False
        if draft.order and draft.order[0] != 0:  # when it last went out is not the day back of the last that went out
            return says_relation(schema, words, relation) and asked(relation_to(draft, draft.order[0]))
        if draft.order:
            return not any(frozenset(draft.rows) > rows and of == named for rows, of in extreme.items())
        return says_relation(schema, words, relation) and frozenset(draft.rows) not in extreme

    kept = [draft for draft in drafts if fits(draft)]
    values = max((len(draft.values) for draft in kept), default=0)
    return [draft for draft in kept if len(draft.values) == values] or drafts


def _named(sentence: Sentence, draft: Draft) -> set[tuple[int, int]]:
    """The words by which a sentence names the things of a draft."""
    return {(sentence.links[i].first, sentence.links[i].last) for i in draft.links}
