"""What a long list left out."""

from __future__ import annotations

import pytest

from triplewise.agents.assistant.answers import SHOWN, SHOWN_OF_ALL, verbalise
from triplewise.agents.assistant.completions.the_rest import the_rest
from triplewise.agents.assistant.follow_ups import FollowUps
from triplewise.agents.assistant.memory import Memory, Remembered
from triplewise.kg import KGStore, NetworkxStore
from triplewise.kg.query import QueryGraph, execute
from triplewise.tools.query_graph.linking.mentions import NameIndex
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.types import Answer, Result

ALL = tuple(f"Boat {n:02}" for n in range(15))


@pytest.fixture(scope="module")
def fleet() -> KGStore:
    return NetworkxStore([(boat, "harbour", "Whitby") for boat in ALL], types={boat: ["boat"] for boat in ALL})


def asked(kg: KGStore, **more: object) -> Remembered:
    query = QueryGraph.from_json({"select": "?x", "where": [["?x", "harbour", "Whitby"]], **more})
    question = "Which boats are in Whitby?"
    return Remembered(question, question, "ask", execute(kg, query).ids, query.entities, query=query.to_json())


@pytest.mark.parametrize(
    "text",
    ["who are the rest?", "what about the rest of them?", "Show me more.", "and the others?", "any more?", "who else?",
     "what are the other 3?", "go on", "Which is the other one?"],
)  # fmt: skip
def test_the_rest_are_those_that_were_not_told(fleet: KGStore, text: str) -> None:
    turn = asked(fleet)
    first = FollowUps(fleet, NameIndex(SchemaView(fleet))).interpretations(text, Memory(fleet, [turn]))[0]
    assert first.query is not None and execute(fleet, first.query).ids == turn.answers[SHOWN:]


def test_all_of_them_is_the_whole_list(fleet: KGStore) -> None:
    turn = asked(fleet)
    rest = asked(fleet, filter=[["?x", "not in", list(turn.answers[:SHOWN])]])
    counted = QueryGraph.from_json({"count": "?x", "where": [["?x", "harbour", "Whitby"]]})
    count = Remembered("q", "How many?", "ask", turn.answers, ("Whitby",), query=counted.to_json())
    for turns in ([turn], [turn, rest], [count]):
        for text in ("all of them", "list all of them, please", "show me the whole list"):
            [only] = the_rest(text, Memory(fleet, turns))
            assert only.query is not None and execute(fleet, only.query).ids == turn.answers


def test_nothing_is_left_of_what_was_told_in_full(fleet: KGStore) -> None:
    turn = asked(fleet, filter=[["?x", "in", list(ALL[:3])]])
    [only] = the_rest("any more?", Memory(fleet, [turn]))
    assert only.query is not None and not execute(fleet, only.query).ids
    for text in ("and the others?", "all of them are red", "the rest is silence"):
        assert not list(the_rest(text, Memory(fleet, [turn]))), text


def test_an_answer_names_more_where_all_are_asked_for(fleet: KGStore) -> None:
    result = Result("q", "query-graph", "", tuple(Answer(b, b) for b in ALL))
    assert verbalise(fleet, result, "m").text.endswith("Boat 11 and 3 more.")
    assert verbalise(fleet, result, "m", shown=SHOWN_OF_ALL).text.endswith("Boat 13 and Boat 14.")
