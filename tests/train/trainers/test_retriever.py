"""Training the retriever: which triples are positive, what a query is, and a real training that is used at once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from triplewise.errors import ConfigError
from triplewise.kg import NetworkxStore, load_kg
from triplewise.tools.retrieval.triple_table import TripleTable
from triplewise.train.trainers.retriever import (
    PAPER,
    RetrieverSettings,
    TrainingQuestion,
    _last_whole,
    agreeing,
    follow,
    positives,
    shortest_paths,
    train_retriever,
    training_rows,
)

# a — b — c and a — d — c, c — e, and x — y apart; edges point both ways
TRIPLES = [
    ("a", "r", "b"), ("c", "s", "b"), ("a", "r", "d"), ("d", "s", "c"), ("c", "t", "e"), ("a", "q", "z"), ("x", "r", "y"),
]  # fmt: skip


@pytest.fixture(scope="module")
def table() -> TripleTable:
    return TripleTable(NetworkxStore(TRIPLES, name="small"))


def named(table: TripleTable, rows: np.ndarray) -> set[tuple[str, str, str]]:
    return {tuple(table.triples[row]) for row in rows.tolist()}


def test_all_shortest_paths_in_either_direction(table: TripleTable) -> None:
    assert named(table, shortest_paths(table, ["a"], ["c"], 5)) == set(TRIPLES[:4])
    assert named(table, shortest_paths(table, ["a"], ["e"], 5)) == set(TRIPLES[:5])
    assert named(table, shortest_paths(table, ["a"], ["e", "z"], 5)) == set(TRIPLES[:6])
    assert named(table, shortest_paths(table, ["a", "d"], ["c"], 5)) == {("d", "s", "c")}


def test_no_path_is_no_positive(table: TripleTable) -> None:
    for topics, answers, hops in (
        (["a"], ["e"], 2),
        (["a"], ["y"], 5),
        (["a"], ["a"], 5),
        ([], ["c"], 5),
        (["?"], ["c"], 5),
    ):
        assert not len(shortest_paths(table, topics, answers, hops))


def test_the_gold_path_is_followed_step_by_step(table: TripleTable) -> None:
    first, second = follow(table, ["a"], ["r", "s"])
    assert named(table, first) == {("a", "r", "b"), ("a", "r", "d")}
    assert named(table, second) == {("c", "s", "b"), ("d", "s", "c")}
    assert follow(table, ["a"], ["r", "t"]) == [] and follow(table, ["a"], ["unknown"]) == []
    known = TrainingQuestion("?", ("a",), ("e",), ("r", "s"))
    assert named(table, positives(table, known, 5)) == set(TRIPLES[:4])
    assert named(table, positives(table, replace(known, path=()), 5)) == set(TRIPLES[:5])
    assert not len(positives(table, replace(known, path=("t",)), 5))


def test_negatives_are_none_of_the_positives_and_queries_grow_by_the_plan(table: TripleTable) -> None:
    asked = [TrainingQuestion(f"q{i}", ("a",), ("c",), plan=("one.", "two.")) for i in range(40)]
    settings = RetrieverSettings(positives=2, negatives=6)
    made = training_rows(table, asked, settings)
    own = set(shortest_paths(table, ["a"], ["c"], 5).tolist())
    assert len(made) == 80
    for query, right, wrong in made:
        assert right in own and len(wrong) == 6 and not own & set(wrong)
        ends = set(table.codes[right][[0, 2]].tolist())
        assert all(ends & set(table.codes[row][[0, 2]].tolist()) for row in wrong[::3])  # told apart by the relation
        assert query.removeprefix(query.split()[0]) in ("", " one.", " one. two.")
    assert {len(query.split()) for query, _, _ in made} == {1, 2, 3}  # some, all or none of the steps
    assert made == training_rows(table, asked, settings)
    assert made != training_rows(table, asked, replace(settings, seed=1))
    assert len({q.split()[0] for q, _, _ in training_rows(table, asked, replace(settings, limit=5))}) == 5
    assert PAPER.epochs == 5 and PAPER.learning_rate == 1e-5 and PAPER.batch_size == 64 and PAPER.negatives == 6


def test_a_question_with_many_paths_takes_each_positive_from_another(table: TripleTable) -> None:
    asked = [TrainingQuestion("q", ("a",), path=path) for path in (("r",), ("q",), ("r", "s"), ("r", "s", "t"))]
    for seed in range(9):
        made = training_rows(table, asked, RetrieverSettings(positives=3, negatives=1, seed=seed))
        assert len(made) == 3
    assert len(training_rows(table, asked[:2], RetrieverSettings(positives=3))) == 2
    assert len(training_rows(table, asked[2:3], RetrieverSettings(positives=3))) == 3


def test_of_many_gold_paths_those_that_end_together_are_positive() -> None:
    table = TripleTable(
        NetworkxStore(
            [("q", "brother", "b"), ("q", "born in", "t"), ("b", "born in", "t"), ("x", "born in", "t"), ("y", "born in", "t"),
             ("b", "sex", "m"), ("q", "sex", "m"), ("z", "sex", "m"), ("q", "hair", "h"), ("w", "hair", "h")],
            name="siblings",
        )
    )  # fmt: skip
    paths = (("brother",), ("born in", "born in"), ("sex", "sex"), ("hair", "hair"), ("unknown",))
    asked = [TrainingQuestion("who is q's brother", ("q",), path=path) for path in paths]
    brother, town, sex, hair, unknown = (named(table, rows) for rows in agreeing(table, asked, 5))
    assert brother == {("q", "brother", "b")}
    assert town == {("q", "born in", "t"), ("b", "born in", "t")}  # of three that were born there, one is the answer
    assert sex == {("q", "sex", "m"), ("b", "sex", "m")}
    assert not hair and not unknown
    alone = agreeing(table, asked[3:4], 5)
    assert named(table, alone[0]) == {("q", "hair", "h"), ("w", "hair", "h")}


def test_a_graph_that_is_all_path_still_gives_rows() -> None:
    table = TripleTable(NetworkxStore([("a", "r", "b"), ("b", "r", "c")], name="path"))
    made = training_rows(table, [TrainingQuestion("q", ("a",), ("c",))], RetrieverSettings(negatives=2))
    assert len(made) == 2


def test_nothing_to_learn_from_and_no_place(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers", reason="needs the extra 'train'")
    pytest.importorskip("datasets", reason="needs the extra 'train'")
    table = TripleTable(NetworkxStore(TRIPLES, name="small"))
    with pytest.raises(ConfigError, match="no question has a path"):
        train_retriever(table, [TrainingQuestion("q", ("a",), ("y",))], "minilm", tmp_path / "m", RetrieverSettings())
    question = TrainingQuestion("q", ("a",), ("c",))
    with pytest.raises(ConfigError, match="cannot be trained"):
        train_retriever(table, [question], "openai:x", tmp_path / "m", RetrieverSettings())
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "notes.txt").write_text("mine")
    with pytest.raises(ConfigError, match="is not empty"):
        train_retriever(table, [question], "minilm", tmp_path / "taken", RetrieverSettings())


def test_a_half_written_checkpoint_is_left_out(tmp_path: Path) -> None:
    assert _last_whole(tmp_path) is None
    for name, state in (
        ("checkpoint-20", "{}"),
        ("checkpoint-100", "{}"),
        ("checkpoint-120", '{"best'),
        ("checkpoint-140", None),
    ):
        (tmp_path / name).mkdir()
        if state is not None:
            (tmp_path / name / "trainer_state.json").write_text(state)
    assert _last_whole(tmp_path) == str(tmp_path / "checkpoint-100")
    assert not (tmp_path / "checkpoint-120").exists() and not (tmp_path / "checkpoint-140").exists()


# for real ---------------------------------------------------------------------------------------------


@pytest.fixture
def one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # of the commands it runs: threads that wait for each other take minutes


def film_questions(n: int) -> list[dict]:
    """Questions over the bundled films whose words say little of the relation."""
    triples = [t for t in load_kg("films").triples() if t.relation == "composed_by"][:n]
    return [{"question": f"whose melodies does one hear in {t.head}", "entities": [t.head], "answers": [t.tail]} for t in triples]  # fmt: skip


def command(tmp_path: Path, out: Path, *more: str) -> list[str]:
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(row) + "\n" for row in film_questions(48)))
    return [str(Path(sys.executable).parent / "triplewise"), "train", "retriever", "--kg", "films", "--questions",
            str(tmp_path / "q.jsonl"), "--out", str(out), "--epochs", "4", "--batch-size", "8", "--negatives", "2",
            "--json", *more]  # fmt: skip


@pytest.mark.slow
@pytest.mark.usefixtures("one_thread")
def test_a_training_is_killed_goes_on_and_is_used_at_once(tmp_path: Path) -> None:
    pytest.importorskip("datasets", reason="needs the extra 'train'")
    from triplewise.backends.embedders import load_embedder
    from triplewise.tools.retrieval.subgraph_index import SubgraphIndex
    from triplewise.tools.retrieval.triple_retriever import RetrievalOptions, TripleRetriever

    out = tmp_path / "retriever"
    with subprocess.Popen(command(tmp_path, out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 300
        while not any(out.glob("checkpoints/checkpoint-*")) and time.monotonic() < deadline:
            assert process.poll() is None, "the training ended before its first checkpoint"
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGKILL)
    other = subprocess.run(command(tmp_path, out, "--seed", "3"), capture_output=True, text=True, timeout=300)
    assert other.returncode != 0 and "another unfinished training" in other.stderr
    done = json.loads(
        subprocess.run(command(tmp_path, out), capture_output=True, text=True, check=True, timeout=300).stdout
    )
    assert done["steps"] >= 24 and done["examples"] >= 48
    assert (out / "model.safetensors").is_file() and not list(out.rglob("*.bin")) and not (out / "checkpoints").exists()

    def recall(spec: str) -> float:
        kg = load_kg("films")
        index = SubgraphIndex(kg, load_embedder(spec), tmp_path / spec.partition(":")[0])
        index.build()
        retriever, hits = TripleRetriever(kg, index), 0
        for row in film_questions(80)[48:]:
            found = retriever.retrieve(
                row["question"], (), row["entities"], RetrievalOptions(k=3, mode="dense", hops=2)
            )
            hits += any(t.triple.relation == "composed_by" and t.triple.head in row["entities"] for t in found.triples)
        return hits / 32

    assert recall(f"st:{out}") >= recall("minilm") + 0.2  # on films it was not trained on
