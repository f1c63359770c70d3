"""What a claim leaves open is told where somebody asks whether it is so."""

from __future__ import annotations

from typing import Any

import pytest
from small_graphs import ferries

from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.claims.left_open import left_open
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
