"""The texts of readings, as the ranker reads them."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

from triplewise.kg import NetworkxStore

_OWNERS = {"Lark": "Ann Lee", "Heron": "Cy Moss", "Otter": "Ann Lee", "Teal": "Ann Lee"}
CLUB = Candidates(
    NetworkxStore(
        [
            *((boat, "owned by", who) for boat, who in _OWNERS.items()), ("Lark", "owned by", "Cy Moss"),
            ("Ann Lee", "is a", "Helm"), ("Cy Moss", "is a", "Sailor"), ("Helm", "subclass of", "Sailor"),
        ],
        name="club",
        type_relations=["is a"],
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who owns the Lark?", "find sailor: Lark → owned by → ? = Ann Lee, Cy Moss"),  # helms are sailors too
        ("Who owns the Otter?", "find helm: Otter → owned by → ? = Ann Lee"),
        ("Which sailor owns the Otter?", "find sailor: Otter → owned by → ? = Ann Lee"),
    ],
)
def test_answers_are_told_by_a_class_that_all_are_of(question: str, text: str) -> None:
    assert text in CLUB.texts(question)


ITEMS = Candidates(
    NetworkxStore(
        [
            *((f"L{n}", "item", "Drill") for n in range(1, 6)),
            ("R1", "item", "Drill"), ("R1", "cost", '"12"'), ("L1", "borrower", "Ann Lee"),
        ],
        name="items",
        types={**{f"L{n}": ("loan",) for n in range(1, 6)}, "R1": ("repair",), "Drill": ("tool",)},
    )
)  # fmt: skip


def test_what_stands_between_two_steps_is_what_both_have() -> None:
    assert "find number: Drill ← item ← repair → cost → ? = 12" in ITEMS.texts("What did the Drill cost to mend?")


PITCH = Candidates(
    NetworkxStore(
        [
            *((f"goal {n}", "by", who) for n, who in enumerate(("Ann Lee", "Ann Lee", "Cy Moss"), 1)),
            *((who, "is a", "player") for who in ("Ann Lee", "Cy Moss", "Di Ure")),
        ],
        name="pitch",
    )
)  # fmt: skip


def test_rows_that_are_taken_away_or_counted_are_told_by_their_class() -> None:
    without = PITCH.texts("Which players haven't scored any goals?")
    assert "find player: ? is player; without any goal → by → ? = Di Ure" in without
    assert any("with most goal by" in text for text in PITCH.texts("Which player has the most goals?"))
