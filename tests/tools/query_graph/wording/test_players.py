"""Who plays an instrument, by the noun for it."""

from __future__ import annotations

import pytest

import triplewise
from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.ranker import reader_of

BAND = NetworkxStore(
    [
        ("The Gulls", "member", "Ann Lee"), ("The Gulls", "member", "Bo Ek"), ("The Terns", "member", "Cy Vane"),
        ("Ann Lee", "plays", '"drums"'), ("Bo Ek", "plays", '"vocals"'), ("Cy Vane", "plays", '"drums"'),
        ("Gull Song", "by", "The Gulls"), ("Gull Song", "format", '"10-inch"'), ("Gull Song", "price paid", '"4.50"'),
        ("Tern Song", "by", "The Terns"), ("Tern Song", "format", '"12-inch"'), ("Tern Song", "price paid", '"8.00"'),
        ("Tide", "by", "The Terns"), ("Tide", "format", '"12-inch"'), ("Tide", "price paid", '"19.00"'),
    ],
    types={
        **dict.fromkeys(("Ann Lee", "Bo Ek", "Cy Vane"), ("musician",)),
        **dict.fromkeys(("The Gulls", "The Terns"), ("band",)),
        **dict.fromkeys(("Gull Song", "Tern Song", "Tide"), ("record",)),
    },
    name="band",
)  # fmt: skip


@pytest.mark.parametrize(
    ("said", "worded"),
    [
        ("who's the drummer in the Gulls?", "who's the one who plays drums in the Gulls?"),
        ("Bo is a singer.", "Bo plays vocals."),
        ("which drummers are there?", "which those who plays drums are there?"),
        ("who's the pianist?", "who's the pianist?"),  # nobody here plays one
    ],
)
def test_a_noun_for_who_plays(said: str, worded: str) -> None:
    assert reader_of(BAND).wording.sentence(said) == worded


@pytest.mark.parametrize(
    ("asked", "answers"),
    [
        ("whos the drummer in the gulls", {"Ann Lee"}),
        ("Which drummers are there?", {"Ann Lee", "Cy Vane"}),
        ("anything i got for under a tenner?", {"Gull Song", "Tern Song"}),  # not only the 10-inch one
    ],
)
def test_a_band(asked: str, answers: set[str]) -> None:
    assert {a.label for a in triplewise.ask(BAND, asked, method="query-graph").answers} == answers


@pytest.mark.parametrize(
    ("claim", "verdict"), [("Ann Lee is a drummer.", "supported"), ("Bo Ek is a drummer.", "refuted")]
)
def test_claims_of_a_band(claim: str, verdict: str) -> None:
    assert triplewise.verify(BAND, claim, method="query-graph").verdict == verdict
