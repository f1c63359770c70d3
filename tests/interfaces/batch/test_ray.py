"""The engine on Ray: workers that are killed, a run that is killed, and nothing lost or doubled."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from triplewise.errors import MissingExtraError
from triplewise.interfaces.batch.on_ray import RayEngine
from triplewise.interfaces.batch.worker import Job

Films = Callable[[int], tuple[Path, Path]]
Batch = Callable[..., subprocess.Popen[str]]


HAS_RAY = find_spec("ray") is not None
needs_ray = pytest.mark.skipif(not HAS_RAY, reason='ray is not installed: pip install "triplewise[ray]"')


@pytest.mark.skipif(HAS_RAY, reason="ray is installed")
def test_without_ray_it_says_what_to_install() -> None:
    with pytest.raises(MissingExtraError, match="ray"), RayEngine(Job({}, ("ask",), {}, {}), 4):
        pass


def workers(run: int) -> list[int]:
    """Processes of the workers of a run: started by its raylet, which the run started."""
    parents, found = dict[int, int](), list[int]()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            number = int(process.name)
            parents[number] = int((process / "stat").read_text().rpartition(")")[2].split()[1])
            if (process / "cmdline").read_bytes().startswith(b"ray::RayWorker"):
                found.append(number)
        except OSError:
            continue
    return sorted(n for n in found if parents.get(parents[n]) == run)


def written(path: Path) -> int:
    """Lines of a file, 0 where there is none."""
    return path.read_bytes().count(b"\n") if path.exists() else 0


@needs_ray
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize(
    ("items", "count", "kills"), [(100, 2, 2), pytest.param(10_000, 4, 10, marks=pytest.mark.slow)]
)
def test_a_worker_that_dies_loses_nothing(
    films: Films, batch: Batch, tmp_path: Path, items: int, count: int, kills: int
) -> None:
    """``items`` over ``count`` workers, one of them killed ``kills`` times, evenly over the run."""
    graph, path = films(items)
    out, script = tmp_path / "out.jsonl", tmp_path / "script.json"
    rules = [{"match": "Chosen:$", "reply": "directed by"}, {"match": "(?s).*", "reply": "1"}]
    script.write_text(json.dumps(rules))
    args = (
        path, "--out", out, "--kg", graph, "--model", f"fake:{script}", "--method", "kg-gpt", "--embedder", "",
        "--no-cache", "--engine", "ray", "--workers", count, "--in-flight", 4, "--json",
    )  # fmt: skip
    process, found = batch(*args), list[int]()
    try:
        for number in range(kills):
            while process.poll() is None and written(out) < (number + 1) * items // (kills + 1):
                time.sleep(0.05)
            while process.poll() is None and not (found := workers(process.pid)):
                time.sleep(0.05)
            assert process.poll() is None, process.communicate()[1]
            os.kill(found[number % len(found)], signal.SIGKILL)
        told, said = process.communicate(timeout=1_500)
    finally:
        process.terminate()
        process.communicate()
    assert process.returncode == 0, said
    assert json.loads(told)["errors"] == 0
    found_of = [json.loads(line) for line in out.read_text().splitlines()]
    assert sorted(r["id"] for r in found_of) == sorted(f"q{i}" for i in range(items))
    assert all(r["evidence"][0]["tail"] == f"Person{r['id'][1:]}" for r in found_of)
