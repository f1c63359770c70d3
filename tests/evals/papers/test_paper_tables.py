"""The papers' tables as data: every row is complete, and its settings are settings that the method takes."""

from __future__ import annotations

import pytest

from triplewise.errors import ConfigError
from triplewise.evals.data.datasets import LOADERS
from triplewise.evals.papers.paper_tables import experiment_ids, load_experiment
from triplewise.evals.scores.metrics import METRICS
from triplewise.graphs import kg_gpt, kicgpt

RANKING = {"mrr", "hits_1", "hits_3", "hits_10"}


@pytest.mark.parametrize("name", experiment_ids())
def test_rows(name: str) -> None:
    experiment = load_experiment(name)
    assert experiment.rows
    assert len({row.name for row in experiment.rows}) == len(experiment.rows)
    for row in experiment.rows:
        assert row.dataset in LOADERS
        assert row.table.startswith("Table ")
        assert row.published
        assert set(row.published) <= (RANKING if experiment.method == "kicgpt" else set(METRICS))
        assert set(row.published) <= set(experiment.published_as)
        assert all(0 < figure <= 100 for figure in row.published.values())
        settings = dict(row.settings)
        preset = settings.pop("preset", "default")
        if experiment.method == "kg-gpt":
            kg_gpt.settings(preset, **settings)
        elif experiment.method == "kicgpt":
            settings.pop("alignment", None)  # a file of the user's
            kicgpt.settings(preset, **settings)


def test_the_headline_figures() -> None:
    metaqa = load_experiment("kim2023_kg_gpt_metaqa")
    assert metaqa.row("3-hop-12-shot").published == {"kg_gpt_substring": 94.0}
    assert metaqa.row("3-hop-4-shot").settings == {"preset": "reference", "shots": 4, "top_k": 3}
    assert load_experiment("kim2023_kg_gpt_factkg").row("12-shot").published == {"accuracy": 72.68}
    assert load_experiment("wei2023_kicgpt_wn18rr").row("kicgpt-tsa").published["mrr"] == 56.4


def test_unknown() -> None:
    with pytest.raises(ConfigError, match="Known: anonymous2024"):
        load_experiment("nope")
    with pytest.raises(ConfigError, match="Rows: 1-hop-12-shot"):
        load_experiment("kim2023_kg_gpt_metaqa").row("nope")
