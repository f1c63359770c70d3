"""What has run out, over a table of parts."""

from __future__ import annotations

from pathlib import Path

import pytest

import triplewise
from triplewise.kg import KGStore, NetworkxStore, load_kg
from triplewise.tools.query_graph.ranker import reader_of

PARTS = "part,supplier,price,in stock,shelf\nKMC chain,Nordrad,17.50,12,A1\nRear light,Nordrad,9.90,0,B2\nBell,Kern,4.50,3,B2\n"


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> KGStore:
    path: Path = tmp_path_factory.mktemp("parts") / "parts.csv"
    path.write_text(PARTS, encoding="utf-8")
    return load_kg(path)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("What have we run out of?", "which parts have 0 in stock?"),
        ("so what's out of stock at the moment?", "so which parts have 0 in stock?"),
        ("which parts are sold out?", "which parts have 0 in stock?"),
        ("which parts have we run out of?", "which parts have 0 in stock?"),
        ("what's out?", "what's out?"),  # which may be out on loan
        ("what is out on the shelf?", "what is out on the shelf?"),
        ("who has run out of patience?", "who has run out of patience?"),
    ],
)
def test_what_has_run_out(parts: KGStore, asked: str, said: str) -> None:
    assert reader_of(parts).wording.stock.in_words_of_relation(asked) == said


def test_the_part_of_which_none_is_left(parts: KGStore) -> None:
    result = triplewise.ask(parts, "what have we run out of?", method="query-graph")
    assert [a.label for a in result.answers] == ["Rear light"]


def test_without_a_stock_nothing_is_said_otherwise() -> None:
    kg = NetworkxStore([("Heron", "price", '"12"')], types={"Heron": ("boat",)})
    assert reader_of(kg).wording.stock.in_words_of_relation("what have we run out of?") == "what have we run out of?"
