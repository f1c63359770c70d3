"""``triplewise eval reproduce``: papers' rows beside their published figures, and the list of all rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai")
pytestmark = [pytest.mark.first, pytest.mark.usefixtures("warm_brokers")]

from film_runs import Call, replies  # noqa: E402

from triplewise.evals.scores.results import load_run  # noqa: E402


def test_a_papers_row_beside_its_published_figure(call: Call, metaqa: Path, fake_openai: Any) -> None:
    server = fake_openai(replies())
    asked = ("reproduce", "kim2023_kg_gpt_metaqa", "--row", "1-hop-12-shot", "--limit", 5, "--model", "openai:fake")
    code, out, err = call(*asked)
    assert (code, err) == (0, "")
    row = next(line for line in out.splitlines() if line.startswith("1-hop-12-shot"))
    assert row.split()[1:] == ["kg_gpt_substring", "100.0", "56.6", "to", "100.0", "5", "96.3"]
    for told in (
        "What differs:", "- model: ChatGPT (2023) in the paper, openai:fake here", "- split: dev here",
        "- kg_gpt_substring is what the paper calls Hits@1", "the model of the paper is no longer served",
    ):  # fmt: skip
        assert told in out
    before = server.requests
    code, out, _ = call(*asked, "--json")
    (found,) = json.loads(out)["rows"]
    assert (code, found["published"], found["run"]) == (
        0,
        {"kg_gpt_substring": 96.3},
        "runs/kim2023_kg_gpt_metaqa/1-hop-12-shot",
    )
    assert found["ours"]["kg_gpt_substring"]["n"] == 5
    assert server.requests == before  # what is done is not asked again
    code, _, err = call(*asked, "--limit", 6)
    assert (code, "holds a run of other settings" in err) == (2, True)
    assert load_run(found["run"]).preset == "reference"
    code, out, _ = call(*asked, "--preset", "default", "--out", "ours")
    assert (code, "of the preset 'default' here" in " ".join(out.split())) == (0, True)
    assert load_run("ours/1-hop-12-shot").preset == "default"


def test_a_row_that_needs_another_model_is_told(call: Call, fake_openai: Any) -> None:
    fake_openai(["ok"])
    code, out, _ = call(
        "reproduce", "anonymous2024_cot_kg_cwq", "--row", "without-pretraining", "--model", "openai:fake"
    )
    assert code == 0
    assert "without-pretraining: it needs a model of this training" in " ".join(out.split()) and "–" in out
    assert "--model without-pretraining=SPEC" in " ".join(out.split())


def test_a_row_that_needs_its_own_training_runs_with_a_model_of_its_own() -> None:
    from triplewise.errors import ConfigError
    from triplewise.evals.papers.paper_tables import load_experiment
    from triplewise.evals.runs.plan import Request
    from triplewise.evals.runs.reproduce import models_of, request_of

    experiment = load_experiment("anonymous2024_cot_kg_metaqa")
    every, own = models_of(experiment, ["openai:all", "3-hop-continual-training=openai:trained"])
    assert (every, own) == ("openai:all", {"3-hop-continual-training": "openai:trained"})
    row = experiment.row("3-hop-continual-training")
    asked = request_of(experiment, row, Request("metaqa-3", "openai:all"), own[row.name])
    assert (asked.model, asked.preset, asked.options) == ("openai:trained", "paper", {})
    with pytest.raises(ConfigError, match="needs a model of this training"):
        request_of(experiment, row, Request("metaqa-3", "openai:all"))
    with pytest.raises(ConfigError, match="has no row 'nope'"):
        models_of(experiment, ["nope=openai:trained"])


def test_the_list_of_all_rows(call: Call, metaqa: Path, fake_openai: Any) -> None:
    server = fake_openai(replies())
    call("reproduce", "kim2023_kg_gpt_metaqa", "--row", "1-hop-4-shot", "--limit", 5, "--model", "openai:fake")
    before = server.requests
    code, out, err = call("reproduce", "--list", "--json")
    rows = {(r["experiment"], r["row"]): r for r in json.loads(out)}
    assert (code, err, server.requests, len(rows)) == (0, "", before, 123)
    ran = rows["kim2023_kg_gpt_metaqa", "1-hop-4-shot"]
    assert (ran["state"], ran["figures"]["kg_gpt_substring"][0]) == ("ran", 94.7)
    assert ran["figures"]["kg_gpt_substring"][1]["n"] == 5 and "ChatGPT (2023) in the paper" in ran["why"]
    assert rows["kim2023_kg_gpt_metaqa", "1-hop-top-5"]["state"] == "can run"
    assert "data/cwq is not there" in rows["anonymous2024_cot_kg_cwq", "ours"]["why"]
    assert "--model without-pretraining=SPEC" in rows["anonymous2024_cot_kg_cwq", "without-pretraining"]["why"]
    assert rows["wei2023_kicgpt_wn18rr", "HAKE"]["state"] == "data only"
    code, out, _ = call("reproduce", "kim2023_kg_gpt_metaqa", "--list")
    assert code == 0 and "KV-Mem" in out
    code, _, err = call("reproduce")
    assert (code, "needs an experiment" in err) == (2, True)
