"""Evaluations in shards: the parts are the whole, whoever ran them, and what does not fit together is refused."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from triplewise.errors import ConfigError
from triplewise.evals.data.items import Dataset, Item, Shard, numbered

pytest.importorskip("inspect_ai")

from triplewise.evals.runs.runner import RunSettings, resume, start
from triplewise.evals.scores.results import load_run
from triplewise.interfaces.cli import app


@pytest.fixture
def films(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], Path]:
    """``films(items)``: a data set of so many questions."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")

    def write(items: int) -> Path:
        (tmp_path / "kg.tsv").write_text("".join(f"Film{i}\tdirected_by\tPerson{i}\n" for i in range(items)))
        rows = [
            {"question": f"who directed Film{i}?", "answers": [f"Person{i}"], "entities": [f"Film{i}"]}
            for i in range(items)
        ]
        (tmp_path / "films.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
        return tmp_path

    return write


def settings(folder: Path, shard: str = "") -> RunSettings:
    task = {"dataset": "films", "folder": str(folder / "films.jsonl"), "method": "kg-gpt"}
    return RunSettings(task | ({"shard": shard} if shard else {}), "openai:fake")


def test_shards_take_every_item_once() -> None:
    data = Dataset("d", "dev", numbered(Item("ask", f"q{i}") for i in range(10)))
    parts = [data.shard(Shard(n, 4)).items for n in range(1, 5)]
    assert sorted(i.text for part in parts for i in part) == sorted(i.text for i in data.items)
    assert [len(p) for p in parts] == [3, 3, 2, 2] and data.shard(None) is data
    for text in ("0/4", "5/4", "1", "1/", "a/2", "-1/2", "1/20000"):
        with pytest.raises(ConfigError):
            Shard.read(text)


def test_shards_are_one_run_and_what_is_none_is_refused(films: Callable[[int], Path], fake_openai: Any) -> None:
    folder, server = films(3), fake_openai(["Person1"])
    out = folder / "shards"
    start(settings(folder, "2/2"), out / "2-of-2")
    part = load_run(out)
    assert [i.text for i in part.items] == ["who directed Film1?"] and part.expected == 3 and not part.complete
    start(settings(folder, "1/2"), out / "1-of-2")
    joined = load_run(out)
    assert [i.text for i in joined.items] == [f"who directed Film{i}?" for i in range(3)] and joined.complete
    assert joined.spent.usage.calls == server.answered and "shard" not in joined.settings
    shown = CliRunner().invoke(app, ["eval", "show", str(out), "--json"])
    assert shown.exit_code == 0 and json.loads(shown.output)["items"] == 3
    shutil.rmtree(out / "2-of-2")
    shutil.copytree(out / "1-of-2", out / "2-of-2")
    with pytest.raises(ConfigError, match="twice"):
        load_run(out)
    described = json.loads((out / "2-of-2" / "run.json").read_text())
    described["task"]["top_k"] = 2
    (out / "2-of-2" / "run.json").write_text(json.dumps(described))
    with pytest.raises(ConfigError, match="different settings"):
        load_run(out)


@pytest.mark.slow
def test_shards_find_what_the_whole_run_finds(films: Callable[[int], Path], fake_openai: Any) -> None:
    folder, server = films(7), fake_openai(["Person1"])
    start(settings(folder), folder / "whole")
    whole, calls, out = load_run(folder / "whole"), server.answered, folder / "shards"
    for number in (1, 2, 3):
        start(settings(folder, f"{number}/3"), out / f"{number}-of-3")
    joined = load_run(out)
    assert [i.id for i in joined.items] == [i.id for i in whole.items]
    assert [i.scores["hits_at_1"] for i in joined.items] == [i.scores["hits_at_1"] for i in whole.items]
    assert joined.hashes == whole.hashes and joined.spent == whole.spent and server.answered == 2 * calls
    assert resume(out / "1-of-3") == "success" and server.answered == 2 * calls
    compared = CliRunner().invoke(app, ["eval", "compare", str(folder / "whole"), str(out), "--json"])
    assert all(c["difference"] == 0 for c in json.loads(compared.output))


@pytest.mark.slow
def test_four_machines_at_one_server_one_of_them_killed(films: Callable[[int], Path], fake_openai: Any) -> None:
    """Processes that share nothing but the server; the one that is killed is gone on with."""
    folder, server = films(40), fake_openai(["Person1"], latency=0.05)
    out = folder / "shards"

    def command(*words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "triplewise", "eval", *words], env={**os.environ, "OPENAI_BASE_URL": server.url},
            cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    flags = ("--model", "openai:fake", "--method", "kg-gpt", "--in-flight", "4", "--out", str(out))
    machines = [command("run", str(folder / "films.jsonl"), *flags, "--shard", f"{n}/4") for n in range(1, 5)]
    ledger = out / "3-of-4" / "spend.jsonl"
    while machines[2].poll() is None and (not ledger.exists() or ledger.read_bytes().count(b"\n") < 6):
        time.sleep(0.05)
    machines[2].send_signal(signal.SIGKILL)
    said = [machine.communicate(timeout=200) for machine in machines]
    assert [m.returncode for m in machines] == [0, 0, -signal.SIGKILL, 0], said
    again = command("resume", str(out / "3-of-4"))
    assert again.wait(timeout=200) == 0, again.communicate()
    again.communicate()
    joined = load_run(out)
    assert joined.complete and len({i.id for i in joined.items}) == 40
    assert joined.spent.usage.calls == server.answered
