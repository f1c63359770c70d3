"""``triplewise batch --workers N``: each item has one result, whatever dies, and what is wrong is told once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

Films = Callable[[int], tuple[Path, Path]]
Batch = Callable[..., subprocess.Popen[str]]


def workers(run: int) -> list[int]:
    """Processes of a run's workers."""
    children = Path(f"/proc/{run}/task/{run}/children").read_text().split()
    return [int(n) for n in children if b"batch.processes" in Path(f"/proc/{n}/cmdline").read_bytes()]


def written(path: Path) -> int:
    """Lines of a file, 0 where there is none."""
    return path.read_bytes().count(b"\n") if path.exists() else 0


def arguments(tmp_path: Path, graph: Path, items: Path, *more: object) -> tuple[object, ...]:
    script = tmp_path / "script.json"
    script.write_text(json.dumps([{"match": "Chosen:$", "reply": "directed by"}, {"match": "(?s).*", "reply": "1"}]))
    model = ("--model", f"fake:{script}", "--method", "kg-gpt", "--embedder", "", "--no-cache")
    return (items, "--out", tmp_path / "out.jsonl", "--kg", graph, *model, "--workers", 2, "--json", *more)


@pytest.mark.parametrize("kills", [0, 2])
def test_a_worker_that_dies_loses_nothing(films: Films, batch: Batch, tmp_path: Path, kills: int) -> None:
    graph, items = films(200)
    out = tmp_path / "out.jsonl"
    process = batch(*arguments(tmp_path, graph, items, "--in-flight", 4))
    try:
        for number in range(kills):
            while process.poll() is None and written(out) < 10 + 60 * number:
                time.sleep(0.01)
            os.kill(workers(process.pid)[number % 2], signal.SIGKILL)
        told, said = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 0, said
    assert json.loads(told)["errors"] == 0
    found = [json.loads(line) for line in out.read_text().splitlines()]
    assert sorted(r["id"] for r in found) == sorted(f"q{i}" for i in range(200))
    assert all(r["evidence"][0]["tail"] == f"Person{r['id'][1:]}" for r in found)


def test_an_item_over_which_workers_die_ends_in_an_error(
    films: Films, batch: Batch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph, items = films(12)
    (tmp_path / "sitecustomize.py").write_text(
        "import sys, os\n"
        "if 'triplewise.interfaces.batch.processes' in sys.orig_argv:\n"
        "    import triplewise.interfaces.batch.worker as w\n"
        "    work = w.Worker.work\n"
        "    w.Worker.work = lambda self, item: os.abort() if item.id == 'q3' else work(self, item)\n"
    )
    process = batch(*arguments(tmp_path, graph, items, "--in-flight", 4), env={"PYTHONPATH": str(tmp_path)})
    told, said = process.communicate(timeout=120)
    assert process.returncode == 0 and json.loads(told)["errors"] == 1, said
    found = {r["id"]: r for r in map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines())}
    assert len(found) == 12 and found["q3"]["error"]["type"] == "WorkersDiedError"


def test_ctrl_c_leaves_what_is_done_and_no_process(films: Films, batch: Batch, tmp_path: Path) -> None:
    graph, items = films(3_000)
    out = tmp_path / "out.jsonl"
    process = batch(*arguments(tmp_path, graph, items), start_new_session=True)
    while written(out) < 20:
        time.sleep(0.01)
    children = workers(process.pid)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130 and "the same command goes on" in said and "Traceback" not in said
    assert len(children) == 2 and not any(Path(f"/proc/{n}").exists() for n in children)
    assert all(json.loads(line)["status"] == "ok" for line in out.read_text().splitlines())


def test_what_is_wrong_is_told_once(films: Films, batch: Batch, tmp_path: Path) -> None:
    _, items = films(3)
    process = batch(*arguments(tmp_path, tmp_path / "none.tsv", items))
    _, said = process.communicate(timeout=60)
    assert process.returncode == 2 and said.count("none.tsv") == 1 and not (tmp_path / "out.jsonl").exists()
