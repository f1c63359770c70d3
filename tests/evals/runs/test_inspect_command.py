"""``inspect eval`` finds the tasks and models of the installed package, and ``inspect view`` shows their logs."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import quote

import pytest

pytest.importorskip("inspect_ai")

ROOT = Path(__file__).resolve().parents[3]


def inspect(*arguments: str, cwd: Path, **options) -> subprocess.Popen:
    """Inspect's command, with our entry points as an installation has them."""
    points = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["inspect_ai"]
    info = cwd / "site" / "triplewise_points-0.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: triplewise-points\nVersion: 0\n")
    (info / "entry_points.txt").write_text("[inspect_ai]\n" + "".join(f"{k} = {v}\n" for k, v in points.items()))
    command = [sys.executable, "-m", "inspect_ai", *arguments]
    env = {**os.environ, "PYTHONPATH": str(cwd / "site")}
    return subprocess.Popen(
        command, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options
    )


@pytest.mark.slow
def test_eval_and_view(tmp_path: Path) -> None:
    (tmp_path / "kg.tsv").write_text("Heat\tdirected_by\tMichael Mann\n")
    (tmp_path / "films.jsonl").write_text(
        json.dumps({"question": "who directed Heat?", "answers": ["Michael Mann"], "entities": ["Heat"]})
    )
    rules = [{"match": "Sentence: who", "reply": "1. Heat was directed by ?answer | Heat ; ?answer"},
             {"match": "", "reply": "Michael Mann"}]  # fmt: skip
    (tmp_path / "script.json").write_text(json.dumps(rules))
    evaluated = inspect(
        "eval", "triplewise/triplewise_eval", "-T", "dataset=films", "-T", "folder=films.jsonl",
        "--model", "triplewise/fake:script.json", "--log-dir", "logs", "--display", "plain", cwd=tmp_path,
    )  # fmt: skip
    told, _ = evaluated.communicate(timeout=120)
    assert evaluated.returncode == 0, told
    (log,) = (tmp_path / "logs").glob("*.eval")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    viewer = inspect("view", "start", "--log-dir", "logs", "--host", "127.0.0.1", "--port", str(port), cwd=tmp_path)
    try:
        (listed,) = json.loads(fetched(f"http://127.0.0.1:{port}/api/logs"))["files"]
        assert listed["name"].endswith(log.name)
        shown = json.loads(fetched(f"http://127.0.0.1:{port}/api/logs/{quote(listed['name'], safe='')}"))
        assert shown["eval"]["task"] == "triplewise/triplewise_eval"
        assert shown["samples"][0]["scores"]["scores"]["value"]["hits_at_1"] == 1
    finally:
        viewer.terminate()
        viewer.communicate(timeout=20)


def fetched(url: str) -> str:
    """A page of a server that is about to start."""
    for _ in range(100):
        try:
            with urllib.request.urlopen(url, timeout=10) as page:
                return page.read().decode()
        except urllib.error.HTTPError:
            raise
        except OSError:
            time.sleep(0.3)
    raise AssertionError(f"{url} does not answer")
