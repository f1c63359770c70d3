"""Ranking metrics: PyKEEN's evaluator as the oracle, and the cases that it leaves open."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from triplewise.evals.scores.ranking import evaluate_scores, metrics_of, ranks_of
from triplewise.tools.links.kge_data import FactIndex

torch = pytest.importorskip("torch")


def random_case(rng: np.random.Generator) -> tuple[Any, Any, Any, Any]:
    """Triples, score matrices with ties and NaN (not at the truth), and known triples that include these."""
    n_entities, n_relations, n = int(rng.integers(2, 40)), int(rng.integers(1, 4)), int(rng.integers(1, 12))
    columns = [rng.integers(n_entities, size=3 * n), rng.integers(n_relations, size=3 * n)]
    known = np.unique(np.column_stack([*columns, rng.integers(n_entities, size=3 * n)]), axis=0).astype(np.int32)
    triples = rng.permutation(known)[:n]
    levels = int(rng.integers(1, 8))
    scores = []
    for column in (0, 2):
        matrix = rng.integers(levels, size=(len(triples), n_entities)) / levels
        if rng.random() < 0.5:
            matrix = matrix + rng.normal(size=matrix.shape) * (rng.random(matrix.shape) < 0.5)
        gone = rng.random(matrix.shape) < rng.choice([0, 0.1, 0.9])
        gone[np.arange(len(triples)), triples[:, column]] = False
        matrix[gone] = np.nan
        scores.append(matrix)
    return triples, scores[0], scores[1], known


def pykeens(triples: Any, head: Any, tail: Any, known: Any) -> dict[tuple[str, str, str], float]:
    from pykeen.evaluation import RankBasedEvaluator
    from pykeen.evaluation.evaluator import create_sparse_positive_filter_, filter_scores_

    evaluator = RankBasedEvaluator(
        metrics=["mrr", "hits_at_k", "hits_at_k", "hits_at_k"],
        metrics_kwargs=[None, {"k": 1}, {"k": 3}, {"k": 10}],
        add_defaults=False,
    )
    batch, positives = torch.from_numpy(triples).long(), torch.from_numpy(known).long()
    for name, column, scores in (("head", 0, head), ("tail", 2, tail)):
        values = torch.from_numpy(scores.copy())
        true = values[torch.arange(len(batch)), batch[:, column]].unsqueeze(1)
        others, _ = create_sparse_positive_filter_(batch, positives, filter_col=column)
        values = filter_scores_(values, others)
        values[torch.arange(len(batch)), batch[:, column]] = true[:, 0]
        evaluator.process_scores_(batch, name, values, true)  # pyright: ignore[reportArgumentType]
    return {tuple(key): value for key, value in evaluator.finalize().data.items()}  # pyright: ignore


def test_a_thousand_random_matrices_equal_pykeens_evaluator() -> None:
    rng, compared = np.random.default_rng(7), 0
    for _ in range(500):  # two matrices each
        triples, head, tail, known = random_case(rng)
        expected = pykeens(triples, head, tail, known)
        report = evaluate_scores(head, tail, triples, FactIndex(known, int(known[:, 1].max()) + 1))
        for (side, ties, metric), value in expected.items():
            ours = report.metrics(side, ties)  # pyright: ignore[reportArgumentType]
            found = ours.mrr if metric == "inverse_harmonic_mean_rank" else getattr(ours, metric)
            assert found == pytest.approx(value, abs=1e-6), (side, ties, metric)
            compared += 1
    assert compared == 500 * 3 * 3 * 4


def test_ties_give_the_best_the_mean_and_the_worst_rank() -> None:
    ranks = ranks_of(np.array([[3.0, 2.0, 2.0, 2.0, 1.0]]), np.array([2], dtype=np.int32))
    assert (ranks.optimistic, ranks.realistic, ranks.pessimistic) == (2, 3, 4)


def test_a_true_answer_without_a_score_comes_last() -> None:
    ranks = ranks_of(np.array([[3.0, np.nan, 2.0, np.nan]]), np.array([1], dtype=np.int32))
    assert (ranks.optimistic, ranks.realistic, ranks.pessimistic) == (3, 3, 3)


def test_the_scores_given_are_not_changed() -> None:
    triples, head, tail, known = random_case(np.random.default_rng(1))
    before = head.copy(), tail.copy()
    evaluate_scores(head, tail, triples, FactIndex(known, 4))
    np.testing.assert_array_equal(head, before[0])
    np.testing.assert_array_equal(tail, before[1])


def test_metrics_of_plain_ranks() -> None:
    metrics = metrics_of([1, 2, 4, 20])
    assert metrics.mrr == pytest.approx((1 + 0.5 + 0.25 + 0.05) / 4)
    assert (metrics.hits_at_1, metrics.hits_at_3, metrics.hits_at_10, metrics.n) == (0.25, 0.5, 0.75, 4)
    assert metrics.mrr_interval[0] < metrics.mrr < metrics.mrr_interval[1]
    assert metrics_of([]).n == 0 and metrics_of([]).mrr == 0
