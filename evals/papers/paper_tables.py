"""The papers' tables as data: each row with its settings, its published figure and the table it stands in.

``evals/papers/experiments/<author><year>_<method>_<dataset>.yaml`` holds the rows of one method on one data set.
``published`` figures are as printed, shares in percent, under our metric that is nearest to what the paper scored;
``published_as`` is the paper's own name for it, ``differs`` what keeps ours from being the same. ``baselines`` are
the rows of other systems, which are data only, each with why; ``drawn`` names figures whose values the paper does not
print, and tables that are no run's; ``statistics`` are the data set's. ``evals/papers/measured.yaml`` holds what we
measured of the rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

import yaml

from triplewise.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table: settings that override the experiment's, and the published figures by metric.

    ``model``: the paper's, where it is another than the experiment's.
    """

    name: str
    dataset: str
    table: str
    published: Mapping[str, float]
    settings: Mapping[str, Any]
    model: str = ""


@dataclass(frozen=True, slots=True)
class Baseline:
    """A row of another system: its published figures by metric, and why there is no run of it here."""

    name: str
    dataset: str
    table: str
    published: Mapping[str, float]
    why: str


@dataclass(frozen=True, slots=True)
class Measured:
    """What we measured of a row: our figures by metric as (value, low, high) in percent, and how.

    ``differs``: what sets this run apart from the row, beside the experiment's own ``differs``.
    """

    experiment: str
    row: str
    model: str
    n: int
    figures: Mapping[str, tuple[float, float, float]]
    command: str
    differs: str = ""


@dataclass(frozen=True, slots=True)
class Experiment:
    """The rows of one method on one data set in one paper."""

    id: str
    paper: str
    method: str
    model: str
    rows: tuple[Row, ...]
    published_as: Mapping[str, str] = field(default_factory=dict)
    differs: tuple[str, ...] = ()
    baselines: tuple[Baseline, ...] = ()
    statistics: Mapping[str, int] = field(default_factory=dict)
    drawn: Mapping[str, str] = field(default_factory=dict)

    def row(self, name: str) -> Row:
        """A row by name; raises ConfigError with the names there are."""
        for row in self.rows:
            if row.name == name:
                return row
        raise ConfigError(f"{self.id} has no row {name!r}.", f"Rows: {', '.join(r.name for r in self.rows)}.")


def experiment_ids() -> list[str]:
    """Ids of all experiments, sorted."""
    return sorted(f.name.removesuffix(".yaml") for f in _folder().iterdir() if f.name.endswith(".yaml"))


def load_experiment(name: str) -> Experiment:
    """An experiment by id; raises ConfigError with the ids there are."""
    if name not in experiment_ids():
        raise ConfigError(f"no experiment {name!r}.", f"Known: {', '.join(experiment_ids())}.")
    raw = yaml.safe_load((_folder() / f"{name}.yaml").read_text(encoding="utf-8"))
    shared = raw.get("settings", {})
    rows = tuple(
        Row(
            r["name"],
            r.get("dataset", raw.get("dataset", "")),
            r.get("table", raw.get("table", "")),
            r["published"],
            {**shared, **r.get("settings", {})},
            r.get("model", ""),
        )
        for r in raw["rows"]
    )
    return Experiment(
        name,
        raw["paper"],
        raw["method"],
        raw["model"],
        rows,
        raw.get("published_as", {}),
        tuple(raw.get("differs", ())),
        tuple(Baseline(**b) for b in raw.get("baselines", ())),
        raw.get("statistics", {}),
        raw.get("drawn", {}),
    )


def load_measured() -> tuple[Measured, ...]:
    """What we measured of the papers' rows, and keep in the package."""
    raw = yaml.safe_load((files("triplewise.evals.papers") / "measured.yaml").read_text(encoding="utf-8"))
    return tuple(
        Measured(**{**m, "figures": {k: (v[0], v[1], v[2]) for k, v in m["figures"].items()}}) for m in raw or ()
    )


def _folder() -> Any:
    return files("triplewise.evals.papers") / "experiments"
