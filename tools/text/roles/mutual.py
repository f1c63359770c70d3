"""Relations that hold both ways: of a marriage, a border or a friendship a graph may tell from either end."""

from __future__ import annotations

import re
from itertools import islice

from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.text.kinship import kin_of_label

_MUTUAL = re.compile(
    r"\b(?:married|wed(?:ded)?|engaged|betrothed|divorced|allied|twinned|paired|related|connected|linked|joined|adjacent|"
    r"opposite|next) (?:to|with|from)$|\b(?:borders?(?: on| with)?|bordering|opposite|next to|adjoins|touches|"
    r"neighbou?rs?(?: of| with)?|friends?(?: of| with)?|cousins?(?: of)?|colleagues?(?: of)?|"
    r"partners?(?: of| with)?|rivals?(?: of)?|(?:flat|room|house|class|team)mates?(?: of)?|twins?(?: of| with)?|"
    r"(?:feuds?|affairs?|fling)(?: with)?|feuding with|dating|going out with|at war with|allies(?: of)?|"
    r"shares? \w+ with|works? with|sings? with|plays? with|lives with)$",
    re.I,
)
_SAMPLE = 200
"""Triples of a relation that are looked at."""


def is_mutual(schema: SchemaView, relation: str) -> bool:
    """Whether a relation holds both ways: a marriage, or one of which the graph has most triples either way."""
    words = schema.words(relation)
    kin = kin_of_label(words)
    if (kin and (kin[0].step == "spouse" or (kin[0].step == "sibling" and not kin[0].sex))) or _MUTUAL.search(words):
        return True
    store = schema.store
    some = list(islice(store.triples(relation=relation), _SAMPLE))
    back = sum(any(store.triples(t.tail, relation, t.head)) for t in some if store.has_entity(t.tail))
    return back > len(some) / 2
