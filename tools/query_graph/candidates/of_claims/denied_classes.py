"""The class of which a claim says that none is so: "no vet lives in Ufer" is not denied by an owner who does."""

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


def of_denied_class(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts of a claim of none of a class, each of which says it of that class; all of any other claim."""
    words = words_in(sentence.text)
    denied = next(
        (k for k, (first, _) in sentence.classes.items() if _NONE.fullmatch(sentence.text[: words[first].start])), ""
    )
    if not denied:
        return drafts
    members = frozenset(schema.members(denied))
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
    return said or drafts


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
