"""What is asked in roundabout words of a club's notes: how old, how long, how strong, since when, before which meeting."""

from __future__ import annotations

import pytest

import triplewise
from triplewise.kg import NetworkxStore

_MEETS = [("Spring Shoot 2024", "2024-04-14", "3"), ("Frostbite 2024", "2024-01-20", "5"), ("Colonel's Cup 2023", "2023-06-17", "4"),
          ("Clout Day 2024", "2024-08-10", "2")]  # fmt: skip
_LOANS = [("loan 1", "mika", "2024-10-20"), ("loan 2", "joss", "2024-12-28"), ("loan 3", "wee ben", "2025-01-04")]
CLUB = NetworkxStore(
    [
        *((name, "is a", "shoot") for name, _, _ in _MEETS), *((name, "date", f'"{day}"') for name, day, _ in _MEETS),
        *((name, "hours", f'"{hours}"') for name, _, hours in _MEETS),
        *((loan, "who borrowed", who) for loan, who, _ in _LOANS),
        *((loan, "went out", f'"{day}"') for loan, _, day in _LOANS), *((loan, "what", "big bow") for loan, *_ in _LOANS),
        *((who, "is a", "member") for _, who, _ in _LOANS), *((who, "joined", '"2019"') for _, who, _ in _LOANS),
        ("Thumper", "is a", "tractor"), ("Thumper", "weighs tons", '"2.8"'), ("Red Davey", "is a", "tractor"),
        ("Red Davey", "weighs tons", '"3.1"'),
    ],
    name="club",
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("What shoots were there before the Spring Shoot of 2024?", {"Frostbite 2024", "Colonel's Cup 2023"}),
        ("who's had something on loan since christmas 2024", {"joss", "wee ben"}),
        ("how old is mika?", set()),
        ("How many horsepower is Thumper?", set()),
        ("which shoot dragged on the longest?", {"Frostbite 2024"}),
    ],
)
def test_questions(question: str, answers: set[str]) -> None:
    assert {a.label for a in triplewise.ask(CLUB, question, method="query-graph").answers} == answers
