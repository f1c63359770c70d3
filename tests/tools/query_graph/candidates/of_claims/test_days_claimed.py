"""Claims of days of the week: what has another is refuted, and no day is another with a typing error."""

from __future__ import annotations

import pytest

import triplewise
from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.candidates.of_claims.days_claimed import unsaid_day

SHOWS = NetworkxStore(
    [
        ("Late Shift", "slot day", '"Thursday"'),
        ("Vinyl Hour", "slot day", '"Sunday"'),
        ("Bhangra Beats", "slot day", '"Friday"'),
        ("Late Shift", "presented by", "Ann Holt"),
        ("Vinyl Hour", "presented by", "Ben Roe"),
        ("Bhangra Beats", "presented by", "Ida Lund"),
    ],
    types=dict.fromkeys(("Late Shift", "Vinyl Hour", "Bhangra Beats"), ("show",)),
)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Late Shift goes out on a Tuesday.", "refuted"),
        ("Late Shift goes out on a Thursday.", "supported"),
        ("Vinyl Hour isn't on Mondays.", "supported"),
        ("Vinyl Hour is on Fridays.", "refuted"),
        ("Ann Holt was there on a Tuesday.", "not_enough_evidence"),
    ],
)
def test_claims(claim: str, verdict: str) -> None:
    assert triplewise.verify(SHOWS, claim).verdict == verdict


def test_a_day_that_nothing_has_is_asked_for_in_vain() -> None:
    assert not triplewise.ask(SHOWS, "which show goes out on Tuesday?").answers


@pytest.mark.parametrize(
    ("said", "day"), [("talk of the month", "Monday"), ("held on Mondays", ""), ("Mon", ""), ("Tues", "Monday")]
)
def test_a_day_is_said_in_full_or_shortened(said: str, day: str) -> None:
    assert unsaid_day("The talk is on a Monday.", said) == day
