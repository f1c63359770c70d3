"""Words that are the opposite of what a relation says."""

from __future__ import annotations

import pytest

from triplewise.graphs.run import ask, verify
from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.opposites import is_negative, opposed

RACES = NetworkxStore(
    [
        *(("Spring Cup", "cancelled", '"yes"'), ("Harbour Dash", "cancelled", '"no"')),
        *((race, "held at", "Ufer") for race in ("Spring Cup", "Harbour Dash", "Long Pull")),
        *(("Spring Cup", "attended by", "Ann Lee"), ("Long Pull", "attended by", "Ben Ode")),
    ],
    types={race: ["Race"] for race in ("Spring Cup", "Harbour Dash", "Long Pull")} | {"Ufer": ["Harbour"]},
)


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("The race took place", "cancelled", True),
        ("The race went ahead", "was called off", True),
        ("The race was cancelled and did not take place", "cancelled", False),
        ("The shop is open", "closed", True),
        ("The shop is closed", "open to visitors", True),
        ("The picture is still for sale", "sold", True),
        ("The picture is still for sale", "may be sold", False),
        ("The race was fun", "cancelled", False),
        ("Who still owes subs?", "subs paid", True),
        ("Who is behind with the subs?", "subs paid", True),
        ("Who still owes rent?", "subs paid", False),
        ("People had to pay to get in", "free entry", True),
        ("Which bids did we turn down?", "accepted", True),
        ("The graft from Annie failed", "took", True),
        ("Any mics that are bust", "working", True),
        ("which invoices are outstanding", "paid", True),
        ("who owes us money", "is paid", True),
        ("which tracks are paid for", "price paid", False),
        ("Who took First Aid?", "failed", False),
        ("Who has paid for it?", "overdue", False),
        ("Which van is Ann working on?", "damaged", False),
        ("what has Ann done?", "incomplete", False),
    ],
)
def test_opposites(text: str, words: str, expected: bool) -> None:
    assert opposed(text, words) is expected


def test_words_that_say_that_something_is_not_so() -> None:
    assert is_negative("is cancelled") and is_negative("failed") and not is_negative("insured")


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The Spring Cup took place.", "refuted"),
        ("The Spring Cup did not take place.", "supported"),
        ("The Spring Cup was cancelled.", "supported"),
        ("The Harbour Dash went ahead.", "supported"),
        ("The Harbour Dash never happened.", "refuted"),
        ("The Long Pull took place.", "not_enough_evidence"),
        ("The Spring Cup took place at Ufer.", "supported"),
        ("The Spring Cup was windy.", "not_enough_evidence"),
    ],
)
def test_what_took_place_was_not_cancelled(claim: str, verdict: str) -> None:
    result = verify(RACES, claim, method="query-graph")
    assert result.verdict == verdict, result.reading


def test_questions_by_the_opposite() -> None:
    assert ask(RACES, "Did the Spring Cup take place?", method="query-graph").text.startswith("No. ")
