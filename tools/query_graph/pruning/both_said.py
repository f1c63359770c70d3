"""Of two relations that are joined by "both ... and" a reading has either both or is none: who has both directed and
produced is not who has directed."""

from __future__ import annotations

import re

from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.linking.mentions import folded_words
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.text.persons import Persons

_BOTH = re.compile(r"\bboth\s+(?P<one>[^?,]+?)\s+and\s+(?P<other>[^?,]+)", re.I)
_STEM = 4


def of_both(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts with a relation of each half of "both ... and", where both halves say one and some draft has both."""
    found = _BOTH.search(sentence.text)
    if not found:
        return drafts
    one, other = (_said(schema, found[half]) for half in ("one", "other"))
    one, other = one - other, other - one
    who, persons = cues.WHO.search(sentence.text), Persons(schema)

    def is_whole(draft: Draft) -> bool:
        told = {r for h, r, t in draft.rows if 0 in (h, t)}
        whole = len(told) == len({r for _, r, _ in draft.rows}) and told & one and told & other
        few = schema.first(draft.answers)[:1]
        return bool(whole) and told <= one | other | {TYPE} and (not who or all(map(persons.holds, few)))

    whole = [d for d in drafts if is_whole(d)]
    return whole if any(d.answers for d in whole) else drafts


def _said(schema: SchemaView, text: str) -> set[str]:
    """The relations of which a word is said, in any form."""
    stems = {word[: max(_STEM, len(word) - 3)] for word in folded_words(text) if len(word) > _STEM}
    return {r for r in schema.relations if any(w.startswith(s) for w in folded_words(schema.words(r)) for s in stems)}
