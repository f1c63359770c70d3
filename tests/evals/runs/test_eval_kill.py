"""A run that is killed at random points loses and doubles nothing, and pays for nothing twice."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from asked_node import asked_node
from eval_life import Lives

pytest.importorskip("inspect_ai")

from triplewise.evals.accounting.ledger import Ledger, read_ledger
from triplewise.evals.data.items import digest
from triplewise.evals.scores.results import Run, load_run

pytestmark = pytest.mark.first
FEW, ITEMS, IN_FLIGHT = 100, 1000, 16


def reply(body: dict[str, Any]) -> str:
    """Right for two films of three, so that a metric that mixes items up is seen."""
    node, user = asked_node(body), body["messages"][1]["content"]
    if node == "select_relations":
        return "directed by"
    marker = "Sentence: " if node == "segment" else "Question: "
    film = user.rpartition(marker)[2].partition("\n")[0].removeprefix("who directed ").removesuffix("?")
    if marker == "Sentence: ":
        return f"1. {film} was directed by ?answer | {film} ; ?answer"
    return f"Person{film[4:]}" if int(film[4:]) % 3 else f"Twin{film[4:]}"


def films(folder: Path, number: int) -> Path:
    """So many questions over as many films."""
    lines = [f"Film{i}\tdirected_by\tPerson{i}\nFilm{i}\tdirected_by\tTwin{i}\n" for i in range(number)]
    (folder / "kg.tsv").write_text("".join(lines))
    rows = [
        {"question": f"who directed Film{i}?", "answers": [f"Person{i}"], "entities": [f"Film{i}"]}
        for i in range(number)
    ]
    (folder / "films.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder / "films.jsonl"


def finished(lives: Lives, out: Path, data: Path) -> Run:
    run = lives.start(out, data)
    assert not run.running(500) and run.wait() == 0, out.with_suffix(".err").read_text()[-2000:]
    return load_run(out)


def outcomes(run: Run) -> dict[str, Any]:
    """All that was found, but the time that it took."""
    return {
        i.id: (i.answers, i.evidence, i.citations, i.usage, {k: v for k, v in i.scores.items() if k != "seconds"})
        for i in run.items
    }


def repeated(out: Path, first: set[str]) -> int:
    """How many items were begun again: each time the ledger has the item's first prompt, which no other item has."""
    Ledger(out / "spend.jsonl", wait=60).close()  # what makes the calls of a killed run has ended
    begun = Counter(r["prompt"] for r in read_ledger(out / "spend.jsonl") if r.get("prompt") in first)
    return begun.total() - len(begun)


def killed(lives: Lives, tmp_path: Path, items: int, server: Any, kills: int) -> None:
    data = films(tmp_path, items)
    whole = finished(lives, tmp_path / "whole", data)
    usage, rng = whole.spent.usage, random.Random(kills)
    asked = [[m["content"] for m in b["messages"]] for b in server.bodies if asked_node(b) == "segment"]
    first = {digest([["system", s], ["human", u]]) for s, u in asked}
    assert (usage.calls, len(first), whole.complete) == (server.answered, items, True)
    out = tmp_path / "killed"
    out.mkdir()
    for number in range(kills):
        run, before = lives.start(out, data), server.answered
        left = 2 * usage.calls - before
        until = before + rng.randrange(2 * left // (kills - number + 1) + 1)  # 0: at once
        while run.running() and server.answered < until:
            time.sleep(0.002)
        assert run.running(), out.with_suffix(".err").read_text()[-2000:]
        os.kill(run.pid, signal.SIGKILL)
        assert run.wait() == -signal.SIGKILL
        assert repeated(out, first) <= IN_FLIGHT * number
    again = finished(lives, out, data)
    assert repeated(out, first) <= IN_FLIGHT * kills
    assert len(again.items) == len({i.id for i in again.items}) == items
    assert outcomes(again) == outcomes(whole)
    spent = again.spent.usage
    assert (again.spent.unknown, again.spent.assumed) == (0, 0)
    assert spent.calls + usage.calls == server.answered
    assert spent.prompt_tokens + usage.prompt_tokens == server.prompt_tokens
    assert spent.completion_tokens + usage.completion_tokens == server.completion_tokens
    assert spent.calls == usage.calls  # nothing was paid twice


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_three_kills(tmp_path: Path, fake_openai: Callable[..., Any]) -> None:
    with Lives() as lives:
        killed(lives, tmp_path, FEW, fake_openai(reply, latency=0.05), 3)


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_three_hundred_kills(tmp_path: Path, fake_openai: Callable[..., Any], count: Callable[[str], None]) -> None:
    with Lives() as lives:
        killed(lives, tmp_path, ITEMS, fake_openai(reply, latency=0.05), 300)
    count("300 kills of an evaluation of 1,000 items, 16 in flight: 0 lost, 0 doubled, 0 tokens of difference")


def raced(lives: Lives, tmp_path: Path, server: Any, races: int) -> None:
    """Three runners begin in one folder at once: one owns it, the others are refused or find it done."""
    data = films(tmp_path, 6)
    for number in range(races):
        out, before = tmp_path / f"race{number}", server.answered
        codes = [run.wait() for run in [lives.start(out, data) for _ in range(3)]]
        said = out.with_suffix(".err").read_text()
        assert 0 in codes and said.count("Traceback") == said.count("ConfigError: ") == sum(map(bool, codes)), said
        assert said.count("is in use by another process") + said.count("holds a run already") >= sum(map(bool, codes))
        run = load_run(out)
        assert (len(run.items), run.complete, run.spent.usage.calls) == (6, True, server.answered - before)


@pytest.mark.slow
def test_a_race(tmp_path: Path, fake_openai: Callable[..., Any]) -> None:
    with Lives() as lives:
        raced(lives, tmp_path, fake_openai(reply), 1)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_fifty_races(tmp_path: Path, fake_openai: Callable[..., Any], count: Callable[[str], None]) -> None:
    with Lives() as lives:
        raced(lives, tmp_path, fake_openai(reply), 50)
    count("50 races of 3 evaluations in one folder: one owner each, 0 items doubled, 0 tokens of difference")
