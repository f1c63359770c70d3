"""Claims of one thing and not another."""

from __future__ import annotations

import pytest

from triplewise.graphs.run import verify
from triplewise.kg import KGStore, NetworkxStore
from triplewise.tools.query_graph.turned_claims.contrasts import contrast

BOOKS = NetworkxStore(
    [
        *(("Red Tide", "written by", "Ann Lind"), ("Red Tide", "written by", "Ben Ode")),
        *(("Salt", "written by", "Cal Hume"), ("Low Sun", "written by", "Ann Lind")),
        *((book, "is a", "Book") for book in ("Red Tide", "Salt", "Low Sun")),
    ]
)


@pytest.mark.parametrize(
    ("claim", "bare", "other"),
    [
        ("Falcon is based at Ufer, not Rona.", "Falcon is based at Ufer.", "Rona"),
        ("Falcon is based at Ufer and not at Rona.", "Falcon is based at Ufer.", "at Rona"),
        ("Falcon is based at Ufer rather than Rona.", "Falcon is based at Ufer.", "Rona"),
        ("Ann Doyle, not Cal Hume, owns Falcon.", "Ann Doyle owns Falcon.", "Cal Hume"),
        ("Falcon isn't a tug, it's a ferry.", "Falcon is a ferry.", "a tug"),
        ("Falcon is not a tug but a ferry.", "Falcon is a ferry.", "a tug"),
        ("Falcon wasn't built by Ann; it was built by Cal.", "Falcon was built by Cal.", "built by Ann"),
        ("Falcon doesn't belong to Ann, it belongs to Cal.", "Falcon belongs to Cal.", "belong to Ann"),
    ],
)
def test_what_is_so_and_what_is_not(claim: str, bare: str, other: str) -> None:
    found = contrast(claim)
    assert found and (found.bare, found.other) == (bare, other)


@pytest.mark.parametrize(
    "claim",
    [
        "Falcon is not based at Rona.",
        "Falcon is not only a tug but a ferry.",
        "Falcon is insured, but not yet surveyed.",
        "Ann hasn't been to Rona but Cal has.",
        "There is not a boat but Falcon.",
        "Falcon isn't a tug, it's not a ferry.",
        "Falcon was built in 1998, not more than ten years ago.",
    ],
)
def test_other_claims(claim: str) -> None:
    assert contrast(claim) is None


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("Falcon is moored in the harbour Ufer, not Rona.", "supported"),
        ("Falcon is moored in the harbour Rona, not Ufer.", "refuted"),
        ("Falcon isn't in the harbour Rona, it's in the harbour Ufer.", "supported"),
        ("The owner of Falcon isn't Ann Doyle but Cal Hume.", "refuted"),
        ("Falcon is 12.5 m long, not 14 m.", "supported"),
        ("Falcon is in the harbour Ufer, not Atlantis.", "not_enough_evidence"),
        ("Falcon is in the harbour Rona, not Atlantis.", "refuted"),
    ],
)
def test_verdicts(boats: KGStore, claim: str, said: str) -> None:
    assert verify(boats, claim, method="query-graph").verdict == said


def test_where_both_are_so_the_one_is_not_so_without_the_other() -> None:
    claim = "{} was written by Ann Lind, not by Ben Ode."
    assert verify(BOOKS, claim.format("Low Sun"), method="query-graph").verdict == "supported"
    assert verify(BOOKS, claim.format("Red Tide"), method="query-graph").verdict == "refuted"


def test_the_denial_is_read_back(boats: KGStore) -> None:
    result = verify(boats, "Falcon is in the harbour Ufer, not Rona.", method="query-graph")
    assert result.reading and result.reading.text.endswith("but it is not so that Falcon's harbour is Rona")
