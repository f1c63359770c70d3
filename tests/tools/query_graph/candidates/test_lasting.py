"""What lasted the longest, by the days on which it began and ended."""

from __future__ import annotations

import pytest

from triplewise.kg import KGStore, NetworkxStore
from triplewise.kg.query import execute
from triplewise.tools.query_graph.ranker import reader_of

_STAYS = (
    ("Ann Bell", "Gannet", "2024-03-29", "2024-04-02"), ("Raj Patel", "Tern", "2024-05-04", "2024-05-18"),
    ("Lou Finch", "Gannet", "2024-06-01", "2024-06-03"), ("Ann Bell", "Tern", "2024-07-01", "2024-07-09"),
)  # fmt: skip
_TRIPS = (("Spring trip", "2024-04-01", "2024-04-10", "12"), ("Dash", "2024-05-01", "2024-05-03", "52"))


def _house() -> KGStore:
    triples: list[tuple[str, str, str]] = []
    for number, (guest, room, arrived, left) in enumerate(_STAYS, 1):
        row = f"stay {number}"
        triples += [(row, "guest", guest), (row, "room", room)]
        triples += [(row, "arrived", f'"{arrived}"'), (row, "left", f'"{left}"')]
    for trip, started, ended, miles in _TRIPS:
        triples += [(trip, "is a", "trip"), (trip, "started on", f'"{started}"'), (trip, "ended on", f'"{ended}"')]
        triples.append((trip, "miles", f'"{miles}"'))
    return NetworkxStore(triples)


HOUSE = _house()


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Who stayed the longest?", {"Raj Patel"}),
        ("which guest had the shortest stay?", {"Lou Finch"}),
        ("Which stay was the longest?", {"stay 2"}),
        ("who's stayed the longest in Gannet?", {"Ann Bell"}),
        ("Which trip took the longest?", {"Spring trip"}),
        ("of all the stays we had, which was the shortest?", {"stay 3"}),
    ],
)
def test_by_the_days_between(question: str, answers: set[str]) -> None:
    first = reader_of(HOUSE).rank(question).readings[0].draft
    assert first.order_since is not None and first.answers == answers
    (found,) = execute(HOUSE, first.query()).found
    assert found.id in answers and {t.relation for t in found.proof} >= {r for _, r, _ in first.rows if r != "rdf:type"}


def test_days_without_a_word_for_beginning_are_in_turn() -> None:
    days = (("repair 1", "2024-01-03", "2024-01-05"), ("repair 2", "2024-02-01", "2024-03-09"))
    triples = [
        t for row, given, got in days for t in ((row, "worked on", f'"{got}"'), (row, "handed over", f'"{given}"'))
    ]
    store = NetworkxStore(triples, types={row: ["repair"] for row, _, _ in days})
    first = reader_of(store).rank("Which repair took longest?").readings[0].draft
    assert first.answers == {"repair 2"} and [r for _, r, _ in first.rows[-2:]] == ["handed over", "worked on"]


def test_a_word_that_the_graph_has_not_calls_the_rows() -> None:
    jobs = (("kitchen unit", "2 July 2022", "30 July 2022"), ("new sills", "2 April 2022", "10 April 2022"))
    kg = NetworkxStore([t for job, a, b in jobs for t in ((job, "started", f'"{a}"'), (job, "finished", f'"{b}"'))])
    first = reader_of(kg).rank("Which job dragged on the longest from start to finish?").readings[0].draft
    assert first.answers == {"kitchen unit"} and first.order_since is not None


@pytest.mark.parametrize(
    "question", ["What was our longest trip by miles?", "Which room has the longest bed?", "Who arrived last?"]
)
def test_other_lengths_are_no_time(question: str) -> None:
    assert all(r.draft.order_since is None for r in reader_of(HOUSE).rank(question).readings)
