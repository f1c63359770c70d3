"""Random graph files and random command lines: no traceback, no hang, no file that was not asked for.

Short here; ``make test-all`` runs a thousand files and ten thousand command lines. ``tests/hostile/corpus`` holds
every input that ever failed.
"""

from __future__ import annotations

import io
import json
import os
import random
import resource
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from fuzzing import Counted, examples
from hypothesis import given
from hypothesis import strategies as st

from triplewise.errors import TriplewiseError
from triplewise.kg import load_kg
from triplewise.kg.formats.ntriples import parse_line

CORPUS = Path(__file__).with_name("corpus")
SUFFIXES = ["tsv", "csv", "nt", "txt", "ttl", "jsonld"]
CELLS = ["a", "b", "head", "relation", "tail", "source", "target", "\t", ",", "|", "\n", "\r", '"', "'", "#", "<http://x/a>",
         "<http://x/b>", '"1"^^<http://www.w3.org/2001/XMLSchema#decimal>', "@en", " .", "_:b", "\\u0041", "\\", "@prefix : <http://x/> .",
         ":a", "[", "]", "{", "}", '"@id":', "\0", "\ufeff", "\u2028", "é", "\x85", ";"]  # fmt: skip


def _load(path: Path) -> None:
    started = time.monotonic()
    try:
        kg = load_kg(path)
    except TriplewiseError as error:
        assert error.message and len(str(error)) < 1_000
        return
    for entity in kg.entities()[:5]:
        assert kg.display(entity) and kg.search(kg.label(entity)) is not None
    assert time.monotonic() - started < 30


@examples(150)
@given(parts=st.lists(st.sampled_from(CELLS), max_size=60), suffix=st.sampled_from(SUFFIXES[:4]))
def test_any_graph_file(tmp_path: Path, parts: list[str], suffix: str) -> None:
    path = tmp_path / f"g.{suffix}"
    path.write_bytes("".join(parts).encode("utf-8", "surrogatepass"))
    _load(path)


@examples(150)
@given(data=st.binary(max_size=400), suffix=st.sampled_from(SUFFIXES[:4]))
def test_any_bytes(tmp_path: Path, data: bytes, suffix: str) -> None:
    path = tmp_path / f"g.{suffix}"
    path.write_bytes(data)
    _load(path)


@examples(500)
@given(st.lists(st.sampled_from(CELLS), max_size=20).map("".join))
def test_any_line_of_ntriples(line: str) -> None:
    try:
        parse_line(line)
    except ValueError as error:
        assert str(error)


def _random_files(number: int, seed: int, folder: Path, suffixes: list[str]) -> float:
    """Load so many files; the longest took so many seconds of the processor, the child's included."""
    rng, longest = random.Random(seed), 0.0
    for n in range(number):
        path = folder / f"{n}.{rng.choice(suffixes)}"
        text = "".join(rng.choices(CELLS, k=rng.randint(0, 300)))
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        before = sum(os.times()[:4])
        _load(path)
        longest = max(longest, sum(os.times()[:4]) - before)
        path.unlink()
        assert not any(folder.iterdir())
    return longest


def test_some_graph_files_of_every_format(tmp_path: Path) -> None:
    _random_files(11, 1, tmp_path, SUFFIXES[:4])
    for suffix in SUFFIXES[4:]:
        _random_files(2, 1, tmp_path, [suffix])


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_thousand_graph_files(tmp_path: Path, count: Counted) -> None:
    longest = _random_files(1000, 2, tmp_path, SUFFIXES)
    most = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) * 1024
    assert longest < 10 and most < 2 * 2**30
    count(
        f"1,000 random graph files: 0 tracebacks, the longest {longest:.1f} s of the processor, at most {most / 2**20:.0f} MiB"
    )


@pytest.mark.parametrize(
    "path", sorted(p for p in CORPUS.glob("*") if p.suffix not in (".md", ".json")), ids=lambda p: p.name
)
def test_the_corpus(path: Path) -> None:
    _load(path)


COMMANDS = [["kg", "stats"], ["kg", "find"], ["format"], ["ask"], ["verify"], ["complete"], ["index"], ["retrieve"],
            ["train", "data"], ["train", "rotate"], ["train", "adapter"], ["align"], ["eval", "run"], ["eval", "report"],
            ["eval", "list"], ["eval", "resume"], ["eval", "compare"], ["eval", "estimate"], ["eval", "reproduce"],
            ["kg", "import"], ["kg", "add"], ["kg", "remove"], ["kg", "undo"], ["kg", "diff"], ["kg", "query"], ["chat"], ["new"],
            ["train", "retriever"], ["train", "ranker"], ["doctor"], ["nonsense"], []]  # fmt: skip
WORDS = ["--kg", "--model", "--entity", "--top-k", "--shots", "--preset", "--json", "--format", "--out", "--limit", "--as",
         "--hops", "--seed", "--valid", "--cache", "--timeout", "--max-cost", "--max-calls", "--method", "--index", "--retrieval",
         "--store", "--threads", "--force", "--help", "g.tsv", "bad.ttl", "nowhere", "films", "fake:none.json", "fake:s.json", "openai:x", "llamacpp:none.gguf", "0", "-1", "1", "nan", "inf",
         "1e400", "9" * 30, "", " ", "\udc80", "a\nb", "~nosuch/x", "/dev/null", "/", "tsv", "yaml", "kg-gpt", "cot-kg", "bm25",
         "best", "Alien", "directed by", "?", "who directed Alien?", "é", "--", "-n", "--no-cache", "--trace", "\x1b[31m"]  # fmt: skip
DEFAULTS = ("runs", "aligned.tsv")
"""What commands write where no --out is given."""
READ = {"g.tsv": "a\tr\tb\n", "bad.ttl": "@prefix", "s.json": "[]", "triplewise.toml": 'embedder = "none"\n'}


LIGHT = [c for c in COMMANDS if c not in (["train", "rotate"], ["train", "adapter"], ["train", "ranker"], ["doctor"])]
"""What imports neither torch nor llama.cpp before it looks at its arguments."""


class CommandLines:
    """Runs command lines in a folder of ``READ`` and looks at what they say and leave behind."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.monkeypatch, self.longest, self._made = folder, monkeypatch, 0.0, set[str]()
        monkeypatch.chdir(folder)
        for name, text in READ.items():
            (folder / name).write_text(text)
        for name in ("OPENAI_BASE_URL", "http_proxy"):
            monkeypatch.setenv(name, "http://127.0.0.1:9/v1")
        monkeypatch.setenv("TRIPLEWISE_MAX_RETRIES", "0")
        monkeypatch.setenv("TRIPLEWISE_MODEL", "fake:s.json")

    def run(self, args: list[str]) -> None:
        from triplewise.interfaces.cli import main

        out, err = io.StringIO(), io.StringIO()
        self.monkeypatch.setattr(sys, "argv", ["triplewise", *args])
        self.monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
        before = sum(os.times()[:4])
        with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as stop:
            main()
            raise SystemExit(0)
        self.longest = max(self.longest, sum(os.times()[:4]) - before)
        told = err.getvalue()
        assert stop.value.code in (None, 0, 1, 2), (args, told)
        assert "Traceback" not in told and "did not foresee" not in told, (args, told)
        assert self.longest < 30, args
        for name, text in READ.items():
            assert (self.folder / name).read_text() == text, (args, name)
        found = {p.name for p in self.folder.iterdir()}
        asked_for = (*READ, *DEFAULTS, *filter(None, args))
        assert all(name.startswith(asked_for) for name in found - self._made), (args, found - self._made)
        self._made |= found


def _command_lines(number: int, seed: int, lines: CommandLines, commands: list[list[str]]) -> None:
    rng = random.Random(seed)
    for _ in range(number):
        command = rng.choice(commands)
        words = rng.choices(WORDS, k=rng.randint(0, 6))
        if command[:1] == ["train"]:  # on a graph of one triple, so that what is right ends soon
            words += ["--kg", "g.tsv", *(["--epochs", "1", "--dim", "2"] if command[1] == "rotate" else [])]
        lines.run([*command, *words])


def test_the_command_lines_of_the_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = CommandLines(tmp_path, monkeypatch)
    for args in json.loads((CORPUS / "command_lines.json").read_text(encoding="utf-8")):
        lines.run(args)


@pytest.mark.slow
def test_some_command_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _command_lines(120, 1, CommandLines(tmp_path, monkeypatch), COMMANDS)


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_ten_thousand_command_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: Counted) -> None:
    lines = CommandLines(tmp_path, monkeypatch)
    _command_lines(10_000, 2, lines, COMMANDS)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    assert most < 2 * 2**30
    count(
        f"10,000 random command lines: 0 tracebacks, the longest {lines.longest:.1f} s of the processor, at most {most / 2**20:.0f} MiB"
    )
