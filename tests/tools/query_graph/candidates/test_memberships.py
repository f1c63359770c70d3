"""That two things are of one kind."""

from __future__ import annotations

import pytest

import triplewise
from triplewise.kg import NetworkxStore

_TRADES = {"Ann Moss": "Baker", "Bo Lind": "Baker", "Cy Vane": "Clerk", "Dan Ruiz": "Clerk"}
SHOP = NetworkxStore(
    [
        *((person, "is a", trade) for person, trade in _TRADES.items()),
        *((person, "works with", "Dan Ruiz") for person in _TRADES),
    ],
    name="shop",
)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Ann Moss and Bo Lind are bakers.", "supported"),
        ("Both Ann Moss and Bo Lind are bakers.", "supported"),
        ("Ann Moss and Cy Vane are bakers.", "refuted"),
    ],
)
def test_two_are_of_a_kind(claim: str, verdict: str) -> None:
    result = triplewise.verify(SHOP, claim, method="query-graph")
    assert result.verdict == verdict
    assert result.reading is not None
    assert "works with" not in result.reading.text
