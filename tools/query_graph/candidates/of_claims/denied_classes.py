"""The class of which a claim says that none is so: "no vet lives in Ufer" is not denied by an owner who does. Nor does
"no dessert contains mustard" say of desserts what only their ingredients can be: what they contain contains it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from triplewise.kg.query.graph import NAME, TYPE
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.linking.mentions import words_in
from triplewise.tools.query_graph.schema_view import SchemaView, Step

_NONE = re.compile(
    r"\W*(?:(?:so|and|but|is|are|was|were|has|have|had|does|do|did|there)\s+)*"
    r"(?:no|none\s+of(?:\s+(?:the|our|my|your|these|those))?|not\s+(?:one|a\s+single))\s+",
    re.I,
)
"""What stands before the noun."""
_CONTAINS = re.compile(
    r"\b(?:contain(?:s|ing)?|includ(?:es|ing)|holds|consists of|made (?:of|from)|ingredients?|parts?)\b", re.I
)
"""Relations that go on: what is in an ingredient is in the dish. Where somebody's boss lives he need not live."""


def of_denied_class(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts of a claim of none of a class, each of which says it of that class; all of any other claim."""
    words = words_in(sentence.text)
    denied = next(
        (k for k, (first, _) in sentence.classes.items() if _NONE.fullmatch(sentence.text[: words[first].start])), ""
    )
    if not denied:
        return drafts
    members = schema.set_of(denied)
    said: list[Draft] = []
    for draft in drafts:
        ends = dict(_ends(schema, draft))
        if (
            not ends
            or any(having <= members for having in ends.values())
            or (TYPE, denied) in {r[1:] for r in draft.rows}
        ):
            said.append(draft)
        else:
            typed = {h for h, r, _ in draft.rows if r == TYPE}
            said += [_with_class(draft, end, denied) for end in ends if end not in typed]
    around = frozenset[str]().union(*map(schema.members, _kinds_around(schema, denied)))

    def may_be_so(draft: Draft) -> bool:
        kinds = {h for h, r, t in draft.rows if (r, t) == (TYPE, denied)}
        held = [(h, r) for h, r, _ in draft.rows if h in kinds and _CONTAINS.search(schema.words(r))]
        return not any(schema.heads(relation).isdisjoint(around) for _, relation in held)

    return [d for d in said if may_be_so(d)] or said or drafts


def _kinds_around(schema: SchemaView, kind: str) -> set[str]:
    """A class, those of which the graph tells mostly the same, and those that its members are of as well."""
    also = {other for node in schema.first(schema.set_of(kind)) for other in schema.store.types(node)}
    return {kind, *schema.kindred(kind), *also}


def _ends(schema: SchemaView, draft: Draft) -> Iterator[tuple[int, frozenset[str]]]:
    """The variables of a draft that stand for things, each with what may be there by one of its patterns."""
    for head, relation, tail in draft.rows:
        if relation in (TYPE, NAME):
            continue
        if isinstance(head, int):
            yield head, schema.starts(Step(relation))
        if isinstance(tail, int) and schema.value_kind(relation) is None:
            yield tail, schema.starts(Step(relation, inverse=True))


def _with_class(draft: Draft, end: int, kind: str) -> Draft:
    return draft.but(
        rows=((end, TYPE, kind), *draft.rows), classes=(*draft.classes, kind), kind=kind if end == 0 else draft.kind,
        answers=frozenset(),
    )  # fmt: skip
