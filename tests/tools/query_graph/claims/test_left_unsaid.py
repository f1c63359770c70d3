"""What a claim says beyond its reading: extremes, "all", and names that the graph does not have."""

from __future__ import annotations

import pytest
from small_graphs import ferries

from triplewise.graphs.run import ask, verify
from triplewise.kg import NetworkxStore
from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.claims.doubts import in_plain_words
from triplewise.tools.query_graph.claims.left_unsaid import left_unsaid, uncompared
from triplewise.tools.query_graph.linking.known_words import KnownWords
from triplewise.tools.query_graph.linking.mentions import NameIndex
from triplewise.tools.query_graph.schema_view import SchemaView

FERRIES = ferries()
WORDS = KnownWords(NameIndex(SchemaView(FERRIES)))
BEYOND = {
    "ask": "some",
    "where": [["Otter", "length m", "?l"], ["?x", "length m", "?m"]],
    "filter": [["?l", ">", "?m"]],
}
LENGTH = {"ask": "some", "where": [["Otter", "length m", "?l"]]}


@pytest.mark.parametrize(
    ("claim", "query", "word"),
    [
        ("Otter is the shortest ship.", LENGTH, "shortest"),
        ("Otter has the most crew.", LENGTH, "most"),
        ("Otter is at least 12 m long.", LENGTH, ""),
        ("Otter is the shortest ship.", LENGTH | {"ask": "none"}, "shortest"),
        ("Otter is the shortest ship.", LENGTH | {"ask": "none", "filter": [["?l", "<", "12"]]}, ""),
        ("Only Otter is 12 m long.", LENGTH, "Only"),
        ("Are all ships based at Ufer?", {"ask": "some", "where": [["?x", "based at", "Ufer"]]}, "all"),
        ("Otter calls at every harbour.", LENGTH, "every"),
        ("Otter calls at all our harbours.", LENGTH, "all"),
        ("Otter calls at each of the harbours.", LENGTH, "each"),
        ("Both of Anna's ships are 12 m long.", LENGTH, "Both"),
        ("Both Otter and Anna are 12 m long.", LENGTH, ""),
        ("Otter is longer than any other ship.", BEYOND, "any"),
        ("Otter is longer than all the others.", BEYOND, "all"),
        ("Otter is longer than all the others.", BEYOND | {"ask": "none"}, ""),
        ("Otter is at sea all the time.", LENGTH, ""),
        ("Otter sails more than 12 m every day.", LENGTH, ""),
        ("Anna learnt it all from Ben.", {"ask": "some", "where": [["Anna Berg", "mate on", "Otter"]]}, ""),
        ("Otter only came in 2021.", {"ask": "some", "where": [["Otter", "built", "?d"]]}, ""),
        ("The guests say that Otter is 12 m long.", LENGTH, ""),
        ("Everything based at Ufer is a ship.", {"ask": "some", "where": [["?x", "based at", "Ufer"]]}, "Everything"),
        ("All ships are based at Ufer.", {"ask": "some", "where": [["?x", "based at", "Ufer"]]}, "All"),
        ("Not all ships are based at Ufer.", {"ask": "some", "where": [["?x", "based at", "Ufer"]]}, "all"),
        ("Otter sails from Norway.", LENGTH, "Norway"),
        ("Otter is in Mr Lind's care.", LENGTH, ""),
        ("OTTER IS 12 METRES LONG, SAYS OLAF", LENGTH, ""),
    ],
)
def test_words_that_a_reading_does_not_hold(claim: str, query: dict[str, object], word: str) -> None:
    assert left_unsaid(claim, QueryGraph.from_json(query), WORDS) == word


@pytest.mark.parametrize(
    ("claim", "query", "word"),
    [
        ("More ships sail from Ufer than from Rona.", LENGTH, "than"),
        ("Otter is longer than MS Löwe.", LENGTH, "than"),
        ("Otter is wider than its own length.", BEYOND, "than"),
        ("Otter is longer than its sister.", BEYOND, ""),
        ("Otter is longer than 10 m.", LENGTH | {"filter": [["?l", ">", "10"]]}, ""),
        ("Otter is longer than MS Löwe.", LENGTH | {"filter": [["?l", "not in", ["12"]]]}, "than"),
        ("None other than Otter is 12 m long.", LENGTH, ""),
        ("Otter rather than MS Löwe is 12 m long.", LENGTH, ""),
        ("Otter sailed more than once.", LENGTH, ""),
    ],
)
def test_a_comparison_that_a_reading_does_not_make(claim: str, query: dict[str, object], word: str) -> None:
    assert uncompared(claim, QueryGraph.from_json(query), WORDS) == word


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("All", "What was found does not show it of all, only of some."),
        ("everyone", "What was found does not show it of all, only of some."),
        ("only", "What was found does not show that there are no others."),
        ("shortest", "What was found does not show which is the shortest."),
        ("most", "What was found does not show which has the most."),
        ("than", "What was found does not compare the two."),
        ("Norway", "What was found does not say 'Norway'."),
    ],
)
def test_what_is_missing_is_told_in_plain_words(word: str, told: str) -> None:
    assert in_plain_words(word) == told


def test_a_relation_may_hold_an_extreme() -> None:
    query = QueryGraph.from_json({"ask": "some", "where": [["Rona", "largest town", "Ufer"]]})
    assert left_unsaid("Ufer is the biggest place on Rona.", query, WORDS) == "biggest"
    towns = NetworkxStore([*FERRIES.triples(), ("Rona", "largest town", "Ufer")])
    assert not left_unsaid("Ufer is the biggest place on Rona.", query, KnownWords(NameIndex(SchemaView(towns))))


def test_what_is_left_unsaid_is_not_supported() -> None:
    result = verify(FERRIES, "Anna Berg is captain of the MS Löwe of Bremerhaven.", method="query-graph")
    assert (result.verdict, result.evidence) == ("not_enough_evidence", ())
    assert result.reason == "What was found does not say 'Bremerhaven'."


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Is Anna Berg captain of MS Löwe?", "Yes. The graph says: Anna Berg – captain of – MS Löwe."),
        ("isn't Anna Berg captain of MS Löwe?", "Yes. The graph says: Anna Berg – captain of – MS Löwe."),
        ("is Ben Ode captain of MS Löwe?", "No. The graph says: Ben Ode – captain of – Sea Eagle."),
        ("Is Carla Ruiz captain of Otter?", "The graph does not tell."),
    ],
)
def test_ask_says_yes_or_no(question: str, text: str) -> None:
    result = ask(FERRIES, question, method="query-graph")
    assert result.text == text and result.verdict is None
    assert [a.label for a in result.answers] == {"Y": ["yes"], "N": ["no"]}.get(text[0], [])
    assert all(a.citations for a in result.answers)
