"""What a run adds up to, with intervals, and how two runs differ on the items that both have.

Intervals are those of ``statistics.interval``. Differences: McNemar's exact test where scores are 0 or 1 and
no two items are alike, else the paired bootstrap by clusters. Clusters are an item's topic entity or template
(``Item.cluster``), or its ``kind``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean, stdev
from typing import Literal

from triplewise.errors import ConfigError
from triplewise.evals.scores.metrics import AMOUNTS
from triplewise.evals.scores.results import ItemResult, Run
from triplewise.evals.scores.statistics import (
    DRAWS,
    Interval,
    bootstrap,
    effective_n,
    holm,
    interval,
    mcnemar,
    mcnemar_detectable,
    minimum_detectable_effect,
    paired_bootstrap,
)

Clusters = Literal["topic", "kind", "none"]
PRIMARY = {"ask": ("hits_at_1", "f1"), "verify": ("accuracy",), "complete": ("mrr", "hits_1", "hits_3", "hits_10")}
"""The metrics that runs are compared by where none are named."""
_MANY = 2_000
"""Items above which 2,000 draws are enough, so that a table takes seconds."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A metric's mean over the ``n`` items that it applies to, and its 95% interval."""

    metric: str
    version: int
    value: float
    interval: Interval
    n: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """Run ``b`` against run ``a`` by one metric on the ``n`` items that both have.

    ``difference``: mean of b less mean of a, with its 95% interval; ``test``: what ``p`` is of; ``p_holm``:
    corrected over the family of all comparisons made together; ``detectable``: the smallest true difference
    that a sample like this finds 4 times in 5 (two-sided, 5%), None where that cannot be told.
    """

    metric: str
    a: str
    b: str
    n: int
    means: tuple[float, float]
    difference: float
    interval: Interval
    test: str
    p: float
    p_holm: float
    detectable: float | None


def summarise(run: Run, metrics: Sequence[str] = ()) -> list[Figure]:
    """The figures of a run: of the metrics named, else of all that apply to some item."""
    figures = []
    for metric in metrics or run.metrics:
        values, clusters = run.values(metric)
        if values:
            figures.append(
                Figure(
                    metric,
                    run.metrics[metric],
                    fmean(values),
                    (bootstrap if metric in AMOUNTS else interval)(values, clusters, draws=_draws(len(values))),
                    len(values),
                )
            )
    return figures


def compare(runs: Sequence[Run], metrics: Sequence[str] = (), clusters: Clusters = "topic") -> list[Comparison]:
    """The first run against each other one; p-values are corrected over all of them.

    Raises ConfigError where runs share no item, or a metric is not in both in one version.
    """
    base, *others = runs
    if not others:
        raise ConfigError("a comparison needs two runs.")
    wanted = metrics or PRIMARY[base.items[0].item.task]
    found = [_compare(base, other, metric, clusters) for other in others for metric in wanted]
    adjusted = holm([c.p for c in found])
    return [replace(c, p_holm=p) for c, p in zip(found, adjusted, strict=True)]


def _compare(a: Run, b: Run, metric: str, clusters: Clusters) -> Comparison:
    """One comparison, its p-value not corrected yet."""
    names, versions = (a.path.name, b.path.name), (a.metrics.get(metric), b.metrics.get(metric))
    if versions == (None, None):
        raise ConfigError(f"{names[0]} has no metric {metric!r}.", f"Known: {', '.join(a.metrics)}.")
    if versions[0] is None or versions[0] != versions[1]:
        raise ConfigError(f"{metric} is not in {names[0]} and {names[1]} in one version: {versions}.", "Run them anew.")
    pairs = _pairs(a, b, metric)
    x, y = [p[0] for p in pairs], [p[1] for p in pairs]
    groups = [_group(p[2], clusters) for p in pairs]
    delta = [q - p for p, q in zip(x, y, strict=True)]
    drawn = paired_bootstrap(x, y, groups, draws=_draws(len(x)))
    exact = _independent(groups) and set(x) | set(y) <= {0.0, 1.0}
    p_value = mcnemar(x, y) if exact else drawn.p
    test = "McNemar, exact" if exact else "paired bootstrap" + ("" if _independent(groups) else ", clustered")
    return Comparison(
        metric,
        *names,
        n=len(x),
        means=(fmean(x), fmean(y)),
        difference=drawn.value,
        interval=drawn.interval,
        test=test,
        p=p_value,
        p_holm=p_value,
        detectable=_detectable(delta, groups, exact),
    )


def _detectable(delta: Sequence[float], groups: Sequence[str], exact: bool) -> float | None:
    """None where no two scores differ, or too few items could."""
    floor = mcnemar_detectable(len(delta)) if exact else 0.0
    spread = stdev(delta) if len(delta) > 1 else 0.0
    found = max(floor or 0.0, minimum_detectable_effect(spread, effective_n(delta, groups)))
    return found if floor is not None and found > 0 else None


def _pairs(a: Run, b: Run, metric: str) -> list[tuple[float, float, ItemResult]]:
    theirs = {item.id: item.scores.get(metric) for item in b.items}
    pairs = [
        (mine, other, item)
        for item in a.items
        if (mine := item.scores.get(metric)) is not None and (other := theirs.get(item.id)) is not None
    ]
    if not pairs:
        raise ConfigError(
            f"{a.path.name} and {b.path.name} have no item in common that {metric} applies to.",
            "Compare runs on the same data.",
        )
    return pairs


def _group(item: ItemResult, clusters: Clusters) -> str:
    return {"topic": item.cluster or item.id, "kind": item.kind, "none": item.id}[clusters]


def _independent(clusters: Sequence[str]) -> bool:
    return len(set(clusters)) == len(clusters)


def _draws(n: int) -> int:
    return DRAWS if n <= _MANY else 2_000
