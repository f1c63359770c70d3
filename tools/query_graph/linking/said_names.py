"""Where a sentence says the name of a thing, also of one that it was given in place of a pronoun."""

from __future__ import annotations

from collections.abc import Sequence

from triplewise.tools.query_graph.linking.mentions import Link, Word, words_in
from triplewise.tools.query_graph.schema_view import SchemaView


def span_of(schema: SchemaView, link: Link, words: Sequence[Word]) -> tuple[int, int]:
    """The first and the last word of a thing's name in a sentence; (-1, -1) where its name is not said."""
    if link.first >= 0:
        return link.first, link.last
    texts = [word.text for word in words]
    for name in (schema.store.display(link.node), schema.label(link.node)):
        own = [word.text for word in words_in(name)]
        starts = (i for i in range(len(texts) - len(own) + 1) if own and texts[i : i + len(own)] == own)
        if (start := next(starts, None)) is not None:
            return start, start + len(own) - 1
    return -1, -1
