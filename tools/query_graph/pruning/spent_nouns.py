"""A relation that is called as a class is said by nothing where the class is what its noun says.

"Which boats were built after 2014?" says no more of a boat than that it is one, also where the rows of results have a
relation "boat": a reading by which some row has it leaves out the boats of no row, and "two boats" are not two rows.
"""

from __future__ import annotations

from collections import Counter

from triplewise.kg.names import words_of
from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, Row
from triplewise.tools.query_graph.class_names import words_of_class
from triplewise.tools.query_graph.mentions import is_form_of, words_in
from triplewise.tools.query_graph.schema_view import SchemaView, Step

_STEM = 4
"""Letters by which a word is known whatever its ending."""


def not_spent_twice(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that say of a thing of a class only that some other has it by the class's own noun."""
    spent = {r for r in schema.relations if _is_spent(schema, sentence, r)}
    if not spent:
        return drafts
    return [d for d in drafts if not any(_is_idle(d, row) for row in (*d.rows, *d.minus) if row[1] in spent)] or drafts


def _is_spent(schema: SchemaView, sentence: Sentence, relation: str) -> bool:
    """Whether the one noun that a relation is called by says a class of all that it leads to, and no word of the
    sentence says anything of what has the relation."""
    name = [w.text for w in words_in(schema.words(relation))]
    words = [w.text for w in words_in(sentence.text)]
    ends = schema.starts(Step(relation, inverse=True))
    for kind, (first, last) in sentence.classes.items():
        if words_of_class(schema, kind) != name or not ends.issubset(schema.members(kind)):
            continue
        said = [i for i in range(len(words)) if any(is_form_of(n, words[i]) for n in name)]
        if said and first <= said[0] and said[-1] <= last:
            others = {w[:_STEM] for i, w in enumerate(words) if not first <= i <= last}
            return not any(w[:_STEM] in others for w in _said_around(schema, relation) if len(w) >= _STEM)
    return False


def _said_around(schema: SchemaView, relation: str) -> set[str]:
    """The words by which what has a relation can be spoken of: its classes, and its other relations."""
    heads = schema.first(schema.heads(relation))
    kinds = {kind for node in heads for kind in schema.store.types(node)}
    relations = {s.relation for node in heads for s in schema.steps(node)} - {relation} - schema.left_out
    return {w for text in (*map(schema.label, kinds), *map(schema.words, relations)) for w in words_of(text)}


def _is_idle(draft: Draft, row: Row) -> bool:
    """Whether nothing is said of the head of a pattern but that it has the relation."""
    head = row[0]
    if not isinstance(head, int) or head == 0 or (draft.order and draft.order[0] == head):
        return False
    return Counter(e for h, r, t in (*draft.rows, *draft.minus) if r != TYPE for e in (h, t))[head] == 1
