"""Rows of follow-ups: which conversations they come from, and what the rewriter reads and says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from triplewise.train.data.follow_ups import conversations, rewriting_rows

CORPUS = Path(__file__).resolve().parents[3] / "corpus"


def turn(user: str, full: str | None, answers: list[str], act: str = "ask") -> dict[str, object]:
    return {"user": user, "standalone": full, "answers": answers, "act": act, "query": None}


TALK = {
    "id": "v1",
    "turns": [
        turn("Morning!", None, [], "smalltalk"),
        turn("Who heads Erlkamp?", "Who heads Erlkamp?", ["Mira A", "Mira B"], "clarify"),
        turn("the first", "Who heads Erlkamp, by Mira A?", ["Mira A"]),
        turn("so she's the boss", "Mira A is the boss of Erlkamp.", ["refuted"], "verify"),
        turn("her phone?", "What is Mira A's phone?", [], "none"),
    ],
}
ABOUT_NO_GRAPH = {
    "domain": "a port",
    "turns": [
        {"user": "who came in?", "full": "Who came in?", "answer": "Vega"},
        {"user": "when", "full": "When did Vega come in?", "answer": "2024-03-01"},
    ],
}


def write(folder: Path, name: str, talk: object) -> None:
    place = folder / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps(talk) + "\n", encoding="utf-8")


def test_each_follow_up_with_what_was_said_before_it(tmp_path: Path) -> None:
    write(tmp_path, "depot/conversations.jsonl", TALK)
    write(tmp_path, "follow_ups/one.jsonl", ABOUT_NO_GRAPH)
    found = list(conversations(tmp_path))
    assert [len(turns) for turns in found] == [4, 2]  # small talk says nothing in full
    rows = {row.example.reply: row.example.messages[-1].text for row in rewriting_rows(iter(found))}
    assert set(rows) == {
        "Who heads Erlkamp, by Mira A?", "Mira A is the boss of Erlkamp.", "What is Mira A's phone?",
        "When did Vega come in?",
    }  # fmt: skip
    assert rows["When did Vega come in?"] == "Q: Who came in?\nA: Vega\nQ: when"
    last = rows["What is Mira A's phone?"]
    assert "A: Which one: Mira A or Mira B?" in last and "\nA: No.\nQ: her phone?" in last


def test_what_is_measured_on_is_left_out(tmp_path: Path) -> None:
    for name in ("depot", "zoo", "library"):
        write(tmp_path, f"{name}/conversations.jsonl", TALK)
    assert len(list(conversations(tmp_path, ["library"]))) == 1  # the zoo is a development domain


def test_the_corpus_as_a_file_for_training(tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    command = [sys.executable, "-m", "triplewise.train.data.follow_ups", str(CORPUS), str(out)]
    subprocess.run(command, check=True, capture_output=True)
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert len(lines) > 6_000
    assert {tuple(line) for line in lines} == {("stage", "task", "split", "prompt", "completion")}
    again = tmp_path / "again.jsonl"
    subprocess.run([*command[:-1], str(again)], check=True, capture_output=True)
    assert again.read_bytes() == out.read_bytes()


def test_each_conversation_about_no_graph_is_whole() -> None:
    """Six turns or more, each with what was said, the same in full, and an answer."""
    for path in sorted((CORPUS / "follow_ups").glob("*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            talk = json.loads(line)
            assert len(talk["turns"]) >= 6, (path.name, number)
            for said in talk["turns"]:
                assert all(said[key].strip() for key in ("user", "full", "answer")), (path.name, number)
