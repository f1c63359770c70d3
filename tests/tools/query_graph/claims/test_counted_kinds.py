"""Claims of a number of things of which the graph has none."""

from __future__ import annotations

from typing import Any

import pytest

from triplewise.kg import NetworkxStore
from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.claims.counted_kinds import not_counted
from triplewise.tools.query_graph.ranker import reader_of

COUNTER = NetworkxStore(
    [
        *((p, "is a", "Courier") for p in ("Ann Roth", "Ben Okoro", "Cleo Vance")),
        *((p, "born", f'"198{n}-04-01"') for n, p in enumerate(("Ann Roth", "Ben Okoro", "Cleo Vance"))),
        *(("Ben Okoro", "reports to", "Ann Roth"), ("Cleo Vance", "reports to", "Ann Roth")),
        *((f"B{n}", "is a", "Bike") for n in (1, 2)),
        *((f"B{n}", "rider", "Ann Roth") for n in (1, 2)),
        *((f"B{n}", "price", '"900"') for n in (1, 2)),
    ]
)
READER = reader_of(COUNTER)
BIKES: dict[str, Any] = {"count": "?x", "where": [["?x", "rider", "Ann Roth"]], "compare": ["=", "2"]}
STAFF: dict[str, Any] = {"count": "?x", "where": [["?x", "reports to", "Ann Roth"]], "compare": ["=", "2"]}


@pytest.mark.parametrize(
    ("claim", "query", "noun"),
    [
        ("Ann Roth has two sisters.", BIKES, "sisters"),
        ("Ann Roth has at least two cats.", BIKES, "cats"),
        ("Ann Roth is in charge of two people.", BIKES, "people"),
        ("Ann Roth is in charge of two people.", STAFF, ""),
        ("Ann Roth has two bikes.", BIKES, ""),
        ("Ann Roth has two couriers.", STAFF, ""),
        # a verb says what is counted, in whatever words
        ("Two machines are ridden by Ann Roth.", BIKES, ""),
        ("Ann Roth rides two things.", BIKES, ""),
    ],
)
def test_counted(claim: str, query: dict[str, Any], noun: str) -> None:
    near = READER.affinity(claim)
    found = not_counted(claim, QueryGraph.from_json(query), READER.words, READER.row_ends.persons, near)
    assert found == noun


HEIRLOOMS = NetworkxStore(
    [
        *((p, "is a", "Person") for p in ("Sue Lind", "Art Lind", "Meg Lind", "Tom Lind")),
        *((p, "father", "Art Lind") for p in ("Sue Lind", "Tom Lind")),
        *((h, "is a", "Heirloom") for h in ("Clock", "Ring")),
        *((h, "now with", "Sue Lind") for h in ("Clock", "Ring")),
    ]
)
KEPT: dict[str, Any] = {"count": "?x", "where": [["?x", "now with", "Sue Lind"]], "compare": ["=", "2"]}
FATHERED: dict[str, Any] = {"count": "?x", "where": [["?x", "father", "Art Lind"]], "compare": ["=", "2"]}


@pytest.mark.parametrize(
    ("claim", "query", "noun"),
    [("Sue Lind has two children.", KEPT, "children"), ("Art Lind has two children.", FATHERED, "")],
)
def test_a_graph_of_relatives_counts_them_by_what_tells_relatives(claim: str, query: dict[str, Any], noun: str) -> None:
    reader = reader_of(HEIRLOOMS)
    found = not_counted(
        claim, QueryGraph.from_json(query), reader.words, reader.row_ends.persons, reader.affinity(claim)
    )
    assert found == noun
