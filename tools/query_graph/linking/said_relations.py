"""Whether a sentence has a word of a relation's own."""

from __future__ import annotations

from collections.abc import Collection

from triplewise.tools.query_graph.linking.mentions import folded_words, is_form_of
from triplewise.tools.query_graph.schema_view import SchemaView

_SHORTEST = 3
"""Letters of the shortest word that says anything of a relation: not "to", "of"."""


def says_relation(schema: SchemaView, words: Collection[str], relation: str, *, shortest: int = _SHORTEST) -> bool:
    """Whether one of a sentence's folded words is one of those that a relation is called by, or its plural;
    ``shortest``: the letters that such a word has at least."""
    names = (name for name in folded_words(schema.words(relation)) if len(name) >= shortest)
    return any(is_form_of(name, word) for name in names for word in words)
