"""What a report shows of one or several runs: figures beside the papers', groups, curves and lost stages.

All is read from the runs' own records; nothing is asked or scored again, but the recall of the first k triples
of ranked evidence. Intervals are at 95% (``evals.scores.statistics.interval``); shares are of 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from triplewise.errors import ConfigError
from triplewise.evals.papers.published import PaperFigure, published
from triplewise.evals.scores.kicgpt import degree_group
from triplewise.evals.scores.metrics import AMOUNTS, evidence_recall
from triplewise.evals.scores.results import ItemResult, Run, load_runs
from triplewise.evals.scores.stages import StageShare, stage_shares
from triplewise.evals.scores.statistics import Interval, interval
from triplewise.evals.scores.summary import PRIMARY, Comparison, Figure, compare, summarise

MAX_GROUPS = 24
"""Types shown, the most frequent ones."""
_DRAWS = 2_000
_CUTS = (1, 2, 3, 5, 10, 20, 50, 100)
_NAMES = {
    "hits_at_1": "Hits@1, strict", "hits_any": "Hits@any", "f1": "F1", "mrr": "MRR",
    "kg_gpt_substring": "KG-GPT's Hits@1 (substring)", "rog_hit": "RoG's Hit", "offered": "answer is a candidate",
    "abstention": "abstentions", "repair": "repaired", "fallback": "fallbacks", "parse_failure": "parse failures",
    "retriever_mrr": "scorer's MRR", **{f"hits_{k}": f"Hits@{k}" for k in (1, 3, 10)},
    **{f"retriever_hits_{k}": f"scorer's Hits@{k}" for k in (1, 3, 10)},
}  # fmt: skip


class Point(NamedTuple):
    """A mean over ``n`` items with its interval, under a label (a type, a hop count, a k)."""

    label: str
    value: float
    interval: Interval
    n: int


@dataclass(frozen=True, slots=True)
class Curve:
    """Points along an axis; ``name`` tells it from the other curves of its chart."""

    name: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class RunReport:
    """One run. ``primary``: the metric of its bars and curves; ``hops`` and ``kinds``: that by group.

    ``kinds_left``: types beyond ``MAX_GROUPS``; ``recall``: by k, where evidence or candidates are ranked;
    ``tail``: Hits@1 and Hits@10 by log2 of the degree (KICGPT's Figure 3); ``stages`` and ``unknown`` as
    ``stage_shares`` gives them; ``differs``: what keeps it from being the paper's experiment.
    """

    name: str
    run: Run
    primary: str
    figures: tuple[Figure, ...]
    beside: tuple[PaperFigure, ...]
    differs: tuple[str, ...]
    hops: tuple[Point, ...]
    kinds: tuple[Point, ...]
    kinds_left: int
    recall: tuple[Curve, ...]
    tail: tuple[Curve, ...]
    stages: tuple[StageShare, ...]
    unknown: Counter[str]

    def figure(self, metric: str) -> Figure | None:
        """The figure of a metric, None where it applies to no item."""
        return next((f for f in self.figures if f.metric == metric), None)

    def facts(self) -> dict[str, str]:
        """What the run is and rests on, by name."""
        run = self.run
        told = {
            "data": f"{run.task}, {run.split}, {len(run.items):,} of {run.expected:,} items",
            "method": f"{run.method}, preset {run.preset}",
            "model": run.model,
            "settings": ", ".join(f"{k} = {v}" for k, v in run.settings.items() if v not in (None, {}, "")),
            "hashes": ", ".join(f"{k} {v[:16]}" for k, v in run.hashes.items()),
            "note": run.note,
            "spent": ", ".join(f"{k.replace('_', ' ')} {v:,}" for k, v in asdict(run.spent.usage).items() if v),
        }
        return {name: value for name, value in told.items() if value}


@dataclass(frozen=True, slots=True)
class Report:
    """All runs, and each against the first one where they share items."""

    runs: tuple[RunReport, ...]
    comparisons: tuple[Comparison, ...]


def shown(metric: str, value: float) -> str:
    """A value as it is printed: shares (also for "") in percent, and 0.0 and 100.0 only where none or all is meant."""
    if metric in AMOUNTS:
        return AMOUNTS[metric].format(value)
    texts = (f"{100 * value:.{digits}f}" for digits in range(1, 5))
    return next(
        (text for text in texts if float(text) not in (0, 100) or value in (0, 1)), "0.0" if value < 0.5 else "100.0"
    )


def span(metric: str, interval: Interval) -> str:
    """An interval as it is printed, by ``shown``."""
    return " to ".join(shown(metric, value) for value in interval)


def is_share(metric: str) -> bool:
    """Whether a metric is a share, printed in percent."""
    return metric not in AMOUNTS


def named(metric: str) -> str:
    """A metric's name for a reader."""
    return _NAMES.get(metric, metric.replace("_", " "))


def report_of(folders: Iterable[str | Path]) -> Report:
    """The report of the runs in these folders; raises ConfigError where one holds none."""
    runs = [run for folder in folders for run in load_runs(folder)]
    names = _names(runs)
    parts = tuple(run_report(run, name) for run, name in zip(runs, names, strict=True))
    return Report(parts, tuple(_comparisons(runs, names)))


def _names(runs: Sequence[Run]) -> list[str]:
    """Folder names, with the row where a folder has several and the parent's name where two are alike."""
    rows = Counter(run.path.resolve() for run in runs)
    folders = {run.path.resolve() for run in runs}
    alike = Counter(folder.name for folder in folders)
    names = []
    for run in runs:
        path = run.path.resolve()
        name = path.name if alike[path.name] == 1 else f"{path.parent.name}/{path.name}"
        names.append(f"{name} {run.method}" if rows[path] > 1 else name)
    return names


def _comparisons(runs: Sequence[Run], names: Sequence[str]) -> list[Comparison]:
    """The first run against each that shares items with it, one family."""
    found = []
    for run, name in zip(runs[1:], names[1:], strict=True):
        try:
            compare([runs[0], run])
        except ConfigError:
            continue
        found.append((run, name))
    made = compare([runs[0], *(run for run, _ in found)]) if found else []
    per_run = len(made) // len(found) if found else 1
    return [replace(c, a=names[0], b=found[i // per_run][1]) for i, c in enumerate(made)]


def run_report(run: Run, name: str) -> RunReport:
    """The part of one run."""
    primary = next(m for m in PRIMARY[run.items[0].item.task] if run.values(m)[0])
    kinds = _groups(run, primary, _kinds)
    kinds.sort(key=lambda p: -p.n)
    beside, differs = published(run, figures := tuple(summarise(run)))
    stages, unknown = stage_shares(run.items, run.task)
    hops = sorted(_groups(run, primary, lambda i: [str(i.hops)] if i.hops else []), key=lambda p: int(p.label))
    return RunReport(
        name, run, primary, figures, beside, differs,
        tuple(hops), tuple(kinds[:MAX_GROUPS]), max(0, len(kinds) - MAX_GROUPS),
        tuple(_recall(run)), tuple(_tail(run)), tuple(stages), unknown,
    )  # fmt: skip


def _kinds(item: ItemResult) -> list[str]:
    """An item's types: a claim has several."""
    return [k for k in item.kind.split(", ") if k] if item.item.task == "verify" else [item.kind] * bool(item.kind)


def _groups(run: Run, metric: str, labels: Callable[[ItemResult], list[str]]) -> list[Point]:
    members: dict[str, list[ItemResult]] = {}
    for item in run.items:
        if item.scores.get(metric) is not None:
            for label in labels(item):
                members.setdefault(label, []).append(item)
    return [_point(label, [(i.scores[metric] or 0.0, i) for i in found]) for label, found in members.items()]


def _point(label: str, scored: Sequence[tuple[float, ItemResult]]) -> Point:
    values = [value for value, _ in scored]
    return Point(
        label, fmean(values), interval(values, [i.cluster or i.id for _, i in scored], draws=_DRAWS), len(values)
    )


def _recall(run: Run) -> list[Curve]:
    """By k: the share of the answers in the first k triples, or of the links whose answer is among the first k."""
    if run.items[0].item.task == "complete":
        found = []
        for name, metric in (("scorer", "retriever_mrr"), ("re-ranked", "mrr")):
            ranked = [(round(1 / mrr), i) for i in run.items if (mrr := i.scores.get(metric))]
            found.append(Curve(name, tuple(_point(str(k), [(float(r <= k), i) for r, i in ranked]) for k in _CUTS)))
        return found
    ranked = [i for i in run.items if any(step["node"] == "retrieve_triples" for step in i.steps)]
    longest = max((len(i.evidence) for i in ranked), default=0)
    points = []
    for k in [*(k for k in _CUTS if k < longest), longest] if longest else []:
        firsts = [(evidence_recall(i.item, replace(i.outcome, evidence=i.outcome.evidence[:k])), i) for i in ranked]
        if scored := [(value, i) for value, i in firsts if value is not None]:
            points.append(_point(str(k), scored))
    return [Curve("evidence", tuple(points))] if points else []


def _tail(run: Run) -> list[Curve]:
    """KICGPT's Figure 3; a link counts for the groups of both its ends."""
    members: dict[int, list[ItemResult]] = {}
    for item in run.items:
        for group in {degree_group(degree) for degree in item.degrees}:
            members.setdefault(group, []).append(item)
    names = {"retriever_hits_1": "Hits@1, scorer", "hits_1": "Hits@1, re-ranked",
             "retriever_hits_10": "Hits@10, scorer", "hits_10": "Hits@10, re-ranked"}  # fmt: skip
    return [
        Curve(
            name,
            tuple(_point(_degrees(g), [(i.scores[metric] or 0.0, i) for i in members[g]]) for g in sorted(members)),
        )
        for metric, name in names.items()
        if members
    ]


def _degrees(group: int) -> str:
    return "0–1" if group == 0 else f"{2**group}–{2 ** (group + 1) - 1}"
