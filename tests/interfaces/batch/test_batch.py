"""``triplewise batch``: all tasks, errors as records, going on after SIGKILL and Ctrl-C, bounded in flight."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from eval_life import Lives
from typer.testing import CliRunner

from triplewise.errors import TriplewiseError
from triplewise.interfaces.cli import app

Films = Callable[[int], tuple[Path, Path]]
Batch = Callable[..., subprocess.Popen[str]]


def records(path: Path) -> dict[str, dict[str, Any]]:
    found = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n")[:-1]]
    assert len(found) == len({r["id"] for r in found})
    return {r["id"]: r for r in found}


def run(*args: object) -> dict[str, Any]:
    done = CliRunner().invoke(app, ["batch", *map(str, args), "--json"])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return json.loads(done.stdout)


def arguments(items: Path, graph: Path, out: Path, *more: object) -> tuple[object, ...]:
    asked = ("--model", "openai:fake", "--method", "kg-gpt", "--embedder", "", "--no-cache")
    return (items, "--out", out, "--kg", graph, *asked, *more)


@pytest.fixture
def model(tmp_path: Path) -> str:
    """Knows who directed Alien, and ranks."""
    rules = [
        {"match": r"Sentence: [^\n]*Ridley Scott directed", "reply": "1. Ridley Scott directed Alien. | Alien ; Ridley Scott"},
        {"match": r"Sentence: [^\n]*\nEntities: [^\n]*$", "reply": "1. Alien was directed by someone. | Alien ; ?answer"},
        {"match": r"Chosen:$", "reply": "directed by"},
        {"match": r"Answer:$", "reply": "Ridley Scott"},
        {"match": r"Verdict:$", "reply": "Verdict: supported\nTriples used: 1\nReason: It says so."},
        {"match": r"(?s).*", "reply": "2, 1"},
    ]  # fmt: skip
    path = tmp_path / "script.json"
    path.write_text(json.dumps(rules))
    return f"fake:{path}"


def test_all_three_tasks_and_errors_as_records(model: str, tmp_path: Path) -> None:
    rows = [
        {"id": "ask", "question": "Who directed Alien?", "entities": ["Alien"]},
        {"id": "claim", "claim": "Ridley Scott directed Alien.", "entities": ["Alien"]},
        {"id": "link", "head": "Alien", "relation": "directed_by"},
        {"id": "empty", "question": "  "},
        {"id": "unknown", "head": "No Such Film", "relation": "directed_by"},
    ]
    items, out, ranks = tmp_path / "items.jsonl", tmp_path / "out.jsonl", tmp_path / "ranks.jsonl"
    items.write_text("\n".join(json.dumps(r) for r in rows))
    people = [["James Cameron", -1.0], ["Ridley Scott", -2.0]]
    ranks.write_text(json.dumps({"head": "Alien", "relation": "directed_by", "tail": None, "ranking": people}))
    figures = run(items, "--out", out, "--model", model, "--method", "kg-gpt", "--scorer", ranks)
    found = records(out)
    assert (figures["items"], figures["errors"], figures["done_now"]) == (5, 2, 5)
    assert found["ask"]["answers"][0]["id"] == "Ridley Scott" and found["ask"]["citations"]
    assert found["claim"]["verdict"] == "supported"
    assert [p["id"] for p in found["link"]["ranking"]] == ["Ridley Scott", "James Cameron"]
    assert found["empty"]["error"]["type"] == "QuestionError"
    assert found["unknown"]["error"]["type"] == "UnknownEntityError"
    before = out.read_bytes()
    again = run(items, "--out", out, "--model", model, "--method", "kg-gpt", "--scorer", ranks)
    assert again["done_now"] == 0 and out.read_bytes() == before


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--engine", "slurm"], "no engine"),
        (["--address", "here"], "of the engine ray"),
        (["--workers", "2", "--max-calls", "3"], "within one process"),
        (["--engine", "ray", "--max-calls", "3"], "within one process"),
        (["--task", "guess"], "no task"),
        (["--retrieval", "bm25", "--method", "kg-gpt"], "--retrieval is not of the methods"),
        (["--ranker", "nope.npz", "--method", "query-graph"], "nope.npz holds no ranker"),
        (["--reading", "0", "--method", "query-graph"], "counted from 1"),
        (["--no-subgraph", "--method", "kg-gpt"], "--no-subgraph is not of the methods"),
        (["--out", "ITEMS"], "is an input"),
        (["--kg", "nowhere.tsv"], "nowhere.tsv"),
    ],
)
def test_what_is_wrong_is_told_before_a_file_is_made(
    flags: list[str], said: str, model: str, films: Films, tmp_path: Path
) -> None:
    graph, items = films(2)
    out = tmp_path / "out.jsonl"
    given = [str(items) if f == "ITEMS" else f for f in flags]
    with pytest.raises(TriplewiseError, match=said):
        run(items, "--out", out, "--kg", graph, "--model", model, *given)
    assert not out.exists() and not out.with_name("out.jsonl.run.json").exists()


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_a_file_without_items_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "items.jsonl").write_text(text)
    with pytest.raises(TriplewiseError, match="holds no item"):
        run(tmp_path / "items.jsonl", "--out", tmp_path / "out.jsonl")
    assert [p.name for p in tmp_path.iterdir()] == ["items.jsonl"]


def test_an_id_that_comes_twice_is_refused(films: Films, tmp_path: Path) -> None:
    _, items = films(2)
    items.write_text(items.read_text() * 2)
    with pytest.raises(TriplewiseError, match="'q0' comes twice"):
        run(items, "--out", tmp_path / "out.jsonl")


def test_in_flight_is_bounded_and_a_cap_stops(
    films: Films, server: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    graph, items = films(12)
    out, asked = tmp_path / "out.jsonl", server(0.05)
    base = arguments(items, graph, out, "--in-flight", 3)
    with pytest.raises(TriplewiseError, match="cap of 8 calls"):
        run(*base, "--max-calls", 8)
    kept = len(records(out))
    assert 0 < kept < 12
    figures = run(*base)
    assert figures["done_now"] == 12 - kept and figures["errors"] == 0
    assert asked.most_in_flight <= 3
    assert {r["text"] for r in records(out).values()} == {f"Person{i}" for i in range(12)}


def test_too_many_errors_stop_the_run(model: str, films: Films, tmp_path: Path) -> None:
    graph, items = films(6)
    items.write_text("".join(json.dumps({"question": "", "id": i}) + "\n" for i in range(6)))
    out = tmp_path / "out.jsonl"
    base = (
        items,
        "--out",
        out,
        "--kg",
        graph,
        "--model",
        model,
        "--method",
        "kg-gpt",
        "--embedder",
        "",
        "--in-flight",
        1,
    )
    with pytest.raises(TriplewiseError, match="3 items ended in an error"):
        run(*base, "--max-errors", 2)
    assert len(records(out)) == 3
    assert run(*base, "--retry-errors")["errors"] == 6


def killed(films: Films, server: Callable[..., Any], folder: Path, items: int, kills: int) -> None:
    graph, path = films(items)
    out, said, asked, rng = folder / "out.jsonl", folder / "said", server(0.03), random.Random(kills)
    command = ("batch", *arguments(path, graph, out, "--in-flight", 8))
    with Lives() as lives:
        for number in range(kills):
            process, before = lives.command(said, *command), asked.answered
            until = before + rng.randrange(3, max(4, (2 * items - before) // (kills - number + 1)))
            while process.running() and asked.answered < until:
                time.sleep(0.002)
            assert process.running(), said.read_text()
            os.kill(process.pid, signal.SIGKILL)
            assert process.wait() == -signal.SIGKILL
        process = lives.command(said, *command)
        assert not process.running(250) and process.wait() == 0, said.read_text()
    found = records(out)
    assert set(found) == {f"q{i}" for i in range(items)}
    assert all(r["text"] == f"Person{r['id'][1:]}" for r in found.values())
    assert said.read_text().endswith(f"{items:,} items, 0 errors in {out}\n")


def test_sigkill_loses_and_doubles_nothing(films: Films, server: Callable[..., Any], tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai", reason="the process that forks imports evaluations, too")
    killed(films, server, tmp_path, 40, 3)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_ten_sigkills(films: Films, server: Callable[..., Any], tmp_path: Path) -> None:
    killed(films, server, tmp_path, 1_000, 10)


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_done_and_says_so(
    films: Films, batch: Batch, server: Callable[..., Any], tmp_path: Path
) -> None:
    graph, items = films(200)
    out, asked = tmp_path / "out.jsonl", server(0.1)
    args = arguments(items, graph, out)
    process = batch(*args)
    while process.poll() is None and asked.answered < 60:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130, said
    assert "of 200 items are in" in said and "interrupted" in said
    assert 0 < len(records(out)) < 200
    process = batch(*args)
    assert process.communicate(timeout=250)[0].startswith("200 items, 0 errors")
