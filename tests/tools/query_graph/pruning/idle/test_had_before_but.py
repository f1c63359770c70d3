"""What is had before a "but" is not what is lacking."""

from __future__ import annotations

import pytest

from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.ranker import reader_of

_BOOKINGS = (("A", "£10", "2024-03-05"), ("B", "£12", ""), ("C", "", ""), ("D", "£8", "2024-04-01"), ("E", "", ""))
HALL = NetworkxStore(
    [
        *((f"booking {name}", "room", "Main Hall") for name, _, _ in _BOOKINGS),
        *((f"booking {name}", "fee", f'"{fee}"') for name, fee, _ in _BOOKINGS if fee),
        *((f"booking {name}", "paid on", f'"{day}"') for name, _, day in _BOOKINGS if day),
    ],
    types={f"booking {name}": ["booking"] for name, _, _ in _BOOKINGS},
)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("which bookings have a fee but haven't been payed yet?", {"booking B"}),
        ("Which bookings haven't been paid yet?", {"booking B", "booking C", "booking E"}),
        ("Which bookings have no fee?", {"booking C", "booking E"}),
    ],
)
def test_what_is_lacking(question: str, answers: set[str]) -> None:
    assert reader_of(HALL).rank(question).readings[0].draft.answers == answers
