"""What is the same of another, what both are, others at a place, and what is asked after a preamble."""

from __future__ import annotations

import pytest

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.follow_ups import FollowUps
from triplewise.agents.assistant.interpreter import Interpreter
from triplewise.agents.assistant.memory import Memory, Remembered
from triplewise.agents.assistant.references import find_references
from triplewise.kg import NetworkxStore
from triplewise.kg.query import QueryGraph, execute
from triplewise.tools.query_graph.linking.mentions import NameIndex
from triplewise.tools.query_graph.schema_view import SchemaView

OFFICE = NetworkxStore(
    [
        *(("Tom Okafor", "reports to", "Owen Pritchard"), ("Tom Brandt", "reports to", "Owen Pritchard")),
        *(("Priya Nair", "reports to", "Tom Brandt"), ("Owen Pritchard", "reports to", "Marta Lind")),
        *(("Lucy Wren", "sits at", "Desk 8"), ("Jonas Weber", "sits at", "Desk 9")),
        *((desk, "in room", "Studio") for desk in ("Desk 8", "Desk 9", "Desk 10")),
        *(("Osprey", "used by", "Priya Nair"), ("Puffin", "used by", "Tom Brandt")),
        *(("Row 1", "drip watering", '"yes"'), ("Row 4", "drip watering", '"yes"'), ("Row 2", "drip watering", '"no"')),
        *((row, "looked after by", "Lucy Wren") for row in ("Row 1", "Row 4")),
        *(("Row 1", "soil", "clay"), ("Row 4", "soil", "loam"), ("Row 2", "soil", "clay")),
        *(("Old Bess", "planted in", "Row 1"), ("Big Tom", "planted in", "Row 1")),
        *(("Old Bess", "year planted", '"1931"'), ("Big Tom", "year planted", '"1964"'), ("Skip", "year planted", '"1990"')),
    ],
    types={
        **dict.fromkeys(
            ("Tom Okafor", "Tom Brandt", "Priya Nair", "Owen Pritchard", "Marta Lind", "Lucy Wren", "Jonas Weber"),
            ("person",),
        ),
        **dict.fromkeys(("Desk 8", "Desk 9", "Desk 10"), ("desk",)),
        **dict.fromkeys(("Osprey", "Puffin"), ("laptop",)),
        **dict.fromkeys(("Row 1", "Row 2", "Row 4"), ("row",)),
        **dict.fromkeys(("Old Bess", "Big Tom", "Skip"), ("tree",)),
        "Studio": ("room",),
    },
)  # fmt: skip
FOLLOW_UPS = FollowUps(OFFICE, NameIndex(SchemaView(OFFICE)))


def turn(question: str, *pattern: str) -> Remembered:
    asked = QueryGraph.from_json({"select": "?x", "where": [list(pattern)]})
    return Remembered(question, question, "ask", execute(OFFICE, asked).ids, asked.entities, query=asked.to_json())


def complete(text: str, *turns: Remembered) -> list[Interpretation]:
    return FOLLOW_UPS.interpretations(text, Memory(OFFICE, list(turns)))


BOSS = turn("Who is Tom Okafor's manager?", "Tom Okafor", "reports to", "?x")


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("And the other Tom, does he have the same manager?", True),
        ("does Priya Nair have the same manager?", False),
        ("Has Priya Nair got the same one too?", False),
    ],
)
def test_the_same_is_what_was_told(text: str, holds: bool) -> None:
    (found,) = complete(text, BOSS)
    assert found.query and found.query.form == "ask" and bool(execute(OFFICE, found.query).holds) == holds


def test_the_same_may_be_said_by_the_relations_word() -> None:
    soil = turn("What is Row 1 made of?", "Row 1", "soil", "?x")
    (found,) = complete("does Row 2 have the same soil?", soil)
    assert found.query and execute(OFFICE, found.query).holds


@pytest.mark.parametrize("text", ["does Priya Nair have the same desk?", "does Priya Nair have a manager?"])
def test_what_was_not_told_is_no_such_thing(text: str) -> None:
    assert not any(i.query and i.query.form == "ask" for i in complete(text, BOSS))


def test_others_at_a_place_are_people_where_who_is_asked() -> None:
    desk = turn("Which desk is Lucy Wren's?", "Lucy Wren", "sits at", "?x")
    room = turn("What room is it in?", "Desk 8", "in room", "?x")
    read = Interpreter(OFFICE).interpret("who else sits in there", "ask", Memory(OFFICE, [desk, room]))
    assert execute(OFFICE, read.readings[0].query).ids == ("Jonas Weber",)


@pytest.mark.parametrize("text", ["Both on drip watering, yes?", "Both watered by drip?"])
def test_both_without_more_are_the_last_two(text: str) -> None:
    rows = turn("What rows does Lucy Wren look after?", "?x", "looked after by", "Lucy Wren")
    assert any(set(i.each) == {"Row 1", "Row 4"} for i in complete(text, rows))


def test_that_is_what_was_told_of_it() -> None:
    soil = turn("What's the soil like in Row 1?", "Row 1", "soil", "?x")
    first = complete("which other row's got that?", soil)[0]
    assert first.query and execute(OFFICE, first.query).ids == ("Row 2",)


TREES = turn("Which trees are in Row 1?", "?x", "planted in", "Row 1")


@pytest.mark.parametrize(
    "text", ["Oh nice, and which of those two is the older one, do you know?", "which one of the two is the older one?"]
)
def test_the_older_one_is_asked_for(text: str) -> None:
    read = Interpreter(OFFICE).interpret(text, "ask", Memory(OFFICE, [TREES]))
    assert execute(OFFICE, read.readings[0].query).ids == ("Old Bess",)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("I'm trying to work out who's got what, can you tell me who has Osprey?", ["who has Osprey?"]),
        ("It's about Puffin, could you tell me who uses it?", ["who uses Puffin?"]),
    ],
)
def test_a_preamble_is_no_part_of_the_question(text: str, asked: list[str]) -> None:
    assert [i.text for i in complete(text)][: len(asked)] == asked


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("which is older, do you know?", "which is older?"),
        ("She's the oldest, I bet!", "She is the oldest!"),
        ("Do you know who she is?", "Do you know who she is?"),
        ("who mixed em", "who mixed them"),
        ("who is Em?", "who is Em?"),
        ("Mate of Rex?", "Mate of Rex?"),
        ("mate, who has Rex?", "who has Rex?"),
    ],
)
def test_what_ends_a_sentence_says_nothing(text: str, bare: str) -> None:
    assert find_references(text).bare == bare


SHOPS = NetworkxStore(
    [
        ("Harbour Bakery", "contact", "Alan Boyd"),
        ("Miss Plum", "contact", "Nell Voss"),
        ("Ann Lee", "contact", "Bo Rae"),
    ],
    types={name: ["Customer"] for name in ("Harbour Bakery", "Miss Plum", "Ann Lee")},
)


@pytest.mark.parametrize(("spoken", "there"), [("Harbour Bakery", ["Harbour Bakery"]), ("Ann Lee", [])])
def test_nothing_is_at_somebody_but_it_is_at_a_customer_who_is_a_firm(spoken: str, there: list[str]) -> None:
    follow_ups = FollowUps(SHOPS, NameIndex(SchemaView(SHOPS)))
    memory = Memory(SHOPS, [Remembered("Who?", "Who?", "ask", (spoken,), ())])
    found = follow_ups.interpretations("Who's our contact there?", memory)
    assert [n for i in found if i.kind == "pronoun" for n in i.given] == there


def test_how_many_is_that_please_counts_the_last_answers() -> None:
    first = complete("How many is that, please?", TREES)[0]
    assert first.query and first.query.form == "count" and execute(OFFICE, first.query).number == 2


def test_a_correction_asks_the_same_of_another() -> None:
    row = turn("What's the soil like in Row 1?", "Row 1", "soil", "?x")
    first = complete("Correction, I meant for Row 4.", row)[0]
    assert first.query and execute(OFFICE, first.query).ids == ("loam",)


def test_a_claim_is_not_the_last_question_of_another() -> None:
    used = turn("Who uses Osprey?", "Osprey", "used by", "?x")
    read = Interpreter(OFFICE).interpret("so Puffin is used by Tom Brandt", "verify", Memory(OFFICE, [used]))
    assert not read.interpretation.text.startswith("Who")
    assert execute(OFFICE, read.readings[0].query).holds
