"""Claims of which a reading leaves out what the graph answers by no."""

from __future__ import annotations

from typing import Any

import pytest

from triplewise.kg import NetworkxStore
from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.claims.denied_yes import denied_yes
from triplewise.tools.query_graph.claims.doubts import doubt
from triplewise.tools.query_graph.ranker import reader_of

HALL = NetworkxStore(
    [
        *(("Booking 102", "hirer", "Sophie Lark"), ("Booking 102", "paid", '"true"')),
        *(("Booking 103", "hirer", "Ann Lind"), ("Booking 103", "paid", '"false"')),
        *(("Booking 103", "is a", "Booking"), ("Booking 102", "is a", "Booking"), ("Ann Lind", "is a", "Person")),
    ]
)
READER = reader_of(HALL)
HIRED: dict[str, Any] = {"ask": "some", "where": [["Booking 103", "hirer", "Ann Lind"]]}
OTHER: dict[str, Any] = {"ask": "some", "where": [["Booking 102", "hirer", "Sophie Lark"]]}
PAID: dict[str, Any] = {"ask": "some", "where": [*HIRED["where"], ["Booking 103", "paid", '"true"']]}


@pytest.mark.parametrize(
    ("claim", "query", "found"),
    [
        ("Ann Lind has paid for Booking 103.", HIRED, "paid"),
        ("Ann Lind has not paid for Booking 103.", HIRED | {"ask": "none"}, "paid"),
        ("Ann Lind has paid for Booking 103.", PAID, ""),
        ("Ann Lind has hired Booking 103.", HIRED, ""),
        ("Sophie Lark has paid for Booking 102.", OTHER, ""),  # the graph says yes
    ],
)
def test_what_is_left_out(claim: str, query: dict[str, Any], found: str) -> None:
    assert denied_yes(claim, QueryGraph.from_json(query), READER.words.names) == found


def test_a_booking_that_is_not_paid_does_not_support_that_somebody_paid_for_it() -> None:
    claim, hired = "Ann Lind has paid for Booking 103.", QueryGraph.from_json(HIRED)
    assert doubt(claim, hired, "supported", READER) == "What was found does not say 'paid'."
    denied = QueryGraph.from_json(HIRED | {"ask": "none"})
    assert doubt("Ann Lind has not paid for Booking 103.", denied, "refuted", READER)
