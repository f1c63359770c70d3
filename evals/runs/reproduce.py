"""A paper's rows run by us, each beside its published figure, and what keeps the two from being the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from triplewise.errors import ConfigError
from triplewise.evals.papers.paper_tables import Experiment, Row
from triplewise.evals.runs.plan import LINKS, OnProgress, Request, begin_or_resume, data_folder, settings_of
from triplewise.evals.scores.results import Run, load_run
from triplewise.evals.scores.summary import Figure, summarise

OF_THE_REQUEST = ("type_relations", "repeats")
"""Settings of a row that are no options of its method."""


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
    models: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Reproduced]:
    """Run rows one after the other into folders of ``out``; a row that was begun goes on.

    ``request`` gives model, data, limits; method, data set and options are the row's. ``models``: models of single
    rows by name, which rows that need a training of their own must have.
    """
    for row in rows:
        try:
            asked = request_of(experiment, row, request, models.get(row.name))
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


def models_of(experiment: Experiment, given: Sequence[str]) -> tuple[str | None, dict[str, str]]:
    """(the model for all rows, models by row) of ``--model`` values: "SPEC", or "ROW=SPEC" for a row's own."""
    names, every, by_row = {r.name for r in experiment.rows}, None, dict[str, str]()
    for value in given:
        name, mark, spec = value.partition("=")
        if mark and name in names:
            by_row[name] = spec
        elif mark and ":" not in name:
            experiment.row(name)  # tells the rows there are
        else:
            every = value
    return every, by_row


def request_of(experiment: Experiment, row: Row, request: Request, model: str | None = None) -> Request:
    """The request that runs a row, with the row's own ``model`` where one is named.

    Raises ConfigError where the row needs what was not named: a model trained like the row's, relation texts.
    """
    options = {name: value for name, value in row.settings.items() if value is not None}
    preset = options.pop("preset", request.preset)
    if (training := options.pop("training", None)) and model is None:
        raise ConfigError(f"it needs a model of this training: {training}.", f"Name it as --model {row.name}=SPEC.")
    own = {name: options.pop(name) for name in OF_THE_REQUEST if name in options}
    if "type_relations" in own:
        own["type_relations"] = tuple(own["type_relations"])
    if options.pop("alignment", None):
        if "alignment" not in request.options:
            raise ConfigError(
                "it needs relation texts: make them with 'triplewise align' and name them with --alignment."
            )
        options["alignment"] = request.options["alignment"]
    model = model or request.model
    return replace(
        request, task=row.dataset, model=model, method=experiment.method, preset=preset, options=options, **own
    )


def obstacle(experiment: Experiment, row: Row, request: Request, model: str | None = None) -> str:
    """Why a row cannot be run as things are here, "" where it can: what must be named, or is not on this machine."""
    try:
        asked = request_of(experiment, row, request, model)
        folder = data_folder(asked.task, asked.data)
        if not folder.is_dir():
            return f"{folder} is not there"
        if asked.task in LINKS and asked.scorer is None:
            return "it needs a scorer: triplewise train rotate, then --scorer"
    except ConfigError as error:
        return f"{error.message} {error.hint}".strip()
    return ""
