"""Sums of money are told by what tells money, and the cheapest by its own price."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

from triplewise.graphs.run import ask
from triplewise.kg import KGStore, NetworkxStore, load_kg
from triplewise.tools.query_graph.cues import asked_money
from triplewise.tools.query_graph.pruning.quantities.money import of_said_currency

_HALL = """@prefix : <http://h.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Event a rdfs:Class ; rdfs:label "Event" .
:Room a rdfs:Class ; rdfs:label "Room" .
:Class a rdfs:Class ; rdfs:label "Weekly class" .
:main a :Room ; rdfs:label "Main Hall" ; :capacity 140 ; :hourlyRate 18.5 .
:snug a :Room ; rdfs:label "Snug" ; :capacity 12 ; :hourlyRate 5 .
:loft a :Room ; rdfs:label "Loft" ; :capacity 8 ; :hourlyRate 9 .
:yoga a :Class ; rdfs:label "Gentle Yoga" ; :heldIn :main ; :fee 4 .
:ukulele a :Class ; rdfs:label "Ukulele for Beginners" ; :heldIn :snug ; :fee 8 .
:tumble a :Class ; rdfs:label "Toddler Tumble" ; :heldIn :loft ; :fee 6 .
:quiz a :Event ; rdfs:label "Harvest Quiz" ; :attendance 112 ; :takings 905 ; :venue :main .
:fayre a :Event ; rdfs:label "Christmas Fayre" ; :attendance 240 ; :takings 478 ; :venue :loft .
:dance a :Event ; rdfs:label "Tea Dance" ; :attendance 55 ; :takings 130 ; :venue :snug .
:talk a :Event ; rdfs:label "Garden Talk" ; :attendance 31 ; :venue :snug .
"""


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> KGStore:
    """Events with visitors and takings, rooms with hourly rates, and classes with fees that are held there."""
    path = tmp_path_factory.mktemp("hall") / "hall.ttl"
    path.write_text(_HALL, encoding="utf-8")
    return load_kg(path)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How much did we make at the Harvest Quiz?", "905"),
        ("How much money did the Christmas Fayre bring in?", "478"),
        ("How much was raised at the Tea Dance?", "130"),
        ("Which event made the most money?", "Harvest Quiz"),
        ("How many people came to the Harvest Quiz?", "112"),
        ("What was the attendance of the Harvest Quiz?", "112"),
        ("cheapest room per hr?", "Snug"),
        ("Which room is the cheapest?", "Snug"),
        ("What is the dearest room p/h?", "Main Hall"),
        ("Which is the most expensive room?", "Main Hall"),
        ("Which class is the cheapest?", "Gentle Yoga"),
    ],
)
def test_money_is_told_by_sums_of_money(hall: KGStore, question: str, answer: str) -> None:
    assert [a.label for a in ask(hall, question, method="query-graph").answers] == [answer]


@pytest.mark.parametrize(
    ("text", "takings", "fee"),
    [
        ("How much did we make at the fair?", True, False),
        ("How much was raised?", True, False),
        ("How much did the fair cost?", False, True),
        ("How much money is it?", True, True),
        ("Which fair made the most money?", True, False),
        ("How much time did it take?", None, None),
        ("How much flour did we make the bread with?", None, None),
        ("How many did we make?", None, None),
    ],
)
def test_what_is_made_is_no_price(text: str, takings: bool | None, fee: bool | None) -> None:
    tells = asked_money(text)
    assert (tells and tells("takings"), tells and tells("fee")) == (takings, fee)


DISHES = Candidates(
    NetworkxStore(
        [
            triple
            for dish, price, calories in (("Posset", "12.50", "8"), ("Trifle", "6.00", "420"))
            for triple in (
                (dish, "is a", "Dish"),
                (dish, "price per portion", f'"{price}"'),
                (dish, "calories", f'"{calories}"'),
            )
        ]
    )
)


@pytest.mark.parametrize(
    ("question", "relations"),
    [
        ("Which dishes are more than 10 pounds?", {"price per portion"}),
        ("Which dishes are over €10?", {"price per portion"}),
        ("Which dishes are more than 10?", {"price per portion", "calories"}),
    ],
)
def test_money_is_held_against_money(question: str, relations: set[str]) -> None:
    sentence, drafts = DISHES.of(question)
    kept = [
        d for d in of_said_currency(DISHES.schema, sentence, drafts) if any(isinstance(f[2], str) for f in d.filters)
    ]
    told = {r for d in kept for _, r, t in d.rows for v, _, right in d.filters if t == v and isinstance(right, str)}
    assert told == relations
