"""How big a thing is, is told by its size."""

from __future__ import annotations

import pytest

from triplewise.graphs.run import ask, verify
from triplewise.kg import NetworkxStore

_CLUBS = (
    ("Chess Club", 9, 18, "Ann Moss"), ("Gardening Society", 58, 10, "Ben Hall"), ("Village Players", 23, 25, "Cy Lind"),
    ("Bridge Club", 41, 12, "Di Frost"),
)  # fmt: skip


def _clubs(people: str) -> NetworkxStore:
    rows = (
        (club, ((people, f'"{n}"'), ("annual subscription", f'"{fee}"'), ("treasurer", by)))
        for club, n, fee, by in _CLUBS
    )
    triples = [(club, relation, tail) for club, told in rows for relation, tail in told]
    return NetworkxStore([*triples, *((club, "is a", "Club") for club, *_ in _CLUBS)], name=people)


@pytest.fixture(scope="module")
def clubs() -> NetworkxStore:
    """Clubs with members and subscriptions."""
    return _clubs("member count")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which club is the biggest?", "Gardening Society"),
        ("What is our smallest club?", "Chess Club"),
        ("Who is the treasurer of the biggest club?", "Ben Hall"),
        ("Which club has the biggest subscription?", "Village Players"),
    ],
)
def test_the_biggest_has_the_most_members(clubs: NetworkxStore, question: str, answer: str) -> None:
    assert [a.label for a in ask(clubs, question, method="query-graph").answers] == [answer]


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The Gardening Society is our biggest club.", "supported"),
        ("The Village Players is our biggest club.", "refuted"),
    ],
)
def test_so_is_a_claim_of_the_biggest(clubs: NetworkxStore, claim: str, verdict: str) -> None:
    assert verify(clubs, claim, method="query-graph").verdict == verdict


def test_without_a_size_another_number_may_be_meant() -> None:
    found = ask(_clubs("trophies"), "Which club is the biggest?", method="query-graph")
    assert found.reading and "greatest" in found.reading.text
