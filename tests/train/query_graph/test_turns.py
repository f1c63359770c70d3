"""Turns of conversations as training items: completed by the right turns before them, about what the gold names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from triplewise.train.query_graph.corpus import Domain
from triplewise.train.query_graph.turns import TalkedDomain, turn_items

GRAPH = (
    ("Otter", "based at", "Ufer"),
    ("Eagle", "based at", "Ufer"),
    ("Otter", "captain", "Mara Lind"),
    ("Eagle", "captain", "Timo Brandt"),
    ("Mara Lind", "lives in", "Ufer"),
    ("Ufer", "quays", "3"),
)


def turn(user: str, standalone: str, answers: list[str], query: dict[str, Any], act: str = "ask") -> dict[str, Any]:
    return {"user": user, "standalone": standalone, "answers": answers, "act": act, "query": query}


@pytest.fixture
def domain(tmp_path: Path) -> Domain:
    folder = tmp_path / "ferry"
    folder.mkdir()
    (folder / "graph.tsv").write_text("".join("\t".join(t) + "\n" for t in GRAPH), encoding="utf-8")
    talk = [
        turn("who's in charge of the otter", "Who captains Otter?", ["Mara Lind"],
             {"select": "?x", "where": [["Otter", "captain", "?x"]]}),
        {"user": "thanks!", "standalone": None, "answers": [], "act": "smalltalk", "query": None},
        turn("and where does she live?", "Where does Mara Lind live?", ["Ufer"],
             {"select": "?x", "where": [["Mara Lind", "lives in", "?x"]]}),
        turn("what's moored there?", "What is based at Ufer?", ["Otter", "Eagle"],
             {"select": "?x", "where": [["?x", "based at", "Ufer"]]}),
        turn("How many is that?", "How many are based at Ufer?", ["2"],
             {"count": "?x", "where": [["?x", "based at", "Ufer"]]}),
    ]  # fmt: skip
    (folder / "conversations.jsonl").write_text(json.dumps({"id": "v1", "turns": talk}) + "\n", encoding="utf-8")
    for name in ("questions.jsonl", "claims.jsonl"):
        (folder / name).write_text("", encoding="utf-8")
    return Domain(folder)


def test_a_turn_is_completed_by_the_right_turns_before_it(domain: Domain) -> None:
    said = {i.id.rsplit("/", 1)[0]: (i.text, i.given) for i in turn_items(domain)}
    assert said == {
        "ferry/v1.1": ("who's in charge of the otter", ()),
        "ferry/v1.3": ("where does Mara Lind live?", ("Mara Lind",)),
        "ferry/v1.4": ("what's moored at Ufer?", ("Ufer",)),
    }, "the count is an edit of the query before and needs no reading"


def test_a_turn_about_another_name_is_followed(domain: Domain) -> None:
    named = turn("which boat is also called the Otti?", "Which boat is also called the Otti?", [],
                 {"select": "?x", "where": [["?x", "altLabel", "Otti"]]})  # fmt: skip
    asked = turn("who runs that boat", "Who captains Otter?", ["Mara Lind"],
                 {"select": "?x", "where": [["Otter", "captain", "?x"]]})  # fmt: skip
    path = domain.folder / "conversations.jsonl"
    path.write_text(json.dumps({"id": "v2", "turns": [named, asked]}) + "\n", encoding="utf-8")
    assert [i.id for i in turn_items(domain)][:1] == ["ferry/v2.1/0"]


def test_completions_about_something_else_are_left_out(domain: Domain) -> None:
    for item in turn_items(domain):
        assert item.query is not None and set(item.given[:1]) <= set(item.query.entities)


def test_turns_follow_the_domains_own_items(domain: Domain) -> None:
    talked = TalkedDomain(domain)
    own, every = list(domain.items()), list(talked.items())
    assert every[: len(own)] == own and [i.voice for i in every[len(own) :]] == ["turn"] * 3
    assert talked.node("Otter") == "Otter" and talked.name == "ferry"


def test_rewordings_stand_before_the_turns_where_they_are_wanted(domain: Domain) -> None:
    query = {"select": "?x", "where": [["Otter", "captain", "?x"]]}
    row = {"id": "q1", "question": "Who captains Otter?", "answers": ["Mara Lind"], "kind": "lookup", "voice": "plain"}
    (domain.folder / "questions.jsonl").write_text(json.dumps({**row, "query": query}) + "\n", encoding="utf-8")
    (domain.folder / "rewordings.tsv").write_text("q1\tThe Otter, who's her skipper?\n", encoding="utf-8")
    own, every = list(domain.items()), list(TalkedDomain(domain, reworded=True).items())
    assert [i.voice for i in every[len(own) :]] == ["reworded"] + ["turn"] * 3
    assert every[len(own)].query == own[0].query and TalkedDomain(domain).items() == (*own, *every[len(own) + 1 :])
