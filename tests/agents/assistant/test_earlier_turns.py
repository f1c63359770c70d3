"""What turns before the last one are gone back to for: somebody who was spoken of, and a question that had such a thing."""

from __future__ import annotations

import pytest

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.follow_ups import FollowUps
from triplewise.agents.assistant.interpreter import Interpreter
from triplewise.agents.assistant.memory import Memory, Remembered
from triplewise.kg import NetworkxStore
from triplewise.kg.query import QueryGraph, execute
from triplewise.tools.query_graph.linking.mentions import NameIndex
from triplewise.tools.query_graph.schema_view import SchemaView

SCHOOL = NetworkxStore(
    [
        ("Ann Holt", "takes course", "Knots"),
        ("Ben Roe", "takes course", "Knots"),
        ("Carl Dane", "takes course", "Knots"),
        ("Dan Frost", "takes course", "Rope Work"),
        ("Ann Holt", "lives in", "Kirkby"),
        ("Ben Roe", "lives in", "Kirkby"),
        ("Carl Dane", "lives in", "Selby"),
        ("Dan Frost", "lives in", "Selby"),
        ("L1", "boat", "Heron"),
        ("L1", "hirer", "Ann Holt"),
        ("L1", "price", '"100"'),
        ("L2", "boat", "Heron"),
        ("L2", "hirer", "Ben Roe"),
        ("L2", "price", '"120"'),
        ("L3", "boat", "Teal"),
        ("L3", "hirer", "Ann Holt"),
        ("L3", "price", '"140"'),
        ("Heron", "dogs allowed", '"yes"'),
        ("Teal", "dogs allowed", '"no"'),
        ("Heron", "waterway", '"Great North Canal"'),
        ("Teal", "waterway", '"Upper River Ouse"'),
    ],
    types={
        **dict.fromkeys(("Ann Holt", "Ben Roe", "Carl Dane", "Dan Frost"), ("hirer",)),
        **dict.fromkeys(("Heron", "Teal"), ("boat",)),
        **dict.fromkeys(("Knots", "Rope Work"), ("course",)),
        **dict.fromkeys(("L1", "L2", "L3"), ("letting",)),
    },
)


def turn(question: str, where: list[list[str]], **more: object) -> Remembered:
    query = QueryGraph.from_json({"select": "?x", "where": where, **more})
    return Remembered(question, question, "ask", execute(SCHOOL, query).ids, query.entities, query=query.to_json())


def complete(text: str, *turns: Remembered) -> list[Interpretation]:
    return FollowUps(SCHOOL, NameIndex(SchemaView(SCHOOL))).interpretations(text, Memory(SCHOOL, turns))


COURSE = turn("What course does Ann Holt take?", [["Ann Holt", "takes course", "?x"]])
OTHERS = turn("Who takes Knots?", [["?x", "takes course", "Knots"]], filter=[["?x", "not in", ["Ann Holt"]]])
HIRED = turn("What boats has Ann Holt hired?", [["?l", "hirer", "Ann Holt"], ["?l", "boat", "?x"]])
DOGS = turn(
    "Which boats allow dogs?", [["?x", "dogs allowed", '"yes"']], filter=[["?x", "in", ["Heron", "Teal"]]]
)  # fmt: skip
ON_RIVER = turn("Which boats are on the Upper River Ouse?", [["?x", "waterway", '"Upper River Ouse"']])


def test_she_is_still_she_after_a_turn_about_boats() -> None:
    she = Interpreter(SCHOOL).interpret("What did she pay for Heron?", "ask", Memory(SCHOOL, [HIRED, DOGS]))
    assert she.interpretation.text == "What did Ann Holt pay for Heron?"
    assert [SCHOOL.label(i) for i in execute(SCHOOL, she.readings[0].query).ids] == ["100"]


def test_and_x_goes_back_to_the_question_that_had_such_a_thing() -> None:
    """The last one only leaves Ann out of its answers, and asks nothing of her."""
    [first, *_] = complete("And Dan?", COURSE, OTHERS)
    assert first.kind == "swap" and first.text == "What course does Dan Frost take?" and first.query is not None
    assert execute(SCHOOL, first.query).ids == ("Rope Work",)


@pytest.mark.parametrize("text", ["And on the Great North Canal?", "what about the Great North?", "and on Great North"])
def test_and_on_another_canal_is_asked_as_the_last_canal_was(text: str) -> None:
    [first, *_] = complete(text, ON_RIVER, COURSE)
    assert (
        first.kind == "swap" and first.text == "Which boats are on the Great North Canal?" and first.query is not None
    )
    assert execute(SCHOOL, first.query).ids == ("Heron",)


def test_and_x_is_asked_of_the_last_question_where_that_has_such_a_thing() -> None:
    [first, *_] = complete("And Dan?", turn("Where does Ann Holt live?", [["Ann Holt", "lives in", "?x"]]), COURSE)
    assert first.text == "What course does Dan Frost take?"
    lives = turn("Where does Ann Holt live?", [["Ann Holt", "lives in", "?x"]])
    assert complete("And Dan?", COURSE, lives)[0].text == "Where does Dan Frost live?"


def test_he_is_the_one_who_was_named_and_none_of_several_answers() -> None:
    like = turn(
        "Who takes a course as Dan Frost does?",
        [["?x", "takes course", "Knots"], ["Dan Frost", "lives in", "?y"]],
        filter=[["?x", "not in", ["Ann Holt"]]],
    )
    pronouns = [i.given for i in complete("Where does he live?", like) if i.kind == "pronoun"]
    assert pronouns[0] == ("Dan Frost",) and {("Ben Roe",), ("Carl Dane",)} <= set(pronouns)
