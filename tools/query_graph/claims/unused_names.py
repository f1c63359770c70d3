"""Things that a claim names and its reading does not hold: that Ben fixed a laptop does not say that he fixed the
tablet."""

from __future__ import annotations

from triplewise.kg.query.graph import QueryGraph
from triplewise.kg.values import parse_value
from triplewise.tools.query_graph.linking.mentions import Link, NameIndex, folded_words, words_in
from triplewise.tools.query_graph.turned_claims.more_claims import more_claim

_WHOLE = 0.99
"""The score from which on all of a name is said."""
_TELLING = 2.0
"""Bits from which on a name's words are surely meant as it."""


def unused_name(text: str, query: QueryGraph, names: NameIndex) -> str:
    """The first name of a claim whose thing is not in its reading; "" where there is none.

    What is tied to a thing of the reading may tell which one that is: "Church Street in Tarnford".
    """
    if query.compare and more_claim(text):
        return ""  # what a thing has more than is held as a number
    held = query.entities
    links = [x for x in names.link(text) if x.first >= 0]
    used = [x for x in links if x.node in held]
    words = words_in(text)
    left = [x for x in links if _is_clear(x, names) and not any(x.overlaps(u) for u in used)]
    if text[1:] != text[1:].lower():  # capitals tell names
        left = [x for x in left if not _is_common_noun(text[words[x.first].start : words[x.last].end], x.name)]
    for link in sorted(left, key=lambda x: x.first):
        if not any(tied(x.node, node, names) for x in links if x.overlaps(link) for node in held):
            return text[words[link.first].start : words[link.last].end]
    return ""


def _is_clear(link: Link, names: NameIndex) -> bool:
    """Whether a thing is called by its whole name, and by no word for its class."""
    said = not link.is_value and parse_value(link.name).kind == "text"  # 1929 may be a part of a date
    said = said and link.score > _WHOLE and link.weight >= _TELLING
    return said and not names.class_words.issuperset(folded_words(link.name))


def _is_common_noun(said: str, name: str) -> bool:
    """Whether several words are written as no name is: "the key person" is not The Key; "the mixer" may be Mixer."""
    return " " in said and name.rpartition(" ")[2][:1].isupper() and not said.rpartition(" ")[2][:1].isupper()


def tied(one: str, other: str, names: NameIndex) -> bool:
    """Whether the graph has a triple of two nodes."""
    store = names.schema.store
    both = store.has_entity(one) and store.has_entity(other)
    return both and any(next(iter(store.triples(head=a, tail=b)), None) for a, b in ((one, other), (other, one)))
