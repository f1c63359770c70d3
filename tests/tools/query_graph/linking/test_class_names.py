"""Classes that a sentence names otherwise than by their labels."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

from triplewise.kg import NetworkxStore

_KINDS = {
    "Carriage": ["Coach 6", "Coach 12", "Coach 27", "Primrose"], "Locomotive": ["Heron", "Teal"],
    "Volunteer": ["Ann Lee", "Bob Lee", "Cal Lee", "Dee Fox", "Eva Ray", "Flo Ash"],
}  # fmt: skip
RAILWAY = Candidates(
    NetworkxStore(
        [
            *((thing, "is a", kind) for kind, named in _KINDS.items() for thing in named),
            ("Ann Lee", "drives", "Heron"), ("Bob Lee", "guards", "Coach 6"),
        ],
        name="railway",
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("what's the oldest coach", {"Carriage"}),
        ("How many coaches are there?", {"Carriage"}),
        ("Who guards Coach 12?", set()),  # a name
        ("Which lee is the oldest?", set()),  # of no more than half of them
        ("which locos are black", {"Locomotive"}),
        ("How many photos are there?", set()),
    ],
)
def test_a_class_by_what_its_things_are_called(question: str, kinds: set[str]) -> None:
    assert set(RAILWAY.generator.read(question).classes) == kinds
