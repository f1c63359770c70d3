""" "Any other race?" asks for none of those that were spoken of."""

from __future__ import annotations

import pytest

from triplewise.agents.assistant.interpreter import Interpreter
from triplewise.agents.assistant.memory import Memory, Remembered
from triplewise.kg import NetworkxStore
from triplewise.kg.query import QueryGraph, execute

RACES = NetworkxStore(
    [
        ("Dele", "ran in", "Moor Half"),
        ("Dele", "ran in", "River Run"),
        ("Ulla", "ran in", "Moor Half"),
        ("Ulla", "ran in", "Town Mile"),
        ("River Run", "won by", "Bea"),
        ("Moor Half", "won by", "Ulla"),
        ("Town Mile", "won by", "Bea"),
    ],
    types={
        **dict.fromkeys(("Moor Half", "River Run", "Town Mile"), ("race",)),
        **dict.fromkeys(("Dele", "Ulla", "Bea"), ("runner",)),
    },
)
_WINNER = QueryGraph.from_json({"select": "?x", "where": [["Moor Half", "won by", "?x"]]})
BEFORE = Remembered("Who won the Moor Half?", "Who won the Moor Half?", "ask", ("Ulla",), ("Moor Half",), query=_WINNER.to_json())  # fmt: skip


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("Which other races did Dele run in?", {"River Run"}),
        ("Did Dele run in any other race? Which?", {"River Run"}),
        ("What else did she run in?", {"Town Mile"}),
        ("What was the other race that Dele ran in?", {"River Run"}),
        ("Which races did Dele run in?", {"Moor Half", "River Run"}),
        ("Which other races did Bea win?", {"River Run", "Town Mile"}),  # none of them was spoken of
    ],
)
def test_what_was_spoken_of_is_no_other(text: str, answers: set[str]) -> None:
    found = Interpreter(RACES).interpret(text, "ask", Memory(RACES, [BEFORE]))
    assert set(execute(RACES, found.readings[0].query).ids) == answers, found.readings[0].shown


def test_nobody_else_is_nobody() -> None:
    found = Interpreter(RACES).interpret("Who else won the Moor Half?", "ask", Memory(RACES, [BEFORE]))
    assert not found.readings or "Ulla" not in execute(RACES, found.readings[0].query).ids
