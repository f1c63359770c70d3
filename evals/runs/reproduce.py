"""A paper's rows run by us, each beside its published figure, and what keeps the two from being the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
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
class Own:
    """What a row has instead of what all rows have: a model of its training, a retriever and an index of its kind."""

    model: str | None = None
    index: str | None = None
    embedder: str | None = None


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
    own: Mapping[str, Own] = MappingProxyType({}),
) -> Iterator[Reproduced]:
    """Run rows one after the other into folders of ``out``; a row that was begun goes on.

    ``request`` gives model, data, limits; method, data set and options are the row's. ``own``: what single rows have
    instead, by their names; a row that needs a training of its own must have a model.
    """
    for row in rows:
        try:
            asked = request_of(experiment, row, request, own.get(row.name, Own()))
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


def by_row(experiments: Sequence[Experiment], given: Sequence[str]) -> tuple[str | None, dict[str, str]]:
    """(the value for all rows, values by row) of a repeatable option: "VALUE", or "ROW=VALUE" for a row's own.

    Raises ConfigError where no row of the experiments is called so.
    """
    names, every, own = {r.name for e in experiments for r in e.rows}, None, dict[str, str]()
    for value in given:
        name, mark, spec = value.partition("=")
        if mark and name in names:
            own[name] = spec
        elif mark and not {":", "/"} & set(name):
            experiments[0].row(name)  # tells the rows there are
        else:
            every = value
    return every, own


def own_by_row(**given: Mapping[str, str]) -> dict[str, Own]:
    """What each row that is named has of its own; ``given``: values by row, of fields of ``Own``."""
    rows = {row for values in given.values() for row in values}
    return {row: Own(**{field: values[row] for field, values in given.items() if row in values}) for row in rows}


def request_of(experiment: Experiment, row: Row, request: Request, own: Own | None = None) -> Request:
    """The request that runs a row, with what it has of its ``own``.

    Raises ConfigError where the row needs what was not named: a model trained like the row's, relation texts.
    """
    named = {name: value for name, value in asdict(own or Own()).items() if value is not None}
    options = {name: value for name, value in row.settings.items() if value is not None}
    preset = options.pop("preset", request.preset)
    if (training := options.pop("training", None)) and "model" not in named:
        raise ConfigError(f"it needs a model of this training: {training}.", f"Name it as --model {row.name}=SPEC.")
    given = {name: options.pop(name) for name in OF_THE_REQUEST if name in options}
    if "type_relations" in given:
        given["type_relations"] = tuple(given["type_relations"])
    if options.pop("alignment", None):
        if "alignment" not in request.options:
            raise ConfigError(
                "it needs relation texts: make them with 'triplewise align' and name them with --alignment."
            )
        options["alignment"] = request.options["alignment"]
    return replace(
        request, task=row.dataset, method=experiment.method, preset=preset, options=options, **named, **given
    )


def obstacle(experiment: Experiment, row: Row, request: Request, own: Own | None = None) -> str:
    """Why a row cannot be run as things are here, "" where it can: what must be named, or is not on this machine."""
    try:
        asked = request_of(experiment, row, request, own)
        folder = data_folder(asked.task, asked.data)
        if not folder.is_dir():
            return f"{folder} is not there"
        if asked.task in LINKS and asked.scorer is None:
            return "it needs a scorer: triplewise train rotate, then --scorer"
    except ConfigError as error:
        return f"{error.message} {error.hint}".strip()
    return ""
