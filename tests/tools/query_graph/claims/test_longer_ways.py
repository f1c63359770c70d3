"""Claims that are read by a long way where a direct one would tell."""

from __future__ import annotations

import pytest

import triplewise
from triplewise.kg import NetworkxStore
from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.claims.longer_ways import longer_way, unsaid_way
from triplewise.tools.query_graph.ranker import reader_of

CATERING = NetworkxStore(
    [
        *((c, "is a", "Client") for c in ("Sam Taylor", "Ida Holm")),
        *((c, "is a", "Chef") for c in ("Yuki Mori", "Henry Obi")),
        *(("Sam Wedding", "booked by", "Sam Taylor"), ("Sam Wedding", "lead chef", "Yuki Mori")),
        *(("Holm Party", "booked by", "Ida Holm"), ("Holm Party", "lead chef", "Henry Obi")),
        *(("Yuki Mori", "lives in", "York"), ("Henry Obi", "lives in", "Ripon")),
        *((c, "born", year) for c, year in (("Yuki Mori", '"1980"'), ("Henry Obi", '"1985"'))),
        *((e, "is a", "Event") for e in ("Sam Wedding", "Holm Party")),
    ]
)
READER = reader_of(CATERING)
WAY = [["?e", "booked by", "Sam Taylor"], ["?e", "lead chef", "?c"], ["?c", "lives in", "Ripon"]]


@pytest.mark.parametrize(
    ("claim", "where", "verb"),
    [
        ("The client Sam Taylor lives in Ripon.", WAY, "lives"),
        ("Sam Taylor's chef lives in Ripon.", WAY, ""),
        ("The chef of Sam Taylor comes from Ripon.", WAY, ""),
        ("Yuki Mori lives in Ripon.", [["Yuki Mori", "lives in", "Ripon"]], ""),
    ],
)
def test_ways(claim: str, where: list[list[str]], verb: str) -> None:
    query = QueryGraph.from_json({"ask": "some", "where": where})
    assert longer_way(claim, query, READER.words, READER.row_ends.persons) == verb


@pytest.mark.parametrize(
    ("claim", "where", "word"),
    [
        ("Sam Taylor stays in Ripon.", WAY, "stays"),
        ("Sam Taylor is in Ripon.", WAY, "is"),
        ("The chef of the wedding booked by Sam Taylor lives in Ripon.", WAY, ""),
        ("Sam Taylor booked in Ripon.", WAY[:2], ""),
    ],
)
def test_a_way_longer_than_what_is_said(claim: str, where: list[list[str]], word: str) -> None:
    query = QueryGraph.from_json({"ask": "some", "where": where})
    assert unsaid_way(claim, query, READER.words) == word


def test_it_leaves_a_claim_open() -> None:
    assert triplewise.verify(CATERING, "Sam Taylor is in Ripon.", method="query-graph").verdict == "not_enough_evidence"
