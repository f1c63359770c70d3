"""The report of a KICGPT evaluation: the rows of tables 1 and 4 beside the published ones, figure 3's groups, cost.

Intervals are 95% bootstraps that draw whole triples, since a triple's two queries rise and fall together. Each
row is compared with the full model on the queries that both have answered; the p-values are Holm's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from triplewise.evals.papers.paper_tables import experiment_ids, load_experiment
from triplewise.evals.scores.kicgpt import LinkOutcome, long_tail, summary
from triplewise.evals.scores.statistics import bootstrap, holm, paired_bootstrap
from triplewise.types import Usage

FULL = "kicgpt"
_METRICS = ("mrr", "hits_at_1", "hits_at_3", "hits_at_10")


def kicgpt_report(
    described: Mapping[str, Any],
    outcomes: Mapping[str, Sequence[LinkOutcome]],
    degrees: Mapping[str, int],
    paid: Mapping[str, Usage],
) -> dict[str, Any]:
    """The report as JSON values.

    ``described``: the run's ``settings`` and what was ``found``. ``rows``: per row the metrics before and after
    (``retriever``, ``kicgpt``), the ``ceiling``, the intervals, ``calls_per_query`` (answered by the model or
    the cache), ``paid`` (all that was spent on it), ``failed``, ``published`` and ``against_full``.
    ``long_tail``: figure 3's groups by row.
    """
    settings = described["settings"]
    published = _published(Path(settings["data"]).name)
    rows = {name: _row(found, paid.get(name, Usage()), published.get(name)) for name, found in outcomes.items()}
    _compare(outcomes, rows)
    return {
        **described,
        "data": Path(settings["data"]).name,
        "rows": rows,
        "long_tail": {name: long_tail(found, degrees) for name, found in outcomes.items()},
    }


def _row(found: Sequence[LinkOutcome], paid: Usage, published: Mapping[str, float] | None) -> dict[str, Any]:
    row = summary(found)
    for name in ("prompt_tokens_per_query", "completion_tokens_per_query", "calls_per_query"):
        del row[name]  # of the last call alone; what kills and the cache took part in is in ``paid``
    asked = sum(o.usage.calls + o.usage.cache_hits for o in found)
    triples = [o.triple for o in found]
    return {
        **row,
        "calls_per_query": asked / len(found),
        "mrr_interval": list(bootstrap([1 / o.rank for o in found], triples)),
        "retriever_interval": list(bootstrap([1 / o.retriever_rank for o in found], triples)),
        "paid": asdict(paid),
        "published": dict(published) if published else None,
    }


def _compare(outcomes: Mapping[str, Sequence[LinkOutcome]], rows: dict[str, dict[str, Any]]) -> None:
    """``against_full`` of every other row: the paired difference of the MRR."""
    others = [name for name in outcomes if name != FULL]
    found = []
    for name in others:
        ours, full = _means(outcomes[name]), _means(outcomes.get(FULL, ()))
        both = [key for key in ours if key in full]
        if both:
            triples = [query.triple(answer) for query, answer in both]
            found.append((name, paired_bootstrap([full[k] for k in both], [ours[k] for k in both], triples), len(both)))
    adjusted = holm([difference.p for _, difference, _ in found])
    for (name, difference, n), p in zip(found, adjusted, strict=True):
        rows[name]["against_full"] = {
            "mrr": difference.value, "interval": list(difference.interval), "p_holm": p, "n": n
        }  # fmt: skip


def _means(outcomes: Sequence[LinkOutcome]) -> dict[Any, float]:
    """Reciprocal rank by query, the mean over the repeats."""
    found: dict[Any, list[float]] = {}
    for outcome in outcomes:
        found.setdefault((outcome.query, outcome.answer), []).append(1 / outcome.rank)
    return {key: sum(values) / len(values) for key, values in found.items()}


def _published(data: str) -> dict[str, dict[str, float]]:
    """The paper's figures by row, as shares of 1; empty for a data set that it does not score."""
    name = f"wei2023_kicgpt_{data.lower().replace('-', '_')}"
    if name not in experiment_ids():
        return {}
    keys = {"mrr": "mrr", "hits_1": "hits_at_1", "hits_3": "hits_at_3", "hits_10": "hits_at_10"}
    return {r.name: {keys[k]: v / 100 for k, v in r.published.items()} for r in load_experiment(name).rows}


def report_text(report: Mapping[str, Any]) -> str:
    """The report for a terminal of 80 columns."""
    settings, rows = report["settings"], report["rows"]
    lines = [
        f"KICGPT on {report['data']} ({settings['part']}), m = {report['found']['m']}, model {settings['model']},",
        f"scorer {settings['scorer']}; filtered, 95% intervals by triple.",
        "paper: the printed MRR (gpt-3.5-turbo, official test set); another experiment.",
        "",
        f"{'':22}{'MRR':>7} {'95%':^14} {'@1':>6} {'@3':>6} {'@10':>6} {'n':>6}  paper",
    ]
    for name, row in rows.items():
        if name == next(iter(rows)):
            lines.append(_line("retriever", row["retriever"], row["retriever_interval"], None))
            lines.append(_line("best possible order", row["ceiling"], None, None))
        lines.append(_line(name, row["kicgpt"], row["mrr_interval"], row["published"]))
    if not rows:
        return "\n".join([*lines, "nothing is answered yet"])
    lines += ["", f"{'':22}{'ΔMRR to full':>13} {'95%':^16} {'p':>6} {'calls':>7} {'failed':>7}"]
    for name, row in rows.items():
        against = row.get("against_full")
        delta = (
            f"{against['mrr']:+13.3f} {_interval(against['interval'], '+'):^16} {against['p_holm']:6.3f}"
            if against
            else f"{'':13} {'':16} {'':6}"
        )
        lines.append(f"{name:22}{delta} {row['calls_per_query']:7.2f} {row['failed']:7.1%}")
    paid = [Usage(**row["paid"]) for row in rows.values()]
    total = sum(paid, Usage())
    lines.append(
        f"paid for: {total.calls:,} calls, {total.prompt_tokens:,} prompt and {total.completion_tokens:,} "
        f"completion tokens{'' if total.cost is None else f', ${total.cost:.2f}'}"
    )
    name, groups = next(((n, report["long_tail"][n]) for n in (FULL, *rows) if n in rows), ("", {}))
    lines += ["", f"by degree ({name}){'':10}{'@1 before':>11}{'after':>8}{'@10 before':>12}{'after':>8}{'n':>7}"]
    for group, row in groups.items():
        low, high = 2 ** int(group), 2 ** (int(group) + 1) - 1
        before, after = row["retriever"], row["kicgpt"]
        lines.append(
            f"{f'{group}: {low} to {high}':28}{before['hits_at_1']:11.3f}{after['hits_at_1']:8.3f}"
            f"{before['hits_at_10']:12.3f}{after['hits_at_10']:8.3f}{row['n']:7,}"
        )
    return "\n".join(lines)


def _line(name: str, metrics: Mapping[str, Any], interval: Sequence[float] | None, paper: Any) -> str:
    values = " ".join(f"{metrics[k]:6.3f}" for k in _METRICS[1:])
    shown = _interval(interval) if interval else ""
    published = f"  {paper['mrr']:.3f}" if paper else ""
    return f"{name:22}{metrics['mrr']:7.3f} {shown:^14} {values} {metrics['n']:6,}{published}"


def _interval(interval: Sequence[float], sign: str = "") -> str:
    return f"[{interval[0]:{sign}.3f}, {interval[1]:{sign}.3f}]"
