"""Idioms and the plain words that they stand for."""

from __future__ import annotations

import pytest

from triplewise.tools.query_graph.wording.idioms import in_plain_words


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("who's the baby of the crew?", "who's the youngest of the crew?"),
        ("Baby of the office?", "who is the youngest of the office?"),
        ("Who is the baby of Ann Holt?", "Who is the baby of Ann Holt?"),
        ("going by birthdays, who's the grandad of the place?", "going by birthdays, who's the oldest of the place?"),
        ("what did i get that was north of forty quid", "what did i get that was more than forty quid"),
        ("bills north of two grand", "bills more than two thousand"),
        ("who has a grand piano?", "who has a grand piano?"),
        ("who lives north of the river?", "who lives north of the river?"),
        ("what's the damage for the full works?", "what is the price for the full works?"),
        ("that bath, how much did it knock us back", "that bath, how much did it cost us"),
        ("what did Easter Lunch set us back?", "what did Easter Lunch cost us?"),
        ("how much did that set Ann back", "how much did that cost Ann"),
        ("who set the clock back?", "who set the clock back?"),
        ("what did the damp expert sting us for?", "how much did the damp expert charge us for?"),
        ("who had been and gone before June came in?", "who had been and gone before June?"),
        ("once the 13th of June's out of the way, what is left?", "after the 13th of June, what is left?"),
        ("Headcount of members living on Plum Lane?", "how many members living on Plum Lane?"),
        ("what was lent before valentine's day 2025", "what was lent before 14 February 2025"),
        ("from the start of October till Hallowe'en 2024", "from the start of October till 31 October 2024"),
        ("who came to Valentine's Day lunch?", "who came to Valentine's Day lunch?"),
        ("Who's managed to dodge introducing a film?", "Who has never been introducing a film?"),
        ("who got out of the car?", "who got out of the car?"),
        ("who came in March but gave April a miss?", "who came in March but did not come to April?"),
        ("Whose brainchild is Azul?", "who made Azul?"),
        ("who married on Christmas Day?", "who married on 25 December?"),
        ("who came to the party before Christmas Eve?", "who came to the party before 24 December?"),
        ("what is left from Christmas Day lunch?", "what is left from Christmas Day lunch?"),
    ],
)
def test_idioms(text: str, plain: str) -> None:
    assert in_plain_words(text) == plain
