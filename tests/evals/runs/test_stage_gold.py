"""With gold segmentation and relations nothing is lost: all of MetaQA dev, and the whole machine on a part."""

from __future__ import annotations

from pathlib import Path

import pytest

import triplewise
from triplewise.errors import ConfigError
from triplewise.evals.data.datasets import load_dataset
from triplewise.evals.runs.stage_gold import gold_chat, gold_model, gold_outcome
from triplewise.kg import load_kg


def test_metaqa_dev(data_dir) -> None:
    folder = data_dir("metaqa")
    kg = load_kg(folder / "kb.txt")
    for hops, covered, equal in ((1, 0.999, 0.94), (2, 1.0, 1.0), (3, 1.0, 1.0)):
        items = load_dataset(f"metaqa-{hops}", folder).items
        outcomes = [gold_outcome(kg, item) for item in items]
        assert sum(o.covered for o in outcomes) >= covered * len(items)
        right = sum(o.reading == set(i.answers) for i, o in zip(items, outcomes, strict=True))
        assert right >= equal * len(items)
        assert all(o.join >= o.reading for o in outcomes)


async def test_the_whole_machine(data_dir) -> None:
    folder = data_dir("metaqa")
    kg = load_kg(folder / "kb.txt")
    for hops in (2, 3):
        items = load_dataset(f"metaqa-{hops}", folder, limit=40).items
        model = gold_model(kg, items)
        for item in items:
            result = await triplewise.aask(kg, item.text, model=model)
            assert {a.id for a in result.answers} == set(item.answers)
            assert all(step.status != "fallback" for step in result.steps)


@pytest.mark.usefixtures("warm_brokers")
def test_as_the_model_of_a_run(data_dir, tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai")
    from triplewise.evals.runs.runner import RunSettings, start
    from triplewise.evals.scores.results import load_run

    task = {"dataset": "metaqa-2", "folder": str(data_dir("metaqa")), "limit": 5}
    start(RunSettings(task, "gold"), tmp_path / "run")
    run = load_run(tmp_path / "run")
    assert run.complete and run.values("f1")[0] == [1.0] * 5
    assert run.values("fallback")[0] == [0.0] * 5


def test_the_model_needs_gold_paths_and_its_prompts(data_dir, tmp_path: Path) -> None:
    (tmp_path / "own.jsonl").write_text('{"question": "who?", "answers": ["she"]}\n')
    with pytest.raises(ConfigError, match="gold relation paths"):
        gold_chat({"dataset": "own", "folder": str(tmp_path / "own.jsonl")})
    with pytest.raises(ConfigError, match="not kg-gpt paper"):
        gold_chat({"dataset": "metaqa-1", "folder": str(data_dir("metaqa")), "limit": 5, "preset": "paper"})
