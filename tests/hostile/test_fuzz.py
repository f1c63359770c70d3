"""Random graph files and random command lines: no traceback, no hang, no file that was not asked for.

Short here; ``make test-all`` runs a thousand files and ten thousand command lines. ``tests/hostile/corpus`` holds
every input that ever failed.
"""

from __future__ import annotations

import io
import random
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from fuzzing import examples
from hypothesis import given
from hypothesis import strategies as st

from triplewise.errors import TriplewiseError
from triplewise.kg import load_kg
from triplewise.kg.ntriples import parse_line

CORPUS = Path(__file__).with_name("corpus")
SUFFIXES = ["tsv", "csv", "nt", "txt", "ttl", "jsonld"]
CELLS = ["a", "b", "head", "relation", "tail", "source", "target", "\t", ",", "|", "\n", "\r", '"', "'", "#", "<http://x/a>",
         "<http://x/b>", '"1"^^<http://www.w3.org/2001/XMLSchema#decimal>', "@en", " .", "_:b", "\\u0041", "\\", "@prefix : <http://x/> .",
         ":a", "[", "]", "{", "}", '"@id":', "\0", "\ufeff", "\u2028", "é", "\x85", ";"]  # fmt: skip
fast = examples(80)


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


@fast
@given(parts=st.lists(st.sampled_from(CELLS), max_size=60), suffix=st.sampled_from(SUFFIXES[:4]))
def test_any_graph_file(tmp_path: Path, parts: list[str], suffix: str) -> None:
    path = tmp_path / f"g.{suffix}"
    path.write_bytes("".join(parts).encode("utf-8", "surrogatepass"))
    _load(path)


@fast
@given(data=st.binary(max_size=400), suffix=st.sampled_from(SUFFIXES[:4]))
def test_any_bytes(tmp_path: Path, data: bytes, suffix: str) -> None:
    path = tmp_path / f"g.{suffix}"
    path.write_bytes(data)
    _load(path)


@examples(200)
@given(st.lists(st.sampled_from(CELLS), max_size=20).map("".join))
def test_any_line_of_ntriples(line: str) -> None:
    try:
        parse_line(line)
    except ValueError as error:
        assert str(error)


def _random_files(number: int, seed: int, folder: Path) -> None:
    rng = random.Random(seed)
    for n in range(number):
        path = folder / f"{n}.{rng.choice(SUFFIXES)}"
        text = "".join(rng.choices(CELLS, k=rng.randint(0, 300)))
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        _load(path)
        path.unlink()


def test_some_graph_files_of_every_format(tmp_path: Path) -> None:
    _random_files(8, 1, tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_thousand_graph_files(tmp_path: Path) -> None:
    _random_files(1000, 2, tmp_path)


@pytest.mark.parametrize("path", sorted(p for p in CORPUS.glob("*") if p.suffix != ".md"), ids=lambda p: p.name)
def test_the_corpus(path: Path) -> None:
    _load(path)


COMMANDS = [["kg", "stats"], ["kg", "find"], ["format"], ["ask"], ["verify"], ["complete"], ["index"], ["retrieve"],
            ["train", "data"], ["train", "rotate"], ["train", "adapter"], ["align"], ["eval", "run"], ["eval", "report"],
            ["eval", "show"], ["eval", "resume"], ["eval", "compare"], ["doctor"], ["nonsense"], []]  # fmt: skip
WORDS = ["--kg", "--model", "--entity", "--top-k", "--shots", "--preset", "--json", "--format", "--out", "--limit", "--as",
         "--hops", "--seed", "--valid", "--cache", "--timeout", "--max-cost", "--max-calls", "--method", "--index", "--retrieval",
         "--help", "g.tsv", "bad.ttl", "nowhere", "films", "fake:none.json", "fake:s.json", "openai:x", "llamacpp:none.gguf", "0", "-1", "1", "nan", "inf",
         "1e400", "9" * 30, "", " ", "\udc80", "a\nb", "~nosuch/x", "/dev/null", "/", "tsv", "yaml", "kg-gpt", "cot-kg", "bm25",
         "best", "Alien", "directed by", "?", "who directed Alien?", "é", "--", "-n", "--no-cache", "--trace", "\x1b[31m"]  # fmt: skip
READ = {"g.tsv": "a\tr\tb\n", "bad.ttl": "@prefix", "s.json": "[]", "triplewise.toml": 'embedder = "none"\n'}


def _command_lines(number: int, seed: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from triplewise.interfaces.cli import main

    monkeypatch.chdir(folder)
    for name, text in READ.items():
        (folder / name).write_text(text)
    for name in ("OPENAI_BASE_URL", "http_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/v1")
    monkeypatch.setenv("TRIPLEWISE_MAX_RETRIES", "0")
    monkeypatch.setenv("TRIPLEWISE_MODEL", "fake:s.json")
    rng = random.Random(seed)
    for _ in range(number):
        command = rng.choice(COMMANDS)
        words = rng.choices(WORDS, k=rng.randint(0, 6))
        if command[:1] == ["train"]:  # on a graph of one triple, so that what is right ends soon
            words += ["--kg", "g.tsv", *(["--epochs", "1", "--dim", "2"] if command[1] == "rotate" else [])]
        out, err = io.StringIO(), io.StringIO()
        monkeypatch.setattr(sys, "argv", ["triplewise", *command, *words])
        started = time.monotonic()
        with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as stop:
            main()
            raise SystemExit(0)
        told = err.getvalue()
        assert stop.value.code in (None, 0, 1, 2), (command, words, told)
        assert "Traceback" not in told and "did not foresee" not in told, (command, words, told)
        assert time.monotonic() - started < 60, (command, words)
    for name, text in READ.items():
        assert (folder / name).read_text() == text, name
    asked_for = {"g.tsv", *READ, *WORDS, "runs", "aligned.tsv"}
    strange = [p.name for p in folder.iterdir() if p.name not in asked_for and ".meta" not in p.name]
    assert not strange


def test_some_command_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _command_lines(40, 1, tmp_path, monkeypatch)


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_ten_thousand_command_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _command_lines(10_000, 2, tmp_path, monkeypatch)
