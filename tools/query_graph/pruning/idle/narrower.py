"""A narrower relation is not meant where nothing says what narrows it: who came to a dinner is among its guests, and
not only its guest of honour."""

from __future__ import annotations

from collections.abc import Hashable

from triplewise.kg.kept import kept_with
from triplewise.kg.query.graph import TYPE
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.linking.class_names import words_of_class
from triplewise.tools.query_graph.linking.mentions import folded_words, is_form_of
from triplewise.tools.query_graph.schema_view import SchemaView, Step
from triplewise.tools.text.roles.doers import family_of
from triplewise.tools.text.verb_forms import word_set

_SAID_BY_VERBS = word_set("""
    former formerly ex past previous old last next first second third planned current co deputy vice assistant acting
    substitute stand reserve
""")
"""What a verb or a tense can say: who left is a former member, who stands in for the head a deputy head."""

_ABBREVIATED = 3
"""Letters that are left of a class's name at least."""


def of_said_narrowness(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those by a relation whose words narrow another's, where no word of the sentence does so and
    some draft has the wider one for the same names and answers of the same kind."""
    wider = kept_with(schema.store, of_said_narrowness, lambda: _wider(schema))
    used = {r for d in drafts for _, r, _ in d.rows if r != TYPE}
    spoken = folded_words(sentence.text)

    def is_said(word: str) -> bool:
        return any(is_form_of(word, w) or family_of(word) == family_of(w) for w in spoken)

    unsaid = {
        narrow: {wide for wide, more in found.items() if wide in used and not any(map(is_said, more))}
        for narrow, found in wider.items()
        if narrow in used
    }
    if not any(unsaid.values()):
        return drafts

    def about(draft: Draft) -> Hashable:
        names = frozenset(end for h, r, t in draft.rows if r != TYPE for end in (h, t) if isinstance(end, str))
        few = schema.first(draft.answers)[:1]
        return draft.form, names, frozenset(kind for node in few for kind in schema.store.types(node))

    instead = {
        (about(d), r)
        for d in drafts
        if d.answers or d.form == "ask"
        for _, r, _ in d.rows
        if any(r in w for w in unsaid.values())
    }

    def is_too_narrow(draft: Draft) -> bool:
        narrow = {wide for _, r, _ in draft.rows for wide in unsaid.get(r, ())}
        return any((about(draft), wide) in instead for wide in narrow)

    return [d for d in drafts if not is_too_narrow(d)] or drafts


def _wider(schema: SchemaView) -> dict[str, dict[str, frozenset[str]]]:
    """Relation → those that lead to things of the same class, and whose words are a part of its own → the words that
    they lack. What only says of which class a relation's things are narrows nothing: an instrument's "inst pi"."""
    words = {r: frozenset(folded_words(schema.words(r))) - STOP_WORDS for r in schema.relations if r != TYPE}

    def kinds(step: Step) -> set[str]:
        return {kind for node in schema.first(schema.starts(step)) for kind in schema.store.types(node)}

    def ends(relation: str) -> set[str]:
        return kinds(Step(relation, inverse=True))

    def tells_kind(relation: str, word: str) -> bool:
        own = (w for kind in kinds(Step(relation)) for w in words_of_class(schema, kind))
        return len(word) >= _ABBREVIATED and any(w.startswith(word) for w in own)

    parts = {
        narrow: {
            wide: own - part
            for wide, part in words.items()
            if part and part < own and not all(tells_kind(narrow, word) for word in own - part)
        }
        for narrow, own in words.items()
        if not own & _SAID_BY_VERBS
    }
    return {
        narrow: same
        for narrow, found in parts.items()
        if found and (same := {wide: more for wide, more in found.items() if ends(narrow) & ends(wide)})
    }
