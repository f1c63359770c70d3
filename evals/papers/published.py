"""A run beside the papers: the published row that is nearest to it, and what keeps the two from being the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from triplewise.evals.papers.paper_tables import Experiment, Row, experiment_ids, load_experiment
from triplewise.evals.scores.metrics import AMOUNTS
from triplewise.evals.scores.results import Run
from triplewise.evals.scores.summary import Figure


@dataclass(frozen=True, slots=True)
class PaperFigure:
    """A figure of ours beside a paper's; ``ours`` is None where the run has no such metric."""

    metric: str
    paper_name: str
    ours: Figure | None
    published: float
    row: Row

    @property
    def where(self) -> str:
        """The published row and its table."""
        return f"{self.row.name}, {self.row.table}"


def published(run: Run, figures: Sequence[Figure]) -> tuple[tuple[PaperFigure, ...], tuple[str, ...]]:
    """The published row whose settings are nearest to the run's, and what differs; ((), ()) where there is none."""
    near = nearest_row(run)
    if near is None:
        return (), ()
    experiment, row, settings = near
    beside = tuple(
        PaperFigure(
            m, experiment.published_as.get(m, m), next((f for f in figures if f.metric == m), None), value / 100, row
        )
        for m, value in row.published.items()
        if m not in AMOUNTS
    )
    differs = [
        f"model: {experiment.model} in the paper, {run.model} here",
        f"split: {run.split} here",
        *experiment.differs,
    ]
    differs += settings + [run.note] * bool(run.note)
    if not run.complete:
        differs.append(f"{len(run.items):,} of {run.expected:,} items are done")
    if run.settings.get("limit") or run.settings.get("queries"):
        differs.append(f"{len(run.items):,} items of the split")
    return beside, tuple(differs)


def nearest_row(run: Run) -> tuple[Experiment, Row, list[str]] | None:
    """(experiment, row, settings that differ) of the published row nearest to a run; the first of equally near ones."""
    found: list[tuple[Experiment, Row, list[str]]] = []
    links = run.items[0].item.task == "complete"
    for experiment in map(load_experiment, experiment_ids()):
        for row in experiment.rows:
            if row.dataset != run.task or (row.name if links else experiment.method) != run.method:
                continue
            if (row.settings.get("preset") == "sentence") != (run.preset == "sentence"):
                continue  # the baseline without a graph is nobody's neighbour
            ours = {"preset": run.preset} if links else {**run.settings, "preset": run.preset}
            wanted = {k: v for k, v in row.settings.items() if not links or k not in ("ablation", "alignment")}
            differ = [
                f"{k}: {v} in the paper's row, {_own(k, ours)} here" for k, v in wanted.items() if ours.get(k) != v
            ]
            found.append((experiment, row, differ))
    return min(found, key=lambda f: len(f[2]), default=None)


def _own(name: str, settings: Mapping[str, object]) -> object:
    value = settings.get(name)
    return "the preset's own" if value is None else value
