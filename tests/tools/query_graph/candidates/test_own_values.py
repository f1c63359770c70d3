"""Two values of one thing held against each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from triplewise.graphs.run import ask, verify
from triplewise.kg import KGStore, load_kg
from triplewise.tools.query_graph.candidates.own_values import told_order
from triplewise.tools.query_graph.schema_view import SchemaView, Step

_PIECES = """id,{name},potter,asking_price,sold_for
P1,Pebble Cup,Maud Lister,40,35
P2,Heron Vase,Jon Abbey,120,130
P3,Moss Bowl,Maud Lister,60,60
P4,Ember Jug,Tess Yarrow,75,50
P5,Slate Plate,Jon Abbey,30,34
"""


def _pieces(folder: Path, name: str) -> KGStore:
    path = folder / "pieces.csv"
    path.write_text(_PIECES.format(name=name), encoding="utf-8")
    return load_kg(path)


@pytest.fixture(scope="module", params=["name", "piece"])
def pieces(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> KGStore:
    """What pieces were to be sold for and what they did sell for; called by their names, or with these as a value."""
    return _pieces(tmp_path_factory.mktemp("pieces"), request.param)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("Which pieces sold for less than their asking price?", "<"),
        ("Which pieces were asking a higher price than they sold for?", ">"),
        ("Which pieces sold for less than the jug?", "<"),
        ("Which pieces sold for 35?", ""),
        ("Which of them weighs less than it should?", ""),
    ],
)
def test_where_the_words_stand_tells_the_lesser(tmp_path: Path, text: str, order: str) -> None:
    schema = SchemaView(_pieces(tmp_path, "name"))
    relations = {schema.words(r): r for r in schema.relations}
    sold, asked = Step(relations["sold for"]), Step(relations["asking price"])
    turned = {"<": ">", ">": "<", "": ""}[order]
    said = told_order(schema, text, sold, asked), told_order(schema, text, asked, sold)
    assert said == ((order, turned) if "higher" not in text else (turned, order))


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The Pebble Cup sold for less than its asking price.", "supported"),
        ("The Pebble Cup sold for less than its price.", "supported"),
        ("The Heron Vase sold for less than its asking price.", "refuted"),
        ("The Moss Bowl sold for less than its asking price.", "refuted"),
        ("The Heron Vase did not sell for more than its asking price.", "refuted"),
        ("The Pebble Cup weighs less than its price.", "not_enough_evidence"),
    ],
)
def test_a_claim_compares_a_things_own_values(pieces: KGStore, claim: str, verdict: str) -> None:
    assert verify(pieces, claim, method="query-graph").verdict == verdict


def test_a_question_compares_them_in_the_order_of_its_words(tmp_path: Path) -> None:
    store = _pieces(tmp_path, "name")
    asked = {
        "Which pieces sold for less than their asking price?": {"Pebble Cup", "Ember Jug"},
        "Which pieces sold for more than their asking price?": {"Heron Vase", "Slate Plate"},
    }
    for question, answers in asked.items():
        assert {a.label for a in ask(store, question, method="query-graph").answers} == answers
