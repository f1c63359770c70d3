"""Things that have two or more of something, and numbers that count things instead of being a value."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

from triplewise.kg import NetworkxStore
from triplewise.kg.query import execute

PLAYERS = {"Ann": ("Ufer", "Rona", "Wald"), "Ben": ("Ufer", "Rona"), "Cal": ("Wald",), "Dov": ("Rona",)}
PLAYED = Candidates(
    NetworkxStore(
        [
            *((player, "plays for", team) for player, teams in PLAYERS.items() for team in teams),
            *((player, "coached by", coach) for player, coach in (("Ann", "Eve"), ("Ann", "Fay"), ("Cal", "Eve"))),
            *((player, "goals", f'"{number}"') for player, number in zip(PLAYERS, (7, 1, 9, 3), strict=True)),
        ],
        types={**{p: ["Player"] for p in PLAYERS}, **{t: ["Local Team"] for t in ("Ufer", "Rona", "Wald")}},
    )
)


@pytest.mark.parametrize(
    ("question", "reading"),
    [
        ("Which players play for more than one team?", "? is player; any ← plays for ← ?; plays for at least 2 = Ann, Ben"),
        ("Which players play for two or more teams?", "? is player; any ← plays for ← ?; plays for at least 2 = Ann, Ben"),
        ("Who plays for at least three local teams?", "? is player; any ← plays for ← ?; plays for at least 3 = Ann"),
        ("Which players have two coaches?", "? is player; any ← coached by ← ?; coached by at least 2 = Ann"),
        ("Which players have more than two goals?", "? is player; goals more than 2 = Ann, Cal, Dov"),
    ],
)  # fmt: skip
def test_the_reading_is_a_candidate(question: str, reading: str) -> None:
    sentence, drafts = PLAYED.of(question)
    found = {PLAYED.verbaliser.reading(draft, sentence): draft for draft in drafts}
    assert f"find player: {reading}" in found, "\n".join(found)
    draft = found[f"find player: {reading}"]
    assert set(execute(PLAYED.store, draft.query()).ids) == draft.answers


@pytest.mark.parametrize("question", ["Which players play for fewer than three teams?", "Who plays for nine teams?"])
def test_fewer_and_many_cannot_be_said(question: str) -> None:
    assert not any("at least" in text for text in PLAYED.texts(question))


@pytest.mark.parametrize(
    ("question", "is_value"), [("Who plays for more than one team?", False), ("Who has more than one goal?", True)]
)
def test_a_number_that_counts_things_is_no_value(question: str, is_value: bool) -> None:
    assert any("goals more than 1" in text for text in PLAYED.texts(question)) == is_value


def test_what_is_counted_is_not_gone_on_to() -> None:
    _, drafts = PLAYED.of("Which players play for more than one team?")
    assert not any(d.said and "Rona" in d.answers and "plays for" in d.said[0] and not d.kind for d in drafts)
