"""Which of two claims about the same two things is meant where the ranker can hardly tell.

Who says "Bandit was taken from the street by Arjun" tells what is so more often than not: of two single triples that
tie the two things and are about as likely meant, the one that the graph has is taken before the one that it lacks. So
is a row that ties them, as a booking ties a person and a class, before a relation that the claim does not say. In a
closed world any reading that the graph holds is the likelier for that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from triplewise.kg.base import KGStore
from triplewise.kg.query import execute
from triplewise.kg.query.graph import Pattern, QueryGraph, Term, Variable
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.linking.bounds import is_limit
from triplewise.tools.query_graph.linking.value_mentions import ValueMention

_AS_LIKELY = 0.5
"""Share of the first reading's probability: of the training domains' claims where the graph has another triple of the
two things, it is meant in all with a share of 0.52 or more, and in none with one of 0.35 or less."""
_WHOLE = 0.99
"""The score of a link from which on the whole of a name is said."""
_MOST_ROWS = 2_000
"""Rows of a join after which a claim is taken for one that the graph does not hold."""
_BETWEEN = re.compile(r"\bbetween\b|\bfrom\b.*\bto\b", re.I | re.S)
_ROW_AS_LIKELY = 0.3
"""The same of rows that tie the two things, where the sentence does not say the first reading's relation."""


def held_first(
    readings: Sequence[tuple[QueryGraph, float]],
    holds: Callable[[QueryGraph], bool],
    is_said: Callable[[Pattern], bool],
    is_mutual: Callable[[str], bool],
) -> int:
    """The position of the reading to put first: 0, or that of a triple or a row by which the graph ties the same two
    things.

    ``readings``: each with its probability, the likeliest first; ``is_mutual``: whether a relation holds both ways,
    whichever end the graph tells it of, as a marriage does; ``is_said``: whether the sentence has the words of a
    triple's relation, so that no row is meant instead: who does not run a class does not run it for having booked it.
    """
    first = _triple(readings[0][0]) if readings else None
    if first is None or holds(readings[0][0]):
        return 0
    ends, row_may_be_meant = {first.head, first.tail}, not is_said(first)
    if is_mutual(first.relation):
        turned = Pattern(first.tail, first.relation, first.head)
        told = (i for i, (query, _) in enumerate(readings) if _triple(query) == turned and holds(query))
        if position := next(told, 0):
            return position
    for position, (query, probability) in enumerate(readings[1:], 1):
        share = probability / readings[0][1]
        if share < _ROW_AS_LIKELY:
            break
        other = _triple(query)
        if other and share >= _AS_LIKELY:
            meant = {other.head, other.tail} == ends and other.relation != first.relation
        else:
            meant = row_may_be_meant and _ties_as_row(query, ends)
        if meant and holds(query):
            return position
    return 0


def told_claims(store: KGStore, sentence: Sentence, drafts: Sequence[Draft]) -> set[int]:
    """The ``id`` of each draft that the graph holds, or of which it holds what the draft denies, among those that pass
    over the fewest names of the sentence: a claim that is wrong names what the graph does not tie to the rest."""
    named = {(x.first, x.last) for x in sentence.links if x.first >= 0 and x.score > _WHOLE}

    def passed_over(draft: Draft) -> int:
        spans = [(sentence.links[i].first, sentence.links[i].last) for i in draft.links]
        spans += [sentence.classes[kind] for kind in draft.classes if kind in sentence.classes]
        return sum(not any(a <= last and first <= b for a, b in spans) for first, last in named)

    left = [passed_over(draft) for draft in drafts]
    least = min(left, default=0)
    fullest = [draft for draft, number in zip(drafts, left, strict=True) if number == least]
    fullest = [d for d in fullest if not says_more([c[1:] for c in d.filters], sentence.text, sentence.values)]
    queries = ((id(draft), replace(draft.query(), denied=False)) for draft in fullest)
    return {number for number, query in queries if execute(store, query, max_rows=_MOST_ROWS).holds}


def says_more(conditions: Iterable[tuple[str, object]], text: str, values: Sequence[ValueMention]) -> bool:
    """Whether conditions hold something against a value which a sentence does not: "was founded in 1480" does not say
    after 1480, which any firm was. ``conditions``: (operator, right); ``values``: those that the sentence names."""
    bounds = {(op, right) for op, right in conditions if op in ("<", ">", "<=", ">=") and isinstance(right, str)}
    for value in values:
        if value.low != value.high:  # "in March 1990" is from its first day to its last
            bounds -= {(">=", value.low), ("<=", value.high)}
    return bool(bounds) and not (_BETWEEN.search(text) or any(is_limit(text, value) for value in values))


def _ties_as_row(query: QueryGraph, ends: set[Term]) -> bool:
    """Whether a claim says that one row has both things as its ends, and no more of the row: of a booking that is paid
    another claim is true."""
    if query.form != "ask" or query.denied or query.minus or query.filters:
        return False
    heads, tails = {p.head for p in query.patterns}, [p.tail for p in query.patterns]
    return len(tails) == 2 and {*tails} == ends and len(heads) == 1 and all(isinstance(h, Variable) for h in heads)


def _triple(query: QueryGraph) -> Pattern | None:
    """The one triple that a claim says of two things; None for any other query."""
    if len(query.patterns) != 1 or query.form != "ask" or query.denied or query.minus or query.filters:
        return None
    [pattern] = query.patterns
    return None if isinstance(pattern.head, Variable) or isinstance(pattern.tail, Variable) else pattern
