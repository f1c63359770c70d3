"""What things of a kind usually have, and which classes are kindred: finer than what one asks of.

A cottage and a villa are houses, though the graph may have no such class. Kindred classes are told by their relations,
as the kinds of a graph without classes are: what most of the one have, most of the other have as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Mapping
from functools import lru_cache
from typing import Generic, TypeVar

_StepT = TypeVar("_StepT", bound=Hashable)

_MOST = 0.5
"""Share of a class that must have a step for it to tell the class from others."""
_ALIKE = 0.6
"""Share of the steps of the class with fewer ones that the other must have too."""
_LEAST = 3
"""Steps that two classes must share: a name and a year are had by things of all kinds."""
_TELLING = 5
"""Things from which on a class tells by itself what its things may have: what a graph's only daguerreotype lacks is
told by its other photographs."""


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
