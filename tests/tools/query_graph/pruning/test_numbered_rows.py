"""Rows that are called by their class and a number, which tie what is asked for: sightings of birds at places."""

from __future__ import annotations

import pytest

import triplewise
from triplewise.kg import KGStore, NetworkxStore

_SEEN = (("101", "Avocet", "Gull Point", "Marek Dvorak", "2024-05-04", 12), ("102", "Osprey", "Cold Marsh", "Priya Nair", "2024-06-02", 1),
         ("103", "Marsh Harrier", "Gull Point", "Priya Nair", "2024-05-11", 2))  # fmt: skip


@pytest.fixture(scope="module")
def log() -> KGStore:
    triples: list[tuple[str, str, str]] = []
    for number, bird, site, who, day, many in _SEEN:
        row = f"Sighting {number}"
        triples += [(row, "is a", "sighting"), (row, "bird", bird), (row, "site", site), (row, "seen by", who)]
        triples += [(row, "date", f'"{day}"'), (row, "how many", f'"{many}"')]
        triples += [(bird, "is a", "species"), (site, "is a", "site"), (who, "is a", "member")]
    return NetworkxStore(triples, type_relations=["is a"])


@pytest.mark.parametrize(
    ("asked", "answers"),
    [
        ("Which birds were seen in May 2024?", {"Avocet", "Marsh Harrier"}),
        ("where did the avocets turn up in 2024?", {"Gull Point"}),
        ("Where was the Osprey seen?", {"Cold Marsh"}),
        ("Which sightings were in June 2024?", {"Sighting 102"}),
    ],
)
def test_what_numbered_rows_tie(log: KGStore, asked: str, answers: set[str]) -> None:
    assert {a.label for a in triplewise.ask(log, asked, method="query-graph").answers} == answers


TREE = NetworkxStore(
    [
        ("Peder Lund", "son of", "Ole Lund"), ("Ole Lund", "died in", "Duluth"), ("Anna Lund", "daughter of", "Ole Lund"),
        ("Anna Lund", "died in", "Hull"), ("Peder Lund", "died on", '"1905-11-28"'), ("Anna Lund", "died on", '"1950-01-02"'),
        ("Ole Lund", "died on", '"1900-01-02"'), ("Peder Lund", "cause of death", '"drowned"'),
        ("Anna Lund", "ever married", '"no"'), ("Peder Lund", "job", '"deckhand"'), ("Anna Lund", "job", '"nurse"'),
    ]
)  # fmt: skip


def test_how_somebody_died_is_no_day() -> None:
    result = triplewise.ask(TREE, "How did Peder Lund die?", method="query-graph")
    assert [a.label for a in result.answers] == ["drowned"]


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Peder Lund died in Duluth.", "not_enough_evidence"),  # his father did
        ("Peder Lund's father died in Duluth.", "supported"),
        ("Anna Lund ever married.", "refuted"),  # no yes stands anywhere in the graph
    ],
)
def test_what_is_said_of_a_person_is_not_told_by_a_relative(claim: str, verdict: str) -> None:
    assert triplewise.verify(TREE, claim, method="query-graph").verdict == verdict
