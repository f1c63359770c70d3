"""KICGPT's demonstrations: the analogy pool and the supplement pool of a query, ordered (section 3.3, appendix A.1).

For a query (h, r, ?), from training and validation triples only::

    D_a = {(e', r, e'')}                    the query's relation
    D_s = {(h, r', e')} ∪ {(e', r', h)}     around the entity that is given

A query (?, r, t) has the same D_a, and D_s around t. Algorithm 2 orders D_a by diversity: again and again the
triple whose two entities have been used least, ties at random. Algorithm 3 orders D_s by the BM25 score of its
triples' texts against the query's text.

One integer index serves all queries; a triple is an edge of its own, so parallel edges stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Literal, Protocol

import numpy as np

from triplewise.errors import ConfigError
from triplewise.kg.base import KGStore
from triplewise.tools.links.kge_data import Ints, LinkPredictionData, Part
from triplewise.tools.retrieval.triple_bm25 import TripleBM25
from triplewise.types import Triple

Order = Literal["ordered", "unordered", "random"]
_USED = np.iinfo(np.int32).max


class Texts(Protocol):
    """Words of entities and relations, by id."""

    def entity(self, entity: str) -> str: ...
    def relation(self, relation: str) -> str: ...


class StoreTexts:
    """The labels of a graph; an entity that the graph lacks is called by its id."""

    def __init__(self, kg: KGStore) -> None:
        self._kg = kg
        self._relations = frozenset(kg.relation_ids())

    def entity(self, entity: str) -> str:
        """The label."""
        return self._kg.label(entity) if self._kg.has_entity(entity) else entity

    def relation(self, relation: str) -> str:
        """The relation in words."""
        return self._kg.relation_label(relation) if relation in self._relations else relation


def diversity_order(triples: Ints, count: int | None = None, seed: int = 0) -> Ints:
    """Algorithm 2: positions in ``triples`` [n, 3], the first ``count`` of the diversity ordering.

    Each next triple has the least c_h + c_t, the number of times that its entities were taken so far; a random
    order of the pool, drawn once by ``seed``, decides ties. An entity that is head and tail counts twice.
    """
    n = len(triples)
    shuffled = np.random.default_rng(seed).permutation(n)
    ends = np.unique(triples[shuffled][:, [0, 2]], return_inverse=True)[1].reshape(n, 2)
    by_end = np.argsort(ends.ravel(), kind="stable") // 2
    starts = np.searchsorted(np.sort(ends, axis=None), np.arange(ends.max(initial=-1) + 2)).tolist()
    # A triple may occur twice in an entity's list (a loop); add.at would be slow, so loops are doubled up.
    loops = ends[:, 0] == ends[:, 1]
    has_loops = bool(loops.any())
    sums = np.zeros(n, dtype=np.int32)
    pairs = ends.tolist()
    taken = []
    for _ in range(n if count is None else min(count, n)):
        nearest = int(sums.argmin())  # the first of the least: ties fall by the random order
        taken.append(nearest)
        for end in pairs[nearest]:
            at = by_end[starts[end] : starts[end + 1]]
            sums[at] += 1 + loops[at] if has_loops else 1
        sums[nearest] = _USED // 2
    return shuffled[taken].astype(np.int32)


class DemonstrationPools:
    """The pools of all queries over one graph.

    ``order``: "ordered" as the paper has it, "unordered" (each pool shuffled) or "random" (as many triples of
    the whole graph in each pool): the ablations of table 4. ``parts``: where demonstrations may come from; tune on
    validation queries with ("train",), or their answers would be among the demonstrations. The test part is
    refused.
    """

    def __init__(
        self,
        data: LinkPredictionData,
        texts: Texts,
        *,
        order: Order = "ordered",
        parts: Sequence[Part] = ("train", "valid"),
        seed: int = 0,
    ) -> None:
        if not parts or not set(parts) <= {"train", "valid"}:
            raise ConfigError(f"demonstrations cannot come from {', '.join(parts) or 'nothing'}.", "Only train, valid.")
        self.data, self.texts, self.order, self.seed = data, texts, order, seed
        self._triples = np.concatenate([getattr(data, part) for part in dict.fromkeys(parts)])
        self._by_relation, self._relation_start = _rows(self._triples[:, 1], len(data.relations))
        self._by_head, self._head_start = _rows(self._triples[:, 0], len(data.entities))
        self._by_tail, self._tail_start = _rows(self._triples[:, 2], len(data.entities))
        self._analogies: dict[int, Ints] = {}

    @cached_property
    def _bm25(self) -> TripleBM25:
        return TripleBM25(
            [self.texts.entity(e) for e in self.data.entities], [self.texts.relation(r) for r in self.data.relations]
        )

    def __len__(self) -> int:
        """Number of triples that demonstrations are taken from."""
        return len(self._triples)

    def analogies(self, relation: str, n: int | None = None) -> list[Triple]:
        """The first ``n`` (None: all) of L_a; raises UnknownRelationError."""
        r = self.data.relation(relation)
        return self._named(self.analogy_rows(r, n))

    def supplements(self, entity: str, relation: str, n: int | None = None) -> list[Triple]:
        """The first ``n`` (None: all) of L_s around the given entity; raises UnknownEntityError."""
        e, r = self.data.entity(entity), self.data.relation(relation)
        return self._named(self.supplement_rows(e, r, n))

    def analogy_rows(self, relation: int, n: int | None = None) -> Ints:
        """``analogies`` by position: rows of (head, relation, tail)."""
        pool = self._by_relation[self._relation_start[relation] : self._relation_start[relation + 1]]
        wanted = len(pool) if n is None else min(n, len(pool))
        if self.order == "random":
            return self._random(wanted, "analogy", relation)
        if self.order == "unordered":
            return self._triples[self._rng(relation).permutation(pool)[:wanted]]
        if len(self._analogies.get(relation, ())) < wanted:
            taken = diversity_order(self._triples[pool], wanted, seed=self.seed)
            self._analogies[relation] = pool[taken]
        return self._triples[self._analogies[relation][:wanted]] if wanted else self._triples[:0]

    def supplement_pool(self, entity: int) -> Ints:
        """D_s, unordered, by position: rows of (head, relation, tail), a loop once."""
        out = self._by_head[self._head_start[entity] : self._head_start[entity + 1]]
        into = self._by_tail[self._tail_start[entity] : self._tail_start[entity + 1]]
        return self._triples[np.concatenate([out, into[self._triples[into, 0] != entity]])]

    def supplement_rows(self, entity: int, relation: int, n: int | None = None) -> Ints:
        """``supplements`` by position: rows of (head, relation, tail)."""
        pool = self.supplement_pool(entity)
        if self.order == "random":
            return self._random(len(pool[:n]), "supplement", entity, relation)
        if self.order == "unordered":
            return pool[self._rng(entity, relation).permutation(len(pool))[:n]]
        query = self._bm25.entity_words[entity] + self._bm25.relation_words[relation]
        return pool[np.argsort(-self._bm25.scores(pool, query), kind="stable")[:n]]

    def _random(self, n: int, *stream: int | str) -> Ints:
        rng = self._rng(*(x if isinstance(x, int) else len(x) for x in stream))
        return self._triples[rng.permutation(len(self._triples))[:n]]

    def _rng(self, *stream: int) -> np.random.Generator:
        """One stream per seed and query, the same in every process."""
        return np.random.default_rng([self.seed, *stream])

    def _named(self, rows: Ints) -> list[Triple]:
        return [self.data.triple(row) for row in rows.tolist()]


def _rows(keys: Ints, n: int) -> tuple[Ints, Ints]:
    """Positions sorted by key, and where each key's run starts (n + 1 values)."""
    order = np.argsort(keys, kind="stable").astype(np.int32)
    return order, np.searchsorted(keys[order], np.arange(n + 1)).astype(np.int32)
