"""Kinds of things that a graph does not name: those without a class, grouped by their relations and by how they are
called; and what things of a kind usually have, and which classes are kindred: finer than what one asks of.

A cottage and a villa are houses, though the graph may have no such class. Kindred classes are told by their relations,
as the kinds of a graph without classes are: what most of the one have, most of the other have as well.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Set
from functools import lru_cache
from itertools import combinations
from typing import Generic, TypeVar

from triplewise.kg.row_classes import numbered_rows

_StepT = TypeVar("_StepT", bound=tuple[str, bool])
"""A relation, and whether it is taken from its tail to its head."""

_OVERLAP = 0.5
"""Share of the smaller of two ends of relations that must lie in the other for them to be one kind."""
_MOST = 0.5
"""Share of a class that must have a step for it to tell the class from others."""
_ALIKE = 0.6
"""Share of the steps of the class with fewer ones that the other must have too."""
_LEAST = 3
"""Steps that two classes must share: a name and a year are had by things of all kinds."""
_TELLING = 5
"""Things from which on a class tells by itself what its things may have: what a graph's only daguerreotype lacks is
told by its other photographs."""


def unnamed_kinds(ends: Mapping[_StepT, Set[str]], label: Callable[[str], str]) -> dict[str, str]:
    """Node → its unnamed kind; ``ends``: the nodes without a class that have each step. Two steps that mostly the same
    nodes have are of one kind; rows that are called by a word and a number are one of their own."""
    own: dict[str, list[_StepT]] = defaultdict(list)
    for step, nodes in ends.items():
        for node in () if step[1] else nodes:
            own[node].append(step)
    tables = numbered_rows(own, label, lambda node: own[node], lambda step: len(ends[step]))
    rows = {node: f"kind:{word} #" for word, nodes in tables.items() for node in nodes}
    left = {step: nodes - rows.keys() for step, nodes in ends.items()}
    steps = sorted((s for s in left if left[s]), key=lambda s: (-len(left[s]), s))
    at: dict[str, list[int]] = defaultdict(list)
    for i, step in enumerate(steps):
        for node in left[step]:
            at[node].append(i)
    shared = Counter(pair for found in at.values() for pair in combinations(found, 2))
    parent = {s: s for s in steps}

    def root(step: _StepT) -> _StepT:
        while parent[step] != step:
            parent[step] = parent[parent[step]]
            step = parent[step]
        return step

    for i, j in sorted(shared):
        a, b = steps[i], steps[j]
        if shared[i, j] >= _OVERLAP * min(len(left[a]), len(left[b])) and root(a) != root(b):
            parent[root(b)] = root(a)
    votes: dict[str, Counter[_StepT]] = defaultdict(Counter)
    for step in steps:
        for node in left[step]:
            votes[node][root(step)] += 1
    return rows | {
        node: f"kind:{'in ' if inverse else ''}{relation}"
        for node, found in votes.items()
        for relation, inverse in [min(found, key=lambda s: (-found[s], s))]
    }


class KindSteps(Generic[_StepT]):
    """The steps of the kinds of one graph.

    ``having``: by kind, how many of its things have each step; ``sizes``: how many there are; ``classes``: the kinds
    that have a name.
    """

    def __init__(
        self, having: Mapping[str, Counter[_StepT]], sizes: Mapping[str, int], classes: Collection[str]
    ) -> None:
        self._having, self._sizes, self._classes = having, sizes, [c for c in classes if c in having]
        self.of = lru_cache(maxsize=None)(self._of)
        self.kindred = lru_cache(maxsize=None)(self._kindred)
        self._main = lru_cache(maxsize=None)(self._mostly)

    def _of(self, kind: str, share: float) -> frozenset[_StepT]:
        """The steps that at least so many of a kind have, of a small class and its kindred together."""
        alike = self.kindred(kind) if self._sizes.get(kind, 0) < _TELLING else (kind,)
        counts = sum((self._having.get(k, Counter()) for k in alike), Counter[_StepT]())
        size = sum(self._sizes.get(k, 0) for k in alike)
        return frozenset(s for s, n in counts.items() if n >= share * size)

    def _kindred(self, kind: str) -> frozenset[str]:
        """The classes of which the graph tells mostly the same, and the kind itself."""
        own = self._main(kind)
        alike = (c for c in self._classes if self._share_most(own, self._main(c))) if kind in self._classes else ()
        return frozenset((kind, *alike))

    def _mostly(self, kind: str) -> frozenset[_StepT]:
        found = self._having.get(kind, Counter[_StepT]())
        return frozenset(s for s, n in found.items() if n >= _MOST * self._sizes[kind])

    def _share_most(self, one: frozenset[_StepT], other: frozenset[_StepT]) -> bool:
        return len(one & other) >= max(_LEAST, _ALIKE * min(len(one), len(other)))
