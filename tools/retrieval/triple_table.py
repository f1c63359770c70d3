"""A graph's triples as rows of integers: neighbourhoods and scores over many triples without a loop.

Row i is the i-th triple of ``kg.triples()``. ``codes[i]`` are the positions of its head and tail in
``entities`` and of its relation in ``relations`` (head, relation, tail).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from triplewise.kg.base import KGStore
from triplewise.tools.retrieval.triple_bm25 import TripleBM25
from triplewise.types import Triple

Rows = NDArray[np.int64]


class TripleTable:
    """The triples of ``kg``; make one per graph and keep it."""

    def __init__(self, kg: KGStore) -> None:
        self.kg = kg
        self.triples: list[Triple] = list(kg.triples())
        self.entity_code: dict[str, int] = {}
        self.relation_code = {r: i for i, r in enumerate(kg.relation_ids())}
        code, relation = self.entity_code, self.relation_code
        self.codes = np.array(
            [(code.setdefault(h, len(code)), relation[r], code.setdefault(t, len(code))) for h, r, t in self.triples],
            dtype=np.int32,
        ).reshape(-1, 3)
        self.entities = list(code)
        self.relations = list(relation)

    def __len__(self) -> int:
        return len(self.triples)

    @cached_property
    def _incident(self) -> tuple[Rows, Rows]:
        """(rows, start): ``rows[start[e] : start[e + 1]]`` are the rows at entity e, in the graph's order."""
        ends = np.concatenate([self.codes[:, 0], self.codes[:, 2]])
        rows = np.tile(np.arange(len(self)), 2)
        order = np.lexsort((rows, ends))
        return rows[order], np.concatenate([[0], np.cumsum(np.bincount(ends, minlength=len(self.entities)))])

    def at(self, entity: int) -> Rows:
        """Rows at one entity, in the graph's order; a loop stands there twice."""
        rows, start = self._incident
        return rows[start[entity] : start[entity + 1]]

    def near(self, entities: Iterable[str], hops: int, limit: int | None = None) -> Rows:
        """Rows within ``hops`` edges of the entities, either direction; nearest first, at most ``limit``.

        Rows equally near keep the graph's order. An entity without triples has none.
        """
        rows, start = self._incident
        frontier = np.array([self.entity_code[e] for e in dict.fromkeys(entities) if e in self.entity_code], dtype=int)
        reached = np.zeros(len(self.entities), dtype=bool)
        taken = np.zeros(len(self), dtype=bool)
        reached[frontier] = True
        found: list[Rows] = [rows[:0]]
        total = 0
        for _ in range(hops):
            if not len(frontier):
                break
            begin, count = start[frontier], start[frontier + 1] - start[frontier]
            offsets = np.repeat(begin - np.concatenate([[0], np.cumsum(count)[:-1]]), count)
            near = np.unique(rows[offsets + np.arange(count.sum())])
            near = near[~taken[near]]
            taken[near] = True
            found.append(near)
            total += len(near)
            if limit is not None and total >= limit:
                break
            ends = np.unique(self.codes[near][:, [0, 2]])
            frontier = ends[~reached[ends]]
            reached[frontier] = True
        return np.concatenate(found)[:limit]

    @cached_property
    def bm25(self) -> TripleBM25:
        """BM25 over the triples' texts: head, relation and tail in words."""
        return TripleBM25(
            [self.kg.label(e) for e in self.entities], [self.kg.relation_label(r) for r in self.relations]
        )
