"""The table of the papers' rows: what ran, ours beside the paper's figure, and what cannot run here and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from triplewise.errors import ConfigError
from triplewise.evals.papers.paper_tables import Experiment, Measured, Row, load_measured
from triplewise.evals.runs.plan import Request
from triplewise.evals.runs.reproduce import Own, obstacle
from triplewise.evals.scores.metrics import AMOUNTS
from triplewise.evals.scores.results import Run, load_run
from triplewise.evals.scores.summary import summarise


@dataclass(frozen=True, slots=True)
class Ours:
    """A figure of ours, in percent where it is a share: value, 95 % interval, items."""

    value: float
    interval: tuple[float, float]
    n: int


@dataclass(frozen=True, slots=True)
class ProofRow:
    """A row of a paper's table: its figures by metric as (the paper's, ours or None), and how it stands here.

    ``state``: "ran", "can run", "cannot run here" or "data only"; ``why`` says what keeps it from running, and of one
    that ran what differs from the paper's.
    """

    experiment: str
    row: str
    table: str
    dataset: str
    state: Literal["ran", "can run", "cannot run here", "data only"]
    why: str
    figures: dict[str, tuple[float, Ours | None]]
    run: str = ""


def proof(
    experiments: Sequence[Experiment],
    request: Request,
    out: Path | None = None,
    own: Mapping[str, Own] = MappingProxyType({}),
) -> Iterator[ProofRow]:
    """All rows of the experiments, other systems' included.

    A row ran where its folder under ``out`` (default ``runs/EXPERIMENT``) holds a run, or where a measurement of it is
    kept in the package; ``request`` says what is at hand for the others: data, scorer, relation texts; ``own`` what
    single rows have, by their names.
    """
    kept = {(m.experiment, m.row): m for m in load_measured()}
    for experiment in experiments:
        base = out / experiment.id if out else Path("runs") / experiment.id
        for row in experiment.rows:
            here = kept.get((experiment.id, row.name))
            yield _row(experiment, row, request, base / row.name, here, own.get(row.name))
        for other in experiment.baselines:
            figures: dict[str, tuple[float, Ours | None]] = {m: (v, None) for m, v in other.published.items()}
            yield ProofRow(experiment.id, other.name, other.table, other.dataset, "data only", other.why, figures)


def _row(
    experiment: Experiment, row: Row, request: Request, folder: Path, kept: Measured | None, own: Own | None
) -> ProofRow:
    def told(
        state: Literal["ran", "can run", "cannot run here"], why: str, ours: dict[str, Ours], run: str
    ) -> ProofRow:
        figures = {m: (v, ours.get(m)) for m, v in row.published.items()}
        return ProofRow(experiment.id, row.name, row.table, row.dataset, state, why, figures, run)

    if (folder / "run.json").is_file() and (run := _read(folder)):
        ours = {f.metric: _ours(f.metric, f.value, f.interval, f.n) for f in summarise(run, tuple(row.published))}
        differs = (f"model: {row.model or experiment.model} in the paper, {run.model} here", f"split: {run.split} here")
        return told("ran", "; ".join((*differs, *experiment.differs)), ours, str(folder))
    if kept:
        ours = {m: Ours(value, (low, high), kept.n) for m, (value, low, high) in kept.figures.items()}
        theirs = row.model or experiment.model
        differs = (f"model: {theirs} in the paper, {kept.model} here", *experiment.differs, kept.differs)
        return told("ran", "; ".join(filter(None, differs)), ours, kept.command)
    why = obstacle(experiment, row, request, own)
    return told("cannot run here" if why else "can run", why, {}, "")


def _read(folder: Path) -> Run | None:
    """The run in a folder; None where no item of it is finished."""
    try:
        return load_run(folder)
    except ConfigError:
        return None


def _ours(metric: str, value: float, interval: tuple[float, float], n: int) -> Ours:
    times = 1 if metric in AMOUNTS else 100
    return Ours(times * value, (times * interval[0], times * interval[1]), n)
