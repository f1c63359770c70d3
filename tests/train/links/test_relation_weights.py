"""Weights by relation: kept where relations differ, left alone where they do not or where nobody could tell."""

from __future__ import annotations

import numpy as np
import pytest

from triplewise.tools.links.blend import Choices
from triplewise.train.links.relation_weights import weights_by_relation

pytest.importorskip("torch")

ALIKE = {"one": 1.0, "other": 1.0}


def choices(queries: int, told_by: tuple[int, int], seed: int = 0) -> Choices:
    """Queries of two relations over ten candidates of two features; ``told_by``: of each relation the feature that is
    high for its answer, the other being high for wrong ones."""
    rng = np.random.default_rng(seed)
    relations = np.arange(queries) % 2
    features = rng.normal(size=(queries, 10, 2)).astype(np.float32)
    for i, relation in enumerate(relations):
        tells = told_by[relation]
        features[i, 0, tells] += 2.5
        features[i, 1:, 1 - tells] += 2.5 * rng.random(9)
    return Choices(("one", "other"), features, np.zeros((queries, 10), dtype=bool), relations)


def test_each_relation_is_weighed_by_what_tells_its_answers() -> None:
    said: list[str] = []
    found = weights_by_relation(choices(400, (0, 1)), ALIKE, 4, said.append)
    assert found is not None and found.shape == (4, 2) and "validation MRR +0." in said[0]
    assert found[0, 0] > 1 and found[1, 1] > 1 and found[0, 1] < found[0, 0] / 2 and found[1, 0] < found[1, 1] / 2
    unseen = choices(400, (0, 1), seed=1)
    assert unseen.reciprocal_ranks(found).mean() > unseen.mrr([1.0, 1.0]) + 0.1


def test_relations_that_are_alike_and_few_queries_change_nothing() -> None:
    rng = np.random.default_rng(0)
    noise = Choices(
        ("one", "other"),
        rng.normal(size=(300, 10, 2)).astype(np.float32),
        np.zeros((300, 10), bool),
        np.arange(300) % 2,
    )
    assert weights_by_relation(noise, ALIKE, 4) is None
    assert weights_by_relation(choices(4, (0, 1)), ALIKE, 4) is None


def test_a_true_answer_that_does_not_lead_is_never_found() -> None:
    made = choices(200, (0, 1))
    made.empty[:100, 0] = True
    found = weights_by_relation(made, ALIKE, 4)
    assert found is not None and np.isfinite(found).all()
    assert made.reciprocal_ranks(found)[:100] == pytest.approx(np.full(100, 0.1))  # after the nine others
