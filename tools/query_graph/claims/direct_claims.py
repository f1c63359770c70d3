"""Which of two claims about the same two things is meant where the ranker can hardly tell.

Who says "Bandit was taken from the street by Arjun" tells what is so more often than not: of two single triples that
tie the two things and are about as likely meant, the one that the graph has is taken before the one that it lacks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from triplewise.kg.query.graph import Pattern, QueryGraph, Variable

_AS_LIKELY = 0.5
"""Share of the first reading's probability: of the training domains' claims where the graph has another triple of the
two things, it is meant in all with a share of 0.52 or more, and in none with one of 0.35 or less."""


def held_first(readings: Sequence[tuple[QueryGraph, float]], holds: Callable[[QueryGraph], bool]) -> int:
    """The position of the reading to put first: 0, or that of a triple which the graph has of the same two things.

    ``readings``: each with its probability, the likeliest first.
    """
    first = _triple(readings[0][0]) if readings else None
    if first is None or holds(readings[0][0]):
        return 0
    for position, (query, probability) in enumerate(readings[1:], 1):
        if probability < _AS_LIKELY * readings[0][1]:
            return 0
        other = _triple(query)
        if other is None or {other.head, other.tail} != {first.head, first.tail} or other.relation == first.relation:
            continue
        if holds(query):
            return position
    return 0


def _triple(query: QueryGraph) -> Pattern | None:
    """The one triple that a claim says of two things; None for any other query."""
    if len(query.patterns) != 1 or query.form != "ask" or query.denied or query.minus or query.filters:
        return None
    [pattern] = query.patterns
    return None if isinstance(pattern.head, Variable) or isinstance(pattern.tail, Variable) else pattern
