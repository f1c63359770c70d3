"""Claims of something that the graph has no word for are not confirmed by anything else that their thing has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest
from small_graphs import ferries

from triplewise.graphs.run import verify
from triplewise.kg import NetworkxStore
from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.claims.mere_existence import merely_exists, only_yes_or_no, speaks_of_else
from triplewise.tools.query_graph.nearness import Nearness
from triplewise.tools.query_graph.ranker import reader_of
from triplewise.tools.query_graph.schema_view import SchemaView, Step

FERRIES = ferries()
BASED: dict[str, Any] = {"ask": "some", "where": [["?x", "based at", "Ufer"]]}
MATE: dict[str, Any] = {"ask": "some", "where": [["Anna Berg", "mate on", "?x"]]}

WITH_ANOTHER = MATE | {
    "where": [*MATE["where"], ["?a", "mate on", "?x"]], "filter": [["?a", "not in", ["Anna Berg"]]]
}  # fmt: skip
NO_CARS: dict[str, Any] = {"ask": "some", "where": [["Otter", "carries cars", '"no"']]}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (BASED, True),
        (MATE, True),
        ({"ask": "none", "where": [["?x", "based at", "Ufer"]]}, True),
        ({"ask": "some", "where": [["Otter", "based at", "Ufer"]]}, False),
        (
            MATE | {"where": [*MATE["where"], ["?a", "mate on", "?x"]], "filter": [["?a", "not in", ["Anna Berg"]]]},
            True,
        ),
        ({"ask": "some", "where": [["?x", "based at", "Ufer"], ["?x", "calls at", "Rona"]]}, False),
        ({"ask": "some", "where": [["Otter", "length m", "?l"]], "filter": [["?l", ">", "5"]]}, False),
        ({"ask": "some", "where": [["?x", "length m", '"12"']]}, False),
        ({"ask": "some", "where": [["?x", "based at", "Ufer"], ["?x", "carries cars", '"no"']]}, True),
        ({"ask": "some", "where": [["Otter", "carries cars", '"no"']]}, False),
    ],
)
def test_what_says_only_that_something_is_tied_to_a_thing(query: dict[str, object], expected: bool) -> None:
    assert merely_exists(SchemaView(FERRIES), QueryGraph.from_json(query)) is expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (NO_CARS, True),
        (NO_CARS | {"where": [*NO_CARS["where"], ["Sea Eagle", "carries cars", '"no"']]}, True),
        ({"ask": "some", "where": [["?x", "rdf:type", "Ship"], ["?x", "carries cars", '"no"']]}, True),
        ({"ask": "some", "where": [["Otter", "carries cars", "?x"]]}, False),
        (NO_CARS | {"where": [*NO_CARS["where"], ["Otter", "based at", "Ufer"]]}, False),
        ({"ask": "some", "where": [["Otter", "rdf:type", "Ship"]]}, False),
    ],
)
def test_what_says_only_yes_or_no(query: dict[str, Any], expected: bool) -> None:
    assert only_yes_or_no(SchemaView(FERRIES), QueryGraph.from_json(query)) is expected


@pytest.mark.parametrize(
    ("claim", "query", "word"),
    [
        ("Ufer is haunted.", BASED, "haunted"),
        ("Does Anna Berg snore?", MATE, "snore"),
        ("There is a zebra at Ufer.", BASED, "zebra"),
        ("I believe one can juggle at Ufer.", BASED, "believe"),
        ("Anna Berg is a mate.", MATE, ""),
        ("Ufer has no base.", BASED | {"ask": "none"}, ""),
        ("Somebody idles at Ufer.", BASED, ""),
        ("There is a frail old ship at Ufer.", BASED, ""),
        ("Nothing idles at Ufer.", BASED | {"ask": "none"}, ""),
        ("Otter is haunted.", {"ask": "some", "where": [["Otter", "based at", "Ufer"]]}, ""),
        ("Anna Berg is a plumber.", WITH_ANOTHER, "plumber"),
        ("Anna Berg snores as others do.", WITH_ANOTHER, ""),
        ("Otter is a wise old wizard.", NO_CARS, "wise"),
        ("Nobody is a wizard.", {"ask": "none", "where": [["?x", "carries cars", '"yes"']]}, "wizard"),
        ("Otter carries no car.", NO_CARS, ""),
        # what is car-sick has no car, what is car-carrying carries cars
        ("Otter is car-sick.", NO_CARS, "sick"),
        ("Otter is cars-carrying.", NO_CARS, ""),
        ("Anna Berg is mate-blind.", MATE, "blind"),
        ("Otter takes no vehicles.", NO_CARS, ""),
    ],
)
def test_a_relation_must_be_said(claim: str, query: dict[str, object], word: str) -> None:
    reader = reader_of(FERRIES)
    assert speaks_of_else(claim, QueryGraph.from_json(query), reader.words, reader.affinity) == word


def test_a_relation_may_be_said_in_other_words() -> None:
    reader, query = reader_of(FERRIES), QueryGraph.from_json({"ask": "some", "where": [["?x", "captain of", "Otter"]]})
    claim = "Otter has got a skipper."
    assert not speaks_of_else(claim, query, reader.words, reader.affinity)


@pytest.mark.parametrize("claim", ["Anna Berg is allergic to neoprene.", "Anna Berg is not allergic to neoprene."])
def test_what_the_graph_has_no_word_for_is_left_open(claim: str) -> None:
    assert verify(FERRIES, claim, method="query-graph").verdict == "not_enough_evidence"


def test_another_name_is_a_relation_too() -> None:
    clubs = [(f"c{i}", "nickname", f"the {word}") for i, word in enumerate(("Reds", "Owls", "Gulls", "Foxes", "Hens"))]
    store = NetworkxStore([*clubs, *((f"c{i}", "plays in", "town") for i in range(5))])
    reader, query = reader_of(store), QueryGraph.from_json({"ask": "some", "where": [["c1", "nickname", "?x"]]})
    assert store.roles.aliases == {"nickname"}
    assert not speaks_of_else("Well c1 had a nickname!", query, reader.words, reader.affinity)


@pytest.mark.parametrize(
    ("query", "word"),
    [
        ({"ask": "some", "where": [["Otter", "based at", "?x"]]}, "glow"),
        ({"ask": "some", "where": [["Otter", "carries cars", '"yes"']]}, "glow"),
        ({"ask": "some", "where": [["Otter", "built", "?x"]]}, ""),
        ({"ask": "some", "where": [["Otter", "based at", "?x"], ["Otter", "built", "?a"]]}, ""),
        ({"ask": "some", "where": [["Otter", "based at", "Ufer"]]}, ""),
        ({"ask": "some", "where": [["Otter", "rdf:type", "Ship"]]}, ""),
    ],
)
def test_a_question_may_be_farther_from_its_relation(query: dict[str, object], word: str) -> None:
    words = reader_of(FERRIES).words

    def near(text: str) -> Callable[[Step], float]:
        return lambda step: 0.4 if step.relation == "built" else 0.1

    nearness = cast("Callable[[str], Nearness]", near)
    for question in ("Does Otter glow?", "Is there a glow at Otter?"):
        assert speaks_of_else(question, QueryGraph.from_json(query), words, nearness, asked=True) == word


@pytest.mark.parametrize(
    ("claim", "word"),
    [
        ("Otter has a piano.", "piano"),
        ("Otter doesn't have a piano.", "piano"),
        ("There is a piano on Otter.", "piano"),
        ("Otter has no room for cars.", ""),
        ("Otter takes vehicles.", ""),
    ],
)
def test_what_a_thing_has_is_no_yes_to_something_near(claim: str, word: str) -> None:
    def near(text: str) -> Callable[[Step], float]:
        return lambda step: 0.4

    assert speaks_of_else(claim, QueryGraph.from_json(NO_CARS), reader_of(FERRIES).words, near) == word


@pytest.mark.parametrize(
    ("claim", "word"),
    [
        ("None of the ships is purple.", "purple"),
        ("No ship is purple.", "purple"),
        ("Some of the ships are purple.", "purple"),
        ("None of the ships glows.", "glows"),
        ("No ship has been built.", ""),
        ("None of the ships has a building date.", ""),
    ],
)
def test_what_the_graph_has_no_word_for_is_not_any_value_of_a_kind(claim: str, word: str) -> None:
    def near(text: str) -> Callable[[Step], float]:
        return lambda step: 0.6 if "purple" in text else 0.1  # a word for a colour is near to what has one

    query = QueryGraph.from_json({"ask": "none", "where": [["?x", "rdf:type", "Ship"], ["?x", "built", "?a"]]})
    assert speaks_of_else(claim, query, reader_of(FERRIES).words, near) == word


WORKS = NetworkxStore(
    [("Tom Pell", "worked as", "clerk"), ("Ann Lund", "worked as", "baker"), ("Tom Pell", "lives in", "Ufer")]
    + [(person, "is a", "Person") for person in ("Tom Pell", "Ann Lund")],
    name="works",
)


@pytest.mark.parametrize(
    ("claim", "word"),
    [
        ("Tom Pell worked in a factory.", "factory"),
        ("Tom Pell worked in a shop.", "shop"),
        ("Tom Pell worked for a while.", ""),
        ("Tom Pell worked.", ""),
    ],
)
def test_what_is_said_behind_a_relation_must_be_held(claim: str, word: str) -> None:
    reader, query = reader_of(WORKS), QueryGraph.from_json({"ask": "some", "where": [["Tom Pell", "worked as", "?x"]]})
    assert speaks_of_else(claim, query, reader.words, reader.affinity) == word
