"""Where something is: what leads from it to a place."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

import triplewise
from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.candidates.whereabouts import asks_whereabouts, tells_whereabouts

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
        ("Where was the Snow Bowl made?", "Brandl"),
    ],
)
def test_the_place_is_answered(question: str, place: str) -> None:
    assert [a.label for a in triplewise.ask(MUSEUM, question, method="query-graph").answers] == [place]
