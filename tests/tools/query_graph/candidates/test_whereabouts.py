"""Where something is: what leads from it to a place."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

import triplewise
from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.candidates.whereabouts import (
    asks_whereabouts,
    asks_whose,
    tells_whereabouts,
    tells_whose,
)

_CUPS = (
    ("Snow Bowl", "stored in", "Store B"),
    ("Weeping Horse", "stored in", ""),
    ("Blue Cup", "stored in", "Store A"),
)
MUSEUM = NetworkxStore(
    [
        *(triple for triple in _CUPS if triple[2]),
        ("Weeping Horse", "on view in", "Room 6"),
        ("Weeping Horse", "seen on", "Fridays"),
        *((thing, "made in", "Brandl") for thing, _, _ in _CUPS),
        *((thing, "given by", "Ida Holm") for thing, _, _ in _CUPS),
        *((thing, "bought on", '"2019-04-02"') for thing, _, _ in _CUPS),
        *((thing, "is a", "Piece") for thing, _, _ in _CUPS),
    ]
)
PIECES = Candidates(MUSEUM)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("where is the Snow Bowl?", True),
        ("Sorry, where's the Weeping Horse now?", True),
        ("And where is the Snow Bowl kept these days", True),
        ("where've we put the Snow Bowl?", True),
        ("Where do we keep the Snow Bowl", True),
        ("where is the Snow Bowl at the moment?", True),
        ("Where did we find the Snow Bowl?", False),
        ("Where was the Snow Bowl made?", False),
        ("Where is the donor of the Snow Bowl from?", False),
        ("Who is the Snow Bowl from?", False),
        ("Where is everything?", False),
    ],
)
def test_what_asks_where_a_thing_is(question: str, asked: bool) -> None:
    assert asks_whereabouts(PIECES.schema, PIECES.generator.read(question)) == asked


def test_a_thing_that_is_put_in_for_it_is_named_as_well() -> None:
    assert asks_whereabouts(PIECES.schema, PIECES.generator.read("where is Snow Bowl?", ["Snow Bowl"]))


def test_what_tells_it() -> None:
    _, drafts = PIECES.of("where is the Weeping Horse?")
    told = {relation for d in drafts if tells_whereabouts(PIECES.schema, d) for _, relation, _ in d.rows}
    assert told == {"on view in"}


@pytest.mark.parametrize(
    ("question", "place"),
    [
        ("where is the Snow Bowl?", "Store B"),
        ("where's the Weeping Horse", "Room 6"),
        ("where've we put the Weeping Horse?", "Room 6"),
        ("Where was the Snow Bowl made?", "Brandl"),
    ],
)
def test_the_place_is_answered(question: str, place: str) -> None:
    assert [a.label for a in triplewise.ask(MUSEUM, question, method="query-graph").answers] == [place]


BED = NetworkxStore(
    [("Rose", "flowers in", "May"), ("Rose", "in bed", "Long Border"), ("Rose", "planted by", "Ida Holm")]
)
JOBS = NetworkxStore(
    [
        *(("Blue Trek", "customer", "Bea Sand"), ("Blue Trek", "mechanic", "Tom Ash"), ("Blue Trek", "shelf", "B4")),
        *(("Old Dawes", "customer", "Tom Ash"), ("Old Dawes", "mechanic", "Bea Sand"), ("Old Dawes", "shelf", "B2")),
    ]
)


def test_a_month_is_no_place() -> None:
    drafts = Candidates(BED).of("where is the rose?")[1]
    told = {r for d in drafts if tells_whereabouts(Candidates(BED).schema, d) for _, r, _ in d.rows}
    assert "flowers in" not in told


@pytest.mark.parametrize(
    ("question", "answer"), [("whose is the Trek?", "Bea Sand"), ("And whose is the Old Dawes?", "Tom Ash")]
)
def test_whose_it_is(question: str, answer: str) -> None:
    jobs = Candidates(JOBS)
    assert asks_whose(jobs.schema, jobs.generator.read(question))
    assert {r for d in jobs.of(question)[1] if tells_whose(jobs.schema, d) for _, r, _ in d.rows} == {"customer"}
    assert [a.label for a in triplewise.ask(JOBS, question, method="query-graph").answers] == [answer]


def test_who_says_more_asks_for_more() -> None:
    jobs = Candidates(JOBS)
    assert not asks_whose(jobs.schema, jobs.generator.read("Whose shelf is the Trek on?"))


OFFICE = NetworkxStore(
    [
        ("Goose", "kept in", "Front Office"),
        ("Jay", "kept in", "Cupboard"),
        ("Goose", "model", "L8900"),
    ],
    types={"Goose": ["Printer"], "Jay": ["Laptop"], "Front Office": ["Room"], "Cupboard": ["Room"]},
)


@pytest.mark.parametrize("question", ["where does the printer live?", "where's the printer?"])
def test_the_only_one_of_a_class(question: str) -> None:
    assert [a.label for a in triplewise.ask(OFFICE, question, method="query-graph").answers] == ["Front Office"]
