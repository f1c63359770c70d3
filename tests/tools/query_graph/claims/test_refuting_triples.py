"""Which triples show that a claim is not so."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from triplewise.kg import NetworkxStore
from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.claims.verdict import Judge
from triplewise.tools.query_graph.schema_view import SchemaView

SHOWS = NetworkxStore(
    [
        *(("S1", "play", "Macbeth"), ("S1", "hall", "Forge"), ("S2", "play", "Hay Fever"), ("S2", "hall", "Barn")),
        *(("Forge", "town", "Harle"), ("Barn", "town", "Scorby"), ("Forge", "seats", '"90"')),
    ],
    types={"S1": ["Show"], "S2": ["Show"], "Forge": ["Hall"], "Barn": ["Hall"]},
)
IN_SCORBY: dict[str, Any] = {"where": [["?x", "town", "Scorby"], ["?y", "hall", "?x"], ["?y", "play", "Macbeth"]]}


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        (IN_SCORBY, ["Barn town Scorby", "S2 hall Barn", "S2 play Hay Fever"]),
        ({"where": [["Forge", "town", "Scorby"]]}, ["Forge town Harle"]),
        (
            {"where": [["?y", "play", "Macbeth"], ["?y", "hall", "?x"], ["?x", "town", "Scorby"]]},
            ["S1 play Macbeth", "S1 hall Forge", "Forge town Harle"],
        ),
    ],
)
def test_what_leads_to_the_triple_that_is_otherwise_is_shown_with_it(query: dict[str, Any], shown: list[str]) -> None:
    verdict, _, against = Judge(SchemaView(SHOWS)).verdict(QueryGraph.from_json({"ask": "some", **query}))
    assert verdict == "refuted"
    assert [f"{t.head} {t.relation} {t.tail}" for t in against] == shown


TIES = NetworkxStore(
    [
        *(("Ann", "married to", "Bob"), ("Bob", "married to", "Ann")),
        *(("Ann", "twinned with", "Cy"), ("Cy", "twinned with", "Ann"), ("Dora", "father", "Bob")),
        *(("Ann", "rents from", "Bob"), ("Cy", "rents from", "Ann")),
    ]
)


@pytest.mark.parametrize(
    ("relation", "verdict"),
    [("married to", "not_enough_evidence"), ("twinned with", "not_enough_evidence"), ("rents from", "supported")],
)
def test_that_nobody_is_tied_to_a_thing_both_ways_is_said_of_the_thing(relation: str, verdict: str) -> None:
    query = replace(QueryGraph.from_json({"ask": "some", "where": [["?x", relation, "Dora"]]}), denied=True)
    assert Judge(SchemaView(TIES)).verdict(query)[0] == verdict
