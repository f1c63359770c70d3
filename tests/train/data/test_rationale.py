"""Reasoning data by a teacher behind a real HTTP server, and from a user's own questions without one."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from triplewise.agents.cot_kg.planner import parse_plan
from triplewise.agents.cot_kg.reasoner import parse_output
from triplewise.agents.state import ANSWER
from triplewise.errors import BudgetExceededError, ConfigError, ReplyError
from triplewise.interfaces.commands.train import group as cli_train
from triplewise.kg import NetworkxStore, load_kg
from triplewise.train.data.questions import composed_question, question_examples
from triplewise.train.data.rationale import read_reasoning, read_steps
from triplewise.train.data.rows import Row, read_rows
from triplewise.train.data.skills import SKILLS, SkillComposer
from triplewise.train.sentences.compose import Vocabulary
from triplewise.train.trainers.retriever import TrainingQuestion

app = typer.Typer()
cli_train.register(app)
OPTIONS = ["--teacher", "openai:teacher", "--tasks", "reasoning"]


@pytest.fixture(scope="module")
def films() -> NetworkxStore:
    return load_kg("films")


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    """Questions with their paths, about films of the training and of the development share."""
    path = tmp_path / "questions.jsonl"
    kg = load_kg("films")
    rows = []
    for film in [t.head for t in kg.triples(relation="release_year")][:60]:
        title = kg.display(film)
        rows.append(
            {"question": f"Who directed {title}?", "entities": [film], "gold_relation_paths": [["directed_by"]]}
        )
        path2 = ["directed_by", "birth_year"]
        rows.append(
            {"question": f"When was the director of {title} born?", "entities": [film], "gold_relation_paths": [path2]}
        )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def run(*args: str) -> Any:
    return CliRunner().invoke(app, ["train", "data", *args], catch_exceptions=True)


def problem(body: dict[str, Any]) -> str:
    """The question asked about, after the demonstrations; also where it is asked once more."""
    return next(m["content"] for m in body["messages"] if m["role"] == "user").rpartition("\n\nInput: ")[2]


def good(body: dict[str, Any]) -> str:
    """What a capable teacher would write."""
    last = problem(body)
    answer = re.search(r"Answer: (.*) ### Output:", last)
    assert answer
    if "\nClues:\n" in last:
        return f"The clues name it. So the answer is {answer[1]}."
    return "1. Find the film.\n2. Find what is asked about it."


def by_task(rows: list[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.example.skill, []).append(row)
    return found


# with a teacher ------------------------------------------------------------------------------------------------


def test_a_teacher_explains_questions(fake_openai: Any, films: NetworkxStore, questions: Path, tmp_path: Path) -> None:
    server = fake_openai(good, latency=0.02)
    out = tmp_path / "taught.jsonl"
    done = run("--questions", str(questions), *OPTIONS, "--out", str(out), "-n", "60", "--dev", "6", "--json")
    assert done.exit_code == 0, done.output
    meta = json.loads(done.stdout)["teacher"]
    rows = by_task(read_rows(out))
    assert meta["questions"] == 33 and meta["dropped"] == {"plan_cot": 0, "reason_cot": 0}
    assert len(rows["plan_cot"]) == len(rows["reason_cot"]) == 33
    assert Counter(r.split for r in rows["plan_cot"]) == {"train": 30, "dev": 3}
    assert server.most_in_flight > 4 and server.requests == 66 - meta["without_the_answer"] == meta["usage"]["calls"]
    shown = [b["messages"][-1]["content"] for b in server.bodies]
    assert all("Here are some examples:\n\nInput: " in s and s.endswith("### Output:") for s in shown)
    for row in rows["plan_cot"]:
        assert parse_plan(row.example.reply) and "Output: " in row.example.reply
        assert "Here are some examples:\n\nInput: " in row.example.messages[-1].text
    for row in rows["reason_cot"]:
        hints = row.example.messages[-1].text.partition("Hints:\n")[2]
        names = {films.display(e): e for e in films.entities() if films.display(e) in hints}
        ids, unknown = parse_output(row.example.reply, names)
        assert not unknown and bool(ids) == ("do not say" not in row.example.reply)


def test_composed_questions_and_bad_replies(fake_openai: Any, tmp_path: Path) -> None:
    def mixed(body: dict[str, Any]) -> str:
        text = good(body)
        question = problem(body).partition("\n")[0]
        return "I cannot help with that." if len(question) % 3 == 0 else text

    fake_openai(mixed)
    done = json.loads(run(*OPTIONS, "--out", str(tmp_path / "x.jsonl"), "-n", "40", "--dev", "0", "--json").stdout)
    told, counts = done["teacher"], done["counts"]["train"]["reasoning"]
    assert told["questions"] == 20 and 0 < told["dropped"]["plan_cot"] < 20
    assert counts["plan_cot"] == 20 - told["dropped"]["plan_cot"]
    assert counts["reason_cot"] == 20 - told["dropped"]["reason_cot"]
    assert told["usage"]["calls"] > 40 - told["without_the_answer"]  # bad replies are asked for once more


def test_a_run_that_reaches_its_cap_goes_on_from_the_cache(fake_openai: Any, tmp_path: Path) -> None:
    server = fake_openai(good)
    out = tmp_path / "x.jsonl"
    arguments = [*OPTIONS, "--out", str(out), "-n", "40", "--dev", "0", "--cache"]
    assert isinstance(run(*arguments, "--max-calls", "15").exception, BudgetExceededError)
    assert not out.exists() and server.requests <= 15
    before = server.requests
    done = json.loads(run(*arguments, "--json").stdout)
    usage = done["teacher"]["usage"]
    assert usage["cache_hits"] == before and usage["calls"] == server.requests - before > 0
    again = json.loads(run(*arguments, "--json").stdout)
    assert again["sha256"] == done["sha256"] and again["teacher"]["usage"]["calls"] == 0


def test_a_server_that_fails_writes_nothing(fake_openai: Any, tmp_path: Path) -> None:
    fake_openai(good, ["401"] * 50)
    done = run(*OPTIONS, "--out", str(tmp_path / "x.jsonl"), "-n", "8")
    assert done.exit_code != 0 and not list(tmp_path.iterdir())
    assert isinstance(run("--teacher", "openai:m", "--tasks", "entity", "--out", "x").exception, ConfigError)


@pytest.mark.parametrize(
    ("reply", "steps"),
    [
        ("1. Find the film.\n2. Find its director.", "Find the film.\nFind its director."),
        ("```\n- Find the film.\n```", "Find the film."),
        ("Sure!\nStep 1: Find the director of Heat.\nOutput: Michael Mann", "Find the director of Heat."),
    ],
)
def test_steps_are_read(reply: str, steps: str) -> None:
    assert read_steps(reply, "Who directed Heat?", ["Michael Mann"]) == steps


@pytest.mark.parametrize(
    "reply", ["", "Find it.", "1. ...", "1. Find MICHAEL  mann.", "\n".join(f"{i}. Look." for i in range(1, 9))]
)
def test_steps_that_cannot_be_used(reply: str) -> None:
    with pytest.raises(ReplyError):
        read_steps(reply, "Who directed Heat?", ["Michael Mann"])


def test_reasoning_is_read() -> None:
    assert (
        read_reasoning("CoT: It says so:\nit is Amelie.\n\nOutput: [1]", "?", ["Amélie"]) == "It says so: it is Amelie."
    )
    for reply in ("", "It is Heat.", "Output: Amélie", "Amélie " * 300):
        with pytest.raises(ReplyError):
            read_reasoning(reply, "?", ["Amélie"])


# without one ---------------------------------------------------------------------------------------------------


def test_questions_with_a_path_become_skills(films: NetworkxStore) -> None:
    composer = SkillComposer(Vocabulary(films), 1)
    question = TrainingQuestion("When was the director of Alien born?", ("Alien",), path=("directed_by", "birth_year"))
    composed = composed_question(composer, question)
    assert composed is not None and len(composed.parts) == len(composed.steps) == 2
    assert composer.executed(composed).bindings[ANSWER] == {"1937"}
    drawn = list(question_examples(composer, [question], SKILLS))
    assert [e.skill for e in drawn][:3] == ["segment_ask", "select", "plan"]
    assert drawn[2].reply.startswith("1. Find ") and "Alien" in drawn[2].reply.splitlines()[0]
    for path in ((), ("no_such",), ("birth_year",)):
        assert composed_question(composer, TrainingQuestion("Who?", ("Alien",), path=path)) is None


def test_the_data_begins_with_the_user_s_questions(questions: Path, tmp_path: Path) -> None:
    out = tmp_path / "own.jsonl"
    done = run(
        "--questions", str(questions), "--tasks", "plan,segment_ask", "--out", str(out), "-n", "120", "--dev", "8"
    )
    assert done.exit_code == 0, done.output
    rows = read_rows(out)
    own = [r for r in rows if "directed" in r.example.messages[0].text or "director of" in r.example.messages[0].text]
    assert len(rows) == 128 and len(own) > 110 and {r.split for r in own} == {"train", "dev"}
