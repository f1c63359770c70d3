"""A run that is killed at random points loses and doubles nothing."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("default"),
]

from inspect_ai.log import read_eval_log  # noqa: E402

from triplewise.evals.results import outcome_of  # noqa: E402
from triplewise.evals.spend import read_spent  # noqa: E402

ITEMS, IN_FLIGHT, KILLS = 100, 16, 3
CHILD = """
import sys
from pathlib import Path
from triplewise.evals.runner import RunSettings, resume, start
out, folder = sys.argv[1:]
if (Path(out) / "run.json").exists():
    resume(out, display="none")
else:
    start(RunSettings({"dataset": "films", "folder": folder}, "openai:fake", max_samples=16), out, display="none")
"""


def reply(body: dict) -> str:
    system, user = body["messages"][0]["content"], body["messages"][1]["content"]
    if "You choose" in system:
        return "directed by"
    marker = "Sentence: " if "You split" in system else "Question: "
    film = user.rpartition(marker)[2].partition("\n")[0].removeprefix("who directed ").removesuffix("?")
    return f"1. {film} was directed by ?answer | {film} ; ?answer" if marker == "Sentence: " else f"Person{film[4:]}"


def test_kills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fake_openai) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    server = fake_openai(reply, latency=0.3)
    (tmp_path / "kg.tsv").write_text("".join(f"Film{i}\tdirected_by\tPerson{i}\n" for i in range(ITEMS)))
    rows = [
        {"question": f"who directed Film{i}?", "answers": [f"Person{i}"], "entities": [f"Film{i}"]}
        for i in range(ITEMS)
    ]
    path, out = tmp_path / "films.jsonl", tmp_path / "run"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    rng, killed = random.Random(0), 0
    for _ in range(KILLS):
        before = server.answered
        child = subprocess.Popen([sys.executable, "-c", CHILD, str(out), str(path)], env=os.environ.copy())
        until = before + rng.randrange(20, 60)
        while child.poll() is None and server.answered < until:
            time.sleep(0.01)
        killed += child.poll() is None
        child.kill()
        child.wait()
    subprocess.run([sys.executable, "-c", CHILD, str(out), str(path)], check=True, capture_output=True)
    log = read_eval_log(max((out / "logs").glob("*.eval"), key=lambda p: p.stat().st_mtime))
    assert log.status == "success"
    assert log.samples is not None
    assert len({s.id for s in log.samples}) == len(log.samples) == ITEMS
    assert all(outcome_of(s.metadata).answers for s in log.samples)
    total = read_spent(out / "spend.jsonl").usage
    print("killed", killed, "calls", total.calls, "server", server.answered)
    assert total.calls <= server.answered <= total.calls + IN_FLIGHT * killed
    # the cache answers what was paid for: only replies that were under way are asked for again
    assert server.answered <= 3 * ITEMS + IN_FLIGHT * killed
