"""Claims that one number is as great as another, or some times as great."""

from __future__ import annotations

import pytest

from triplewise.graphs.run import verify
from triplewise.kg import NetworkxStore

PARTIES = NetworkxStore(
    [
        *((p, "is a", "Party") for p in ("Summer Party", "Crane Wedding", "Museum Gala", "Autumn Ball")),
        *(("Summer Party", "guest count", '"180"'), ("Crane Wedding", "guest count", '"85"')),
        *(("Museum Gala", "guest count", '"180"'), ("Autumn Ball", "guest count", '"140"')),
    ]
)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Summer Party had twice as many guests as Crane Wedding.", "not_enough_evidence"),
        ("Summer Party had three times as many guests as Crane Wedding.", "not_enough_evidence"),
        ("Summer Party had as many guests as Museum Gala.", "supported"),
        ("Summer Party had as many guests as Crane Wedding.", "refuted"),
        ("Summer Party had more guests than Crane Wedding.", "supported"),
    ],
)
def test_as_many(claim: str, verdict: str) -> None:
    assert verify(PARTIES, claim, method="query-graph").verdict == verdict
