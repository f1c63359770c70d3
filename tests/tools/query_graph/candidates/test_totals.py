"""What has the most in all: totals of each of several things."""

from __future__ import annotations

import pytest

from triplewise.kg import KGStore, NetworkxStore
from triplewise.kg.query import execute
from triplewise.tools.query_graph.candidates.extremes.totals import Most, asked_most
from triplewise.tools.query_graph.ranker import reader_of

_ORDERS = (
    ("Ann Bell", "£40", "mug", "2024-03-02"), ("Ann Bell", "£35", "teapot", "2024-05-12"),
    ("Raj Patel", "£60", "bowl", "2024-06-01"), ("Raj Patel", "£10", "spoon rest", "2025-01-11"),
    ("Lou Finch", "£22", "mug", "2025-02-14"), ("Lou Finch", "£20", "mug", "2025-02-20"),
)  # fmt: skip
_SESSIONS = (("Tess", "3", "big kiln"), ("Tess", "2.5", "small kiln"), ("Gil", "4", "big kiln"))


def _pottery() -> KGStore:
    triples: list[tuple[str, str, str]] = []
    for number, (who, price, item, day) in enumerate(_ORDERS, 1):
        row = f"order {number}"
        triples += [
            (row, "customer", who),
            (row, "price", f'"{price}"'),
            (row, "item", item),
            (row, "date", f'"{day}"'),
        ]
    for number, (who, hours, kiln) in enumerate(_SESSIONS, 1):
        triples += [(f"session {number}", "who", who), (f"session {number}", "hours", f'"{hours}"')]
        triples.append((f"session {number}", "kiln", kiln))
    return NetworkxStore(triples)


POTTERY = _pottery()


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Who's spent the most with me?", {"Ann Bell"}),
        ("who's my biggest spender?", {"Ann Bell"}),
        ("Who has spent the least altogether?", {"Lou Finch"}),
        ("who spent the most in 2025?", {"Lou Finch"}),
        ("Who's spent the most on mugs?", {"Lou Finch"}),
        ("Which item brought in the most money?", {"mug"}),
        ("Which item has the highest average price?", {"bowl"}),
        ("who did the most hours?", {"Tess"}),
        ("Which kiln has been on for the most hours?", {"big kiln"}),
    ],
)
def test_of_each_all_is_added_up(question: str, answers: set[str]) -> None:
    first = reader_of(POTTERY).rank(question).readings[0].draft
    assert first.order is not None and first.order[2] in ("total", "average")
    assert first.answers == answers
    assert set(execute(POTTERY, first.query()).ids) == answers  # as the executor has it too


def test_all_that_was_added_up_is_the_proof() -> None:
    first = reader_of(POTTERY).rank("Who's spent the most with me?").readings[0].draft
    (found,) = execute(POTTERY, first.query()).found
    assert {t.head for t in found.proof} == {"order 1", "order 2"} and len(found.proof) == 4


@pytest.mark.parametrize("question", ["Who spent the most in one go?", "Which customer has the most orders?"])
def test_one_of_them_and_a_number_of_them_are_no_total(question: str) -> None:
    for reading in reader_of(POTTERY).rank(question).readings:
        assert not reading.draft.order or reading.draft.order[2] in (None, "count")


def test_what_tells_its_own_number_is_not_added_up() -> None:
    donors = [("Ann Bell", "given so far pounds", '"900"'), ("Raj Patel", "given so far pounds", '"450"')]
    donors += [("sale 1", "buyer", "Raj Patel"), ("sale 1", "price", '"£800"'), ("sale 2", "buyer", "Raj Patel")]
    store = NetworkxStore(
        [*donors, ("sale 2", "price", '"£300"'), ("sale 3", "buyer", "Ann Bell"), ("sale 3", "price", '"£9"')],
        types={"Ann Bell": ["Donor"], "Raj Patel": ["Donor"]},
    )
    assert reader_of(store).rank("Who has given the most money?").readings[0].draft.answers == {"Ann Bell"}
    laptops = [("L1", "price", '"900"'), ("L2", "price", '"700"'), ("L3", "price", '"600"')]
    laptops += [(who, "uses laptop", row) for who, row in (("Wen Li", "L1"), ("Mo Ray", "L2"), ("Mo Ray", "L3"))]
    store = NetworkxStore(laptops, types={row: ["Laptop"] for row in ("L1", "L2", "L3")})
    assert reader_of(store).rank("Which laptop cost us the most?").readings[0].draft.answers == {"L1"}


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("who's spent the most with me all told", Most("", "total", "", descending=True)),
        ("Which player scored the fewest points?", Most("player", "total", "points", descending=False)),
        ("who has the lowest average score?", Most("", "average", "score", descending=False)),
        ("Who averages the most points?", Most("", "average", "points", descending=True)),
        ("what's the most that anybody spent?", None),
        ("Who spent the most on a single order?", None),
        ("Who paid the most per night?", None),
        ("Which item is most popular?", None),
        ("How much did Ann spend?", None),
        ("What did the most recent jobs come to altogether?", None),
    ],
)
def test_what_is_asked_the_most_of(text: str, asked: Most | None) -> None:
    found = asked_most(text)
    assert found == asked if asked else not (found and not found.noun)
