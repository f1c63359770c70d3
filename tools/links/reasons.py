"""The triples of a graph that speak for a predicted link.

Of a prediction (h, r, t), h being given (and likewise where t is given):

- triples between h and t by other relations;
- (e, r, t) with e like h: the same answer, given for the entities that the scorer holds nearest to h, or, for a scorer
  that knows no likeness, for those that share the most neighbours with h;
- two steps from h to t by an entity between them that has few triples.

They are evidence that a person can check, not the reckoning of the scorer: its parts weigh all entities at once.
"""

from __future__ import annotations

from itertools import islice
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from triplewise.kg.base import KGStore
from triplewise.types import Triple

MOST = 3
_READ = 500
"""Triples that are read of an entity: a hub has any number of them."""


@runtime_checkable
class KnowsLikeness(Protocol):
    """A scorer that can say how like each other it holds entities."""

    def likeness(self, entity: str, others: list[str]) -> NDArray[np.float32]:
        """Cosines [others] with ``entity``, by ids."""
        ...


def reasons(kg: KGStore, triple: Triple, given: str, scorer: object = None, most: int = MOST) -> tuple[Triple, ...]:
    """At most ``most`` triples of the graph that speak for a predicted one, of whose ends ``given`` was given."""
    answer = triple.head if given == triple.tail and given != triple.head else triple.tail
    direct = [t for t in _between(kg, given, answer) if t != triple]
    alike = _alike(kg, triple, given, answer, scorer)
    found = list(dict.fromkeys([*direct[:2], *alike[:2]]))
    if len(found) < most:
        found += [t for pair in _two_steps(kg, given, answer) for t in pair if t not in found]
    return tuple((found + [t for t in alike[2:] if t not in found])[:most])


def _between(kg: KGStore, one: str, other: str) -> list[Triple]:
    return [*islice(kg.triples(one, None, other), 10), *islice(kg.triples(other, None, one), 10)]


def _alike(kg: KGStore, triple: Triple, given: str, answer: str, scorer: object) -> list[Triple]:
    """Triples with the same relation and answer, those of entities like the given one first."""
    forward = answer == triple.tail
    ends = (None, triple.relation, answer) if forward else (answer, triple.relation, None)
    same = [t for t in islice(kg.triples(*ends), _READ) if given not in (t.head, t.tail)]
    if not same:
        return []
    others = [t.head if forward else t.tail for t in same]
    if isinstance(scorer, KnowsLikeness):
        order = np.argsort(-scorer.likeness(given, others), kind="stable")
    else:
        own = _neighbours(kg, given)
        order = np.argsort([-len(own & _neighbours(kg, e)) for e in others], kind="stable")
    return [same[i] for i in order.tolist()]


def _two_steps(kg: KGStore, given: str, answer: str) -> list[tuple[Triple, Triple]]:
    """Pairs of triples that join both by an entity, that of the fewest triples first."""
    middles = _neighbours(kg, given) & _neighbours(kg, answer) - {given, answer}
    ordered = sorted((e for e in middles if not kg.is_literal(e)), key=lambda e: (_degree(kg, e), e))
    return [(_between(kg, given, e)[0], _between(kg, e, answer)[0]) for e in ordered[:2]]


def _neighbours(kg: KGStore, entity: str) -> set[str]:
    out = {t.tail for t in islice(kg.triples(entity, None, None), _READ)}
    return out | {t.head for t in islice(kg.triples(None, None, entity), _READ)}


def _degree(kg: KGStore, entity: str) -> int:
    return sum(1 for _ in islice(kg.triples(entity, None, None), _READ)) + sum(
        1 for _ in islice(kg.triples(None, None, entity), _READ)
    )
