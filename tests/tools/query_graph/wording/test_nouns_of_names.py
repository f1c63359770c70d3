"""Nouns that stand in names and are no class of the graph."""

from __future__ import annotations

import pytest

import triplewise
from triplewise.kg import KGStore, NetworkxStore, load_kg
from triplewise.tools.query_graph.ranker import reader_of
from triplewise.types import Triple

ITEMS = """item,category,shelf,weekly_fee,keeper
Blue family tent,camping,Shelf C,10,Wendy Okafor
Green two-man tent,camping,Shelf D,6,Colin Pratt
Camping stove,camping,Shelf C,3,Wendy Okafor
Bosch hammer drill,power tools,Shelf A,5,Wendy Okafor
Makita cordless drill,power tools,Shelf A,4,Tom Hadley
Belt sander,power tools,Shelf B,4,Tom Hadley
"""
TENTS = ["Blue family tent", "Green two-man tent"]


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> KGStore:
    path = tmp_path_factory.mktemp("items") / "items.csv"
    path.write_text(ITEMS, encoding="utf-8")
    return load_kg(path)


@pytest.mark.parametrize(
    ("asked", "answers"),
    [
        ("which tents do you have?", TENTS),
        ("how many drills are there?", ["2"]),
        ("which tents are on shelf C?", ["Blue family tent"]),
        ("which drills does Tom Hadley keep?", ["Makita cordless drill"]),
        ("which of the drills has the lowest weekly fee?", ["Makita cordless drill"]),
        ("how many items are in the camping category?", ["3"]),
        ("which items are of the category camping?", [*TENTS, "Camping stove"]),
    ],
)
def test_things_that_are_called_so(items: KGStore, asked: str, answers: list[str]) -> None:
    result = triplewise.ask(items, asked, method="query-graph")
    assert sorted(a.label for a in result.answers) == sorted(answers), result.reading


@pytest.mark.parametrize(
    "text",
    [
        "which items are on shelf C?",
        "which shelves are used?",
        "what is the tent's fee?",
        "which keepers have a drill?",
    ],
)
def test_what_the_graph_has_a_word_for_is_no_such_noun(items: KGStore, text: str) -> None:
    assert reader_of(items).wording.nouns.in_words_of_class(text) == (text, frozenset())


def test_of_things_without_a_class_nothing_is_replaced() -> None:
    kg = NetworkxStore([Triple(f"{of} Bridge", "crosses", "Ufer") for of in ("Old", "New", "Low")])
    assert reader_of(kg).wording.nouns.in_words_of_class("which bridges are there?")[1] == frozenset()


def test_both_kinds_are_told(items: KGStore) -> None:
    result = triplewise.ask(items, "which items are in the camping category?", method="query-graph")
    assert result.reading and result.reading.text == "which item is a camping"
