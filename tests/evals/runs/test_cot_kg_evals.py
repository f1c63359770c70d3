"""cot-kg as an evaluation over films: one index a run, recall by k, and nothing reused once embedder or index changed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

pytest.importorskip("inspect_ai")
pytest.importorskip("chromadb")
pytestmark = [pytest.mark.first, pytest.mark.usefixtures("warm_brokers")]

from triplewise.backends.embedders import load_embedder  # noqa: E402
from triplewise.errors import ConfigError, IndexMismatchError  # noqa: E402
from triplewise.evals.report.contents import report_of  # noqa: E402
from triplewise.evals.runs.plan import Request, begin, begin_or_resume, resume_run, settings_of  # noqa: E402
from triplewise.evals.runs.stale import StaleRunError  # noqa: E402
from triplewise.evals.scores.results import Run, load_run  # noqa: E402
from triplewise.interfaces.cli import app  # noqa: E402
from triplewise.kg import load_kg  # noqa: E402
from triplewise.tools.retrieval import triple_retriever  # noqa: E402
from triplewise.tools.retrieval.subgraph_index import SubgraphIndex  # noqa: E402
from triplewise.types import Caps  # noqa: E402

QUESTIONS = {
    "Who directed The Third Man?": "The Third Man",
    "Who wrote Lawrence of Arabia?": "Lawrence of Arabia",
    "Which films did David Lean direct?": "David Lean",
    "Who composed the music of the films that Billy Wilder directed?": "Billy Wilder",
}
"""With their topic entities."""


@pytest.fixture
def films(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Questions beside what the bundled graph says of three directors' films."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.chdir(tmp_path)
    load_embedder.cache_clear()  # they know the last test's server
    triple_retriever._open.cache_clear()
    kg = load_kg("films")
    made = {d: [t.head for t in kg.triples() if t[1:] == ("directed_by", d)] for d in ("David Lean", "Billy Wilder")}
    films = {"The Third Man", *made["David Lean"], *made["Billy Wilder"]}
    about = [t for t in kg.triples() if t.head in films and not t.relation.startswith(("rdf", "skos"))]
    (tmp_path / "kg.tsv").write_text("".join("\t".join(t) + "\n" for t in about))
    composers = {t.tail for t in about if t.head in made["Billy Wilder"] and t.relation == "composed_by"}
    gold = (["Carol Reed"], ["Michael Wilson", "Robert Bolt"], made["David Lean"], sorted(composers))
    rows = [
        {"question": question, "entities": [topic], "answers": answers}
        for (question, topic), answers in zip(QUESTIONS.items(), gold, strict=True)
    ]
    (tmp_path / "questions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def reply(body: dict[str, Any]) -> str:
    """Plans two look-ups for the question that needs them; answers with the names of the hints that it wants."""
    text = body["messages"][-1]["content"]
    question = text.rpartition("Input: ")[2].partition("\n")[0]
    if "\nHints:\n" not in text.rpartition("Input: ")[2]:
        return "1. Find the films that Billy Wilder directed.\n2. Find who composed their music." if "Billy" in question \
            else f"1. Find {question[0].lower()}{question[1:-1]}."  # fmt: skip
    hints = text.rpartition("Hints:\n")[2]
    wanted = ["Carol Reed"] if "Third Man" in question else re.findall(r"Michael Wilson|Brief Encounter", hints)
    return f"The hints say so.\nOutput: {json.dumps(sorted(set(wanted)))}"


def request(folder: Path, **changes: Any) -> Request:
    return Request(
        str(folder / "questions.jsonl"), "openai:fake", "cot-kg", embedder="openai:words",
        options={"top_k": 8} | changes.pop("options", {}), **changes,
    )  # fmt: skip


def made_index(folder: Path, name: str = "index", embedder: str = "openai:words") -> Path:
    SubgraphIndex(load_kg(folder / "kg.tsv"), load_embedder(embedder), folder / name).build()
    return folder / name


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What was given for each retriever that was opened in earnest."""
    calls: list[Any] = []
    real = triple_retriever._open.__wrapped__
    monkeypatch.setattr(
        triple_retriever, "_open", triple_retriever.lru_cache(8)(lambda *given: calls.append(given) or real(*given))
    )
    return calls


def test_a_run_opens_its_retriever_once_and_the_report_has_its_recall(
    films: Path, fake_openai: Any, opened: list[Any]
) -> None:
    fake_openai(reply)
    place = made_index(films)
    assert begin(settings_of(request(films, index=str(place))), films / "run") == "success"
    assert len(opened) == 1
    run = load_run(films / "run")
    by_text = {item.text: item for item in run.items}
    right, part, one, none = (by_text[q] for q in QUESTIONS)
    assert (right.answers, right.scores["hits_at_1"], right.scores["f1"]) == (("Carol Reed",), 1, 1)
    assert right.evidence[right.citations[0]] == ("The Third Man", "directed by", "Carol Reed")
    assert (part.answers, part.scores["hits_at_1"], part.scores["recall"]) == (("Michael Wilson",), 1, 0.5)
    assert none.answers == () and none.scores["abstention"] == 1
    assert one.item.answers and all(len(item.evidence) == 8 for item in run.items)
    assert run.hashes["embedder_id"].startswith("openai:words@http://127.0.0.1")
    assert re.fullmatch("[0-9a-f]{16}", run.hashes["index_hash"])

    (curve,) = report_of([films / "run"]).runs[0].recall
    assert [p.label for p in curve.points][-1] == "8"
    for point in curve.points:
        expected = [share_found(item, int(point.label)) for item in run.items]
        assert point.value == pytest.approx(sum(expected) / 4), point
    assert curve.points[0].value < curve.points[-1].value


def share_found(item: Any, k: int) -> float:
    ends = {end for h, _, t in item.evidence[:k] for end in (h, t)}
    return len(ends & set(item.gold)) / len(item.gold)


def refused_then_anew(films: Path, server: Any, change: Callable[[], None], named: str) -> tuple[Run, Run]:
    """A whole run, then ``change``: it does not go on, the model is asked nothing, and a new run asks all calls."""
    chosen = settings_of(request(films, index=str(films / "index")))
    asked = lambda: sum("messages" in body for body in server.bodies)  # noqa: E731 - embeddings have none
    assert begin(chosen, films / "run") == resume_run(films / "run") == "success"
    before = asked()
    change()
    with pytest.raises(StaleRunError, match=f"changed since the run began: {named}\\."):
        resume_run(films / "run")
    assert asked() == before
    assert begin(chosen, films / "new") == "success"
    old, new = load_run(films / "run"), load_run(films / "new")
    assert new.spent.usage.calls == old.spent.usage.calls == asked() - before == before
    return old, new


def test_another_index_makes_a_run_stale(films: Path, fake_openai: Any, opened: list[Any]) -> None:
    """An index that holds the same triples embedded as other texts, as an older version's would."""
    server = fake_openai(reply)
    place = made_index(films)

    def change() -> None:
        collection = SubgraphIndex(load_kg(films / "kg.tsv"), load_embedder("openai:words"), place)._collection
        first = collection.get(limit=1)["ids"][0]
        collection.update(ids=[first], metadatas=[{"text": "0" * 16}])

    old, new = refused_then_anew(films, server, change, "index_hash")
    assert {k for k, v in old.hashes.items() if v != new.hashes[k]} == {"index_hash"}


def test_another_embedder_makes_a_run_stale(films: Path, fake_openai: Any) -> None:
    """kg-gpt's embedder is a folder; its weights change."""
    server = fake_openai(["ok"])
    (films / "mine").mkdir()
    (films / "mine" / "model.safetensors").write_bytes(b"weights")
    chosen = replace(request(films, limit=2), method="kg-gpt", options={}, embedder=f"st:{films / 'mine'}")
    assert begin(settings_of(chosen), films / "run") == "success"
    (films / "mine" / "model.safetensors").write_bytes(b"others")
    load_embedder.cache_clear()
    asked = server.requests
    with pytest.raises(StaleRunError, match="changed since the run began: embedder_id\\."):
        resume_run(films / "run")
    assert server.requests == asked
    load_embedder.cache_clear()


def test_an_index_is_used_only_with_its_own_embedder(films: Path, fake_openai: Any) -> None:
    server = fake_openai(reply)
    chosen = request(films, index=str(made_index(films)), limit=2)
    assert begin(settings_of(chosen), films / "run") == "success"
    asked = server.requests
    other = settings_of(replace(chosen, embedder="openai:others"))
    with pytest.raises(IndexMismatchError, match="made with embedder 'openai:words@"):
        begin(other, films / "other")
    with pytest.raises(ConfigError, match="holds a run of other settings"):
        begin_or_resume(other, films / "run", None, Caps())
    with pytest.raises(IndexMismatchError, match="there is no index at"):
        begin(settings_of(replace(chosen, index="nowhere")), films / "none")
    assert server.requests == asked


def test_a_run_without_an_index_says_so(
    films: Path, fake_openai: Any, opened: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_openai(reply)
    monkeypatch.setattr(triple_retriever, "SMALL", 0)
    chosen = request(films, limit=1)
    assert begin(settings_of(chosen), films / "run") == "success"
    run = load_run(films / "run")
    assert run.note == "triples are ranked by BM25 alone: the graph has no index; make one with: triplewise index"
    assert run.hashes["index_hash"] == "none"
    opened.clear()
    words = replace(chosen, options={"retrieval": "bm25"})
    assert begin(settings_of(words), films / "words") == "success"
    found = load_run(films / "words")
    assert (opened, found.note) == ([], "") and not {"index_hash", "embedder_id"} & set(found.hashes)


def test_the_commands_take_index_and_embedder(films: Path, fake_openai: Any) -> None:
    """A dry run asks no model, and tells the run's calls."""
    server = fake_openai(reply)
    made_index(films)
    common = ["questions.jsonl", "--model", "openai:fake", "--method", "cot-kg", "--index", "index",
              "--embedder", "openai:words", "--json", "--top-k"]  # fmt: skip

    def told(command: str, k: int, *more: str) -> Any:
        done = CliRunner().invoke(app, ["eval", command, *common, str(k), *more])
        assert done.exit_code == 0, (done.output, done.exception)
        return json.loads(done.stdout)

    few, more = told("estimate", 2), told("estimate", 30)
    assert not any("messages" in body for body in server.bodies)
    assert few["calls"] == more["calls"] == 2 * len(QUESTIONS) and more["prompt_tokens"] > few["prompt_tokens"]
    run = told("run", 30, "--out", "run")
    assert run["spent"]["calls"] == more["calls"] and run["hashes"]["index_hash"]
    task = json.loads(Path("run/run.json").read_text())["task"]
    assert (task["index"], task["embedder"]) == (str(films / "index"), "openai:words")
