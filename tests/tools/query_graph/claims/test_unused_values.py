"""Values of a claim that its reading does not hold."""

from __future__ import annotations

import pytest

from triplewise.graphs.run import verify
from triplewise.kg import NetworkxStore
from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.claims.unused_values import unused_value
from triplewise.tools.query_graph.linking.mentions import NameIndex
from triplewise.tools.query_graph.schema_view import SchemaView

LIBRARY = NetworkxStore(
    [
        *(("Ivo Marek", "works at", "Central"), ("Ada Roth", "works at", "Mill Lane"), ("Ada Roth", "desk", '"12"')),
        *(("Ivo Marek", "joined", '"2019-04-01"'), ("Ada Roth", "joined", '"2021-05-01"')),
        *(("The Salt Wife", "played at", "Central"), ("The Salt Wife", "released", '"2019-04-01"')),
    ]
)
NAMES = NameIndex(SchemaView(LIBRARY))
AT_CENTRAL = {"ask": "some", "where": [["Ivo Marek", "works at", "Central"]]}
PLAYED = {"ask": "some", "where": [["The Salt Wife", "played at", "Central"]]}
JOINED = {"ask": "some", "where": [["Ivo Marek", "joined", "?x"]]}


@pytest.mark.parametrize(
    ("claim", "query", "value"),
    [
        ("Ivo Marek is at Central and was taken on in 2020.", AT_CENTRAL, "2020"),
        ("Ivo Marek works at Central and has fifteen cousins.", AT_CENTRAL, "fifteen"),
        ("Ivo Marek came in 2019.", JOINED | {"filter": [["?x", "year", "2019"]]}, ""),
        ("Ivo Marek came after May 2018.", JOINED | {"filter": [["?x", ">", "2018-05-31"]]}, ""),
        ("Twelve people work at Central.", {"count": "?x", "where": [["?x", "works at", "Central"]], "compare": ["=", "12"]}, ""),
        ("Ada Roth sits at desk 12.", {"ask": "some", "where": [["Ada Roth", "desk", '"12"']]}, ""),
        ("Ivo Marek is one of the two at Central.", AT_CENTRAL, ""),
        ("Ivo Marek is older than Ada Roth by 12 years.", JOINED, ""),
        # when it was done, and which one it is
        ("Central played the Salt Wife in 2012.", PLAYED, "2012"),
        ("Central played the Salt Wife in 2019.", PLAYED, ""),
        ("Central played the Salt Wife of 2012.", PLAYED, ""),
        ("The 2012 Salt Wife was played at Central.", {"ask": "some", "where": [["?x", "played at", "Central"]]}, ""),
    ],
)  # fmt: skip
def test_values(claim: str, query: dict[str, object], value: str) -> None:
    assert unused_value(claim, QueryGraph.from_json(query), NAMES) == value


def test_a_claim_with_such_a_value_stays_open() -> None:
    result = verify(LIBRARY, "Ivo Marek works at Central with 40 others.", method="query-graph")
    assert (result.verdict, result.reason) == ("not_enough_evidence", "What was found does not say '40'.")
