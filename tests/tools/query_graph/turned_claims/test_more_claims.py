"""Claims that one thing has more than another, by number or by value."""

from __future__ import annotations

import pytest

from triplewise.graphs.run import ask, verify
from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.ranker import reader_of
from triplewise.tools.query_graph.turned_claims.more_claims import (
    CountClaim,
    MoreClaim,
    as_comparison,
    count_claim,
    more_claim,
    with_full_names,
)

GUESTS = {"Ann": "Rona", "Ben": "Rona", "Cal": "Ufer", "Dan": "Ufer", "Eve": "Ufer"}
STAYS = [("Attic", "Ann"), ("Attic", "Ben"), ("Attic", "Cal"), ("Cellar", "Dan"), ("Cellar", "Eve")]
ROOMS = NetworkxStore(
    [
        *((guest, "is a", "Guest") for guest in GUESTS),
        *((guest, "home town", town) for guest, town in GUESTS.items()),
        *((town, "is a", "Town") for town in ("Rona", "Ufer")),
        *((room, "is a", "Room") for room in ("Attic", "Cellar")),
        *((room, "has guest", guest) for room, guest in STAYS),
        *((room, "cleaned on", day) for room, day in (("Attic", '"2024-05-01"'), ("Cellar", '"2024-06-01"'))),
        *((room, "rent", price) for room, price in (("Attic", '"90"'), ("Cellar", '"140"'))),
    ]
)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("The Attic has more guests than the Cellar.", MoreClaim("The Attic has more guests or the Cellar?", 5, False)),
        ("Fewer guests are from Rona then from Ufer", MoreClaim("Fewer guests are from Rona or from Ufer?", 5, False)),
        ("Rona has more guests than Ufer has.", MoreClaim("Rona has more guests or Ufer?", 4, False)),
        ("Rona hasn't more guests than Ufer.", MoreClaim("Rona has more guests or Ufer?", 4, True)),
        ("The Attic has more than two guests", None),
        ("The Attic is older than the Cellar", None),
    ],
)
def test_parts(text: str, parts: MoreClaim | None) -> None:
    assert more_claim(text) == parts


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The Attic has more guests than the Cellar.", "supported"),
        ("The Cellar has more guests than the Attic.", "refuted"),
        ("The Cellar does not have more guests than the Attic.", "supported"),
        ("The Cellar has fewer guests than the Attic.", "supported"),
        ("More guests have their home town in Rona than in Ufer.", "refuted"),
        ("The Cellar has more rent than the Attic.", "supported"),
    ],
)
def test_claims(claim: str, verdict: str) -> None:
    result = verify(ROOMS, claim, method="query-graph")
    assert result.verdict == verdict, result.reading


def test_questions() -> None:
    for question in (
        "Which has more guests, the Attic or the Cellar?",
        "Does the Attic or the Cellar have more guests?",
    ):
        assert [a.label for a in ask(ROOMS, question, method="query-graph").answers] == ["Attic"]


def test_first_names_are_enough() -> None:
    hands = {"Ann Lind": 3, "Ben Ode": 1, "Cal Ode": 1}
    jobs = [(f"Job {name} {n}", "handled by", name) for name, size in hands.items() for n in range(size)]
    store = NetworkxStore(
        [*jobs, *((name, "is a", "Hand") for name in hands), *((job, "is a", "Job") for job, *_ in jobs)]
    )
    names = reader_of(store).generator.names
    assert with_full_names("Ann handled more than Ode", names.link("Ann handled more than Ode")).startswith("Ann Lind ")
    assert with_full_names("Ode handled a job", names.link("Ode handled a job")) == "Ode handled a job"
    result = verify(store, "Ann handled more jobs than Ben.", method="query-graph")
    assert result.verdict == "supported", result.reading


TEACHERS = {"Ann Roth": ("Ben Okoro", "Cal Moss"), "Ben Okoro": ("Dan Reed", "Eve Hale"), "Cal Moss": ("Fay Lund",)}
COURIERS = NetworkxStore(
    [
        *((p, "is a", "Courier") for p in {*TEACHERS, *(q for taught in TEACHERS.values() for q in taught)}),
        *((q, "trained by", teacher) for teacher, taught in TEACHERS.items() for q in taught),
    ]
)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Ann has trained more people than Ben.", CountClaim("Ann has trained two people.", "Ben", ">")),
        ("Ann has as many boats as Ben has", CountClaim("Ann has two boats.", "Ben", "=")),
        ("Ann has fewer boats then Ben!", CountClaim("Ann has two boats.", "Ben", "<")),
        ("Ann has not more boats than Ben.", None),
        ("Ann has more boats.", None),
    ],
)
def test_the_parts_of_a_claim_of_two_counts(text: str, parts: CountClaim | None) -> None:
    assert count_claim(text) == parts


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Ann Roth has trained more people than Ben Okoro.", "refuted"),
        ("Ann Roth has trained as many people as Ben Okoro.", "supported"),
        ("Ann Roth has trained more people than Cal Moss.", "supported"),
        ("Cal Moss has trained as many people as Ann Roth.", "refuted"),
    ],
)
def test_what_two_of_a_kind_have_of_their_own_kind(claim: str, verdict: str) -> None:
    assert verify(COURIERS, claim, method="query-graph").verdict == verdict


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("So the higher rent of the Attic and the Cellar is the Cellar.", ("the Cellar", "higher", "the Attic")),
        ("the more expensive room of Rona and Ufer was Rona", ("Rona", "more expensive", "Ufer")),
        ("The higher rent of the Attic and the Cellar is 140.", None),
        ("The Attic is higher than the Cellar.", None),
    ],
)
def test_the_one_of_two_with_more_is_compared(text: str, said: tuple[str, str, str] | None) -> None:
    told = as_comparison(text)
    if said is None:
        assert told == text
    else:
        first, more, other = said
        assert first in told.split(more)[0] and told.endswith(f"of {other}.")


def test_the_higher_rent_of_two() -> None:
    assert verify(ROOMS, "The higher rent of Attic and Cellar is Cellar.", method="query-graph").verdict == "supported"
    assert verify(ROOMS, "The higher rent of Attic and Cellar is Attic.", method="query-graph").verdict == "refuted"
