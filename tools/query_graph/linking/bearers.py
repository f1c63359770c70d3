"""Which of the bearers of a name is meant, by what stands beside it: "Peter Hofer the picker", "driver Tom Hollis".

Such an apposition (Quirk et al. 1985, 17.65) says which of them it is, and nothing of the sentence else, so that it is
no condition of what is asked or claimed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph.linking.class_names import words_of_class
from triplewise.tools.query_graph.linking.mentions import Link, Word, folded_words, words_in
from triplewise.tools.query_graph.schema_view import SchemaView

_SAME = 0.999
"""Share of the greatest weight from which on the words of a name fit another thing as well."""
_WHOLE = 0.95
_BRACKET = re.compile(r"\s*\([^()]*\)$")
_DETERMINERS = frozenset(("the", "our", "your", "my", "their"))
_LINKING = frozenset(("in", "on", "at", "for", "with", "by", "from", "and", "or", "too"))
_BEING = frozenset(("is", "was", "are", "were", "isn", "wasn"))
_MAX_TRIPLES = 200
"""Triples of a thing in which its roles are looked for."""


class Bearers(NamedTuple):
    """The links and the classes of a sentence without the bearers of a name who are not meant."""

    links: list[Link]
    classes: dict[str, tuple[int, int]]


def meant_bearers(
    schema: SchemaView, sentence: str, links: Sequence[Link], classes: Mapping[str, tuple[int, int]]
) -> Bearers:
    """Of the things that a name fits equally well, those of which the words beside it tell the class or a role; what is
    another thing's whole name is none: in "who coaches the Sharks?" Coach Dilys is not called after them."""
    words, told = words_in(sentence), set[int]()
    kept = [x for x in links if not any(_says_more(y, x) for y in links)]
    for kind, (first, last) in classes.items():
        named = [x for x in kept if x.first >= 0 and x.last == first - 1]
        meant = schema.set_of(kind) if named and not words[last].text.endswith("s") else frozenset[str]()
        if any(x.node in meant for x in named):  # "the identity service"
            kept = [x for x in kept if x not in named or x.node in meant]
            told.update(range(first, last + 1))
    for span in dict.fromkeys((x.first, x.last) for x in kept if x.first >= 0):
        bearers = _equal([x for x in kept if (x.first, x.last) == span and not x.is_value])
        if len(bearers) < 2:
            continue
        others = [(x.first, x.last) for x in kept if x.score > _WHOLE and not x.is_value and (x.first, x.last) != span]
        beside = [p for p in _beside(sentence, words, span) if not any(a <= p.at <= b for a, b in others)]
        at = {x.node: _places(schema, x.node, words, beside) for x in bearers}
        meant = [x for x in bearers if at[x.node]]
        if meant and len(meant) < len(bearers):
            left_out = {x.node for x in bearers if x not in meant}
            kept = [x for x in kept if x.node not in left_out]
            told.update(*(at[x.node] for x in meant))
    kept = [x for x in kept if not told.issuperset(range(x.first, x.last + 1)) or x.first < 0]
    return Bearers(kept, {c: span for c, span in classes.items() if not told.issuperset(range(span[0], span[1] + 1))})


def _says_more(one: Link, other: Link) -> bool:
    """Whether a name was said together with what stands in brackets behind it, "the planet Mercury", and the other link
    is of the name alone."""
    covers = one.first <= other.first and other.last <= one.last and one.last - one.first > other.last - other.first
    bare, both = (folded_words(_BRACKET.sub("", x.name)) for x in (one, other))
    return covers and one.score > _WHOLE and one.name.endswith(")") and bare == both


def _equal(links: Sequence[Link]) -> list[Link]:
    """The links that the same words fit equally well."""
    best = [x for x in links if x.weight >= _SAME * max(y.weight for y in links)]
    return [x for x in best if x.score > _WHOLE] or best


class _Place(NamedTuple):
    """The word at which an apposition begins, or ends where it is not ``behind`` the name.

    ``predicate``: it may be what is asked of the name instead, "is Ann the picker?"."""

    at: int
    behind: bool
    predicate: bool


def _beside(sentence: str, words: Sequence[Word], span: tuple[int, int]) -> Iterator[_Place]:
    """Where an apposition to a name may be said: behind it after an article, a comma or a bracket, and right before."""
    first, last = span
    if first > 0:
        yield _Place(first - 1, False, False)
    if last + 1 >= len(words):
        return
    between = sentence[words[last].end : words[last + 1].start].strip()
    article = words[last + 1].text in _DETERMINERS
    if (article and last + 2 < len(words)) or between in (",", "("):
        yield _Place(last + 1 + article, True, first > 0 and words[first - 1].text in _BEING and not between)


def _places(schema: SchemaView, node: str, words: Sequence[Word], beside: Sequence[_Place]) -> frozenset[int]:
    """The words beside a name that say a class or a role of a thing; none where they go on: "the driver of"."""
    for role in _roles(schema, node):
        for place in beside:
            start = place.at if place.behind else place.at - len(role) + 1
            after = [w.text for w in words[start + len(role) : start + len(role) + 1]]
            goes_on = place.behind and (after == ["of"] or (place.predicate and _LINKING.issuperset(after)))
            if [w.text for w in words[max(0, start) : start + len(role)]] == role and not goes_on:
                return frozenset(range(start, start + len(role)))
    return frozenset()


def _roles(schema: SchemaView, node: str) -> Iterator[list[str]]:
    """The words of what a thing is: its classes, what the graph tells of it, and what it is to others."""
    store = schema.store
    yield from (words_of_class(schema, kind) for kind in store.types(node))
    if not store.has_entity(node):
        return
    texts = [store.label(t.tail) for t in islice(store.triples(head=node), _MAX_TRIPLES)]
    texts += dict.fromkeys(schema.words(t.relation) for t in islice(store.triples(tail=node), _MAX_TRIPLES))
    for text in texts:
        role = folded_words(text)
        while role and role[-1] in STOP_WORDS:
            role.pop()
        if role:
            yield role
