"""The papers' tables as data: every row is complete, and its settings are settings that the method takes."""

from __future__ import annotations

import pytest

from triplewise.errors import ConfigError
from triplewise.evals.data.datasets import LOADERS
from triplewise.evals.papers.paper_tables import experiment_ids, load_experiment, load_measured
from triplewise.evals.runs.reproduce import OF_THE_REQUEST
from triplewise.evals.scores.metrics import METRICS
from triplewise.graphs import cot_kg, kg_gpt, kicgpt

RANKING = {"mrr", "hits_1", "hits_3", "hits_10"}


@pytest.mark.parametrize("name", experiment_ids())
def test_rows(name: str) -> None:
    experiment = load_experiment(name)
    assert experiment.rows
    assert len({row.name for row in experiment.rows}) == len(experiment.rows)
    for row in experiment.rows:
        assert row.dataset in LOADERS
        assert row.table.startswith("Table")
        assert row.published
        assert set(row.published) <= (RANKING if experiment.method == "kicgpt" else set(METRICS))
        assert not set(row.published) & {"hits_at_1"}  # no paper's own rows are scored strictly
        assert set(row.published) <= set(experiment.published_as)
        assert all(0 < figure <= 100 for figure in row.published.values())
        settings = {k: v for k, v in row.settings.items() if k not in OF_THE_REQUEST}
        preset = settings.pop("preset")
        if experiment.method == "kg-gpt":
            kg_gpt.settings(preset, **settings)
        elif experiment.method == "kicgpt":
            settings.pop("alignment", None)  # a file of the user's
            kicgpt.settings(preset, **settings)
        else:
            settings.pop("training", None)  # a model of the user's
            cot_kg.settings(preset, **settings)
    for other in experiment.baselines:
        assert other.dataset in LOADERS and other.why and other.published
        assert set(other.published) <= RANKING | set(METRICS)


def test_the_headline_figures() -> None:
    metaqa = load_experiment("kim2023_kg_gpt_metaqa")
    assert metaqa.row("3-hop-12-shot").published == {"kg_gpt_substring": 94.0}
    assert metaqa.row("3-hop-4-shot").settings == {"preset": "reference", "shots": 4, "top_k": 3, "hops": 3}
    assert metaqa.row("2-hop-question-only-12-shot").published == {"kg_gpt_substring": 23.0}
    assert metaqa.row("1-hop-top-5").published == {"kg_gpt_substring": 96.7, "triples": 2.12}
    assert load_experiment("kim2023_kg_gpt_factkg").row("12-shot").published == {"accuracy": 72.68}
    assert load_experiment("wei2023_kicgpt_wn18rr").row("kicgpt-tsa").published["mrr"] == 56.4


def test_the_tables_are_whole() -> None:
    figures = {i: [load_experiment(i).rows, load_experiment(i).baselines] for i in experiment_ids()}
    assert {i: [len(part) for part in parts] for i, parts in figures.items()} == {
        "anonymous2024_cot_kg_cwq": [8, 9],  # Table 2; Table 1 without the two that have no figure for CWQ
        "anonymous2024_cot_kg_metaqa": [3, 0],
        "anonymous2024_cot_kg_webqsp": [3, 11],
        "kim2023_kg_gpt_factkg": [8, 3],
        "kim2023_kg_gpt_metaqa": [21, 15],
        "wei2023_kicgpt_fb15k_237": [8, 16],
        "wei2023_kicgpt_wn18rr": [2, 16],
    }
    assert load_experiment("anonymous2024_cot_kg_cwq").statistics["train"] == 27_639
    assert load_experiment("wei2023_kicgpt_wn18rr").statistics["entities"] == 40_943


def test_what_was_measured_is_of_rows_there_are() -> None:
    for measured in load_measured():
        row = load_experiment(measured.experiment).row(measured.row)
        assert set(measured.figures) <= set(row.published)
        assert all(low <= value <= high for value, low, high in measured.figures.values())
        assert measured.command.startswith("triplewise eval reproduce") and measured.n > 0


def test_unknown() -> None:
    with pytest.raises(ConfigError, match="Known: anonymous2024"):
        load_experiment("nope")
    with pytest.raises(ConfigError, match="Rows: 1-hop-12-shot"):
        load_experiment("kim2023_kg_gpt_metaqa").row("nope")
