"""How sure a figure is: intervals, paired tests, corrections and what a sample could have shown.

Proportions get Wilson intervals where items are independent; means and everything clustered get seeded
percentile bootstraps that draw whole clusters (items of one template or topic entity rise and fall
together). Two runs on the same items are compared by McNemar's exact test (0/1 scores) or a paired
bootstrap of the difference; a family of comparisons is corrected by Holm's method.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from triplewise.errors import ConfigError

DRAWS = 10_000
_CHUNK = 250


class Interval(NamedTuple):
    """A confidence interval."""

    low: float
    high: float


class Difference(NamedTuple):
    """Mean of B minus mean of A on the same items, its interval, and the two-sided p-value."""

    value: float
    interval: Interval
    p: float


def wilson(hits: int, n: int, level: float = 0.95) -> Interval:
    """Wilson's score interval of ``hits`` in ``n`` independent trials."""
    if not 0 <= hits <= n or n < 1:
        raise ConfigError(f"{hits} hits of {n} trials is no proportion.")
    z = NormalDist().inv_cdf((1 + level) / 2)
    p, d = hits / n, 1 + z * z / n
    centre = (p + z * z / (2 * n)) / d
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / d
    return Interval(0.0 if hits == 0 else centre - half, 1.0 if hits == n else centre + half)


def bootstrap(
    values: Sequence[float],
    clusters: Sequence[Hashable] | None = None,
    *,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> Interval:
    """Percentile bootstrap interval of the mean; draws whole clusters where they are given."""
    means = _means(values, clusters, draws, seed)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high))


def interval(values: Sequence[float], clusters: Sequence[Hashable] | None = None, *, draws: int = DRAWS) -> Interval:
    """The 95% interval of a mean: Wilson's where the values are 0 or 1 and independent, else the bootstrap.

    Where all values are 0, or all 1, no draw can differ: Wilson's interval over the clusters.
    """
    n = len(values) if clusters is None else len(set(clusters))
    if n == 1 and len(values) > 1:  # all of one topic: they say nothing of another one
        return Interval(0.0, 1.0)
    binary = all(v in (0, 1) for v in values)
    if values and binary and (n == len(values) or len(set(values)) == 1):
        return wilson(n if values[0] == 1 else 0, n) if len(set(values)) == 1 else wilson(int(sum(values)), n)
    return bootstrap(values, clusters, draws=draws)


def paired_bootstrap(
    a: Sequence[float],
    b: Sequence[float],
    clusters: Sequence[Hashable] | None = None,
    *,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> Difference:
    """The difference of two runs on the same items in the same order.

    The p-value is the bootstrap's achieved significance under the shifted null, (1 + draws whose centred
    difference is at least as far from 0 as the observed one) / (1 + draws): never 0.
    """
    if len(a) != len(b):
        raise ConfigError(f"runs of {len(a)} and {len(b)} items cannot be paired.")
    differences = np.asarray(b, float) - np.asarray(a, float)
    value = float(differences.mean()) if len(differences) else 0.0
    means = _means(differences, clusters, draws, seed)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    far = int(np.sum(np.abs(means - value) >= abs(value) - 1e-12))
    return Difference(value, Interval(float(low), float(high)), (1 + far) / (1 + draws))


def _means(
    values: Sequence[float] | np.ndarray, clusters: Sequence[Hashable] | None, draws: int, seed: int
) -> np.ndarray:
    x = np.asarray(values, float)
    if not len(x):
        raise ConfigError("no values to draw from.")
    if not np.isfinite(x).all():
        raise ConfigError("values must be finite numbers.")
    sums, sizes = x, np.ones(len(x))
    if clusters is not None:
        if len(clusters) != len(x):
            raise ConfigError(f"{len(clusters)} clusters for {len(x)} values.")
        number: dict[Hashable, int] = {}
        codes = np.array([number.setdefault(c, len(number)) for c in clusters])
        sums, sizes = np.bincount(codes, x), np.bincount(codes).astype(float)
    rng = np.random.default_rng(seed)
    out = []
    for start in range(0, draws, _CHUNK):  # bounded memory
        picks = rng.integers(0, len(sums), (min(_CHUNK, draws - start), len(sums)))
        out.append(sums[picks].sum(1) / sizes[picks].sum(1))
    return np.concatenate(out)


def mcnemar(a: Sequence[bool | float], b: Sequence[bool | float]) -> float:
    """Two-sided exact p-value of McNemar's test on paired 0/1 scores (binomial on the discordant pairs)."""
    if len(a) != len(b):
        raise ConfigError(f"runs of {len(a)} and {len(b)} items cannot be paired.")
    if bad := {v for v in (*a, *b) if v not in (0, 1)}:
        raise ConfigError(f"McNemar's test needs scores of 0 and 1, not {min(bad)}.")
    only_a = sum(bool(x) and not y for x, y in zip(a, b, strict=True))
    only_b = sum(bool(y) and not x for x, y in zip(a, b, strict=True))
    n, k = only_a + only_b, min(only_a, only_b)
    tail = sum(math.comb(n, i) for i in range(k + 1))
    return min(1.0, float((2 * tail) / (1 << n))) if n else 1.0


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values, in the given order."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted, largest = [0.0] * len(p_values), 0.0
    for rank, index in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = largest
    return adjusted


def minimum_detectable_effect(deviation: float, n: float, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """Smallest true mean (difference) that a two-sided z-test at ``alpha`` finds with ``power``.

    ``deviation``: standard deviation of one item's score (or paired difference); ``n``: items, or the
    number of independent clusters.
    """
    if n <= 0 or deviation < 0:
        raise ConfigError(f"no effect can be detected with n={n} and deviation {deviation}.")
    z = NormalDist().inv_cdf
    return (z(1 - alpha / 2) + z(power)) * deviation / math.sqrt(n)


def mcnemar_detectable(n: int, *, alpha: float = 0.05, power: float = 0.8) -> float | None:
    """Smallest true difference of two 0/1 scores that McNemar's exact test can find with ``power`` on ``n`` items.

    That is where all items that differ favour one run: the test needs k of them, 2 / 2^k <= alpha, and
    P[Binomial(n, difference) >= k] = ``power``. None where n < k: the test finds nothing.
    """
    from scipy.special import betaincinv

    k = math.ceil(1 - math.log2(alpha))
    return float(betaincinv(k, n - k + 1, power)) if n >= k else None


def effective_n(values: Sequence[float], clusters: Sequence[Hashable]) -> float:
    """Items divided by the design effect of their clustering, by the clustered variance of the mean."""
    x = np.asarray(values, float)
    number: dict[Hashable, int] = {}
    codes = np.array([number.setdefault(c, len(number)) for c in clusters])
    centred = x - x.mean()
    independent, clustered = float((centred**2).sum()), float((np.bincount(codes, centred) ** 2).sum())
    return len(x) * min(1.0, independent / clustered) if clustered > 0 else float(len(number))
