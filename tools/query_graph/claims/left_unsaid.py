"""What a claim says beyond its reading, so that what supports the reading does not support the claim.

"The Renn Viaduct is the longest bridge" may be read as that it has a length, "all flats are furnished" as that one is,
and "Tom is from Norway" as that he lives somewhere.
"""

from __future__ import annotations

import re

from triplewise.kg.query.graph import QueryGraph
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.claims.extremes import EXTREME
from triplewise.tools.query_graph.known_words import KnownWords

_ALL = re.compile(
    r"(?:^\W*(?:(?:is|are|was|were|has|have|had|does|do|did|not)\s+)*(?:all|each|only)"
    r"|\bthe only"
    r"|\bevery(?! (?:day|morning|evening|night|week\w*|month|year|time|hour|minute|spring|summer|autumn|winter)\b))"
    r"\b(?! other)(?! but)",
    re.I,
)
"""Not the "all" of "he learnt it all from her", nor the "only" of "she only came in 2015"."""
_NOT_ALL = re.compile(r"^\W*(?:(?:is|are|was|were|has|have|had|does|do|did)\s+)?not\s+(?:all|every|each)\b", re.I)


def left_unsaid(text: str, query: QueryGraph, words: KnownWords) -> str:
    """The word of a claim that its reading does not hold; "" where there is none.

    An extreme and "all" are held by an order, by a count, by the denial of anything greater, or by a relation or name
    that has such a word.
    """
    schema = words.names.schema
    spoken = [schema.words(r) for r in query.relations if r in schema.relations] + [*map(schema.label, query.entities)]
    held = query.order or query.compare or (query.filters and (query.denied or cues.NOT.search(text)))
    if query.minus and (query.denied or _NOT_ALL.match(text)):
        held = True
    extreme = EXTREME.search(text)
    if extreme and not held and not any(map(EXTREME.search, spoken)):
        return extreme.group()
    every = _ALL.search(text)
    if every and not held and not any(map(_ALL.search, spoken)):
        return every.group().split()[-1]
    return words.unknown_name(text)
