"""Filtered ranks of true answers among all entities, from score matrices.

The filtered setting (KICGPT section 4.1): the other known answers of a query are set to NaN, and NaN is no
competitor. With b the number of better and e of equal scores of other entities::

    optimistic = b + 1      pessimistic = b + e + 1      realistic = (optimistic + pessimistic) / 2

These are PyKEEN's ranks. One case differs on purpose: a true answer whose own score is NaN ranks behind
every entity that has a score (PyKEEN gives it the optimistic rank 1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from triplewise.errors import ConfigError
from triplewise.tools.links.kge_data import FactIndex, Ints

Ties = Literal["optimistic", "realistic", "pessimistic"]


@dataclass(frozen=True, slots=True)
class Ranks:
    """Ranks from 1 of n true answers, float64 [n] each: of tied scores the best, the mean and the worst."""

    optimistic: NDArray[np.float64]
    realistic: NDArray[np.float64]
    pessimistic: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.realistic)

    @classmethod
    def join(cls, *parts: Ranks) -> Ranks:
        """The ranks of several batches or sides as one."""
        names = ("optimistic", "realistic", "pessimistic")
        return cls(*(np.concatenate([getattr(p, n) for p in parts] or [np.zeros(0)]) for n in names))

    def mrr(self, ties: Ties = "realistic") -> float:
        """Mean reciprocal rank; 0 where there is no rank."""
        return float(np.mean(1 / getattr(self, ties))) if len(self) else 0.0

    def hits(self, k: int, ties: Ties = "realistic") -> float:
        """Share of ranks of at most ``k``; 0 where there is no rank."""
        return float(np.mean(getattr(self, ties) <= k)) if len(self) else 0.0


class BatchScorer(Protocol):
    """Scores of all entities for a batch of queries by position, float [batch, n_entities], higher is better."""

    def score_tails(self, heads: Ints, relations: Ints) -> NDArray[Any]: ...
    def score_heads(self, relations: Ints, tails: Ints) -> NDArray[Any]: ...


def ranks_of(scores: NDArray[Any], truth: Ints, others: tuple[NDArray[np.intp], Ints] | None = None) -> Ranks:
    """Ranks of ``truth`` [batch] in ``scores`` [batch, n_entities].

    ``others``: index pairs (row, entity) of known answers, as ``FactIndex.hits`` gives them; they are set to
    NaN in ``scores``, in place, all but the truth itself.
    """
    batch = np.arange(len(truth))
    true = scores[batch, truth]
    if np.isnan(scores).all(axis=1).any():  # nothing is greater than NaN: a broken model would rank first everywhere
        raise ConfigError("the scorer gives all scores of a query as NaN.", "Its model is damaged: train it anew.")
    if others is not None:
        scores[others] = np.nan
        scores[batch, truth] = true
    better = (scores > true[:, None]).sum(axis=1)
    equal = (scores == true[:, None]).sum(axis=1) - 1  # less the truth itself
    if (unscored := np.isnan(true)).any():
        better[unscored] = (~np.isnan(scores[unscored])).sum(axis=1)
        equal[unscored] = 0
    optimistic = better + 1.0
    pessimistic = optimistic + equal
    return Ranks(optimistic, (optimistic + pessimistic) / 2, pessimistic)


def filtered_ranks(
    scorer: BatchScorer, triples: Ints, known: FactIndex, side: Literal["head", "tail"], batch: int = 64
) -> Ranks:
    """Filtered ranks of the true head or tail of each triple [n, 3] among all entities."""
    parts = []
    for start in range(0, len(triples), batch):
        head, relation, tail = triples[start : start + batch].T
        if side == "tail":
            scores, given, truth = scorer.score_tails(head, relation), head, tail
        else:
            scores, given, truth = scorer.score_heads(relation, tail), tail, head
        parts.append(ranks_of(scores, truth, known.hits(side, given, relation)))
    return Ranks.join(*parts)
