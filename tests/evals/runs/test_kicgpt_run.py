"""KICGPT's evaluation as a run: stopped, killed and gone on with, it ends with the same metrics and asks nothing twice."""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from triplewise.errors import BackendError, BudgetExceededError, ConfigError
from triplewise.evals.accounting.ledger import read_ledger
from triplewise.evals.accounting.spend import read_spent
from triplewise.evals.report.kicgpt import report_text
from triplewise.evals.runs import kicgpt_run
from triplewise.evals.runs.kicgpt_run import ROWS, LinkRun, main, read_report, run
from triplewise.evals.runs.tune_links import best, tune
from triplewise.evals.scores.results import load_run
from triplewise.kg import load_kg
from triplewise.tools.links.kge_data import LinkPredictionData
from triplewise.tools.links.rotate_scorer import write_model
from triplewise.tools.text.relation_text import RelationTexts, fill
from triplewise.types import Caps

pytest.importorskip("safetensors")
pytestmark = [pytest.mark.first, pytest.mark.usefixtures("warm_brokers")]
ENTITIES, AT_ONCE = 50, 8


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small benchmark with the name of the paper's, and a RotatE of random weights beside it."""
    root = tmp_path_factory.mktemp("links")
    rng = np.random.default_rng(3)
    drawn = np.column_stack([rng.integers(0, n, 600) for n in (ENTITIES, 3, ENTITIES)]).tolist()
    lines = [f"e{h}\tr{r}_of\te{t}\n" for h, r, t in dict.fromkeys(map(tuple, drawn)) if h != t]
    # No two test queries are alike, or those in flight together would ask the same twice.
    test = list({line.split("\t")[0]: line for line in lines if line.split("\t")[1] == "r0_of"}.values())
    test = list({line.split("\t")[2]: line for line in test}.values())
    rest = [line for line in lines if line not in test]
    (root / "FB15k-237").mkdir()
    for part, rows in (("test", test), ("valid", rest[:40]), ("train", rest[40:])):
        (root / "FB15k-237" / f"{part}.txt").write_text("".join(rows))
    data = LinkPredictionData.from_folder(root / "FB15k-237")
    phases = rng.uniform(0, 2 * np.pi, (len(data.relations), 8))
    weights = {
        "entity": rng.normal(size=(len(data.entities), 16)).astype(np.float32),
        "relation": np.stack([np.cos(phases), np.sin(phases)], -1).reshape(-1, 16).astype(np.float32),
    }
    description = {"graph": data.name, "graph_hash": data.graph_hash, "benchmark": True, "split_seed": None}
    names = {"entities": list(data.entities), "relations": list(data.relations)}
    (root / "rotate").mkdir()
    parts = {"train": data.train, "valid": data.valid, "test": data.test}
    write_model(root / "rotate", description | names, weights | parts)
    return root


def settings(folder: Path, **changes: Any) -> LinkRun:
    data, scorer = str(folder / "FB15k-237"), str(folder / "rotate")
    made = LinkRun(data, scorer, "openai:fake", rows=("kicgpt",), queries=0, options={"m": 10})
    return replace(made, **changes)


def reply(body: dict[str, Any]) -> str:
    """An order that depends on the whole prompt, as a deterministic model's does."""
    last = body["messages"][-1]["content"]
    if "Yes or No" in last or "reply only OK" in last:
        return "Yes"
    count = int(re.findall(r"(?:Order all|Sort the) (\d+) candidates", last)[-1])
    seed = hashlib.sha256(json.dumps(body["messages"]).encode()).digest()
    return ", ".join(str(i) for i in random.Random(seed).sample(range(1, count + 1), count))


def metrics(report: dict[str, Any]) -> Any:
    """All of a report but what was paid."""
    rows = {name: {k: v for k, v in row.items() if k != "paid"} for name, row in report["rows"].items()}
    return json.loads(json.dumps([rows, report["long_tail"]]))


def asked(server: Any, start: int = 0) -> Counter[str]:
    return Counter(json.dumps(body["messages"]) for body in server.bodies[start:])


@pytest.fixture
def serve(fake_openai: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    return fake_openai


@pytest.mark.parametrize("preset", ["default", pytest.param("paper", marks=pytest.mark.slow)])
def test_a_run_that_an_error_stopped_goes_on(folder: Path, tmp_path: Path, serve: Any, preset: str) -> None:
    n = 30 if preset == "default" else 12
    chosen = settings(folder, preset=preset, queries=n)
    server = serve(reply)
    whole = run(chosen, tmp_path / "whole", at_once=AT_ONCE)
    assert whole["rows"]["kicgpt"]["n"] == n
    server = serve(reply, faults=["ok"] * (server.answered * 8 // 10) + ["400"] * AT_ONCE)
    with pytest.raises(BackendError):
        run(chosen, tmp_path / "cut", at_once=AT_ONCE)
    kept = read_ledger(tmp_path / "cut" / "outcomes.jsonl")
    assert 0 < len(kept) < n
    server.faults.clear()
    before, paid = server.requests, asked(server)
    resumed = run(chosen, tmp_path / "cut", at_once=AT_ONCE)
    assert metrics(resumed) == metrics(whole)
    assert server.requests - before > 0
    repeated = (asked(server, before) & paid).total()
    assert repeated <= AT_ONCE  # those that were refused
    spent = resumed["rows"]["kicgpt"]["paid"]
    assert spent["calls"] == server.answered
    before = server.requests
    again = json.loads(json.dumps(run(chosen, tmp_path / "cut")))
    assert again == json.loads(json.dumps(resumed)) == json.loads((tmp_path / "cut" / "report.json").read_text())
    assert server.requests == before


CHILD = """
import json, sys
from triplewise.evals.runs.kicgpt_run import LinkRun, run
run(LinkRun(**json.loads(sys.argv[1])), sys.argv[2], at_once=8)
"""


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["default", "paper"])
def test_a_run_that_is_killed_goes_on(folder: Path, tmp_path: Path, serve: Any, preset: str) -> None:
    chosen = settings(folder, preset=preset, queries=60 if preset == "default" else 20)
    whole = run(chosen, tmp_path / "whole", at_once=AT_ONCE) if serve(reply) else {}
    server = serve(reply, latency=0.05)
    given = {**json.loads(json.dumps({n: getattr(chosen, n) for n in LinkRun.__slots__}))}
    command, out = [sys.executable, "-c", CHILD, json.dumps(given), str(tmp_path / "cut")], tmp_path / "cut"
    rng, killed, seen = random.Random(1), 0, Counter[str]()
    for _ in range(3):
        start = len(server.bodies)
        child = subprocess.Popen(command, env=os.environ.copy())
        until = server.answered + rng.randrange(10, 30)
        while child.poll() is None and server.answered < until:
            time.sleep(0.005)
        killed += child.poll() is None
        child.kill()
        child.wait()
        # Nothing that the ledger has is asked for again.
        assert not any(q in body for q in finals(out, folder, at=len(seen)) for body in asked(server, start))
        seen = finals(out, folder)
    start = len(server.bodies)
    subprocess.run(command, check=True, env=os.environ.copy())
    assert killed
    assert not any(q in body for q in seen for body in asked(server, start))
    assert metrics(read_report(out)) == metrics(whole)
    asked_again = {body: n - 1 for body, n in asked(server).items() if n > 1}
    # A conversation's first message is the same for all queries: those in flight together ask it together.
    assert sum(asked_again.values()) <= AT_ONCE * (preset == "paper"), asked_again
    spent = read_spent(out / "spend.jsonl")
    assert (spent.unknown, spent.assumed) == (0, 0)
    assert (spent.usage.calls, spent.usage.prompt_tokens, spent.usage.completion_tokens) == (
        server.answered, server.prompt_tokens, server.completion_tokens,
    )  # fmt: skip
    assert read_spent(out / "spend.jsonl", "kicgpt") == spent


def finals(out: Path, folder: Path, at: int | None = None) -> Counter[str]:
    """The final questions (as JSON has them) of the queries in the ledger; ``at``: only the first so many."""
    texts = RelationTexts(load_kg(folder / "FB15k-237"), {})
    found = read_ledger(out / "outcomes.jsonl")[:at]
    blanks = [[r[end] or "____" for end in ("head", "tail")] for r in found]
    lines = (fill(texts.reading(r["relation"]), *ends) for r, ends in zip(found, blanks, strict=True))
    return Counter(f"belongs in the blank?\\n{line}\\nOrder all" for line in lines)


@pytest.mark.parametrize("mode", ["compact", "multi-round"])
def test_no_test_triple_is_in_any_prompt(folder: Path, tmp_path: Path, serve: Any, mode: str) -> None:
    """Not as a demonstration of any row, whatever end of it is asked for."""
    server = serve(reply)
    rows = tuple(r for r in ROWS if r != "kicgpt-tsa")
    queries = 12 if mode == "compact" else 3
    run(settings(folder, rows=rows, queries=queries, options={"m": 5, "mode": mode}), tmp_path / "run")
    kg, data = load_kg(folder / "FB15k-237"), LinkPredictionData.from_folder(folder / "FB15k-237")
    texts = RelationTexts(kg, {})
    stated = {part: {texts.statement(*t, kg.label) for t in data.triples(part)} for part in ("train", "valid", "test")}
    shown = {
        line.removeprefix("- ")
        for body in server.bodies
        for message in body["messages"]
        for line in message["content"].splitlines()
    }
    assert not shown & stated["test"]
    assert shown & stated["train"] and shown & stated["valid"]


def test_validation_queries_are_shown_training_triples_only(folder: Path, tmp_path: Path, serve: Any) -> None:
    server = serve(reply)
    run(settings(folder, part="valid", queries=12), tmp_path / "run")
    kg, data = load_kg(folder / "FB15k-237"), LinkPredictionData.from_folder(folder / "FB15k-237")
    stated = {RelationTexts(kg, {}).statement(*t, kg.label) for t in data.triples("valid")}
    assert not any(s in body["messages"][-1]["content"] for body in server.bodies for s in stated)


def test_the_report_has_every_row_beside_the_papers(folder: Path, tmp_path: Path, serve: Any) -> None:
    serve(reply)
    alignment = tmp_path / "texts.tsv"
    alignment.write_text("r0_of\t[T] leads to [H].\tme\n")
    chosen = settings(folder, rows=ROWS, queries=20, repeats=2, alignment=str(alignment))
    report = run(chosen, tmp_path / "run")
    rows = report["rows"]
    assert list(rows) == list(ROWS)
    assert [rows[r]["published"]["mrr"] for r in ROWS] == pytest.approx(
        [0.412, 0.410, 0.401, 0.368, 0.349, 0.342, 0.401]
    )
    assert all(row["n"] == 40 for row in rows.values())
    assert all(row["retriever"] == rows["kicgpt"]["retriever"] for row in rows.values())
    assert len({row["kicgpt"]["mrr"] for row in rows.values()}) > 4  # the prompts differ, so do these replies
    against = rows["no-icl"]["against_full"]
    assert against["mrr"] == pytest.approx(rows["no-icl"]["kicgpt"]["mrr"] - rows["kicgpt"]["kicgpt"]["mrr"])
    assert against["interval"][0] <= against["mrr"] <= against["interval"][1] and against["n"] == 20
    groups = report["long_tail"]["kicgpt"]
    assert sum(g["n"] for g in groups.values()) >= 40 and all(2 <= int(g) <= 6 for g in groups)
    text = report_text(report).splitlines()
    assert max(len(line) for line in text if "scorer" not in line) <= 80
    assert sum(line.startswith(tuple(ROWS)) for line in text) == 2 * len(ROWS)
    assert report_text(json.loads((tmp_path / "run" / "report.json").read_text())).splitlines() == text


def test_another_run_is_refused_but_rows_may_be_added(
    folder: Path, tmp_path: Path, serve: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve(reply)
    out, chosen = tmp_path / "run", settings(folder, queries=5)
    run(chosen, out)
    assert all(re.search(r", r\d of, ", item.text) for item in load_run(out).items)  # the name, not r0_of
    for change in ({"seed": 1}, {"queries": 6}, {"part": "valid"}, {"options": {"m": 5}}, {"model": "openai:other"}):
        with pytest.raises(ConfigError, match="holds a run with another"):
            run(replace(chosen, **change), out)  # pyright: ignore[reportArgumentType]
    assert server.requests == 5
    with monkeypatch.context() as patch, pytest.raises(ConfigError, match="another code"):
        patch.setattr(kicgpt_run, "code_hash", lambda: "changed")
        run(chosen, out)
    report = run(replace(chosen, rows=("no-icl",)), out)
    assert list(report["rows"]) == ["kicgpt", "no-icl"] and server.requests == 10
    assert report["settings"]["rows"] == ["kicgpt", "no-icl"]


@pytest.mark.parametrize(
    "wrong", [{"rows": ("nonsense",)}, {"rows": ("kicgpt-tsa",)}, {"rows": ()}, {"queries": -1}, {"preset": "best"}]
)
def test_wrong_settings_are_told(folder: Path, tmp_path: Path, wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        run(settings(folder, **wrong), tmp_path / "run")
    assert not (tmp_path / "run").exists()
    with pytest.raises(ConfigError, match="holds no evaluation"):
        read_report(tmp_path / "run")


def test_caps_stop_a_run_and_what_was_paid_is_kept(folder: Path, tmp_path: Path, serve: Any) -> None:
    server = serve(reply)
    with pytest.raises(BudgetExceededError):
        run(settings(folder, queries=20), tmp_path / "run", caps=Caps(max_calls=7), at_once=2)
    assert server.answered == 7
    assert read_report(tmp_path / "run")["rows"]["kicgpt"]["n"] >= 5
    with pytest.raises(BudgetExceededError):  # the caps that it began with, on all that it has spent
        run(settings(folder, queries=20), tmp_path / "run")
    with pytest.raises(BudgetExceededError):
        run(settings(folder, queries=20), tmp_path / "run", caps=Caps(max_calls=12), at_once=2)
    assert server.answered == 12
    run(settings(folder, queries=20), tmp_path / "run", caps=Caps())
    assert server.answered == 20


def test_the_command(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "script.json"
    script.write_text(json.dumps([{"match": "", "reply": "2, 1"}]))
    common = ["--data", str(folder / "FB15k-237"), "--scorer", str(folder / "rotate"), "--queries", "6", "--m", "4"]
    command = [*common, "--model", f"fake:{script}", "--out", str(tmp_path / "run"), "--row", "kicgpt"]
    assert main(command) == 0
    first = capsys.readouterr().out
    assert "best possible order" in first and "by degree (kicgpt)" in first
    assert main(command) == 0 and capsys.readouterr().out == first
    for change, status, said in (
        (["--row", "none"], 2, "no row 'none'"),
        (["--m", "99"], 2, "m is 99"),
        (["--scorer", str(tmp_path / "none")], 2, "no scorer at"),
        (["--data", str(tmp_path / "none")], 2, "none"),
        (["--seed", "4"], 2, "another seed"),
        (["--out", str(script)], 2, "cannot be written"),
    ):
        assert main([*command, *change]) == status
        assert said in capsys.readouterr().err


@pytest.mark.slow
def test_tuning_tries_all_choices_on_the_same_validation_queries(folder: Path, tmp_path: Path, serve: Any) -> None:
    server = serve(reply)
    chosen = settings(folder, preset="paper", queries=4)
    found = list(tune(chosen, tmp_path, (5, 10), (4, 8)))
    assert [(t.m, t.per_round, t.mrr.n) for t in found] == [(5, 4, 4), (5, 8, 4), (10, 4, 4), (10, 8, 4)]
    runs = [load_run(t.run) for t in found]
    assert {run.split for run in runs} == {"valid"}
    assert (
        len({tuple((*item.item.answers, item.item.head, item.item.relation) for item in run.items) for run in runs})
        == 1
    )
    assert best(found).mrr.value == max(t.mrr.value for t in found)
    before = server.requests
    assert list(tune(chosen, tmp_path, (5, 10), (4, 8))) == found and server.requests == before
