"""A run's folder read back: what each item was asked, found, cited and cost."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from asked_node import asked_node

from triplewise.errors import ConfigError
from triplewise.evals.scores.results import load_run, type_of_error
from triplewise.types import Usage

pytest.importorskip("inspect_ai")
pytestmark = pytest.mark.usefixtures("warm_brokers")

from inspect_ai.log import EvalError  # noqa: E402

from triplewise.evals.runs.runner import RunSettings, resume, start  # noqa: E402

GRAPH = "Heat\tdirected_by\tMichael Mann\nAlien\tdirected_by\tRidley Scott\n"
GOLD = {"Heat": "Michael Mann", "Alien": "Ridley Scott"}


@pytest.fixture
def films(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    (tmp_path / "kg.tsv").write_text(GRAPH)
    rows = [{"question": f"who directed {f}?", "answers": [d], "entities": [f]} for f, d in GOLD.items()]
    (tmp_path / "films.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    return tmp_path


def reply(body: dict) -> str:
    node, user = asked_node(body), body["messages"][1]["content"]
    if node == "select_relations":
        return "directed by"
    marker = "Sentence: " if node == "segment" else "Question: "
    film = next(f for f in GOLD if f in user.rpartition(marker)[2].partition("\n")[0])
    return f"1. {film} was directed by ?answer | {film} ; ?answer" if marker == "Sentence: " else GOLD[film]


def test_a_run_read_back(films: Path, fake_openai) -> None:
    server = fake_openai(reply)
    task = {"dataset": "films", "folder": str(films / "films.jsonl"), "shots": 4}
    start(RunSettings(task, "openai:fake"), films / "run")
    run = load_run(films / "run")
    assert (run.task, run.split, run.method, run.model, run.preset) == (
        "films",
        "dev",
        "kg-gpt",
        "openai:fake",
        "default",
    )
    assert run.settings["shots"] == 4
    assert set(run.hashes) == {"data_hash", "kg_hash", "code", "weights_hash", "embedder_id"}
    assert run.metrics["hits_at_1"] >= 1
    assert run.complete
    assert run.spent.usage.prompt_tokens == server.prompt_tokens
    heat, alien = run.items
    assert (heat.text, heat.gold, heat.answers) == ("who directed Heat?", ("Michael Mann",), ("Michael Mann",))
    assert heat.evidence[heat.citations[0]] == ("Heat", "directed by", "Michael Mann")
    assert [s["node"] for s in heat.steps][-1] == "reason"
    assert heat.cluster == "Heat"
    assert heat.usage + alien.usage == Usage(server.answered, server.prompt_tokens, 0, server.completion_tokens)
    assert heat.scores["hits_at_1"] == 1
    assert heat.scores["accuracy"] is None
    assert run.values("f1") == ([1.0, 1.0], ["Heat", "Alien"])


def test_a_stopped_item_is_wrong_and_says_why(films: Path, fake_openai) -> None:
    fake_openai(reply)
    task = {"dataset": "films", "folder": str(films / "films.jsonl")}
    start(RunSettings(task, "openai:fake", token_limit=1), films / "run")
    item = load_run(films / "run").items[0]
    assert item.error == "token limit"
    assert item.scores["hits_at_1"] == 0
    assert item.scores["errors"] == 1
    assert item.outcome.tokens > 1


def test_a_log_that_is_damaged(films: Path, fake_openai) -> None:
    """Cut or with a flipped bit: told, or read as it was; and the run goes on from its cache."""
    server = fake_openai(reply)
    out = films / "run"
    start(RunSettings({"dataset": "films", "folder": str(films / "films.jsonl")}, "openai:fake"), out)
    whole, asked = load_run(out).items, server.requests
    (log,) = (out / "logs").glob("*.eval")
    data, rng, told = log.read_bytes(), random.Random(1), 0
    damaged = [data[: len(data) * n // 8] for n in range(8)]
    for _ in range(8):
        at = rng.randrange(len(data))
        damaged.append(data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :])
    for content in damaged:
        log.write_bytes(content)
        try:
            assert load_run(out).items == whole
        except ConfigError as error:
            told += 1
            assert "damaged" in error.message and "eval resume" in error.hint and len(str(error)) < 700
    assert told >= 8
    log.write_bytes(data[: len(data) // 2])
    assert resume(out) == "success"
    assert [(i.id, i.answers) for i in load_run(out).items] == [(i.id, i.answers) for i in whole]
    assert server.requests == asked and log.with_name(f"{log.name}.damaged").exists()


def test_a_whole_log_is_not_set_aside_by_a_new_process(films: Path, fake_openai) -> None:
    """Inspect's logs are compressed as Python's zipfile does not know before Inspect is imported."""
    fake_openai(reply)
    start(RunSettings({"dataset": "films", "folder": str(films / "films.jsonl")}, "openai:fake"), films / "run")
    code = (
        "import sys; from pathlib import Path; from triplewise.evals.scores.results import set_damaged_aside; "
        "print(set_damaged_aside(Path(sys.argv[1])))"
    )
    command = [sys.executable, "-c", code, str(films / "run" / "logs")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "[]" and list((films / "run" / "logs").glob("*.eval")), done.stderr


def test_what_a_newer_log_holds_is_read_from_no_other(films: Path, fake_openai) -> None:
    """Logs of a run that was resumed often are copies of one another; only what the newest lacks is looked for in them."""
    fake_openai(reply)
    out = films / "run"
    start(RunSettings({"dataset": "films", "folder": str(films / "films.jsonl")}, "openai:fake"), out)
    whole = load_run(out).items
    (log,) = (out / "logs").glob("*.eval")
    old = log.with_name(f"2020-{log.name}")
    old.write_bytes(b"damaged")
    os.utime(old, (1_600_000_000, 1_600_000_000))
    assert load_run(out).items == whole
    os.utime(log, (1_500_000_000, 1_500_000_000))
    with pytest.raises(ConfigError, match="damaged"):
        load_run(out)


def test_no_run(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no run"):
        load_run(tmp_path)


@pytest.mark.parametrize(
    ("last", "name"),
    [
        ("openai.RateLimitError: Error: slow\n  down\nDuring task with name 'segment'", "RateLimitError"),
        ("KeyError: 'x'", "KeyError"),
        ("TimeoutError", "TimeoutError"),
        ("SystemExit: 3", "what was said"),
    ],
)
def test_error_class(last: str, name: str) -> None:
    before = "Traceback (most recent call last):\nValueError: first\n  File 'x', line 1\n    raise\n"
    traceback = before.replace("ValueError: first\n", "") if name == "what was said" else before
    assert type_of_error(EvalError(message="what was said", traceback=traceback + last, traceback_ansi="")) == name
