"""Questions for yes or no, and for the things that they may ask for instead."""

from __future__ import annotations

import pytest

from triplewise.graphs.run import ask
from triplewise.kg import NetworkxStore

_FACILITIES = {"Marsh Top": ("water", "pub"), "Ferny Hill": ("pub",), "Low Bank": ("water",)}
MOORINGS = NetworkxStore(
    [
        *((mooring, "facilities", f'"{has}"') for mooring, those in _FACILITIES.items() for has in those),
        *((mooring, "is a", "Mooring") for mooring in _FACILITIES),
        ("Kite", "owner", "Ann Doyle"), ("Wren", "owner", "Ann Doyle"), ("Tern", "owner", "Ben Ode"),
        *((boat, "is a", "Boat") for boat in ("Kite", "Wren", "Tern")),
    ]
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Does Ferny Hill have a pub?", "Yes."),
        ("Has Marsh Top got a pub?", "Yes."),
        ("Does Low Bank have a pub?", "No."),
        ("Does Ann Doyle have a boat?", "Yes: Kite, Wren"),
    ],
)
def test_a_value_of_one_thing_is_told_by_yes_or_no(question: str, answer: str) -> None:
    assert ask(MOORINGS, question, method="query-graph").text.startswith(answer)
