"""Edits of a query graph: counted, turned, asked of other things."""

from __future__ import annotations

from dataclasses import replace

from triplewise.agents.assistant.edits import (
    among,
    counted,
    end_asked,
    held_against,
    held_among,
    opened,
    swapped,
    turned,
    without,
)
from triplewise.kg import KGStore
from triplewise.kg.query import QueryGraph, execute


def test_edits_of_a_query(kg: KGStore) -> None:
    query = QueryGraph.from_json({"select": "?x", "where": [["?x", "looked after by", "Petra Vond"]]})
    assert execute(kg, counted(query)).number == 2
    assert execute(kg, swapped(query, "Petra Vond", "Jory Pask")).ids == ("Duke (horse)",)
    assert execute(kg, without(query, ["Bramble"])).ids == ("Duke (bull)",)
    assert execute(kg, among(query, ["Bramble", "wheat"])).ids == ("Bramble",)
    others = turned(QueryGraph.from_json({"select": "?x", "where": [["Petra Vond", "lives in", "?x"]]}), "Mill Cottage")
    assert others is not None and execute(kg, others).ids == ("Jory Pask",)


def test_a_claim_that_is_wrong_is_asked_without_its_limits(kg: KGStore) -> None:
    claim = {"ask": "some", "where": [["Bramble", "born", "?x"]], "filter": [["?x", "year", "2015"]]}
    asked, open_ = opened(QueryGraph.from_json(claim))
    assert not execute(kg, asked).ids and [kg.label(i) for i in execute(kg, open_).ids] == ["2017-01-09"]
    whole = QueryGraph.from_json({"ask": "some", "where": [["Bramble", "looked after by", "Jory Pask"]]})
    [who] = end_asked(whole)
    assert not opened(whole) and execute(kg, who).ids == ("Petra Vond",)
    assert not end_asked(QueryGraph.from_json(claim))


def test_the_things_that_a_superlative_claim_is_about(kg: KGStore) -> None:
    where = [["?x", "born", "?a"], ["?x", "looked after by", "Petra Vond"], ["Bramble", "born", "?c"]]
    claim = QueryGraph.from_json({"ask": "none", "where": where, "filter": [["?a", "<", "?c"]]})
    found = held_against(claim)
    assert found is not None and set(execute(kg, replace(found, order=None)).ids) == {"Bramble", "Duke (bull)"}
    assert execute(kg, found).ids == ("Duke (bull)",)  # the last of them
    assert held_against(replace(claim, denied=False)) is None


def test_a_superlative_claim_is_made_of_some_things_alone(kg: KGStore) -> None:
    where = [["?x", "born", "?a"], ["Bramble", "born", "?c"]]
    claim = QueryGraph.from_json({"ask": "none", "where": where, "filter": [["?a", "<", "?c"]]})
    young, old = (held_among(claim, nodes) for nodes in (["Bramble", "Duke (bull)"], ["Bramble", "Duke (horse)"]))
    assert young is not None and execute(kg, young).holds
    assert old is not None and execute(kg, old).holds is False
    assert held_among(replace(claim, denied=False), ["Bramble"]) is None
