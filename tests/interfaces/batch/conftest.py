"""A small graph of films, and questions about it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

COMMAND = [sys.executable, "-c", "from triplewise.interfaces.cli import main; main()"]


@pytest.fixture
def films(tmp_path: Path) -> Callable[[int], tuple[Path, Path]]:
    """``films(n)``: a graph of n films with a director each, and a file of n questions."""

    def make(count: int) -> tuple[Path, Path]:
        graph, items = tmp_path / "kg.tsv", tmp_path / "items.jsonl"
        graph.write_text("".join(f"Film{i}\tdirected_by\tPerson{i}\n" for i in range(count)))
        rows = [{"id": f"q{i}", "question": f"who directed Film{i}?", "entities": [f"Film{i}"]} for i in range(count)]
        items.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return graph, items

    return make


@pytest.fixture
def batch() -> Callable[..., subprocess.Popen[str]]:
    """``batch(*arguments)``: the command as a process."""

    def start(*args: object, **options: Any) -> subprocess.Popen[str]:
        environment = {**os.environ, "OPENAI_API_KEY": "none", **options.pop("env", {})}
        return subprocess.Popen(
            [*COMMAND, "batch", *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=environment, **options,
        )  # fmt: skip

    return start


def reply(body: dict[str, Any]) -> str:
    """What a right model says to KG-GPT's nodes."""
    system, user = body["messages"][0]["content"], body["messages"][-1]["content"]
    if "You choose" in system:
        return "directed by"
    marker = "Sentence: " if "You split" in system else "Question: "
    film = user.rpartition(marker)[2].partition("\n")[0].removeprefix("who directed ").removesuffix("?")
    if marker == "Sentence: ":
        return f"1. {film} was directed by ?answer | {film} ; ?answer"
    return f"Person{film[4:]}"


@pytest.fixture
def server(fake_openai: Callable[..., Any]) -> Callable[[float], Any]:
    """``server(latency)``: a model behind HTTP that answers rightly."""
    return lambda latency: fake_openai(reply, latency=latency)
