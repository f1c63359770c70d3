"""Edits of a query graph: counted, turned, asked of other things."""

from __future__ import annotations

from triplewise.agents.assistant.edits import among, counted, swapped, turned, without
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
