"""Names that differ from a thing's in one word."""

from __future__ import annotations

import pytest

import triplewise
from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.linking.known_words import KnownWords
from triplewise.tools.query_graph.linking.mentions import NameIndex
from triplewise.tools.query_graph.linking.unlike_names import unlike_names
from triplewise.tools.query_graph.schema_view import SchemaView

SCHOOL = NetworkxStore(
    [
        *(("Polish Conversation", "taught by", "Tomasz Wilk"), ("Polish Conversation", "is a", "Course")),
        *(("Life Drawing", "taught by", "Hugh Denby"), ("Life Drawing", "is a", "Course")),
        *(("Oficina do Cais", "led by", "Hugh Denby"), ("Show 2024", "led by", "Tomasz Wilk")),
        *(("Ladies of Quern", "led by", "Tomasz Wilk"), ("Tomasz Wilk", "is a", "Person")),
        ("Hugh Denby", "is a", "Person"),
    ]
)
WORDS = KnownWords(NameIndex(SchemaView(SCHOOL)))


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("Who teaches Spanish Conversation?", {"Polish Conversation": "Spanish Conversation"}),
        ("Who leads the Oficina do Porto?", {"Oficina do Cais": "Oficina do Porto"}),
        ("Who teaches Polish Conversation?", {}),
        ("Who teaches the conversation course?", {}),  # a part of the name, and nothing in place of the rest
        ("Who teaches spanish conversation?", {}),  # hardly told from "the evening conversation"
        ("Who is leading the Ladys of Quern?", {}),  # misspelt
        ("What does Mr Denby teach, and Madame Wilk?", {}),
        ("What was on in September 2024?", {}),
        ("WHO TEACHES SPANISH CONVERSATION?", {}),
    ],
)
def test_names(sentence: str, found: dict[str, str]) -> None:
    assert unlike_names(sentence, WORDS) == found


def test_the_other_thing_is_not_answered() -> None:
    assert not triplewise.ask(SCHOOL, "Who teaches Spanish Conversation?", method="query-graph").answers
    found = triplewise.ask(SCHOOL, "Who teaches Polish Conversation?", method="query-graph")
    assert [a.label for a in found.answers] == ["Tomasz Wilk"]


@pytest.mark.parametrize("teacher", ["Tomasz Wilk", "Hugh Denby"])
def test_nor_is_a_claim_held_against_the_other_thing(teacher: str) -> None:
    done = triplewise.verify(SCHOOL, f"{teacher} teaches Spanish Conversation.", method="query-graph")
    assert done.verdict == "not_enough_evidence"


SITE = NetworkxStore(
    [
        *((crane, "driven by", who) for crane, who in (("TC-1", "Molly Tench"), ("TC-2", "Ida Lund"))),
        *((crane, "is a", "Crane") for crane in ("TC-1", "TC-2")),
        *((f"Asahara SR-{n}", "sold to", "Ida Lund") for n in (1, 2)),
    ]
)


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("Who is driving the TC-3, please?", {"TC-3"}),
        ("who drives tc3", {"tc3"}),
        ("Who drives TC-2?", set[str]()),
        ("Who drives TC2?", set[str]()),
        ("Who drives TC-02?", set[str]()),
        ("Who has the SR-7?", {"SR-7"}),
        ("Who has the AX-7?", set[str]()),  # nothing is called so: it may be anything
        ("What costs TC-2.50?", set[str]()),
    ],
)
def test_a_number_that_none_has(sentence: str, names: set[str]) -> None:
    words = KnownWords(NameIndex(SchemaView(SITE)))
    assert {sentence[a:b] for a, b in words.unknown_numbers(sentence)} == names
    assert set(unlike_names(sentence, words).values()) <= names


def test_the_driver_of_another_crane_is_not_answered() -> None:
    assert not triplewise.ask(SITE, "Who is driving the TC-3, please?", method="query-graph").answers
    done = triplewise.verify(SITE, "Molly Tench drives the TC-3.", method="query-graph")
    assert done.verdict == "not_enough_evidence"
