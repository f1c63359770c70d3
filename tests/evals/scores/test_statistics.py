"""Intervals and tests against SciPy and values published in statsmodels' documentation."""

from __future__ import annotations

import random

import numpy as np
import pytest

from triplewise.errors import ConfigError
from triplewise.evals.scores.statistics import (
    bootstrap,
    effective_n,
    holm,
    interval,
    mcnemar,
    mcnemar_detectable,
    minimum_detectable_effect,
    paired_bootstrap,
    wilson,
)

stats = pytest.importorskip("scipy.stats")


@pytest.mark.parametrize(("hits", "n"), [(0, 10), (10, 10), (1, 7), (50, 100), (963, 1000), (1, 100_000)])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_wilson(hits: int, n: int, level: float) -> None:
    expected = stats.binomtest(hits, n).proportion_ci(level, method="wilson")
    assert wilson(hits, n, level) == pytest.approx((expected.low, expected.high), abs=1e-12)


@pytest.mark.parametrize(("only_a", "only_b"), [(0, 0), (1, 0), (5, 5), (3, 17), (0, 12), (400, 350), (900, 1000)])
def test_mcnemar(only_a: int, only_b: int) -> None:
    a, b = [1] * only_a + [0] * only_b + [1, 0], [0] * only_a + [1] * only_b + [1, 0]
    n = only_a + only_b
    expected = stats.binomtest(only_a, n, 0.5).pvalue if n else 1.0
    assert mcnemar(a, b) == pytest.approx(expected, rel=1e-9)
    assert mcnemar(b, a) == mcnemar(a, b)


def test_bootstrap_is_scipys() -> None:
    values = np.random.default_rng(1).gamma(2, 1, 300)
    expected = stats.bootstrap((values,), np.mean, method="percentile", n_resamples=10_000, rng=2).confidence_interval
    assert bootstrap(list(values)) == pytest.approx((expected.low, expected.high), abs=0.01)
    assert bootstrap(list(values)) == bootstrap(list(values))
    assert bootstrap(list(values)) != bootstrap(list(values), seed=1)


def test_paired_bootstrap_is_near_the_t_test() -> None:
    rng = np.random.default_rng(3)
    a = rng.random(400)
    b = np.clip(a + rng.normal(0.02, 0.2, 400), 0, 1)
    found, expected = paired_bootstrap(list(a), list(b)), stats.ttest_rel(b, a)
    assert found.value == pytest.approx(float((b - a).mean()))
    assert found.p == pytest.approx(expected.pvalue, abs=0.02)
    low, high = expected.confidence_interval()
    assert found.interval == pytest.approx((low, high), abs=0.003)
    assert paired_bootstrap(list(a), list(a)).p == 1.0


def test_clusters_widen() -> None:
    rng = random.Random(0)
    values, clusters = [], []
    for cluster in range(40):
        values += [float(rng.random() < 0.5)] * 10
        clusters += [cluster] * 10
    alone, together = bootstrap(values), bootstrap(values, clusters)
    assert (together.high - together.low) / (alone.high - alone.low) == pytest.approx(10**0.5, rel=0.1)
    assert effective_n(values, clusters) == pytest.approx(40)
    assert effective_n(values, range(400)) == pytest.approx(400)


def test_holm() -> None:
    # by hand: 4 x 0.01, 3 x 0.02, then the larger of 2 x 0.03 and the one before, 1 x 0.04 likewise
    assert holm([0.01, 0.04, 0.03, 0.02]) == pytest.approx([0.04, 0.06, 0.06, 0.06])
    assert holm([0.9, 0.5]) == [1.0, 1.0]
    assert holm([]) == []


def test_holm_is_statsmodels() -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    p = list(np.random.default_rng(0).random(50) ** 3)
    assert holm(p) == pytest.approx(list(multitest.multipletests(p, method="holm")[1]))


def test_minimum_detectable_effect_has_its_power() -> None:
    effect = minimum_detectable_effect(0.5, 200)
    rng = np.random.default_rng(0)
    means = rng.normal(effect, 0.5 / 200**0.5, 100_000)
    assert np.mean(means > stats.norm.ppf(0.975) * 0.5 / 200**0.5) == pytest.approx(0.8, abs=0.01)


@pytest.mark.parametrize("n", [6, 7, 50, 1000])
def test_mcnemar_detectable_has_its_power(n: int) -> None:
    effect = mcnemar_detectable(n)
    assert effect is not None
    # of n items k differ, all one way: the test finds it where k >= 6
    found = [mcnemar([1] * k, [0] * k) < 0.05 for k in range(8)]
    assert found == [False] * 6 + [True] * 2
    assert stats.binom.sf(5, n, effect) == pytest.approx(0.8)
    assert mcnemar_detectable(5) is None


def test_mcnemar_is_statsmodels() -> None:
    tables = pytest.importorskip("statsmodels.stats.contingency_tables")
    for only_a, only_b in ((3, 17), (5, 5), (40, 22)):
        expected = tables.mcnemar([[7, only_a], [only_b, 9]], exact=True).pvalue
        assert mcnemar([1] * only_a + [0] * only_b, [0] * only_a + [1] * only_b) == pytest.approx(expected)


def test_wilson_is_statsmodels() -> None:
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    for hits, n in ((0, 5), (3, 17), (99, 100)):
        expected = proportion.proportion_confint(hits, n, method="wilson")
        assert wilson(hits, n) == pytest.approx(expected, abs=1e-12)


def test_interval_takes_the_method_that_fits() -> None:
    assert interval([1.0, 0.0, 1.0, 1.0]) == wilson(3, 4)
    assert interval([1.0, 0.0, 1.0], ["a", "b", "c"]) == wilson(2, 3)
    assert interval([1.0, 0.0, 1.0], ["a", "a", "c"]) == bootstrap([1.0, 0.0, 1.0], ["a", "a", "c"])
    assert interval([0.0] * 9, ["a"] * 4 + ["b"] * 5) == wilson(0, 2)
    assert interval([1.0] * 9, ["a"] * 4 + ["b"] * 5) == wilson(2, 2)
    assert interval([0.5, 0.25]) == bootstrap([0.5, 0.25])


@pytest.mark.slow
def test_coverage_is_the_level() -> None:
    rng = np.random.default_rng(0)
    inside = 0
    for seed in range(400):
        low, high = bootstrap(list(rng.exponential(1, 100)), draws=1000, seed=seed)
        inside += low <= 1 <= high
    assert 0.90 <= inside / 400 <= 0.97


@pytest.mark.parametrize(
    "call",
    [
        lambda: wilson(3, 2), lambda: wilson(0, 0), lambda: bootstrap([]), lambda: interval([]), lambda: bootstrap([float("nan")]),
        lambda: paired_bootstrap([1], [1, 2]), lambda: mcnemar([0.5], [1]), lambda: mcnemar([1], []),
        lambda: bootstrap([1, 2], ["a"]), lambda: minimum_detectable_effect(1, 0),
    ],
)  # fmt: skip
def test_bad_input(call) -> None:
    with pytest.raises(ConfigError):
        call()
