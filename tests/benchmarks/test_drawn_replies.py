"""Drawn replies are in the grammar, and the same for the same call; what is recorded of a run does not change."""

from __future__ import annotations

import importlib
import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage

from triplewise.backends.llama.gbnf import choice, choice_list, permutation
from triplewise.graphs.method import methods

FOLDER = Path(__file__).resolve().parent.parent.parent / "benchmarks"


@pytest.fixture
def benchmark_module(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A module of benchmarks/ by name; its scripts import each other as scripts do."""
    monkeypatch.syspath_prepend(str(FOLDER))
    yield importlib.import_module
    for name in ("drawn_replies", "same_answers"):
        sys.modules.pop(name, None)


def test_draws_are_in_the_grammar(benchmark_module: Any) -> None:
    draw = benchmark_module("drawn_replies").draw
    names = ["Alien", "Alien 3", 'A "quoted" one', "Amélie", "tab\there"]
    one, several = f"root ::= {choice(names)}\n", choice_list(names, max_items=3, separator=" | ")
    seen = set()
    for seed in range(200):
        rng = random.Random(seed)
        seen.add(draw(one, rng))
        assert set(draw(several, rng).split(" | ")) <= set(names)
        assert set(draw(permutation(4), rng).split(", ")) <= set("1234")
        assert draw('root ::= "n" digit{2,3} [^0-9x]?\ndigit ::= [0-9]\n', rng)[:3].removeprefix("n").isdigit()
    assert seen == set(names)


def test_a_reply_hangs_on_node_prompt_and_grammar(benchmark_module: Any) -> None:
    model = benchmark_module("drawn_replies").drawing_model()
    grammar = permutation(8)

    def reply(text: str) -> str:
        return model.invoke([HumanMessage(text)], grammar=grammar).text

    assert reply("one") == reply("one") != reply("two")


@pytest.mark.slow
def test_a_run_recorded_twice_is_the_same(benchmark_module: Any, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    same_answers = benchmark_module("same_answers")
    library = same_answers.Domain(same_answers.CORPUS / "library")
    asked = [(library.store, item.task, {"text": item.text}) for item in list(library.items())[:1]]
    asked.append((library.store, "complete", {"head": "B-1024", "relation": "kept_at", "tail": "Westfield Branch"}))
    lines: list[list[str]] = []
    for name in ("before", "after"):
        same_answers.asyncio.run(same_answers.record(tmp_path / name, asked, [], None, None))
        lines.append((tmp_path / name).read_text(encoding="utf-8").splitlines())
    assert lines[0] == lines[1]
    assert {json.loads(line)["method"] for line in lines[0]} == {m.id for m in methods()}
    assert not any("error" in json.loads(line) for line in lines[0])
