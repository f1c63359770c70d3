"""What a claim leaves open is told where somebody asks whether it is so."""

from __future__ import annotations

from typing import Any

import pytest
from small_graphs import ferries

from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.claims.left_open import as_claim, left_open
from triplewise.tools.query_graph.schema_view import SchemaView

SCHEMA = SchemaView(ferries())
BUILT = {"ask": "some", "where": [["Otter", "built", "?x"]]}


@pytest.mark.parametrize(
    "query",
    [
        BUILT,
        {"ask": "some", "where": [["?x", "based at", "Ufer"], ["?x", "rdf:type", "Ship"]]},
        {"ask": "some", "where": [["Otter", "based at", "?a"], ["?x", "based at", "?a"]]},
        {"ask": "some", "where": [["?x", "based at", "Ufer"]], "filter": [["?x", "not in", ["Otter"]]]},
    ],
)
def test_what_there_is_can_be_told(query: dict[str, Any]) -> None:
    told = left_open(SCHEMA, QueryGraph.from_json(query))
    assert told and told.form == "select" and str(told.answer) == "?x" and told.patterns


@pytest.mark.parametrize(
    "query",
    [
        BUILT | {"ask": "none"},
        BUILT | {"filter": [["?x", "<", "2000"]]},
        {"ask": "some", "where": [["Otter", "based at", "Ufer"]]},
        {"ask": "some", "where": [["Otter", "based at", "?x"], ["Sea Eagle", "based at", "?x"]]},
        {"ask": "some", "where": [["Otter", "carries cars", "?x"]]},
        {"ask": "some", "where": [["Otter", "based at", "?a"]]},
        {"select": "?x", "where": [["Otter", "built", "?x"]]},
    ],
)
def test_a_claim_of_names_and_values_leaves_nothing_open(query: dict[str, Any]) -> None:
    assert left_open(SCHEMA, QueryGraph.from_json(query)) is None


def test_a_question_for_yes_or_no_is_whether_it_is_so() -> None:
    asked = {"select": "?x", "where": [["Otter", "carries cars", "?x"]]}
    claim = as_claim(SCHEMA, QueryGraph.from_json(asked))
    assert claim and claim.to_json() == {"ask": "some", "where": asked["where"], "filter": [["?x", "=", "yes"]]}
    for other in (
        {"select": "?x", "where": [["Otter", "built", "?x"]]},
        {"select": "?x", "where": [["?x", "carries cars", "?a"]]},
        asked | {"filter": [["?x", "=", "yes"]]},
    ):
        assert as_claim(SCHEMA, QueryGraph.from_json(other)) is None
