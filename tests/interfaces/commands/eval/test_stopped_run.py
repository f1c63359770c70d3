"""Runs that end early and go on: killed, interrupted, capped, without a server."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai")
pytestmark = [pytest.mark.first, pytest.mark.usefixtures("warm_brokers")]

from film_runs import Call, N, replies, values  # noqa: E402

from triplewise.evals.scores.results import load_run  # noqa: E402
from triplewise.interfaces.commands.eval.tables import Progress  # noqa: E402


@pytest.mark.slow
def test_a_killed_run_goes_on(metaqa: Path, tmp_path: Path, fake_openai: Any) -> None:
    server = fake_openai(replies(), latency=0.2)
    program = [sys.executable, "-c", "from triplewise.interfaces.cli import main; main()", "eval"]
    begin = ["run", "metaqa-1", "--model", "openai:fake", "--out", "cut", "--in-flight", "2"]
    run = subprocess.Popen([*program, *begin], cwd=tmp_path)
    while run.poll() is None and server.answered < N:
        time.sleep(0.01)
    os.kill(run.pid, 9)
    assert run.wait() == -9
    going_on = [*program, "resume", "cut", "--json"]
    done = subprocess.run(going_on, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (values(done.stdout)["hits_at_1"], json.loads(done.stdout)["items"]) == (1, N)
    asked = [json.dumps(body["messages"]) for body in server.bodies]
    assert len(asked) == len(set(asked)) == load_run(tmp_path / "cut").spent.usage.calls


def test_a_cap_stops_a_run_and_a_higher_one_ends_it(call: Call, metaqa: Path, fake_openai: Any) -> None:
    server = fake_openai(replies())
    code, out, err = call(
        "run", "metaqa-1", "--model", "openai:fake", "--out", "capped", "--max-calls", "9", "--in-flight", 2
    )
    assert (code, server.answered) == (1, 9)
    assert f"of {N} items are done" in out and "triplewise eval resume capped" in err
    code, out, _ = call("resume", "capped", "--max-calls", "1000", "--json")
    assert (code, json.loads(out)["items"], values(out)["hits_at_1"]) == (0, N, 1)


def test_a_cap_that_no_item_fits_into(call: Call, metaqa: Path, fake_openai: Any) -> None:
    fake_openai(replies())
    for more in ((), ("--json",)):
        code, out, err = call("run", "metaqa-1", "--model", "openai:fake", "--limit", 2, "--max-calls", 1, *more)
        assert (code, out) == (1, "")
        assert err.startswith("triplewise: no item is done; with a higher cap go on with: triplewise eval resume runs/")
    code, _, err = call("resume", "runs/metaqa-1-kg-gpt", "--max-calls", 100)
    assert (code, err) == (0, "")


def test_an_interrupted_run_says_how_to_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_folder = tmp_path / "made"
    run_folder.mkdir()
    (run_folder / "run.json").touch()
    for folder, told in ((run_folder, f"triplewise eval resume {run_folder}"), (tmp_path / "none", "the same command")):
        with pytest.raises(KeyboardInterrupt), Progress(folder):
            raise KeyboardInterrupt
        assert capsys.readouterr().err == f"triplewise: stopped; go on with: {told}\n"


def test_ctrl_c_before_the_first_item_has_ended(metaqa: Path, tmp_path: Path, fake_openai: Any) -> None:
    server = fake_openai(replies(), latency=5)
    program = [sys.executable, "-c", "from triplewise.interfaces.cli import main; main()", "eval"]
    begin = ["run", "metaqa-1", "--model", "openai:fake", "--out", "cut"]
    run = subprocess.Popen([*program, *begin], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    while run.poll() is None and server.requests == 0:
        time.sleep(0.01)
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=60)
    assert (run.returncode, "Traceback" in err) == (130, False), err
    assert "go on with: triplewise eval resume cut" in err and (tmp_path / "cut" / "run.json").exists()


def test_failed_items_say_why(call: Call, metaqa: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("TRIPLEWISE_MAX_RETRIES", "0")  # no seconds of waiting between the tries
    code, out, err = call("run", "metaqa-1", "--model", "openai:fake", "--limit", 2, "--out", "made")
    assert code == 1 and "! 2 ended in an error: http://127.0.0.1:9/v1 cannot be reached" in " ".join(out.split())
    assert "items are missing or failed; go on with: triplewise eval resume made" in err
    code, out, _ = call("resume", "made", "--json")
    assert code == 1 and list(json.loads(out)["failed"].values()) == [2]
