"""Runs: start, resume, spend, and refusal of what changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from triplewise.errors import ConfigError
from triplewise.evals.accounting.ledger import LedgerError

pytest.importorskip("inspect_ai")
pytestmark = pytest.mark.usefixtures("warm_brokers")

from triplewise.evals.accounting.spend import read_spent  # noqa: E402
from triplewise.evals.runs.runner import RunSettings, resume, start  # noqa: E402
from triplewise.evals.runs.stale import StaleRunError  # noqa: E402


@pytest.fixture
def films(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    (tmp_path / "kg.tsv").write_text("Heat\tdirected_by\tMichael Mann\nAlien\tdirected_by\tRidley Scott\n")
    write(tmp_path / "films.jsonl", "Ridley Scott")
    return tmp_path


def write(path: Path, director: str) -> None:
    rows = [
        {"question": "who directed Heat?", "answers": ["Michael Mann"], "entities": ["Heat"]},
        {"question": "who directed Alien?", "answers": [director], "entities": ["Alien"]},
    ]
    path.write_text("".join(json.dumps(r) + "\n" for r in rows))


def settings(folder: Path) -> RunSettings:
    return RunSettings({"dataset": "films", "folder": str(folder / "films.jsonl")}, "openai:fake")


def test_run_resume_spend(films: Path, fake_openai) -> None:
    server = fake_openai(["ok"])
    out = films / "run"
    assert start(settings(films), out) == "success"
    total, answered = read_spent(out / "spend.jsonl").usage, server.answered
    assert (total.calls, total.prompt_tokens) == (answered, server.prompt_tokens)
    assert answered > 0
    assert resume(out) == "success"
    assert server.answered == answered
    with pytest.raises(ConfigError, match="already holds a run"):
        start(settings(films), out)
    write(films / "films.jsonl", "Somebody Else")
    with pytest.raises(StaleRunError, match="data_hash"):
        resume(out)


def test_a_damaged_ledger_stops_the_run(films: Path, fake_openai) -> None:
    fake_openai(["ok"])
    out = films / "run"
    start(settings(films), out)
    data = bytearray((out / "spend.jsonl").read_bytes())
    data[30] ^= 1
    (out / "spend.jsonl").write_bytes(data)
    with pytest.raises(LedgerError):
        resume(out)


def test_no_run(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no run"):
        resume(tmp_path)
