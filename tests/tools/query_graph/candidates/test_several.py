"""Things that have two or more of something, and numbers that count things instead of being a value."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

from triplewise.kg import NetworkxStore
from triplewise.kg.query import execute
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.candidates.several import OFTEN, claimed_frequency, of_said_times, said_times

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


_HIRED = (("B1", "Kite", "Ann"), ("B2", "Kite", "Ann"), ("B3", "Wren", "Ann"), ("B4", "Wren", "Ben"), ("B5", "Kite", "Ben"))  # fmt: skip
_MENDED = (("J1", "Wren", "Cal"), ("J2", "Wren", "Dov"), ("J3", "Kite", "Dov"))
HIRED = Candidates(
    NetworkxStore(
        [
            *((row, "boat", boat) for row, boat, _ in (*_HIRED, *_MENDED)),
            *((row, "hirer", hirer) for row, _, hirer in _HIRED),
            *((row, "mended by", mender) for row, _, mender in _MENDED),
        ],
        types={
            **{row: ["Booking"] for row, _, _ in _HIRED}, **{row: ["Job"] for row, _, _ in _MENDED},
            **{p: ["Person"] for p in ("Ann", "Ben", "Cal", "Dov")}, **{b: ["Boat"] for b in ("Kite", "Wren")},
        },
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "relation", "answers"),
    [
        ("Who was hirer more than once?", "hirer", {"Ann", "Ben"}),
        ("Which person was hirer at least three times?", "hirer", {"Ann"}),
        ("Who was hirer of Kite twice?", "hirer", {"Ann"}),
        ("Who was hirer of Wren twice?", "hirer", set[str]()),
        ("Which boats were mended more than once?", "boat", {"Wren"}),
    ],
)
def test_how_often_rows_tell_of_a_thing(question: str, relation: str, answers: set[str]) -> None:
    sentence, drafts = HIRED.of(question)
    kept = of_said_times(HIRED.schema, sentence, drafts)
    assert kept and all(OFTEN in draft.extra for draft in kept)
    told = [d for d in kept if d.form == "select" and d.steps[-1].relation == relation and len(d.links) == len(drafts[0].links)]  # fmt: skip
    assert answers in [set(d.answers) for d in told]
    assert all(set(execute(HIRED.store, d.query()).ids) == d.answers for d in told)


def test_what_is_done_too_often_to_tell_is_not_said() -> None:
    sentence, drafts = HIRED.of("Who was hirer more than six times?")
    assert of_said_times(HIRED.schema, sentence, drafts) == []


@pytest.mark.parametrize(
    ("text", "least"),
    [
        ("Who has booked more than once?", 2),
        ("Who hired twice?", 2),
        ("Who came three or more times?", 3),
        ("Who came over 2 times?", 3),
        ("Who once booked?", None),
        ("Which tower is twice as tall as ours?", None),
        ("Which pill is taken three times a day?", None),
        ("Who came less than three times?", None),
    ],
)
def test_how_often_at_least_something_was_done(text: str, least: int | None) -> None:
    found = said_times(text)
    assert (found and found.least) == least


@pytest.mark.parametrize(
    ("text", "frequency"),
    [
        ("Ann has booked twice.", ("=", 2)),
        ("Ann has booked exactly 3 times.", ("=", 3)),
        ("Ann has booked once.", ("=", 1)),
        ("Ann has booked more than once.", (">", 1)),
        ("Ann has booked twice or more.", (">=", 2)),
        ("Ann has booked at least three times.", (">=", 3)),
        ("Ann has booked several times.", (">=", 2)),
        ("Ann has booked fewer than three times.", ("<", 3)),
        ("Ann has booked at most twice.", ("<=", 2)),
        ("Ann once booked the Kite.", None),
        ("Ann has booked two boats at once.", None),
        ("The Kite is twice as long as the Wren.", None),
    ],
)
def test_how_often_a_claim_says_that_something_was_done(text: str, frequency: tuple[str, int] | None) -> None:
    found = claimed_frequency(text)
    assert (found and (found.op, found.number)) == frequency


def test_what_is_counted_is_not_what_is_asked_for() -> None:
    sold = Candidates(NetworkxStore([(crop, "sold to", "Zawn Mills") for crop in ("wheat", "oats")]))
    sentence = sold.generator.read("Which crops were sold more than once?")
    twice = ((1, "sold to", 4), (3, "sold to", 4))
    back = Draft((*twice, (0, "sold to", 4)), frozenset(("wheat", "oats")), unsaid=((1, "not in", 3),), extra=(OFTEN,))
    buyer = Draft(
        ((1, "sold to", 0), (3, "sold to", 0)), frozenset(("Zawn Mills",)), unsaid=((1, "not in", 3),), extra=(OFTEN,)
    )
    assert of_said_times(sold.schema, sentence, [back, buyer]) == [buyer]
