"""The nearest of those that come later, or earlier."""

from __future__ import annotations

import pytest

import triplewise
from triplewise.kg import NetworkxStore

_STARTED = (("Marta", "2015"), ("Owen", "2016"), ("Helen", "2017"), ("Carmen", "2019"))
STAFF = NetworkxStore(
    [(f"{one} Lind", "started on", f'"{year}-03-01"') for one, year in _STARTED],
    types={f"{one} Lind": ["Person"] for one, _ in _STARTED},
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who was the next to start after Marta Lind?", "Owen Lind"),
        ("who started right after Owen Lind?", "Helen Lind"),
        ("Who started just before Carmen Lind?", "Helen Lind"),
    ],
)
def test_the_next_one(question: str, answer: str) -> None:
    assert [a.label for a in triplewise.ask(STAFF, question, method="query-graph").answers] == [answer]


@pytest.mark.parametrize("question", ["who started right after Carmen Lind?", "Who started just before Marta Lind?"])
def test_nothing_is_next_to_the_last(question: str) -> None:
    assert not triplewise.ask(STAFF, question, method="query-graph").answers


def test_all_that_come_later() -> None:
    found = triplewise.ask(STAFF, "Who started after Owen Lind?", method="query-graph")
    assert {a.label for a in found.answers} == {"Helen Lind", "Carmen Lind"}
