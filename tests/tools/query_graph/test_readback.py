"""Query graphs in words for a person."""

from __future__ import annotations

from typing import Any

import pytest
from small_graphs import ferries

from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.readback import read_back

KG = ferries()


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ({"select": "?x", "where": [["?x", "captain of", "Otter"]]}, "X: X – captain of – Otter"),
        ({"select": "?x", "where": [["?x", "rdf:type", "Ship"], ["?x", "based at", "Ufer"]]}, "a Ship X: X – based at – Ufer"),
        ({"count": "?x", "where": [["?x", "rdf:type", "Ship"], ["?x", "based at", "Ufer"]]},
         "How many X (Ship): X – based at – Ufer"),
        ({"select": "?x", "where": [["?x", "rdf:type", "Island"]]}, "an Island X"),
        ({"select": "?x", "where": [["?x", "length m", "?h"]], "order": {"by": "?h"}},
         "X with the greatest Y: X – length m – Y"),
        ({"select": "?x", "where": [["?y", "based at", "?x"]], "order": {"by": "count ?y", "desc": False}},
         "X with the fewest Y: Y – based at – X"),
        ({"select": "?x", "where": [["?x", "built", "?d"]], "filter": [["?d", ">=", "2010"]]},
         "X: X – built – Y; Y is since 2010"),
        ({"select": "?x", "where": [["?x", "length m", "?d"]], "filter": [["?d", "<", "60"]]},
         "X: X – length m – Y; Y is less than 60"),
        ({"select": "?x", "where": [["?x", "based at", "?h"]], "filter": [["?x", "not in", ["Otter"]]]},
         "X: X – based at – Y; X is not Otter"),
        ({"select": "?x", "where": [["?x", "based at", "?h"]], "minus": [["?x", "retired in", "?y"]]},
         "X: X – based at – Y; not: X – retired in – Z"),
        ({"ask": "none", "where": [["Otter", "carries cars", '"yes"']]}, "It is not so that Otter – carries cars – yes"),
        ({"count": "?x", "where": [["?x", "based at", "Ufer"]], "compare": ["=", "2"]},
         "How many X: X – based at – Ufer; that is 2"),
        ({"select": "?x", "where": [["?x", "skos:altLabel", '"Leo"']]}, "X: X – is also called – Leo"),
    ],
)  # fmt: skip
def test_a_query_graph_in_words(query: dict[str, Any], text: str) -> None:
    assert read_back(KG, QueryGraph.from_json(query)) == text


def test_a_long_list_is_cut() -> None:
    people = ["Anna Berg", "Ben Ode", "Carla Ruiz", "Dov Lind", "Otter", "Ufer", "Rona"]
    query = {"select": "?x", "where": [["?x", "mate on", "?s"]], "filter": [["?x", "not in", people]]}
    assert read_back(KG, QueryGraph.from_json(query)).endswith(
        "X is not Anna Berg or Ben Ode or Carla Ruiz or Dov Lind or Otter or 2 more"
    )
