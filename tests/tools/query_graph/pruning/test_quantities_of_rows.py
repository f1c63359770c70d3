"""How many of a thing a row is about: the quantity that stands there, and no count of the thing."""

from __future__ import annotations

import pytest
from small_graphs import tables_in

import triplewise
from triplewise.kg import KGStore

TABLES = {
    "products": "id,name,type,price\nP1,Country White,bread,3.20\nP2,Brioche Loaf,bread,4.90\nP3,Eccles Cake,cake,2.10\n",
    "customers": "id,name,town\nC1,Anchor Hotel,Pellmouth\nC2,Gull Cafe,Pellmouth\nC3,Corner Shop,St Arven\n",
    "standing_orders": "id,customer,product,quantity,days\nO1,C1,P2,18,Friday\nO2,C1,P1,3,Monday\nO3,C2,P1,12,Monday\n"
    "O4,C3,P3,30,Saturday\n",
}


@pytest.fixture(scope="module")
def bakery(tmp_path_factory: pytest.TempPathFactory) -> KGStore:
    return tables_in(tmp_path_factory.mktemp("bakery"), TABLES)


@pytest.mark.parametrize(
    ("asked", "answers"),
    [
        ("how many brioches does the Anchor get?", ["18"]),
        ("How many Country White go to the Gull Cafe?", ["12"]),
        ("how many Eccles Cakes does the Corner Shop order?", ["30"]),
        ("how many products does the Anchor Hotel order?", ["2"]),
        ("how many customers are in Pellmouth?", ["2"]),
    ],
)
def test_quantity_of_a_row(bakery: KGStore, asked: str, answers: list[str]) -> None:
    result = triplewise.ask(bakery, asked, method="query-graph")
    assert [a.label for a in result.answers] == answers, result.reading
