"""Of two triples about the same two things the one that the graph has is meant, where both are about as likely."""

from __future__ import annotations

from dataclasses import replace

import pytest
from small_graphs import ferries

import triplewise
from triplewise.kg import NetworkxStore
from triplewise.kg.query import QueryGraph, execute
from triplewise.tools.query_graph.claims.direct_claims import held_first, says_more, told_claims
from triplewise.tools.query_graph.linking.value_mentions import find_values
from triplewise.tools.query_graph.ranker import reader_of
from triplewise.tools.query_graph.ranking import Ranking
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.text.roles.mutual import is_mutual

FERRIES = ferries()
NEVER = set[str]().__contains__
"""No relation holds both ways."""
MASTER = {"ask": "some", "where": [["Ufer", "harbour master", "Dov Lind"]]}
BASED = {"ask": "some", "where": [["Dov Lind", "based at", "Ufer"]]}


@pytest.mark.parametrize(
    ("readings", "position"),
    [
        ([(BASED, 0.4), (MASTER, 0.3)], 1),
        ([(BASED, 0.4), (MASTER, 0.1)], 0),
        ([(MASTER, 0.4), (BASED, 0.3)], 0),
        ([(BASED | {"ask": "none"}, 0.4), (MASTER, 0.3)], 0),
        ([(BASED, 0.4), ({"ask": "some", "where": [["Ufer", "on island", "Rona"]]}, 0.3)], 0),
        ([(BASED, 0.4), ({"ask": "some", "where": [["?x", "based at", "Ufer"]]}, 0.3)], 0),
        ([], 0),
    ],
)
def test_what_the_graph_has_goes_before_what_it_lacks(
    readings: list[tuple[dict[str, object], float]], position: int
) -> None:
    found = [(QueryGraph.from_json(query), probability) for query, probability in readings]
    assert held_first(found, lambda query: bool(execute(FERRIES, query).holds), lambda _: True, NEVER) == position


MARRIED = NetworkxStore([("Ann", "married to", "Bo"), ("Ann", "taught", "Bo")], name="couple")


@pytest.mark.parametrize(("relation", "position"), [("married to", 1), ("taught", 0)])
def test_what_holds_both_ways_may_be_told_from_the_other_end(relation: str, position: int) -> None:
    found = [
        (QueryGraph.from_json({"ask": "some", "where": [[head, relation, tail]]}), probability)
        for head, tail, probability in (("Bo", "Ann", 0.6), ("Ann", "Bo", 0.1))
    ]
    holds = lambda query: bool(execute(MARRIED, query).holds)  # noqa: E731
    assert held_first(found, holds, lambda _: True, lambda r: is_mutual(SchemaView(MARRIED), r)) == position


@pytest.mark.parametrize("claim", ["Bo is married to Ann.", "Bo and Ann are married.", "Ann and Bo are married"])
def test_a_marriage_is_told_of_either(claim: str) -> None:
    assert triplewise.verify(MARRIED, claim, method="query-graph").verdict == "supported"


CALLED = {"ask": "some", "where": [["?v", "ship", "Sea Eagle"], ["?v", "calls at", "Ufer"]]}
ON_A_DAY = {"ask": "some", "where": [*CALLED["where"], ["?v", "on day", "?d"]]}
OWNED = {"ask": "some", "where": [["Sea Eagle", "owner", "Ufer"]]}


@pytest.mark.parametrize(
    ("readings", "said", "position"),
    [
        ([(OWNED, 0.4), (CALLED, 0.15)], False, 1),
        ([(OWNED, 0.4), (CALLED, 0.15)], True, 0),
        ([(OWNED, 0.4), (CALLED, 0.1)], False, 0),
        ([(OWNED, 0.4), (ON_A_DAY, 0.15)], False, 0),
    ],
)
def test_a_row_that_ties_both_goes_before_a_relation_that_is_not_said(
    readings: list[tuple[dict[str, object], float]], said: bool, position: int
) -> None:
    found = [(QueryGraph.from_json(query), probability) for query, probability in readings]
    assert held_first(found, lambda query: bool(execute(FERRIES, query).holds), lambda _: said, NEVER) == position


CLUBS = NetworkxStore(
    [
        *(("Assad", "clubs", "Al Shorta"), ("Assad", "clubs", "Zawra"), ("Hurt", "clubs", "Cordoba")),
        *(("Zawra", "manager", "Guzman"), ("Shorta Town", "manager", "Hurt")),
    ],
    name="clubs",
)


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        ("Assad played for Zawra.", {("Assad", "clubs", "Zawra")}),
        ("Assad never played for Zawra.", {("Assad", "clubs", "Zawra")}),
        ("Assad played for Cordoba.", set()),
    ],
)
def test_what_the_graph_holds_of_all_that_is_named(claim: str, told: set[tuple[str, str, str]]) -> None:
    reader = reader_of(CLUBS)
    sentence, drafts, _ = reader.candidates(claim, "verify")
    found = told_claims(CLUBS, sentence, drafts)
    single = [d for d in drafts if id(d) in found and len(d.rows) == 1]
    assert {row for d in single for row in d.rows} == told


def test_in_a_closed_world_a_reading_that_holds_is_likelier() -> None:
    claim = "Assad has been managed by Guzman and turned out for Zawra."
    reader = reader_of(CLUBS)
    plain, closed = (reader.rank(claim, "verify", closed_world=c) for c in (False, True))

    def share(ranking: Ranking) -> float:
        queries = ((r, replace(r.draft.query(), denied=False)) for r in ranking.readings)
        return sum(r.probability for r, query in queries if execute(CLUBS, query).holds)

    assert share(closed) > share(plain)


@pytest.mark.parametrize(
    ("text", "conditions", "more"),
    [
        ("It was founded in 1480.", [(">", "1480")], True),
        ("It was founded after 1480.", [(">", "1480")], False),
        ("It was founded between 1480 and 1490.", [(">=", "1480"), ("<=", "1490")], False),
        ("It was founded in May 1971.", [(">=", "1971-05"), ("<=", "1971-05-31")], False),
        ("It was founded in 1480.", [("=", "1480")], False),
        ("It has 585 floors.", [("<", "585")], True),
        ("It has more than 585 floors.", [(">", "585")], False),
    ],
)
def test_what_no_sentence_bounds(text: str, conditions: list[tuple[str, object]], more: bool) -> None:
    assert says_more(conditions, text, find_values(text)) == more


def test_in_a_closed_world_a_later_year_is_none_that_was_said() -> None:
    firm = NetworkxStore([("Acme", "founding year", '"2001"'), ("Bolt", "founding year", '"1990"')], name="firms")
    told = triplewise.verify(firm, "Acme was founded in 1480.", method="query-graph", closed_world=True)
    assert told.verdict == "refuted"
