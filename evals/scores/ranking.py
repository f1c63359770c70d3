"""Filtered link-prediction metrics: MRR and Hits@1/3/10 for heads, tails and both, for three ways to treat ties.

The ranks are those of ``triplewise.tools.links.link_ranks``, equal to PyKEEN's. Published tables mean "both" and,
where scores do not tie, any of the three. A scorer that gives many entities one score looks good under
"optimistic"; "realistic" is what to report.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from triplewise.tools.links.kge_data import FactIndex, Ints, LinkPredictionData
from triplewise.tools.links.link_ranks import BatchScorer, Ranks, Ties, filtered_ranks, ranks_of

__all__ = ["LinkMetrics", "RankingReport", "Ranks", "evaluate_scorer", "evaluate_scores", "metrics_of", "ranks_of"]

Side = Literal["head", "tail", "both"]
TIES: tuple[Ties, ...] = ("optimistic", "realistic", "pessimistic")


@dataclass(frozen=True, slots=True)
class LinkMetrics:
    """Metrics over ``n`` queries; ``mrr_interval`` is the 95% interval of the mean reciprocal rank (normal)."""

    mrr: float
    hits_at_1: float
    hits_at_3: float
    hits_at_10: float
    n: int
    mrr_interval: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class RankingReport:
    """The ranks on both sides, and their metrics."""

    head: Ranks
    tail: Ranks

    def metrics(self, side: Side = "both", ties: Ties = "realistic") -> LinkMetrics:
        """Metrics of one side or both."""
        ranks = Ranks.join(self.head, self.tail) if side == "both" else getattr(self, side)
        return metrics_of(ranks, ties)

    def to_json(self) -> dict[str, Any]:
        """``{side: {ties: metrics}}``."""
        sides: tuple[Side, ...] = ("head", "tail", "both")
        return {side: {ties: asdict(self.metrics(side, ties)) for ties in TIES} for side in sides}


def metrics_of(ranks: Ranks | Sequence[float] | NDArray[Any], ties: Ties = "realistic") -> LinkMetrics:
    """Metrics of ranks from 1; plain numbers are ranks without ties. All values are 0 where there is no rank."""
    if not isinstance(ranks, Ranks):
        plain = np.asarray(ranks, dtype=np.float64)
        ranks = Ranks(plain, plain, plain)
    mrr, n = ranks.mrr(ties), len(ranks)
    spread = 1.96 * float(np.std(1 / getattr(ranks, ties), ddof=1)) / n**0.5 if n > 1 else 0.0
    one, three, ten = (ranks.hits(k, ties) for k in (1, 3, 10))
    return LinkMetrics(mrr, one, three, ten, n, (max(0.0, mrr - spread), min(1.0, mrr + spread)))


def evaluate_scorer(
    scorer: BatchScorer, data: LinkPredictionData, triples: Ints | None = None, *, batch: int = 64
) -> RankingReport:
    """Rank the head and the tail of each triple [n, 3] (default: the test part) among all entities.

    Filtered by train, valid and test together, the protocol of the published tables.
    """
    rows = data.test if triples is None else triples
    return RankingReport(
        filtered_ranks(scorer, rows, data.known, "head", batch), filtered_ranks(scorer, rows, data.known, "tail", batch)
    )


def evaluate_scores(
    head_scores: NDArray[Any], tail_scores: NDArray[Any], triples: Ints, known: FactIndex | None = None
) -> RankingReport:
    """The same from score matrices [n, n_entities] of the triples [n, 3]; without ``known`` they are unfiltered."""
    head, relation, tail = triples.T
    heads_out = None if known is None else known.hits("head", tail, relation)
    tails_out = None if known is None else known.hits("tail", head, relation)
    return RankingReport(ranks_of(head_scores.copy(), head, heads_out), ranks_of(tail_scores.copy(), tail, tails_out))
