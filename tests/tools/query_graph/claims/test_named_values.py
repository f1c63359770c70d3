"""Numbers that a claim has in a name only."""

from __future__ import annotations

import pytest

from triplewise.graphs.run import verify
from triplewise.kg import NetworkxStore
from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.claims.bare_values import value_of_name
from triplewise.tools.query_graph.linking.mentions import NameIndex
from triplewise.tools.query_graph.schema_view import SchemaView

CHEESES = NetworkxStore(
    [
        *(("Tom's Blue 2021", "is a", "Cheese"), ("Tom's Blue 2021", "sold on", '"2023-01-24"')),
        *(("Tom's Blue 2021", "fat percent", '"13.5"'), ("Hill Gold 2020", "is a", "Cheese")),
        *(("Hill Gold 2020", "fat percent", '"30.1"'), ("Hill Gold 2020", "sold on", '"2022-02-02"')),
    ]
)
NAMES = NameIndex(SchemaView(CHEESES))
SOLD = {"ask": "some", "where": [["Tom's Blue 2021", "sold on", "?x"]], "filter": [["?x", "=", "2021"]]}
MADE = SOLD | {"where": [*SOLD["where"], ["Tom's Blue 2021", "fat percent", "?y"]]}


@pytest.mark.parametrize(
    ("claim", "query", "word"),
    [
        ("Tom's Blue 2021 is vegan.", SOLD, "vegan"),
        ("The 2021 Blue is vegan.", SOLD, "vegan"),
        ("Is it Tom's Blue 2021?", SOLD, "2021"),
        ("Tom's Blue 2021 is from 2021.", SOLD, ""),
        ("Tom's Blue was sold in 2021.", SOLD, ""),
        ("The 2021 Blue has fat.", MADE, ""),
    ],
)
def test_numbers_of_names(claim: str, query: dict[str, object], word: str) -> None:
    assert value_of_name(claim, QueryGraph.from_json(query), NAMES) == word


@pytest.mark.parametrize("claim", ["Tom's Blue 2021 is vegan.", "The Blue 2021 is vegan.", "The 2021 Blue is vegan."])
def test_what_the_graph_has_no_word_for_is_not_refuted_by_the_number_of_a_name(claim: str) -> None:
    assert verify(CHEESES, claim, method="query-graph").verdict == "not_enough_evidence"
