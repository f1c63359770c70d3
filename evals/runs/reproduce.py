"""A paper's rows run by us, each beside its published figure, and what keeps the two from being the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from triplewise.errors import ConfigError
from triplewise.evals.papers.paper_tables import Experiment, Row
from triplewise.evals.runs.plan import LINKS, OnProgress, Request, begin_or_resume, settings_of
from triplewise.evals.scores.results import Run, load_run
from triplewise.evals.scores.summary import Figure, summarise

NOT_OPTIONS = {"training": "it needs a model trained like that: name it as --model"}
"""Settings of a row that no option of ours gives."""
ABLATIONS = {"no-cot": {"use_plan": False}}
"""cot-kg's ablations as options."""


@dataclass(frozen=True, slots=True)
class Reproduced:
    """A row with our run of it; ``figures`` by metric; ``skipped`` says why there is no run, else ""."""

    row: Row
    run: Run | None = None
    figures: tuple[Figure, ...] = ()
    skipped: str = ""


def reproduce(
    experiment: Experiment,
    rows: tuple[Row, ...],
    request: Request,
    out: Path,
    on_row: Callable[[Row], OnProgress | None] = lambda row: None,
) -> Iterator[Reproduced]:
    """Run rows one after the other into folders of ``out``; a row that was begun goes on.

    ``request`` gives model, data, limits; method, data set and options are the row's.
    """
    for row in rows:
        try:
            asked = request_of(experiment, row, request)
        except ConfigError as error:
            yield Reproduced(row, skipped=str(error))
            continue
        folder = out / row.name
        begin_or_resume(settings_of(asked), folder, on_row(row), asked.caps)
        run = load_run(folder)
        yield Reproduced(row, run, tuple(summarise(run, tuple(row.published))))


def with_preset(experiment: Experiment, rows: tuple[Row, ...], preset: str) -> tuple[Experiment, tuple[Row, ...]]:
    """The rows in another preset's prompts, a trained model's short ones for instance, without the row's shots."""
    told = f"prompts: of the preset {preset!r} here, of each row in the paper"
    changed = (replace(row, settings={**row.settings, "preset": preset, "shots": None}) for row in rows)
    return replace(experiment, differs=(*experiment.differs, told)), tuple(changed)


def request_of(experiment: Experiment, row: Row, request: Request) -> Request:
    """The request that runs a row; raises ConfigError where no option of ours is what the row sets."""
    options = {name: value for name, value in row.settings.items() if value is not None}
    preset = options.pop("preset", request.preset)
    for name, why in NOT_OPTIONS.items():
        if name in options:
            raise ConfigError(f"{name} {options[name]!r}: {why}.")
    if row.dataset not in LINKS and (ablation := options.pop("ablation", None)):
        if ablation not in ABLATIONS:
            raise ConfigError(f"ablation {ablation!r}: {experiment.method} has no option for it.")
        options |= ABLATIONS[ablation]
    if options.pop("alignment", None):
        if "alignment" not in request.options:
            raise ConfigError(
                "it needs relation texts: make them with 'triplewise align' and name them with --alignment."
            )
        options["alignment"] = request.options["alignment"]
    return replace(request, task=row.dataset, method=experiment.method, preset=preset, options=options)
