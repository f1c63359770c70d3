"""Claims that tie two things in words that the graph has not are not refuted by its other relations."""

from __future__ import annotations

from typing import Any

import pytest

from triplewise.graphs.run import verify
from triplewise.kg import NetworkxStore
from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.claims.unknown_ties import unknown_tie
from triplewise.tools.query_graph.ranker import reader_of
from triplewise.tools.query_graph.schema_view import Step
from triplewise.tools.text.persons import Persons

_STAFF = (
    ("Wendy Marsh", "Mike Trent", "mechanic", "2011"), ("Tom Hadley", "Mike Trent", "mechanic", "2014"),
    ("Ruth Abbot", "Helen Frost", "manager", "2012"), ("Mike Trent", "Helen Frost", "manager", "2009"),
)  # fmt: skip
YARD = NetworkxStore(
    [
        triple
        for name, boss, job, since in _STAFF
        for triple in ((name, "reports to", boss), (name, "job", job), (name, "joined", f'"{since}"'))
    ]
    + [
        ("Kestrel", "pntd", "Tom Hadley"),
        ("Kestrel", "repaired by", "Tom Hadley"),
        ("Heron", "repaired by", "Wendy Marsh"),
    ],
    types={name: ["Person"] for name, *_ in _STAFF} | {"Kestrel": ["Boat"], "Heron": ["Boat"]},
)
TO_WENDY: dict[str, Any] = {"ask": "some", "where": [["Tom Hadley", "reports to", "Wendy Marsh"]]}
UNDER_ONE: dict[str, Any] = {
    "ask": "some",
    "where": [["Wendy Marsh", "reports to", "?x"], ["Tom Hadley", "reports to", "?x"]],
}
BY_WENDY: dict[str, Any] = {"ask": "some", "where": [["Kestrel", "repaired by", "Wendy Marsh"]]}


@pytest.mark.parametrize(
    ("claim", "query", "near", "word"),
    [
        ("Wendy Marsh is married to Tom Hadley.", TO_WENDY, 0.3, "married"),
        ("Tom Hadley's boss is Wendy Marsh.", TO_WENDY, 0.1, ""),  # whom he reports to
        ("Tom Hadley and Wendy Marsh are husband and wife.", TO_WENDY, 0.9, "husband"),
        ("Tom Hadley answers to Wendy Marsh.", TO_WENDY, 0.4, ""),
        ("Tom Hadley reports to Wendy Marsh.", TO_WENDY, 0.1, ""),
        ("Tom Hadley is with Wendy Marsh.", TO_WENDY, 0.1, ""),
        ("Wendy Marsh loves Kestrel.", BY_WENDY, 0.1, "loves"),
        ("Wendy Marsh mended Kestrel.", BY_WENDY, 0.3, ""),  # more than people do a person and a boat have to do so
        ("Wendy Marsh coloured Kestrel.", {"ask": "some", "where": [["Kestrel", "pntd", "Wendy Marsh"]]}, 0.1, ""),
        ("Wendy Marsh does not love Kestrel.", BY_WENDY | {"ask": "none"}, 0.1, ""),
        ("Wendy Marsh does not love Tom Hadley.", TO_WENDY | {"ask": "none"}, 0.1, "love"),
        ("Nobody loves Wendy Marsh.", {"ask": "none", "where": [["?x", "reports to", "Wendy Marsh"]]}, 0.1, ""),
        ("Wendy Marsh loves 2011.", {"ask": "some", "where": [["Wendy Marsh", "joined", '"2011"']]}, 0.1, ""),
    ],
)
def test_the_word_of_another_tie(claim: str, query: dict[str, Any], near: float, word: str) -> None:
    assert _tie(claim, query, near) == word


@pytest.mark.parametrize(
    ("claim", "query", "near", "word"),
    [
        ("Wendy Marsh is married to Tom Hadley.", UNDER_ONE, 0.3, "married"),
        ("Wendy Marsh shares a foreman with Tom Hadley.", UNDER_ONE, 0.3, ""),  # a word for either relation
        ("Wendy Marsh works beside Tom Hadley.", UNDER_ONE, 0.4, ""),
        ("Wendy Marsh follows Mike Trent.", {"ask": "some", "where": [UNDER_ONE["where"][0]]}, 0.3, ""),
    ],
)
def test_what_was_found_for_two_people(claim: str, query: dict[str, Any], near: float, word: str) -> None:
    assert _tie(claim, query, near, found=True) == word


def _tie(claim: str, query: dict[str, Any], near: float, *, found: bool = False) -> str:
    def affinity(_: str) -> Any:
        def of_step(_: Step) -> float:
            return near

        return of_step

    reader = reader_of(YARD)
    persons = Persons(reader.schema)
    assert persons.sure("Tom Hadley") == "person" != persons.sure("Kestrel")
    return unknown_tie(claim, QueryGraph.from_json(query), reader.words, persons, affinity, found=found)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Wendy Marsh is married to Tom Hadley.", "not_enough_evidence"),
        ("Wendy Marsh is Tom Hadley's wife.", "not_enough_evidence"),
        ("Wendy Marsh does not love Tom Hadley.", "not_enough_evidence"),
        ("Tom Hadley reports to Wendy Marsh.", "refuted"),
        ("Tom Hadley answers to Wendy Marsh.", "refuted"),
    ],
)
def test_only_what_is_claimed_refutes(claim: str, verdict: str) -> None:
    assert verify(YARD, claim, method="query-graph").verdict == verdict


@pytest.mark.parametrize(("boss", "verdict"), [("Mike Trent", "supported"), ("Helen Frost", "refuted")])
def test_who_reports_to_somebody_has_a_boss(boss: str, verdict: str) -> None:
    staff = NetworkxStore(
        [(name, "boss", above) for name, above, *_ in _STAFF], types={name: ["team"] for name, *_ in _STAFF}
    )
    assert verify(staff, f"Wendy Marsh reports to {boss}.", method="query-graph").verdict == verdict
    assert verify(staff, f"Wendy Marsh answers to {boss}.", method="query-graph").verdict == verdict
