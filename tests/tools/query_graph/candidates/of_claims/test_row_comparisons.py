"""Values in rows of a table, held against each other."""

from __future__ import annotations

import pytest

import triplewise
from triplewise.kg import NetworkxStore

HIRES = {"H1": ("Kayak", "Ann Lee", "35", "2025-03-01"), "H2": ("Canoe", "Bob Ray", "50", "2025-02-01")}
STORE = NetworkxStore(
    [
        *((hire, r, end) for hire, row in HIRES.items() for r, end in zip(("boat", "hirer", "fee", "on"), row, strict=True)),
        *((hire, "is a", "hire") for hire in HIRES),
        *((boat, "is a", "boat") for boat in ("Kayak", "Canoe")), ("Kayak", "bought", "2020"), ("Canoe", "bought", "2021"),
        *((person, "is a", "member") for person in ("Ann Lee", "Bob Ray")),
    ],
    name="hires",
)  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The fee for the Canoe was higher than the one for the Kayak.", "supported"),
        ("The Kayak's fee was higher than the Canoe's.", "refuted"),
        ("The Kayak's fee was lower than the Canoe's.", "supported"),
        ("The Canoe was bought later than the Kayak.", "supported"),
    ],
)
def test_what_rows_tell_is_compared(claim: str, verdict: str) -> None:
    assert triplewise.verify(STORE, claim, method="query-graph").verdict == verdict
