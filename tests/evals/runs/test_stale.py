"""Change one thing that a result rests on, and no result of before is used again: one test each, on real runs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import triplewise

pytest.importorskip("inspect_ai")
pytestmark = [pytest.mark.first, pytest.mark.usefixtures("warm_brokers")]

from triplewise.evals.runs.runner import RunSettings, resume, start  # noqa: E402
from triplewise.evals.runs.stale import StaleRunError  # noqa: E402
from triplewise.evals.scores.results import load_run  # noqa: E402

ITEMS = 4


@pytest.fixture
def films(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with items, a graph, and a run over them that is whole."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    write(tmp_path / "films.jsonl")
    (tmp_path / "kg.tsv").write_text("".join(f"Film{i}\tdirected_by\tPerson{i}\n" for i in range(ITEMS)))
    return tmp_path


def write(path: Path, **changed: Any) -> None:
    rows = [
        {"question": f"who directed Film{i}?", "answers": [f"Person{i}"], "entities": [f"Film{i}"]}
        for i in range(ITEMS)
    ]
    rows[2] |= changed
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def settings(folder: Path, model: str = "openai:fake") -> RunSettings:
    return RunSettings({"dataset": "films", "folder": str(folder / "films.jsonl")}, model)


def refused_then_anew(folder: Path, server: Any, change: Callable[[], None], named: str) -> None:
    """A whole run, then ``change``: it does not go on, asks nothing, and a new run asks all of its calls."""
    out = folder / "run"
    assert start(settings(folder), out) == "success"
    assert resume(out) == "success"
    asked = server.requests
    change()
    with pytest.raises(StaleRunError, match=f"changed since the run began: {named}"):
        resume(out)
    assert server.requests == asked
    assert start(settings(folder), folder / "new") == "success"
    new = load_run(folder / "new")
    assert new.spent.usage.calls == server.requests - asked
    assert sum(i.usage.calls for i in new.items) == server.requests - asked
    assert {k for k, v in load_run(out).hashes.items() if v != new.hashes[k]} == {named}


def test_one_item(films: Path, fake_openai: Any) -> None:
    change = lambda: write(films / "films.jsonl", answers=["Somebody Else"])  # noqa: E731
    refused_then_anew(films, fake_openai(["ok"]), change, "data_hash")


def test_one_triple_of_the_graph(films: Path, fake_openai: Any) -> None:
    def change() -> None:
        with (films / "kg.tsv").open("a") as graph:
            graph.write("Film0\tdirected_by\tPerson1\n")

    refused_then_anew(films, fake_openai(["ok"]), change, "kg_hash")


@pytest.mark.local
def test_the_weights(films: Path) -> None:
    pytest.importorskip("llama_cpp")
    pytest.importorskip("gguf")
    from tiny_llama import write_tiny_llama

    made = settings(films, f"llamacpp:{write_tiny_llama(films / 'tiny.gguf')}")
    made.task["limit"] = 1
    assert start(made, films / "run") == "success"
    assert resume(films / "run") == "success"
    (films / "tiny.gguf").unlink()
    write_tiny_llama(films / "tiny.gguf", seed=1)
    with pytest.raises(StaleRunError, match="changed since the run began: weights_hash"):
        resume(films / "run")
    assert start(made, films / "new") == "success"
    old, new = load_run(films / "run"), load_run(films / "new")
    assert new.spent.usage.calls > 0
    assert old.hashes["weights_hash"] != new.hashes["weights_hash"]


STARTED = """
import sys
from triplewise.evals.runs.runner import RunSettings, start
folder = sys.argv[1]
print(start(RunSettings({"dataset": "films", "folder": f"{folder}/films.jsonl"}, "openai:fake"), f"{folder}/run"))
"""
RESUMED = """
import json, sys
from pathlib import Path
from triplewise.evals.runs.runner import resume
from triplewise.evals.runs.stale import StaleRunError, code_hash
folder = sys.argv[1]
for file, (before, after) in json.loads(sys.argv[2]).items():
    changed = Path(file)
    text = changed.read_text()
    assert before in text
    changed.write_text(text.replace(before, after))
    code_hash.cache_clear()
    try:
        print(resume(f"{folder}/run"))
    except StaleRunError as error:
        print(error.message)
    changed.write_text(text)
code_hash.cache_clear()
print(resume(f"{folder}/run"))
"""
"""A second process: for each file changed, what it says, then what it says to the sources as they were."""


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The package's sources in a folder of their own, with what is compiled of them."""
    source = Path(triplewise.__file__).resolve().parent
    # links are followed: agents, tools, graphs, prompts and evals come along
    shutil.copytree(source, tmp_path / "copy" / "triplewise", ignore=shutil.ignore_patterns("*.gguf"))
    return tmp_path / "copy"


CHANGES = {
    "prompts/kg_gpt/answer.txt": ("the best answer", "the very best answer"),
    "evals/scores/metrics.py": ('"hits_at_1": (hits_at_1, 1)', '"hits_at_1": (hits_at_1, 2)'),
}
"""A prompt and a metric: file → (text, what stands there instead)."""


@pytest.mark.slow
def test_the_sources(films: Path, copied: Path, fake_openai: Any) -> None:
    server = fake_openai(["ok"])

    def child(code: str, *arguments: str) -> list[str]:
        done = subprocess.run(
            [sys.executable, "-c", code, str(films), *arguments], capture_output=True, text=True, timeout=120,
            cwd=copied, env={**os.environ, "PYTHONPATH": str(copied)},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout.splitlines()

    assert child(STARTED) == ["success"]
    asked = server.requests
    changes = {str(copied / "triplewise" / file): change for file, change in CHANGES.items()}
    refused = "changed since the run began: code."
    assert child(RESUMED, json.dumps(changes)) == [*[refused] * len(CHANGES), "success"]
    assert server.requests == asked


def test_a_checkout_without_symbolic_links_has_the_same_hash(tmp_path: Path) -> None:
    """With core.symlinks=false git writes the links as small text files."""
    root, copy = Path(triplewise.__file__).resolve().parent.parent, tmp_path / "clone"
    flat = ("agents", "tools", "graphs", "prompts", "evals")
    ignore = shutil.ignore_patterns("__pycache__", "*.gguf")
    for name in (*flat, "triplewise"):
        shutil.copytree(root / name, copy / name, symlinks=True, ignore=ignore)
    shutil.copy(root / "pyproject.toml", copy)
    code = "from triplewise.evals.runs.stale import code_hash; print(code_hash())"
    hashes = []
    for linked in (True, False):
        if not linked:
            for name in flat:
                (copy / "triplewise" / name).unlink()
                (copy / "triplewise" / name).write_text(f"../{name}")
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, cwd=copy,
            env={**os.environ, "PYTHONPATH": str(copy)},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-2000:]
        hashes.append(done.stdout)
    assert hashes[0] == hashes[1]
