"""Who lacks something is told of all who could have it: who has not paid is not sought among the drivers alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache

from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, Row
from triplewise.tools.query_graph.linking.mentions import words_in
from triplewise.tools.query_graph.linking.said_relations import says_relation
from triplewise.tools.query_graph.schema_view import SchemaView, Step

_ENDS = 10
"""Things at an end of a relation that tell its classes."""


def of_widest_base(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """Of the drafts that take the same from sets which no word of the sentence tells, one of the widest set, and the
    one that is nearest to the sentence: what was "begun and never got to the end of" was started. None takes away by
    the relation that the set itself is told by, where the sentence says it once: who has not taught somebody is not who
    was not taught. Nor does one take away what is not said from what is: who has done no training is not who has,
    without a desk."""
    words = [word.text for word in words_in(sentence.text)]
    alike: dict[object, list[Draft]] = defaultdict(list)
    reducing = [d for d in drafts if d.minus and d.minus_of == 0 and not (d.values or d.filters or d.order)]
    plain = {id(d) for d in reducing if not _relations(d.rows) & _relations(d.minus)}
    twice = {id(d) for d in reducing if id(d) not in plain and not _is_repeated(schema, words, _relations(d.minus))}
    left_out = twice if plain else set[int]()

    @cache
    def is_said(relation: str) -> bool:
        sides = (Step(relation), Step(relation, inverse=True))
        ends = (end for side in sides for end in schema.first(schema.starts(side))[:_ENDS])
        kinds = {kind for end in ends for kind in schema.store.types(end)}
        return says_relation(schema, words, relation) or not kinds.isdisjoint(sentence.classes)

    def denies_another(draft: Draft) -> bool:
        return any(map(is_said, _relations(draft.rows))) and not any(map(is_said, _relations(draft.minus)))

    if any(any(map(is_said, _relations(d.minus))) for d in reducing if id(d) in plain):
        left_out |= {id(d) for d in reducing if denies_another(d)}

    def is_unsaid(draft: Draft) -> bool:
        return not draft.classes and not any(says_relation(schema, words, r) for r in _relations(draft.rows))

    for draft in reducing:
        if id(draft) not in left_out and is_unsaid(draft) and not draft.links:
            alike[draft.form, draft.minus].append(draft)
    for found in alike.values():
        widest = max(found, key=lambda d: (len(d.answers), d.prior))
        nearest = max(found, key=lambda d: d.prior)
        left_out |= {id(d) for d in found if d is not widest and d is not nearest and d.answers <= widest.answers}
    return [draft for draft in drafts if id(draft) not in left_out] if left_out else drafts


def _relations(rows: Iterable[Row]) -> set[str]:
    return {relation for _, relation, _ in rows if relation != TYPE}


def _is_repeated(schema: SchemaView, words: Sequence[str], relations: Iterable[str]) -> bool:
    """Whether a sentence says one of some relations more than once."""
    return any(sum(says_relation(schema, (word,), r) for word in words) > 1 for r in relations)
