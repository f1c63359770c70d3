"""A relation that is called as a class is said by nothing where the class is what its noun says.

"Which boats were built after 2014?" says no more of a boat than that it is one, also where the rows of results have a
relation "boat": a reading by which some row has it leaves out the boats of no row, and "two boats" are not two rows.
"Who lives where Ann lives?" says no more of anybody than "which person" does, though a sheet has a column "Person".
But "which dogs have never slept here?" may mean those that no row of one sheet has, which its verb may tell.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from triplewise.kg.names import words_of
from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, Row
from triplewise.tools.query_graph.linking.class_names import words_of_class
from triplewise.tools.query_graph.linking.mentions import is_form_of, words_in
from triplewise.tools.query_graph.schema_view import SchemaView, Step
from triplewise.tools.text.verb_forms import is_participle, is_past, word_set

_UNUSED = re.compile(
    r"(?:\b(?:not|never|nobody|no one|nothing)\b|n['’]?t\b).*\b(?:us(?:e|ed|ing)|needed|tried|touched|picked|chosen|"
    r"appear\w*|featur\w+|anything|anywhere|anyone|anybody)\b",
    re.I,
)
"""What says of a thing that no row has it: "which fabrics haven't I used for anything?"."""
_STEM = 4
"""Letters by which a word is known whatever its ending."""
_PERSON = ["person"]
_LIGHT = word_set("is was are were be been being has have had having do does did done get got going")


def not_spent_twice(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that say of a thing of a class only that some other has it by the class's own noun."""
    spent = {r for r in schema.relations if _is_spent(schema, sentence, r)}
    persons = {r for r in schema.relations if r not in spent and _is_any_person(schema, sentence, r)}
    if not spent and not persons:
        return drafts
    unused = _UNUSED.search(sentence.plain)

    def is_left(draft: Draft) -> bool:
        of_sheets = {h for h, r, _ in draft.minus if r == TYPE}
        said = draft.rows if unused else (*draft.rows, *(row for row in draft.minus if row[0] not in of_sheets))
        idle = [row for row in said if row[1] in spent | persons and _is_idle(draft, row)]
        return not any(row[1] in spent or _is_told_of(draft, row) for row in idle)

    return list(filter(is_left, drafts)) or drafts


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
            others = [w for i, w in enumerate(words) if not first <= i <= last]
            return not _are_said(others, _said_around(schema, relation))
    return False


def _is_any_person(schema: SchemaView, sentence: Sentence, relation: str) -> bool:
    """Whether a relation is called "person", of persons, and no word of the sentence says what has it or may mean it,
    as the verb of "who in Fenby has acted?" does."""
    name = [w.text for w in words_in(schema.words(relation))]
    if name != _PERSON:
        return False
    named = {i for link in sentence.links for i in range(link.first, link.last + 1)}
    words = [w.text for i, w in enumerate(words_in(sentence.text)) if i not in named]
    if _are_said(words, _said_around(schema, relation)):
        return False
    known = {w for r in schema.relations for w in words_of(schema.words(r))}
    verbs = [w for w in words if w not in _LIGHT and (is_past(w) or is_participle(w))]
    return all(_are_said([verb], known) for verb in verbs)


def _are_said(words: Iterable[str], names: Iterable[str]) -> bool:
    """Whether one of some words is, by its stem, one of these."""
    stems = {word[:_STEM] for word in words}
    return any(name[:_STEM] in stems for name in names if len(name) >= _STEM)


def _is_told_of(draft: Draft, row: Row) -> bool:
    """Whether a draft says more of the tail of a pattern than of which class it is."""
    return sum(row[2] in (h, t) for h, r, t in (*draft.rows, *draft.minus) if r != TYPE) > 1


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
