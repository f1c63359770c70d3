"""What is open where a graph tells only how things end; hires that are not over; what is said to be paid."""

from __future__ import annotations

import pytest

import triplewise
from triplewise.kg import KGStore, NetworkxStore

_BUGS = (("BUG-1", "Moth", "1.2"), ("BUG-2", "Moth", ""), ("BUG-3", "Moth", ""), ("BUG-4", "Fern", ""))
_HIRES = (
    ("HIRE-1", "red cello", "Ann Holt", "2024-01-08", "2024-06-01", "2024-02-01"),
    ("HIRE-2", "small violin", "Ben Roe", "2024-02-11", "", "2024-03-01"),
    ("HIRE-3", "old viola", "Ann Holt", "2024-03-05", "", ""),
)


@pytest.fixture(scope="module")
def studio() -> KGStore:
    told = [(bug, "bug in", game) for bug, game, _ in _BUGS] + [(b, "fixed in", v) for b, _, v in _BUGS if v]
    told += [(bug, "is a", "bug") for bug, *_ in _BUGS] + [(game, "is a", "game") for game in ("Moth", "Fern")]
    return NetworkxStore(told, name="studio")


@pytest.fixture(scope="module")
def workshop() -> KGStore:
    told: list[tuple[str, str, str]] = []
    for hire, thing, who, start, end, paid in _HIRES:
        told += [(hire, "is a", "hire"), (hire, "hire of", thing), (hire, "hired by", who), (hire, "hire start", start)]
        told += [(hire, "hire end", end)] if end else []
        told += [(hire, "paid on", paid)] if paid else []
        told += [(thing, "is a", "instrument"), (who, "is a", "customer")]
    return NetworkxStore(told, name="workshop")


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("open bugs in Moth?", {"BUG-2", "BUG-3"}),
        ("which bugs in Moth are still open?", {"BUG-2", "BUG-3"}),
        ("how many open bugs are there?", {"3"}),
    ],
)
def test_what_is_not_fixed_is_open(studio: KGStore, question: str, answers: set[str]) -> None:
    assert {a.label for a in triplewise.ask(studio, question, model="llamacpp:embedded").answers} == answers


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("which instruments are out on hire at the moment?", {"small violin", "old viola"}),
        ("what has Ann Holt got on hire?", {"old viola"}),
        ("when did Ben Roe hire the small violin?", {"2024-02-11"}),
        ("which hires has Ann Holt paid for?", {"HIRE-1"}),
    ],
)
def test_a_hire_without_an_end_is_not_over(workshop: KGStore, question: str, answers: set[str]) -> None:
    assert {a.label for a in triplewise.ask(workshop, question, model="llamacpp:embedded").answers} == answers
