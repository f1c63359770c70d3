"""Evaluation on Inspect with the real provider, against a server on loopback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from asked_node import asked_node

pytest.importorskip("inspect_ai")
pytestmark = pytest.mark.usefixtures("warm_brokers")

from inspect_ai import eval as inspect_eval  # noqa: E402
from inspect_ai import score  # noqa: E402
from inspect_ai.log import EvalLog, read_eval_log  # noqa: E402
from inspect_ai.model import get_model  # noqa: E402

from triplewise.evals.runs.inspect_tasks import scores, triplewise_eval  # noqa: E402
from triplewise.evals.runs.stale import StaleRunError, code_hash  # noqa: E402

GRAPH = "Heat\tdirected_by\tMichael Mann\nAlien\tdirected_by\tRidley Scott\nJaws\tdirected_by\tSteven Spielberg\n"
GOLD = {"Heat": "Michael Mann", "Alien": "Ridley Scott", "Jaws": "Steven Spielberg"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    (tmp_path / "kg.tsv").write_text(GRAPH)
    rows = [{"question": f"who directed {f}?", "answers": [d], "entities": [f]} for f, d in GOLD.items()]
    (tmp_path / "films.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    return tmp_path


def reply(body: dict) -> str:
    node, user = asked_node(body), body["messages"][1]["content"]
    if node == "select_relations":
        return "directed by"
    marker = "Sentence: " if node == "segment" else "Question: "
    film = next(f for f in GOLD if f in user.rpartition(marker)[2].partition("\n")[0])
    return f"1. {film} was directed by ?answer | {film} ; ?answer" if marker == "Sentence: " else GOLD[film]


def run(folder: Path, **options) -> EvalLog:
    (log,) = inspect_eval(
        triplewise_eval("films", str(folder / "films.jsonl"), **options.pop("task", {})),
        model=get_model("triplewise/openai:fake", memoize=False),  # a kept one would ask the last test's server
        log_dir=str(folder / "logs"),
        display="none",
        **options,
    )
    return log


def test_right_answers_with_usage_that_is_the_servers(folder: Path, fake_openai) -> None:
    server = fake_openai(reply)
    log = run(folder)
    assert log.status == "success", log.error
    assert log.samples is not None
    assert [s.scores["scores"].value["hits_at_1"] for s in log.samples if s.scores] == [1, 1, 1]  # type: ignore[index,call-overload]
    (usage,) = log.stats.model_usage.values()
    assert usage.total_tokens == server.prompt_tokens + server.completion_tokens
    assert log.eval.metadata and log.eval.metadata["code"] == code_hash()


def test_a_log_that_was_not_scored_is_scored_later(folder: Path, fake_openai) -> None:
    fake_openai(reply)
    log = run(folder, score=False)
    assert log.samples is not None
    assert all(s.metadata["steps"] and not s.scores for s in log.samples)
    later = score(read_eval_log(log.location), scores(), display="none")
    assert [s.scores["scores"].value["hits_at_1"] for s in later.samples or () if s.scores] == [1, 1, 1]  # type: ignore[index,call-overload]


def test_a_token_limit_stops_samples(folder: Path, fake_openai) -> None:
    fake_openai(reply)
    log = run(folder, token_limit=1)
    assert log.samples is not None
    assert all(s.limit and s.limit.type == "token" for s in log.samples)


@pytest.mark.parametrize("change", ["data_hash", "kg_hash", "code"])
def test_what_changed_is_refused(folder: Path, change: str) -> None:
    with pytest.raises(StaleRunError, match=change):
        triplewise_eval("films", str(folder / "films.jsonl"), **{change: "0" * 64})
