"""A disk that is full: one clear line, nothing half-written, and all works once there is room again (attack.md 2).

The disk is a small tmpfs where this process may mount one; files that may not grow (RLIMIT_FSIZE) are tried on any.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from triplewise.errors import TriplewiseError
from triplewise.files import write_text
from triplewise.kg import NetworkxStore

KG = NetworkxStore([(f"e{i}", f"r{i % 7}", f"e{i * 7 % 300}") for i in range(300)])
Main = Callable[..., tuple[int, str, str]]


class SmallDisk:
    """A tmpfs of 4 MiB at ``path``."""

    def __init__(self, path: Path) -> None:
        self.path, self._ballast = path, path / "ballast"

    def fill(self, free: int) -> None:
        """Leave so many bytes; a tmpfs counts in pages of 4 KiB."""
        self.free()
        with self._ballast.open("wb") as file:
            state = os.statvfs(self.path)
            file.write(bytes(state.f_bavail * state.f_frsize - free))

    def free(self) -> None:
        """Make room."""
        self._ballast.unlink(missing_ok=True)

    def names(self) -> set[str]:
        """The files on it."""
        return {p.relative_to(self.path).as_posix() for p in self.path.rglob("*") if p.is_file()} - {"ballast"}


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    place = tmp_path / "disk"
    place.mkdir()
    if not sys.platform.startswith("linux") or os.getuid():
        pytest.skip("only root may mount a small disk")
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "none", str(place)], capture_output=True)
    if mounted.returncode:
        pytest.skip(f"no small disk can be mounted here: {mounted.stderr.decode().strip()}")
    try:
        yield SmallDisk(place)
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.fixture
def main(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Main:
    """The command line in this process: exit code, what it printed, what it said."""
    from triplewise.interfaces.cli import main as command

    def call(*args: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["triplewise", *map(str, args)])
        with pytest.raises(SystemExit) as stop:
            command()
            raise SystemExit(0)
        return int(stop.value.code or 0), *capsys.readouterr()

    return call


@contextmanager
def _no_file_over(size: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def _one_line(code: int, said: str) -> None:
    assert code in (1, 2) and said.startswith("triplewise: "), (code, said)
    assert "Traceback" not in said and "did not foresee" not in said and len(said.splitlines()) <= 2, said


FREE = (0, 4096, 16_384)
WRITERS: dict[str, list[str]] = {
    "train data": ["train", "data", "--tasks", "instruction", "--out", "o.jsonl"],
    "align": ["align", "--rules-only", "--kg", "many.tsv", "--out", "o.tsv"],
    "new": ["new", "agent"],
}


@pytest.mark.parametrize("name", WRITERS)
def test_what_is_written_at_the_end(name: str, disk: SmallDisk, main: Main, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(disk.path)
    many = (f"e{i}\tmade in the year of the {i}th thing\te{i}\n" for i in range(1_500))
    (disk.path / "many.tsv").write_text("".join(many))
    before = disk.names()
    for free in FREE:
        disk.fill(free)
        code, _, err = main(*WRITERS[name])
        if code == 0:
            assert name == "new"  # small enough for what was left
            break
        _one_line(code, err)
        assert "space" in err and disk.names() == before, (free, disk.names() - before)
    else:
        disk.free()
        assert main(*WRITERS[name])[0] == 0 and disk.names() > before


def test_the_old_file_stays(disk: SmallDisk) -> None:
    place = disk.path / "f.json"
    write_text(place, "old")
    disk.fill(0)
    with pytest.raises(OSError, match="No space"):
        write_text(place, "new" * 10_000)
    assert place.read_text() == "old" and disk.names() == {"f.json"}


def test_the_cache_on_a_full_disk(disk: SmallDisk, main: Main, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that is there is given; that it could not be kept is said."""
    rules = [{"match": r"Entities: [^\n]*$", "reply": "1. Alien was directed by someone. | Alien ; ?answer"}, {"match": "", "reply": "Ridley Scott"}]  # fmt: skip
    (tmp_path / "s.json").write_text(json.dumps(rules))
    asked = ["ask", "who directed Alien?", "--model", f"fake:{tmp_path / 's.json'}", "--method", "kg-gpt"]
    monkeypatch.setenv("TRIPLEWISE_CACHE", str(disk.path / "c" / "llm.sqlite"))  # fmt: skip
    for free in (*FREE, 65_536):
        disk.fill(free)
        code, out, err = main(*asked)
        assert "Traceback" not in err and "did not foresee" not in err, (free, err)
        assert (code == 0 and "Ridley Scott" in out) or err.startswith("triplewise: "), (free, out, err)
    disk.free()
    for _ in range(2):
        code, out, _ = main(*asked)
        assert code == 0 and "Ridley Scott" in out


@pytest.mark.slow
def test_an_index_on_a_full_disk(disk: SmallDisk) -> None:
    pytest.importorskip("chromadb")
    from word_embedder import WordEmbedder

    from triplewise.tools.retrieval.subgraph_index import SubgraphIndex

    for free in (0, 65_536, 262_144, 1_048_576):
        disk.fill(free)
        with pytest.raises(TriplewiseError) as caught:
            SubgraphIndex(KG, WordEmbedder(), disk.path / f"i{free}").build()
        assert len(str(caught.value).splitlines()) == 1
        disk.free()
        again = SubgraphIndex(KG, WordEmbedder(), disk.path / f"i{free}")
        again.repair()
        assert SubgraphIndex(KG, WordEmbedder(), disk.path / f"i{free}").is_current()
        subprocess.run(["rm", "-r", str(disk.path / f"i{free}")], check=True)


def test_files_that_may_not_grow(tmp_path: Path, main: Main) -> None:
    """The same where no small disk can be mounted: a limit on the size of files."""
    out = tmp_path / "o.jsonl"
    with _no_file_over(10_000):
        code, _, err = main("train", "data", "--tasks", "instruction", "--out", out)
    _one_line(code, err)
    assert list(tmp_path.iterdir()) == []
