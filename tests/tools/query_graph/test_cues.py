"""Words that tell which way two things are compared."""

from __future__ import annotations

import pytest

from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.cues import direction


@pytest.mark.parametrize(
    ("text", "relation", "told"),
    [
        ("The Wall is shallower than the Ridge.", "max depth", "<"),
        ("The Wall is deeper than the Ridge.", "max depth", ">"),
        ("The Wall is more shallow than the Ridge.", "max depth", "<"),
        ("The Wall is less shallow than the Ridge.", "max depth", ">"),
        ("The Wall is less deep than the Ridge.", "max depth", "<"),
        ("Ann is thinner than Ben, and lives over the shop.", "waist", "<"),
        ("Is Ann under Ben?", "rank", "<"),
        ("The Otter is faster than the Elf.", "speed", ">"),
        ("The Otter is faster than the Elf.", "crossing time min", "<"),
        ("The Otter is slower than the Elf.", "crossing time min", ">"),
        ("Ann is better than Ben.", "grade", ""),
        ("Is the older or the younger one meant?", "age", ""),
    ],
)
def test_numbers(text: str, relation: str, told: str) -> None:
    assert direction(text, False, relation) == told


@pytest.mark.parametrize(
    ("text", "relation", "told"),
    [
        ("Ann is older than Ben.", "born", "<"),
        ("Ann is younger than Ben.", "born", ">"),
        ("Ann has worked here longer than Ben.", "joined", "<"),
        ("The war went on for longer than the truce.", "ended", ">"),
        ("Ann no longer works here.", "joined", ""),
        ("Ann has more dogs than Ben.", "joined", ""),
        ("Ann is more old than Ben.", "born", "<"),
    ],
)
def test_dates(text: str, relation: str, told: str) -> None:
    assert direction(text, True, relation) == told


@pytest.mark.parametrize(
    ("text", "denied"),
    [("He didn't go", True), ("he doesnt sing", True), ("They aren’t in", True), ("She went home", False),
     ("the rent was sent", False), ("Who wants the print?", False)],
)  # fmt: skip
def test_a_word_that_ends_in_nt_denies_nothing(text: str, denied: bool) -> None:
    assert bool(cues.DENIED.search(text)) == bool(cues.NOT.search(text)) == denied
