"""Claims that nothing of a class is so."""

from __future__ import annotations

import pytest

from triplewise.graphs.run import verify
from triplewise.kg import NetworkxStore
from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.claims.verdict import Judge
from triplewise.tools.query_graph.schema_view import SchemaView

YARD = NetworkxStore(
    [
        *(("Ann Lee", "lives in", "Ufer"), ("Ben Ode", "lives in", "Rona"), ("Cal Hume", "lives in", "Ufer")),
        *(("Heron", "owned by", "Ann Lee"), ("Teal", "owned by", "Ben Ode"), ("Falcon", "owned by", "Cal Hume")),
        *(("Heron", "repaired by", "Dov Marsh"), ("Teal", "repaired by", "Eli Stone")),
    ],
    types={name: ["Member"] for name in ("Ann Lee", "Ben Ode", "Cal Hume")}
    | {name: ["Mechanic"] for name in ("Dov Marsh", "Eli Stone")}
    | {name: ["Boat"] for name in ("Heron", "Teal", "Falcon")},
)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("No mechanic lives in Ufer.", "not_enough_evidence"),
        ("None of the mechanics lives in Ufer.", "not_enough_evidence"),
        ("No member lives in Ufer.", "refuted"),
        ("No mechanic owns a boat.", "supported"),
        ("No member owns a boat.", "refuted"),
        ("No boat was repaired by Dov Marsh.", "refuted"),
    ],
)
def test_the_class_is_part_of_what_is_denied(claim: str, verdict: str) -> None:
    result = verify(YARD, claim, method="query-graph")
    assert result.verdict == verdict, result.reading


@pytest.mark.parametrize(
    ("kind", "town", "verdict"),
    [
        ("Mechanic", "Ufer", "not_enough_evidence"),
        ("Member", "Ufer", "refuted"),
        ("Member", "Thorne", "supported"),
    ],
)
def test_of_a_class_that_never_has_a_relation_nothing_is_told(kind: str, town: str, verdict: str) -> None:
    claim = QueryGraph.from_json({"ask": "none", "where": [["?x", "rdf:type", kind], ["?x", "lives in", town]]})
    assert Judge(SchemaView(YARD)).verdict(claim)[0] == verdict


_DISHES = {"Trifle": ("Custard", "Berries"), "Lemon Tart": ("Lemon Curd",), "Welsh Rarebit": ("Ale Sauce",)}
_HOLDS = {"Custard": "Egg", "Lemon Curd": "Egg", "Ale Sauce": "Mustard", "Berries": ""}
KITCHEN = NetworkxStore(
    [
        *((dish, "has ingredient", part) for dish, parts in _DISHES.items() for part in parts),
        *((part, "contains allergen", allergen) for part, allergen in _HOLDS.items() if allergen),
    ],
    types={"Trifle": ["Dessert", "Dish"], "Lemon Tart": ["Dessert", "Dish"], "Welsh Rarebit": ["Starter", "Dish"]}
    | {part: ["Ingredient"] for part in _HOLDS}
    | {allergen: ["Allergen"] for allergen in ("Egg", "Mustard")},
)


@pytest.mark.parametrize(("claim", "verdict"), [("No dessert contains egg.", "refuted")])
def test_what_only_its_parts_can_be_is_said_of_these(claim: str, verdict: str) -> None:
    result = verify(KITCHEN, claim, method="query-graph")
    assert result.verdict == verdict, result.reading
    assert result.reading and "has ingredient" in str(result.reading.query)
