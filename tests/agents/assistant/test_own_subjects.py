"""What a short question is about: the fact before it, or what it names itself."""

from __future__ import annotations

import pytest

from triplewise.agents.assistant.follow_ups import FollowUps
from triplewise.agents.assistant.memory import Memory, Remembered
from triplewise.kg import KGStore, NetworkxStore
from triplewise.tools.query_graph.linking.mentions import NameIndex
from triplewise.tools.query_graph.schema_view import SchemaView


@pytest.fixture(scope="module")
def kg() -> KGStore:
    rows = [
        (f"T{n}", club, chair, f"200{n}-01-01")
        for n, club, chair in ((1, "Harriers", "Ada Winter"), (2, "Rovers", "Bea Frost"))
    ]
    triples = [t for row, club, chair, day in rows for t in (
        (row, "club", club), (row, "chair", chair), (row, "until", f'"{day}"'), (chair, "joined", f'"{day}"'),
        (chair, "lives in", club.lower()), (chair, "doctor", '"Maud Ellery"' if club == "Rovers" else '"Ray Dunmore"'),
    )]  # fmt: skip
    types = {"T1": ["term"], "T2": ["term"], "Ada Winter": ["member"], "Bea Frost": ["member"], "Harriers": ["club"]}
    return NetworkxStore(triples, types={**types, "Rovers": ["club"]})


def about(kg: KGStore, text: str, turn: Remembered) -> list[tuple[str, ...]]:
    """What a short question is said of."""
    found = FollowUps(kg, NameIndex(SchemaView(kg))).interpretations(text, Memory(kg, [turn]))
    return [i.given for i in found if i.kind == "ellipsis"]


@pytest.mark.parametrize("text", ["Until when?", "since when", "for how long?", "when, exactly?", "Until what year?"])
def test_since_when_is_asked_of_the_fact_and_not_of_the_answer(kg: KGStore, text: str) -> None:
    turn = Remembered("q", "Who chairs the Harriers?", "ask", ("Ada Winter",), ("Harriers",), inner=("T1",))
    assert about(kg, text, turn) == [("T1",)]
    turn = Remembered("q", "Where does Ada Winter live?", "ask", ("Harriers",), ("Ada Winter",))
    assert about(kg, text, turn) == [("Ada Winter",)]
    undated = Remembered("q", "What is the club?", "ask", ("Rovers",), ("Harriers",))
    assert about(kg, text, undated)[0] == ("Rovers",)


def test_born_when_is_asked_of_the_answer(kg: KGStore) -> None:
    turn = Remembered("q", "Who chairs the Harriers?", "ask", ("Ada Winter",), ("Harriers",), inner=("T1",))
    assert about(kg, "joined when?", turn)[0] == ("Ada Winter",)


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("what's the average age of a member", True),
        ("average age of members?", True),
        ("who has Maud as a doctor", True),
        ("what is the highest age", False),
        ("which members have been elected?", True),
        ("which members are available?", False),
        ("which member is the work done by?", False),
    ],
)
def test_what_names_its_own_subject_is_not_said_of_what_was_spoken_of(kg: KGStore, text: str, own: bool) -> None:
    turn = Remembered("q", "Who chairs the Harriers?", "ask", ("Ada Winter",), ("Harriers",))
    assert bool(about(kg, text, turn)) is not own


@pytest.mark.parametrize(
    "text", ["Nobody in Harriers has more than 1 chair.", "All members of Rovers pay more than 5."]
)
def test_what_is_said_of_all_is_not_said_of_what_was_spoken_of(kg: KGStore, text: str) -> None:
    assert about(kg, text, Remembered("q", "Who chairs the Harriers?", "ask", ("Ada Winter",), ("Harriers",))) == []


def test_a_value_that_is_asked_for_is_no_thing(kg: KGStore) -> None:
    follow_ups = FollowUps(kg, NameIndex(SchemaView(kg)))
    assert follow_ups.asks_for_value("Which Maud Ellery has she got?")
    for thing in ("Which club has she got?", "Which doctors called Maud Ellery has she got?", "Who has she got?"):
        assert not follow_ups.asks_for_value(thing)


def test_a_noun_that_names_several_new_things_is_asked_about_itself() -> None:
    ferns = NetworkxStore(
        [
            (plant, "price", f'"{price}"')
            for plant, price in (("Dwarf Olive", 38), ("Boston Fern", 9), ("Tongue Fern", 7))
        ],
        types=dict.fromkeys(("Dwarf Olive", "Boston Fern", "Tongue Fern"), ("plant",)),
    )
    turn = Remembered("q", "how much is the Dwarf Olive?", "ask", ('"38"',), ("Dwarf Olive",))
    assert about(ferns, "and how much is the fern?", turn) == []
    turn = Remembered("q", "how much is the Boston Fern?", "ask", ('"9"',), ("Boston Fern",))
    assert about(ferns, "and how big is the fern?", turn) != []
