"""Claims that say of a thing no more than a number."""

from __future__ import annotations

import pytest

from triplewise.kg import NetworkxStore
from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.claims.bare_values import value_of_else
from triplewise.tools.query_graph.claims.doubts import doubt
from triplewise.tools.query_graph.ranker import reader_of

COURSES = NetworkxStore(
    [
        *(("Rowing", "tutor", "Ann Lind"), ("Rowing", "places", '"12"'), ("Ann Lind", "badge", '"7"')),
        *(("Diving", "tutor", "Ben Ode"), ("Diving", "places", '"8"'), ("Ben Ode", "badge", '"9"')),
        *(("Ann Lind", "is a", "Tutor"), ("Ben Ode", "is a", "Tutor")),
        *(("Rowing", "is a", "Course"), ("Diving", "is a", "Course")),
    ]
)
READER = reader_of(COURSES)
PLACES = {
    "ask": "some", "where": [["?x", "tutor", "Ann Lind"], ["?x", "places", "?a"]], "filter": [["?a", "<", "50"]]
}  # fmt: skip
BADGE = {"ask": "some", "where": [["Ann Lind", "badge", "?x"]], "filter": [["?x", "<", "50"]]}
COUNT = {"count": "?x", "where": [["?x", "tutor", "Ann Lind"]], "compare": ["<", "50"]}


@pytest.mark.parametrize(
    ("claim", "query", "value"),
    [
        ("Ann Lind is under fifty.", PLACES, "fifty"),
        ("Ann Lind is less than 50.", PLACES, "50"),
        ("Ann Lind is under fifty.", COUNT, "fifty"),
        ("Ann Lind is under fifty.", BADGE, ""),
        ("Ann Lind's course has under fifty places.", PLACES, ""),
        ("Ann Lind gives under fifty courses.", COUNT, ""),
        ("Ann Lind is under £50.", PLACES, ""),
        ("Ann Lind is under fifty years old.", COUNT, "fifty years"),
        ("Ann Lind directed under fifty shows.", COUNT, ""),
        ("Ann Lind wrote under fifty plays.", COUNT, ""),
    ],
)
def test_whose_number_it_is(claim: str, query: dict[str, object], value: str) -> None:
    assert value_of_else(claim, QueryGraph.from_json(query), READER.words.names) == value


@pytest.mark.parametrize("verdict", ["supported", "refuted"])
def test_the_number_of_something_else_tells_nothing(verdict: str) -> None:
    query = QueryGraph.from_json(PLACES)
    assert doubt("Ann Lind is under fifty.", query, verdict, READER)  # pyright: ignore[reportArgumentType]
