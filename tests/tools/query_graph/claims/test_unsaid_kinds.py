"""What claims say that a thing is, beside what their readings hold."""

from __future__ import annotations

from typing import Any

import pytest

from triplewise.graphs.run import verify
from triplewise.kg import NetworkxStore
from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.claims.unsaid_kinds import unsaid_kind
from triplewise.tools.query_graph.ranker import reader_of

STREET = NetworkxStore(
    [
        *(("Quill Books", "is a", "Client"), ("Crumb", "is a", "Client"), ("Ann Roth", "is a", "Courier")),
        *(("Quill Books", "business", '"bookshop"'), ("Crumb", "business", '"bakery"')),
        *(("Quill Books", "client since", '"2016"'), ("Crumb", "client since", '"2019"')),
        ("Ann Roth", "joined", '"2016"'),
    ]
)
READER = reader_of(STREET)
SINCE: dict[str, Any] = {
    "ask": "some",
    "where": [["Quill Books", "client since", "?x"]],
    "filter": [["?x", "=", "2016"]],
}


@pytest.mark.parametrize(
    ("claim", "noun"),
    [
        ("Quill Books is a bakery and has been with us since 2016.", "bakery"),
        ("Quill Books is a courier and has been with us since 2016.", "courier"),
        ("Quill Books is a zoo, and has been with us since 2016.", "zoo"),
        # so it is
        ("Quill Books is a bookshop and has been with us since 2016.", ""),
        ("Quill Books is a client and has been with us since 2016.", ""),
        # nothing else is said, or of nothing that is named
        ("Quill Books has been with us since 2016.", ""),
        ("There is a bakery and it has been with us since 2016.", ""),
    ],
)
def test_kinds(claim: str, noun: str) -> None:
    assert unsaid_kind(claim, QueryGraph.from_json(SINCE), READER.words, READER.affinity(claim)) == noun


def test_half_a_claim_does_not_support_it() -> None:
    result = verify(STREET, "Quill Books is a bakery and has been with us since 2016.", method="query-graph")
    assert result.verdict != "supported"


@pytest.mark.parametrize(("year", "verdict"), [("2016", "supported"), ("2011", "refuted"), ("2018", "refuted")])
def test_what_goes_on_since_a_year_began_in_it(year: str, verdict: str) -> None:
    assert verify(STREET, f"Quill Books has been with us since {year}.", method="query-graph").verdict == verdict
