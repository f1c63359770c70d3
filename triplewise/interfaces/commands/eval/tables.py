"""What ``triplewise eval`` prints: tables that fit 80 columns, with intervals, and the same as JSON."""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from triplewise.evals.scores.metrics import AMOUNTS
from triplewise.interfaces.interrupts import in_order
from triplewise.interfaces.options import counted, status_line
from triplewise.kg.names import one_line

if TYPE_CHECKING:
    from triplewise.evals.papers.paper_tables import Experiment
    from triplewise.evals.runs.estimate import Estimate
    from triplewise.evals.runs.plan import Request
    from triplewise.evals.runs.proof import ProofRow
    from triplewise.evals.runs.reproduce import Reproduced
    from triplewise.evals.scores.results import Run
    from triplewise.evals.scores.summary import Comparison, Figure


def figure(metric: str, value: float) -> str:
    """A value as it is printed: shares in percent."""
    return AMOUNTS[metric].format(value) if metric in AMOUNTS else f"{100 * value:.1f}%"


def _table(*columns: str, right: Sequence[int] = ()) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for number, name in enumerate(columns):
        table.add_column(name, justify="right" if number in right else "left", no_wrap=number in right)
    return table


def run_json(run: Run, figures: Sequence[Figure]) -> dict[str, Any]:
    """A run's figures as one JSON object."""
    return {
        "run": str(run.path),
        "task": run.task,
        "split": run.split,
        "method": run.method,
        "model": run.model,
        "preset": run.preset,
        "items": len(run.items),
        "expected": run.expected,
        "note": run.note,
        "failed": _failures(run),
        "hashes": dict(run.hashes),
        "figures": [asdict(f) for f in figures],
        "spent": {**asdict(run.spent.usage), "unknown_calls": run.spent.unknown, "assumed_calls": run.spent.assumed},
    }


def show_run(run: Run, figures: Sequence[Figure]) -> None:
    """A run's figures with their intervals, and what was spent."""
    console = Console(highlight=False)
    console.print(Text(one_line(f"{run.task} ({run.split}) · {run.method} · {run.preset} · {run.model}"), "bold"))
    table = _table("metric", "value", "95% interval", "n", right=(1, 2, 3))
    for f in figures:
        table.add_row(
            f"{f.metric} v{f.version}", figure(f.metric, f.value), _interval(f.metric, f.interval), f"{f.n:,}"
        )
    console.print(table)
    use = run.spent.usage
    cost = "" if use.cost is None else f", ${use.cost:.4f}"
    told = f"{use.calls:,} calls, {use.prompt_tokens:,} prompt and {use.completion_tokens:,} completion tokens{cost}"
    console.print(Text(f"\nspent in all: {told}", style="dim"))
    if run.spent.unknown or run.spent.assumed:
        console.print(
            Text(f"! {run.spent.unknown} calls of unknown cost, {run.spent.assumed} charged as repeated.", "yellow")
        )
    if not run.complete:
        console.print(Text(f"! {len(run.items):,} of {run.expected:,} items are done.", style="yellow"))
    failures = _failures(run)
    for reason, count in list(failures.items())[:3]:
        console.print(Text(f"! {count:,} ended in an error: {one_line(reason)}", style="yellow"))
    if len(failures) > 3:
        console.print(Text(f"! {len(failures) - 3} more kinds of error (--json lists them)", style="yellow"))
    if run.note:
        console.print(Text(f"! {run.note}", style="yellow"))
    console.print(Text(str(run.path), style="dim"), soft_wrap=True)


def _failures(run: Run) -> dict[str, int]:
    """What ended items, and how many; the most frequent first."""
    return dict(Counter(i.reason for i in run.items if i.error).most_common())


def _interval(metric: str, interval: Sequence[float]) -> str:
    return " to ".join(figure(metric, v) for v in interval)


def show_comparisons(found: Sequence[Comparison]) -> None:
    """Differences with their intervals and corrected p-values."""
    console = Console(highlight=False)
    for name in dict.fromkeys(c.b for c in found):
        mine = [c for c in found if c.b == name]
        console.print(Text(f"{mine[0].a} → {name}", style="bold"))
        table = _table("metric", "A", "B", "B − A", "95% interval", "p", "p (Holm)", "n", right=range(1, 8))
        for c in mine:
            values = [figure(c.metric, v) for v in (*c.means, c.difference)]
            span = _interval(c.metric, c.interval).replace("%", "")
            table.add_row(c.metric, *values, span, f"{c.p:.3g}", f"{c.p_holm:.3g}", f"{c.n:,}")
        console.print(table)
        for c in mine:
            told = "no true difference could be told"
            if c.detectable is not None:
                told = f"a true difference of {figure(c.metric, c.detectable)} would be found 4 times in 5"
            console.print(Text(f"  {c.metric}: {c.test}; {told}", "dim"))


def show_estimate(request: Request, found: Estimate, *, asked: bool) -> None:
    """The cost of a run to come."""
    from triplewise.evals.runs.estimate import REPLY

    console = Console(highlight=False)
    low, high = found.tokens_interval
    how = "asked of the model" if asked else "a dry run: a guess, no model was asked"
    console.print(Text(one_line(f"{request.task}, {found.n:,} items with {request.model}"), style="bold"))
    table = _table("", "", right=(1,))
    table.show_header = False
    table.add_row("calls", f"{found.calls:,.0f}")
    table.add_row("prompt tokens", f"{found.prompt_tokens:,.0f}")
    table.add_row("completion tokens", f"{found.completion_tokens:,.0f}")
    table.add_row("tokens, 95% interval", f"{low:,.0f} to {high:,.0f}")
    table.add_row("cost", "no price in the settings" if found.cost is None else f"${found.cost:,.2f}")
    if found.seconds is not None:
        table.add_row("time, one item at a time", f"{found.seconds / 60:,.1f} min")
    console.print(table)
    console.print(Text(f"\nfrom {found.sampled} sampled items, {how}", style="dim"))
    if found.rough:
        told = f"! {found.rough}; replies count {REPLY} tokens, repairs none. --ask tells more."
        console.print(Text(told, style="yellow"))


def reproduced_json(experiment: Experiment, done: Sequence[Reproduced]) -> dict[str, Any]:
    """Rows beside their published figures (percent, as printed) as one JSON object."""
    rows = []
    for r in done:
        ours = {
            f.metric: {"value": _times(f.metric) * f.value, "interval": [_times(f.metric) * v for v in f.interval],
                       "n": f.n}
            for f in r.figures
        }  # fmt: skip
        row = {"row": r.row.name, "dataset": r.row.dataset, "table": r.row.table, "published": dict(r.row.published)}
        rows.append({**row, "ours": ours, "skipped": r.skipped, "run": str(r.run.path) if r.run else None})
    models = {"paper": experiment.model, "ours": next((r.run.model for r in done if r.run), None)}
    return {"experiment": experiment.id, "paper": experiment.paper, "models": models, "rows": rows,
            "published_as": dict(experiment.published_as), "differs": list(experiment.differs)}  # fmt: skip


def show_reproduced(experiment: Experiment, done: Sequence[Reproduced], split: str) -> None:
    """Rows beside their published figures, and what differs."""
    console = Console(highlight=False)
    console.print(Text(experiment.paper, style="bold"))
    table = _table("row", "metric", "ours", "95% interval", "n", "paper", right=(2, 3, 4, 5))
    for r in done:
        for metric, published in r.row.published.items():
            f = next((f for f in r.figures if f.metric == metric), None)
            ours = (
                (_as_printed(metric, f.value), " to ".join(_as_printed(metric, v) for v in f.interval), f"{f.n:,}")
                if f
                else ("–",) * 3
            )
            table.add_row(r.row.name, metric, *ours, f"{published:.2f}" if metric in AMOUNTS else f"{published:.1f}")
    console.print(table)
    console.print(Text("\nWhat differs:", style="dim"))
    ran = next((r.run for r in done if r.run), None)
    theirs = ", ".join(dict.fromkeys(r.row.model or experiment.model for r in done))
    told = [f"model: {theirs} in the paper" + (f", {one_line(ran.model)} here" if ran else "")]
    told += [f"{m} is what the paper calls {name}" for m, name in experiment.published_as.items()]
    told += [f"split: {split} here", *experiment.differs]
    told += [f"{r.row.name}: {r.skipped}" for r in done if r.skipped]
    for line in dict.fromkeys(told):
        console.print(Text(f"- {line}"))


def _times(metric: str) -> int:
    """Shares are printed in percent."""
    return 1 if metric in AMOUNTS else 100


def _as_printed(metric: str, value: float) -> str:
    return f"{value:.2f}" if metric in AMOUNTS else f"{100 * value:.1f}"


def show_proof(experiments: Sequence[Experiment], rows: Sequence[ProofRow]) -> None:
    """Every row of the papers' tables: ours beside the paper's, how it stands here, and why."""
    console = Console(highlight=False)
    for experiment in experiments:
        console.print(Text(f"{experiment.id}: {experiment.paper}", style="bold"))
        table = _table("row", "table", "metric", "paper", "ours", "n", "here", right=(3, 4, 5))
        notes: dict[str, list[str]] = {}
        for r in rows:
            if r.experiment != experiment.id:
                continue
            if r.why:
                notes.setdefault(f"{r.state}: {r.why}", []).append(r.row)
            for metric, (paper, ours) in r.figures.items():
                shown = (
                    ("–", "–")
                    if ours is None
                    else (f"{ours.value:.2f}" if metric in AMOUNTS else f"{ours.value:.1f}", f"{ours.n:,}")
                )
                table.add_row(r.row, r.table, metric, f"{paper:g}", *shown, r.state)
        console.print(table)
        for note, names in notes.items():
            console.print(Text(f"- {'; '.join(names)}: {one_line(note)}", style="dim"))
        for figure_name, told in experiment.drawn.items():
            console.print(Text(f"- {figure_name}: {told}", style="dim"))
        console.print()


def listing() -> dict[str, Any]:
    """Data sets, experiments with their rows, methods and metrics."""
    from triplewise.evals.data.datasets import LOADERS, SOURCES
    from triplewise.evals.papers.paper_tables import experiment_ids, load_experiment
    from triplewise.evals.scores.link_scores import LINK_VERSIONS
    from triplewise.evals.scores.metrics import VERSIONS
    from triplewise.graphs.method import methods

    return {
        "datasets": {name: SOURCES[name.partition("-")[0] if name.startswith("metaqa") else name] for name in LOADERS},
        "experiments": {i: [r.name for r in load_experiment(i).rows] for i in experiment_ids()},
        "methods": {m.id: sorted(m.tasks) for m in methods()},
        "metrics": {**VERSIONS, **LINK_VERSIONS},
    }


def show_listing(found: dict[str, Any]) -> None:
    """The same for a person."""
    console = Console(highlight=False)
    for title, values in found.items():
        console.print(Text(title, style="bold"))
        if title == "metrics":
            line = Text(", ".join(f"{k} v{v}" for k, v in values.items()))
            console.print(Padding(line, (0, 0, 0, 2), expand=False))
            continue
        for name, told in values.items():
            line = Text(f"{name}: {told if isinstance(told, str) else ', '.join(told)}")
            console.print(Padding(line, (0, 0, 0, 2), expand=False))


def resume_command(folder: Path) -> str:
    """The command that goes on with the run in a folder."""
    return f"triplewise eval resume {shlex.quote(str(folder))}"


class Progress:
    """One line on stderr, on a terminal only: items done, errors, tokens; after Ctrl-C, the command that goes on."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._status = status_line()
        self._ctrl_c = in_order()
        self.done = self.errors = self.tokens = 0
        self.label = ""

    def __enter__(self) -> Progress:
        self._ctrl_c.__enter__()
        self._line = self._status.__enter__()
        return self

    def row(self, row: Any) -> Any:
        """Begin a row of an experiment."""
        self.label, self.done = f"{row.name}: ", 0
        return self.item

    def item(self, outcome: Any) -> None:
        """An item is finished; None for a link."""
        self.done += 1
        if outcome is not None:
            self.errors += bool(outcome.error)
            self.tokens += outcome.tokens
        if self._line:
            self._line(f"{self.label}{self.done} done, {counted(self.errors, 'error')}, {self.tokens:,} tokens")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._status.__exit__(None, None, None)
        self._ctrl_c.__exit__(None, None, None)
        if kind is KeyboardInterrupt:
            begun = self.folder is not None and (self.folder / "run.json").exists()
            told = resume_command(self.folder) if self.folder and begun else "the same command"
            print(f"triplewise: stopped; go on with: {told}", file=sys.stderr)
