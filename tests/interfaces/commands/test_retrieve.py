"""triplewise index, retrieve and train retriever as a user meets them: made, current, interrupted, refused."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from triplewise.backends.embedders import load_embedder
from triplewise.errors import (
    ConfigError,
    GraphFileError,
    IndexMismatchError,
    QuestionError,
    UnknownEntityError,
    UserError,
)
from triplewise.interfaces.cli import app
from triplewise.interfaces.commands.train import retriever as cli_train_retriever
from triplewise.kg import load_kg

pytest.importorskip("chromadb", reason="needs the extra 'vector'")
SERVER = ("--embedder", "openai:small")


def run(*args: str) -> Result:
    result = CliRunner(env={"COLUMNS": "80", "NO_COLOR": "1"}).invoke(app, list(args))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture(autouse=True)
def server(fake_openai) -> None:
    """Embeddings of a real server on loopback: quick, and no model to load."""
    load_embedder.cache_clear()
    fake_openai()


@pytest.fixture
def graph(tmp_path: Path) -> str:
    path = tmp_path / "g.tsv"
    lines = ["Alien\tdirected_by\tRidley Scott", "Alien\tstarring\tHarry Dean Stanton", "Paris, Texas\tstarring\tHarry Dean Stanton"]  # fmt: skip
    path.write_text("\n".join(lines + [f"film {i}\thas_genre\tgenre {i % 3}" for i in range(30)]) + "\n")
    return str(path)


def test_an_index_is_made_then_current_then_updated(graph: str, tmp_path: Path) -> None:
    place = ("--index", str(tmp_path / "index"), *SERVER)
    first = run("index", "--kg", graph, *place)
    assert "33 triples embedded, 0 removed (33 in all, openai:small@http" in " ".join(first.stdout.split())
    assert "triples/s" in first.stdout and first.stderr == ""
    assert "up to date (33 triples" in run("index", "--kg", graph, *place).stdout
    with Path(graph).open("a") as file:
        file.write("Gladiator\tdirected_by\tRidley Scott\n")
    with pytest.raises(IndexMismatchError, match="another state"):
        run("retrieve", "who made Alien", "--kg", graph, *place)
    again = json.loads(run("index", "--kg", graph, *place, "--json").stdout)
    assert again["triples"] == 34 and 1 <= again["written"] < 5 and again["removed"] == 0
    assert set(again) == {"index", "embedder", "triples", "written", "removed", "seconds", "encoding_share"}


def test_another_graph_is_refused(graph: str, tmp_path: Path) -> None:
    place = ("--index", str(tmp_path / "index"), *SERVER)
    run("index", "--kg", graph, *place)
    other = tmp_path / "other.tsv"
    other.write_text("a\tr\tb\n")
    with pytest.raises(IndexMismatchError, match="made with graph") as refused:
        run("index", "--kg", str(other), *place)
    assert refused.value.hint
    with pytest.raises(IndexMismatchError, match="rule"):
        run("index", "--kg", graph, *place, "--no-subgraph")
    with pytest.raises(IndexMismatchError, match="there is no index"):
        run("retrieve", "who", "--kg", graph, "--index", str(tmp_path / "none"), *SERVER)


def test_what_is_ranked_is_shown_with_its_scores(graph: str) -> None:
    shown = run("retrieve", "Who is in Paris, Texas?", "--kg", graph, *SERVER, "--top-k", "2", "--retrieval", "fusion")
    assert "cosine" in shown.stdout and "BM25" in shown.stdout and "—" in shown.stdout
    assert "triples within reach of Paris, Texas, ranked by fusion" in " ".join(shown.stdout.split())
    assert all(len(line) <= 80 for line in shown.stdout.splitlines())
    shown = run("retrieve", "Who is in Paris, Texas?", "--kg", graph, "--retrieval", "bm25")
    assert "cosine" not in shown.stdout and "BM25" in shown.stdout  # no column without a number
    found = json.loads(
        run("retrieve", "Who is in it?", "--entity", "alien", "--kg", graph, "--retrieval", "bm25", "--json").stdout
    )
    assert found["entities"] == [{"id": "Alien", "label": "Alien"}] and found["scope"] == "neighborhood"
    assert found["candidates"] == 3 and found["triples"][0]["similarity"] is None
    everywhere = json.loads(
        run("retrieve", "genre 2", "--kg", graph, "--retrieval", "bm25", "--hops", "0", "--json").stdout
    )
    assert everywhere["scope"] == "graph" and everywhere["triples"][0]["tail"] == "genre 2"


def test_steps_are_queries(graph: str) -> None:
    def best(*steps: str) -> list[str]:
        given = [word for step in steps for word in ("--step", step)]
        done = run("retrieve", "What is it?", *given, "--kg", graph, "--retrieval", "bm25", "--hops", "0", "--json")
        return json.loads(done.stdout)["triples"][0]["labels"]

    assert best("Find who directed Alien.")[:2] == ["Alien", "directed by"]
    assert best("Find films of genre 1.", "genre 1")[2] == "genre 1"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("who", "--entity", "Aliem"), UnknownEntityError),
        (("who", "--retrieval", "magic"), ConfigError),
        (("who", "--embedder", "magic"), ConfigError),
        (("  ",), QuestionError),
        (("who", "--kg", "none.tsv"), GraphFileError),
    ],
)
def test_mistakes(graph: str, arguments: tuple[str, ...], error: type[Exception]) -> None:
    with pytest.raises(error):
        run("retrieve", *(() if "--kg" in arguments else ("--kg", graph)), *arguments)


@pytest.mark.parametrize("arguments", [("--top-k", "0"), ("--hops", "-1")])
def test_numbers_out_of_range(graph: str, arguments: tuple[str, ...]) -> None:
    assert run("retrieve", "who", "--kg", graph, *arguments).exit_code == 2


def test_ask_without_an_index_uses_what_there_is(graph: str) -> None:
    script = Path(graph).with_name("script.json")
    script.write_text(json.dumps(["1. Find who directed Alien.", 'Output: ["Ridley Scott"]']))
    options = ("--kg", graph, "--method", "cot-kg", "--model", f"fake:{script}", "--retrieval", "bm25", "--json")
    answer = json.loads(run("ask", "Who directed Alien?", *options).stdout)
    assert [a["label"] for a in answer["answers"]] == ["Ridley Scott"]


INTERRUPTED = """
import sys
sys.path.insert(0, {support!r})
import time
from word_embedder import WordEmbedder
from triplewise.backends import embedders
from triplewise.tools.retrieval import subgraph_index
subgraph_index.BATCH = 2
class Slow(WordEmbedder):
    def documents(self, texts):
        time.sleep(0.2)
        return super().documents(texts)
embedders.load_embedder = lambda spec: Slow()
from triplewise.interfaces.cli import main
main()
"""


@pytest.mark.slow
def test_ctrl_c_in_a_terminal_keeps_what_is_embedded(graph: str, tmp_path: Path) -> None:
    code = INTERRUPTED.format(support=str(Path(__file__).parents[2] / "support"))
    command = [sys.executable, "-c", code, "index", "--kg", graph, "--index", str(tmp_path / "index")]
    screen, terminal = pty.openpty()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=terminal, text=True) as process:
        os.close(terminal)
        said = b""
        deadline = time.monotonic() + 120
        while b"/33" not in said:
            assert time.monotonic() < deadline, said
            said += os.read(screen, 4096)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        with_end = said + _rest(screen)
    assert b"Embedding triples" in with_end
    assert b"the same command goes on from there" in with_end and b"Traceback" not in with_end
    done = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True, timeout=120)
    report = json.loads(done.stdout)
    assert 0 < report["written"] < 33 and report["triples"] == 33


def _rest(screen: int) -> bytes:
    said = b""
    while True:
        try:
            more = os.read(screen, 4096)
        except OSError:  # the other end is closed
            return said
        if not more:
            return said
        said += more


# train retriever: the questions it reads ---------------------------------------------------------------


def test_questions_and_their_entities(graph: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kg, path = load_kg(graph), tmp_path / "q.jsonl"
    rows = [
        {"question": "Who made Alien?", "answers": ["Ridley Scott"]},
        {"question": "Who?", "entities": ["Paris, Texas"], "gold_relation_paths": [["starring"], ["starring", "starring"]]},
        {"question": "Who?", "entities": ["nobody"], "answers": ["Alien"]},
        {"question": "Who made Alien?", "answers": ["Ridley Scott"], "plan": ["Find who directed Alien."]},
    ]  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    linked, first, second, planned = cli_train_retriever.read_questions(kg, path)
    assert linked.topics == ("Alien",) and linked.answers == ("Ridley Scott",) and linked.path == ()
    assert first.topics == ("Paris, Texas",) and (first.path, second.path) == (("starring",), ("starring", "starring"))
    assert planned.plan == ("Find who directed Alien.",)
    assert "! 1 of 4 questions left out: no entity, or neither path nor answer" in capsys.readouterr().err


@pytest.mark.parametrize("row", ['{"answers": []}', '{"question": 3}', '{"question": "a", "entities": "b"}', "[]", "{"])
def test_questions_that_are_none(graph: str, tmp_path: Path, row: str) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text('{"question": "Who made Alien?", "answers": ["Ridley Scott"]}\n' + row)
    with pytest.raises(UserError, match=r"q\.jsonl:2"):
        run("train", "retriever", "--kg", graph, "--questions", str(path), "--out", str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()
