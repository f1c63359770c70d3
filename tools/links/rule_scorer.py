"""Scores of all entities for a link query by rules that hold in the graph, as AnyBURL's (Meilicke et al., 2019).

Of a query (h, ρ, ?), ρ a relation or its inverse, two kinds of rule speak for an answer t::

    (x, ρ, t) ← (x, ρ', c)                    what shares a triple with h has the answer t
    (x, ρ, y) ← (x, ρ1, z), (z, ρ2, y)        two steps lead from h to t

A rule's confidence is (answers that it gave rightly) / (answers that it gave + ``DOUBT``) over the training triples,
among entities that have ρ. With m the largest confidence of each kind and s the sum of all::

    score(t) = log(ε + m1 + m2 + SHARE·s)

Rules of the first kind are counted when a query is asked; those of the second are counted once and kept
(``triplewise/train/links/rules.py``). What has more than ``HUB`` triples, or is shared by more, says little and costs
much: no rule goes through it. Scoring is NumPy.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from triplewise.tools.links.kge_data import Ints, LinkPredictionData, directed
from triplewise.tools.links.rotate_scorer import Floats, PositionScorer, unit

HUB = 256
DOUBT = 5.0
"""Wrong answers that every rule is reckoned to have given besides: a rule seen once is no rule."""
SHARE = 0.1
_LEAST = 0.01
"""ε: what a candidate has for which no rule speaks."""
_CELLS = 1 << 21
"""Of a table of features and answers that is held at once."""
_WIDTH = 256
"""Of ``vectors``."""

Longs = NDArray[np.int64]


class RuleScorer(PositionScorer):
    """``arrays``: ``rules`` int64 [rules], each (ρ·R + ρ1)·R + ρ2 of R directed relations, ascending, and
    ``confidence`` float16 [rules]."""

    def __init__(self, data: LinkPredictionData, arrays: dict[str, NDArray[Any]]) -> None:
        self.data = data
        self.arrays = {name: arrays[name] for name in ("rules", "confidence")}
        self._confidence: Floats = np.asarray(arrays["confidence"], np.float32)
        self._paths = Paths(data)
        rows = self._paths.rows
        shared = rows[:, 1] * len(data.entities) + rows[:, 2]
        order = np.argsort(shared, kind="stable")
        self._heads = rows[order, 0]
        first = np.flatnonzero(np.append(True, np.diff(shared[order]) > 0)) if len(rows) else np.zeros(0, np.int64)
        self._shared_at = np.append(first, len(rows))
        self._feature = np.searchsorted(shared[order][first], shared)

    def score_tails(self, heads: Ints, relations: Ints) -> Floats:
        """Scores of all entities as tails [batch, n_entities]; heads and relations are positions [batch]."""
        return self._scores(heads, relations)

    def score_heads(self, relations: Ints, tails: Ints) -> Floats:
        """Scores of all entities as heads [batch, n_entities]; relations and tails are positions [batch]."""
        return self._scores(tails, relations + len(self.data.relations))

    def vectors(self, entities: Ints) -> Floats:
        """What the entities share triples with, hashed to ``_WIDTH`` places, at length 1."""
        found = np.zeros((len(entities), _WIDTH), dtype=np.float32)
        for row, entity in zip(found, entities.tolist(), strict=True):
            features = self._feature[self._paths.of(entity)]
            np.add.at(row, features % _WIDTH, np.where(features // _WIDTH % 2, np.float32(1), np.float32(-1)))
        return unit(found)

    def _scores(self, given: Ints, relations: Ints) -> Floats:
        found = np.empty((len(given), len(self.data.entities)), dtype=np.float32)
        for row, entity, relation in zip(found, given.tolist(), relations.tolist(), strict=True):
            row[:] = self._shared(entity, relation)
            row += self._two_steps(entity, relation)
        return np.log(found + np.float32(_LEAST))

    def _shared(self, given: int, relation: int) -> Floats:
        """What the rules of the first kind give all entities: m1 + SHARE·(their sum)."""
        scores = np.zeros(len(self.data.entities), dtype=np.float32)
        subjects, starts, known, columns = self._paths.answers(relation)
        features = self._feature[self._paths.of(given)]
        sizes = self._shared_at[features + 1] - self._shared_at[features]
        features, sizes = features[sizes <= HUB], sizes[sizes <= HUB]
        own = np.repeat(np.arange(len(features)), sizes)
        others = self._heads[_ranges(self._shared_at[features], sizes)]
        place = np.minimum(np.searchsorted(subjects, others), max(len(subjects) - 1, 0))
        has = (subjects[place] == others) & (others != given) if len(subjects) else np.zeros(len(others), bool)
        own, place = own[has], place[has]
        if not len(own):
            return scores
        most, total = np.zeros(len(self.data.entities), np.float32), scores
        given_by = np.bincount(own, minlength=len(features))
        counts = starts[place + 1] - starts[place]
        own, column = np.repeat(own, counts), columns[_ranges(starts[place], counts)]
        step = max(1, _CELLS // len(known))
        for at in range(0, len(features), step):  # ``own`` ascends
            part = slice(*np.searchsorted(own, (at, at + step)))
            rows = min(step, len(features) - at)
            cells = np.bincount((own[part] - at) * len(known) + column[part], minlength=rows * len(known))
            shares = cells.reshape(rows, -1) / (given_by[at : at + rows, None] + DOUBT)
            most[known] = np.maximum(most[known], shares.max(axis=0))
            total[known] += shares.sum(axis=0)
        return (most + SHARE * total).astype(np.float32, copy=False)

    def _two_steps(self, given: int, relation: int) -> Floats:
        """What the rules of the second kind give all entities: m2 + SHARE·(their sum)."""
        steps, ends = self._paths.two_steps(given)
        rules = self.arrays["rules"]
        wanted = relation * self._paths.n_relations**2 + steps
        at = np.searchsorted(rules, wanted)
        there = at < len(rules)
        there[there] = rules[at[there]] == wanted[there]
        ends, shares = ends[there], self._confidence[at[there]]
        most = np.zeros(len(self.data.entities), dtype=np.float32)
        np.maximum.at(most, ends, shares)
        return (most + SHARE * np.bincount(ends, shares, len(most))).astype(np.float32)


class Answers(NamedTuple):
    """What has a relation, ascending; where each one's answers start in ``columns``, places in ``known``, ascending."""

    subjects: Longs
    starts: Longs
    known: Longs
    columns: Longs


class Paths:
    """The directed training triples, by what they start from."""

    def __init__(self, data: LinkPredictionData) -> None:
        self.n_entities, self.n_relations = len(data.entities), 2 * len(data.relations)
        rows = directed(data.train, len(data.relations)).astype(np.int64)
        self.rows: Longs = rows[np.lexsort((rows[:, 2], rows[:, 1], rows[:, 0]))]
        self._starts = np.searchsorted(self.rows[:, 0], np.arange(self.n_entities + 1))
        self._by_relation = np.argsort(self.rows[:, 1], kind="stable")
        self._relation_at = np.searchsorted(self.rows[self._by_relation, 1], np.arange(self.n_relations + 1))
        self._answers: dict[int, Answers] = {}

    def of(self, entity: int) -> slice:
        """The rows that start from an entity."""
        return slice(self._starts[entity], self._starts[entity + 1])

    def answers(self, relation: int) -> Answers:
        """The answers of a directed relation."""
        if relation not in self._answers:
            rows = self.rows[self._by_relation[self._relation_at[relation] : self._relation_at[relation + 1]]]
            subjects, starts = np.unique(rows[:, 0], return_index=True)
            known, columns = np.unique(rows[:, 2], return_inverse=True)
            self._answers[relation] = Answers(subjects, np.append(starts, len(rows)), known, columns)
        return self._answers[relation]

    def two_steps(self, entity: int) -> tuple[Longs, Longs]:
        """Pairs of relations ρ1·R + ρ2 and the ends that they lead to, each pair and end once."""
        rows = self.rows[self.of(entity)]
        sizes = self._starts[rows[:, 2] + 1] - self._starts[rows[:, 2]]
        through = (sizes <= HUB) & (rows[:, 2] != entity)
        rows, sizes = rows[through], sizes[through]
        second = self.rows[_ranges(self._starts[rows[:, 2]], sizes)]
        steps = np.repeat(rows[:, 1], sizes) * self.n_relations + second[:, 1]
        away = second[:, 2] != entity
        found = np.unique(steps[away] * self.n_entities + second[away, 2])
        return found // self.n_entities, found % self.n_entities


def _ranges(starts: NDArray[Any], sizes: NDArray[Any]) -> Longs:
    """starts[0], starts[0] + 1, … of the first size, then those of the next."""
    ends = np.cumsum(sizes)
    return np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - ends + sizes, sizes)
