"""Which of some things a part of a sentence names."""

from __future__ import annotations

from collections.abc import Set

from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.linking.mentions import words_in

NAMED = 0.42
"""The score of a link from which on it is held to be the thing or the person that is spoken of."""


def named_within(sentence: Sentence, span: tuple[int, int], nodes: Set[str]) -> int | None:
    """The position of the likeliest link to one of some things within a span of characters; None where there is none,
    or where two are as likely."""
    inside = [i for i, w in enumerate(words_in(sentence.text)) if span[0] <= w.start and w.end <= span[1]]
    found = [
        (-link.score, i)
        for i, link in enumerate(sentence.links)
        if link.node in nodes and link.score >= NAMED and link.first in inside and link.last in inside
    ]
    (score, best), *others = sorted(found) or [(0.0, -1)]
    alike = any(other == score and sentence.links[i].node != sentence.links[best].node for other, i in others)
    return None if best < 0 or alike else best
