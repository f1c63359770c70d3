"""What is said of a claim of all that stays open: the things that lack what it says, and what they lack."""

from __future__ import annotations

import pytest

from triplewise import ask, verify
from triplewise.agents.assistant.answers import verbalise
from triplewise.kg import KGStore, NetworkxStore
from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.claims.lacking import what_is_missing

HUTS = {"Alm": ("Club", 40), "Berg": ("Club", 60), "Col": ("Guild", 12), "Dorf": (None, 8), "Eck": (None, None)}
KG = NetworkxStore(
    [
        *((hut, "owner", owner) for hut, (owner, _) in HUTS.items() if owner),
        *((hut, "beds", f'"{beds}"') for hut, (_, beds) in HUTS.items() if beds),
        ("Alm", "warden", "Ann"),
    ],
    types={hut: ["hut"] for hut in HUTS},
)
HUT = ["?x", "rdf:type", "hut"]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ({"where": [HUT, ["?x", "owner", "Club"], ["?x", "beds", "?n"]], "filter": [["?n", "<=", "30"]]},
         "2 huts have no 'owner' in the graph: Dorf and Eck."),
        ({"where": [HUT, ["?x", "owner", "Guild"], ["?x", "beds", "?n"]], "filter": [["?n", ">", "30"]]},
         "1 hut has no 'owner' in the graph: Eck."),
        ({"where": [HUT, ["?x", "beds", "?n"]], "filter": [["?n", "<=", "5"]]},
         "1 hut has no 'beds' in the graph: Eck."),
        ({"where": [HUT, ["?x", "owner", "?y"]], "minus": [["?x", "owner", "Club"]]},
         "2 huts have no 'owner' in the graph: Dorf and Eck."),
        ({"where": [HUT], "minus": [["?x", "warden", "?y"]]},
         "4 huts have no 'warden' in the graph: Berg, Col, Dorf and Eck."),
        ({"where": [HUT, ["?x", "owner", "Club"]]}, ""),  # nothing is said of all
        ({"where": [["?x", "owner", "Club"], ["?x", "beds", "?n"]], "filter": [["?n", "<=", "30"]]}, ""),
    ],
)  # fmt: skip
def test_what_is_missing(query: dict[str, object], text: str) -> None:
    assert what_is_missing(KG, QueryGraph.from_json({"ask": "none", **query})) == text


def test_a_long_list_is_cut() -> None:
    huts = NetworkxStore([("h0", "owner", "Club")], types={f"h{n}": ["hut"] for n in range(8)})
    claim = QueryGraph.from_json({"ask": "none", "where": [HUT], "minus": [["?x", "owner", "?y"]]})
    assert what_is_missing(huts, claim) == "7 huts have no 'owner' in the graph: h1, h2, h3, h4, h5 and 2 more."


def test_it_is_told_with_the_verdict_and_in_conversations(boats: KGStore) -> None:
    missing = "1 boat has no 'surveyed' in the graph: Heron."
    result = verify(boats, "All boats were surveyed after 2019", method="query-graph")
    assert result.text == f"Not enough evidence. {missing}"
    assert missing in verbalise(boats, result, "m1").text
    result = ask(boats, "Were all boats surveyed after 2019?", method="query-graph")
    assert result.text == f"The graph does not tell. {missing}"
    assert missing in verbalise(boats, result, "m1").text
