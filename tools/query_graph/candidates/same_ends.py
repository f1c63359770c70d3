"""Things of which two relations lead to one and the same end: "which club has the same person as chair and treasurer?".

The sentence says so of one thing, so that nothing else is meant: these readings stand alone, where paths that meet
would tie the chair of one club to the treasurer of another.
"""

from __future__ import annotations

import re

from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.candidates.plain_nouns import ALONE
from triplewise.tools.query_graph.linking.mentions import is_form_of, words_in
from triplewise.tools.query_graph.schema_view import SchemaView, Step

_SAME = re.compile(
    r"\bthe same\s+(?P<noun>[\w-]+)\s+(?:as|for|is)\b|\bthe same\s+[\w-]+\s+and\s+[\w-]+\W*$"
    r"|\balso\s+(?:its|their|the)\s+(?:own\s+)?[\w-]+\W*$",
    re.I,
)
_OTHERS = re.compile(r"\b(?:an)?other\b|\bdifferent\b|\beach\b|\b(?:not|n['’]t)\b", re.I)
_SURE = 0.99


def same_ends(schema: SchemaView, sentence: Sentence) -> list[Draft]:
    """The things of a class of which both relations that a question says lead to one end, or their number; [] where it
    says other than that."""
    named = any(x.score > _SURE for x in sentence.links)
    if named or sentence.values or not _SAME.search(sentence.text) or _OTHERS.search(sentence.text):
        return []
    told = [r for r in schema.relations if not schema.value_kind(r) and _is_said(schema, sentence, r)]
    kind = next(iter(sorted(sentence.classes, key=lambda k: sentence.classes[k])), "")
    if len(told) != 2 or not kind:
        return []
    members = schema.set_of(kind)
    one, other = map(Step, sorted(told))
    left, right = schema.each(members, one), schema.each(members, other)
    if not left or not right:
        return []
    kept = frozenset(n for n, ends in left.items() if set(ends).intersection(right.get(n, ())))
    draft = Draft(
        ((0, TYPE, kind), (0, one.relation, 1), (0, other.relation, 1)), kept, (one, other),
        ((1, one.back, 0), (1, other.back, 0)), classes=(kind,), kind=kind, extra=(ALONE,),
    )  # fmt: skip
    return [draft.but(form="count" if cues.COUNT.search(sentence.text) else "select")]


def _is_said(schema: SchemaView, sentence: Sentence, relation: str) -> bool:
    """Whether a sentence says the noun that a relation is called by."""
    names = [w.text for w in words_in(schema.words(relation))]
    return bool(names) and all(any(is_form_of(n, w.text) for w in words_in(sentence.text)) for n in names)
