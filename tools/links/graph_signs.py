"""What the graph around a query says of its candidates, without training: SimKGC's bonus for what is near, split up.

Of a query (h, ρ, ?), ρ a relation or its inverse, and a candidate t::

    same    t is h itself
    implied the largest share p(ρ | ρ'), of the training pairs with ρ' those that have ρ too, over triples (h, ρ', t)
    near    t is one step from h
    two     t is two steps from h and not one, by an entity of at most ``_HUB`` triples
    range   log(1 + how many training triples have t as the answer of ρ)

Each sign has a weight of its own in a blend (``blend.py``).
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from triplewise.tools.links.kge_data import Ints, LinkPredictionData, directed

SIGNS = ("same", "implied", "near", "two", "range")
_HUB = 50
"""An entity with more triples brings too much together to say anything."""
_DOUBT = 5.0
"""Pairs without ρ that every share is reckoned with besides: a rule seen once is no rule."""

Values = NDArray[np.float32]


class GraphSigns:
    """The signs over the training part of a data set."""

    def __init__(self, data: LinkPredictionData) -> None:
        self.n, self.n_relations = len(data.entities), 2 * len(data.relations)
        rows = directed(data.train, len(data.relations))
        rows = rows[np.argsort(rows[:, 0], kind="stable")]
        self._starts = np.searchsorted(rows[:, 0], np.arange(self.n + 1))
        self._by, self._ends = rows[:, 1], rows[:, 2]
        self._rows = rows

    def around(self, entity: int) -> tuple[Ints, Ints]:
        """The directed relations and the other ends of an entity's training triples."""
        at = slice(self._starts[entity], self._starts[entity + 1])
        return self._by[at], self._ends[at]

    @cached_property
    def shares(self) -> Values:
        """p(ρ | ρ') [ρ', ρ] over pairs of entities; 0 where ρ is ρ'."""
        rows = self._rows
        counts = np.bincount(rows[:, 1], minlength=self.n_relations)
        together = np.zeros((self.n_relations, self.n_relations), dtype=np.float32)
        order = np.lexsort((rows[:, 1], rows[:, 2], rows[:, 0]))
        pairs = rows[order]
        new = np.append(True, (pairs[1:, [0, 2]] != pairs[:-1, [0, 2]]).any(axis=1))
        starts = np.append(np.flatnonzero(new), len(pairs))
        sizes = np.diff(starts)
        for at in np.flatnonzero(sizes > 1).tolist():
            found = pairs[starts[at] : starts[at + 1], 1]
            together[found[:, None], found] += 1
        np.fill_diagonal(together, 0)
        return (together / (counts[:, None] + _DOUBT)).astype(np.float32)

    @cached_property
    def answers(self) -> tuple[NDArray[np.intp], Ints, Values]:
        """Of each directed relation the answers in training and log(1 + their number), in compressed rows."""
        keys, counts = np.unique(self._rows[:, 1].astype(np.int64) * self.n + self._rows[:, 2], return_counts=True)
        starts = np.searchsorted(keys, np.arange(self.n_relations + 1) * self.n)
        return starts, (keys % self.n).astype(np.int32), np.log1p(counts).astype(np.float32)

    def of(self, given: int, relation: int) -> dict[str, tuple[Ints, Values]]:
        """The signs of a query: each one's entities and values; all others have 0."""
        by, ends = self.around(given)
        implied = np.zeros(self.n, dtype=np.float32)
        np.maximum.at(implied, ends, self.shares[by, relation])
        near = np.unique(ends)
        far = [self.around(e)[1] for e in near.tolist() if self._starts[e + 1] - self._starts[e] <= _HUB]
        two = np.setdiff1d(np.concatenate([*far, near[:0]]), np.append(near, given).astype(np.int32))
        starts, answers, logs = self.answers
        at = slice(starts[relation], starts[relation + 1])
        one = np.ones(self.n, dtype=np.float32)
        return {
            "same": (np.array([given], dtype=np.int32), one[:1]),
            "implied": (near, implied[near]),
            "near": (near, one[: len(near)]),
            "two": (two, one[: len(two)]),
            "range": (answers[at], logs[at]),
        }
