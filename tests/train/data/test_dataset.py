"""Training data from any graph: stages and tasks, its file, and what is no such file."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from langchain_core.messages import HumanMessage

from triplewise.errors import ConfigError
from triplewise.kg import NetworkxStore, load_kg
from triplewise.train.data.dataset import Recipe, chosen_tasks, draw
from triplewise.train.data.rows import Row, meta_path, read_rows, write_rows
from triplewise.train.data.skills import Example
from triplewise.train.sentences.compose import Vocabulary


def words(text: str) -> int:
    return len(text.split())


@pytest.fixture(scope="module")
def films() -> Vocabulary:
    return Vocabulary(load_kg("films"), generic=True)


def test_stages_come_in_the_paper_s_order_and_are_seeded(films: Vocabulary) -> None:
    recipe = Recipe(examples=60, dev=21, seed=3)
    rows = list(draw(films, recipe, words))
    assert rows == list(draw(films, recipe, words))
    assert list(dict.fromkeys(r.stage for r in rows)) == ["instruction", "pretraining", "reasoning"]
    counts = Counter((r.split, r.stage) for r in rows)
    assert counts["train", "instruction"] == counts["train", "reasoning"] == 60
    assert (counts["dev", "instruction"], counts["dev", "reasoning"], counts["dev", "pretraining"]) == (10, 11, 0)
    keys = [(r.split, *(m.text for m in r.example.messages), r.example.reply) for r in rows]
    assert len(set(keys)) == len(keys)


def test_tasks_are_chosen_by_name(films: Vocabulary) -> None:
    assert list(chosen_tasks("plan, instruction")) == ["instruction", "reasoning"]
    rows = draw(films, Recipe(chosen_tasks("plan,entity"), examples=20, dev=0), words)
    assert {r.example.skill for r in rows} == {"plan", "entity"}
    with pytest.raises(ConfigError, match="no training task 'poems'"):
        chosen_tasks("plan,poems")


@pytest.mark.parametrize(
    "triples",
    [
        [("hub", "has_part", f"part {i}") for i in range(30)],
        [(f"thing {i}", "value", str(i)) for i in range(30)],
        [(f"node {i}", f"leadsTo{i % 3}", f"node {i + 1}") for i in range(60)],
        [(f"ex:thing{i}", "http://example.org/feeds-into", f"ex:thing{i * 7 % 40}") for i in range(40)],
    ],
)
def test_graphs_whose_relations_the_lexicon_lacks(triples: list[tuple[str, str, str]]) -> None:
    rows = list(draw(Vocabulary(NetworkxStore(triples), generic=True), Recipe(examples=40, dev=10), words))
    counts = Counter(r.stage for r in rows if r.split == "train")
    assert counts["instruction"] == counts["reasoning"] == 40 and counts["pretraining"] >= 1


@pytest.mark.parametrize("triples", [[], [("a", "r", "b")], [("x" * 80, "r", "y" * 80)], [("loop", "r", "loop")]])
def test_graphs_that_give_nothing_say_so(triples: list[tuple[str, str, str]]) -> None:
    with pytest.raises(ConfigError, match="nothing for the reasoning stage"):
        list(draw(Vocabulary(NetworkxStore(triples), generic=True), Recipe(chosen_tasks("reasoning")), words))


# the file --------------------------------------------------------------------------------------------------


def test_rows_read_back(films: Vocabulary, tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    rows = list(draw(films, Recipe(examples=30, dev=10), words))
    done = write_rows(path, rows, {"seed": 0})
    assert read_rows(path) == [
        Row(r.stage, Example(r.example.skill, tuple(r.example.messages), r.example.reply), r.split) for r in rows
    ]
    assert json.loads(meta_path(path).read_text()) == done
    assert done["lines"] == len(rows) and done["counts"]["dev"]["reasoning"]
    assert {p.name for p in tmp_path.iterdir()} == {"data.jsonl", "data.meta.json"}


def test_a_run_that_stops_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    write_rows(path, [Row("reasoning", Example("plan", (HumanMessage("q"),), "1. Find x."))], {})
    before = path.read_bytes()

    def stopped():
        yield Row("reasoning", Example("plan", (HumanMessage("other"),), "1. Find y."))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_rows(path, stopped(), {})
    assert path.read_bytes() == before and len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("no json", "no JSON"),
        ("[1]", "expected a JSON object"),
        ('{"stage": "dreaming", "text": "x"}', "no stage 'dreaming'"),
        ('{"stage": "reasoning", "split": "test", "text": "x"}', "no split 'test'"),
        ('{"stage": "pretraining", "text": ""}', "'text' is not a text"),
        ('{"stage": "reasoning"}', "'prompt' is not a list"),
        ('{"stage": "reasoning", "prompt": [{"content": "x"}]}', "without a role"),
        ('{"stage": "reasoning", "prompt": [{"role": "user", "content": 1}]}', "content is not a text"),
        ('{"stage": "reasoning", "prompt": [{"role": "user", "content": "x"}], "completion": []}', "'completion' is"),
        (
            '{"stage": "reasoning", "prompt": [{"role": "user", "content": "x"}], "completion": [{"role": "user", "content": "y"}]}',
            "'completion' is not one message of the assistant",
        ),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str, problem: str) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text(f'{{"stage": "pretraining", "text": "a: b"}}\n\n{line}\n')
    with pytest.raises(ConfigError, match=problem) as error:
        read_rows(path)
    assert f"{path}:3" in str(error.value)


def test_a_file_that_is_not_there_or_no_text(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_rows(tmp_path / "none.jsonl")
    (tmp_path / "bytes.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="not UTF-8"):
        read_rows(tmp_path / "bytes.jsonl")
    with pytest.raises(ConfigError, match="cannot be written"):
        write_rows(tmp_path / "no" / "data.jsonl", [], {})
