"""Another thing of the last one's kind, described by its class, a part of its name or what is told of it."""

from __future__ import annotations

import pytest

from triplewise.agents.assistant.follow_ups import FollowUps
from triplewise.agents.assistant.memory import Memory, Remembered
from triplewise.kg import KGStore, NetworkxStore
from triplewise.kg.query import QueryGraph, execute
from triplewise.tools.query_graph.linking.mentions import NameIndex
from triplewise.tools.query_graph.schema_view import SchemaView


@pytest.fixture(scope="module")
def kg() -> KGStore:
    shops = {"Quill": ("books", "Marske", "Ivo Lowe"), "Crown": ("hats", "Kirkby", "Edda Lowe"),
             "Marl Bakery": ("bread", "Thirsk", "Nan Pell"), "Crumb": ("bread", "Whitby", "Al Roe")}  # fmt: skip
    told = [(s, r, o) for s, ends in shops.items() for r, o in zip(("sells", "in town", "owner"), ends, strict=True)]
    return NetworkxStore([*told, ("Moon", "price", "9")], types={s: ["shop"] for s in shops} | {"Moon": ["jar"]})


@pytest.fixture(scope="module")
def turn(kg: KGStore) -> Remembered:
    query = QueryGraph.from_json({"select": "?x", "where": [["Quill", "owner", "?x"]]})
    question = "Who owns Quill?"
    return Remembered(question, question, "ask", ("Ivo Lowe",), ("Quill",), query=query.to_json())


@pytest.mark.parametrize(
    ("text", "owner"),
    [("And the hat shop?", "Edda Lowe"), ("And the one in Kirkby?", "Edda Lowe"), ("what about the bakery?", "Nan Pell"),
     ("and the one that sells hats?", "Edda Lowe"), ("the one from Thirsk, please", "Nan Pell")],
)  # fmt: skip
def test_a_described_thing_is_asked_the_same(kg: KGStore, turn: Remembered, text: str, owner: str) -> None:
    first = FollowUps(kg, NameIndex(SchemaView(kg))).interpretations(text, Memory(kg, [turn]))[0]
    assert first.query is not None and execute(kg, first.query).ids == (owner,)


@pytest.mark.parametrize(
    "text", ["And the bread shop?", "And the town?", "and the owner?", "and the jar?", "That is in Kirkby"]
)
def test_what_fits_several_or_none_is_not_guessed(kg: KGStore, turn: Remembered, text: str) -> None:
    found = FollowUps(kg, NameIndex(SchemaView(kg))).interpretations(text, Memory(kg, [turn]))
    assert all(i.query is None for i in found)
