"""What is written as a name is what is asked about, by the way that the graph tells; and the year of a day without."""

from __future__ import annotations

import pytest

import triplewise
from triplewise.kg import KGStore, NetworkxStore

_HOUSES = (("1", "Alma Road", "Otley"), ("2", "Alma Road", "Otley"), ("A", "Quarry Street", "Skipton"),
           ("B", "Quarry Street", "Skipton"))  # fmt: skip


def _houses() -> KGStore:
    triples: list[tuple[str, str, str]] = []
    for number, (flat, house, town) in enumerate(_HOUSES):
        name, who = f"{house.split()[0]} {flat}", ("Olive Tetley", "Ben Orr", "Marta Zielinska", "Priya Nair")[number]
        triples += [(name, "part of", house), (house, "town", town), (who, "lives in", name), (name, "floor", "ground")]
        triples += [
            (f"{name} boiler", "heats", name),
            (f"{name} boiler", "make", ("Baxi", "Ideal", "Vaillant", "Baxi")[number]),
        ]
        triples += [(who, "born on", f'"{1950 + 9 * number}-03-0{number + 1}"')]
        triples += [
            (f"job {number}", "done by", ("Maureen Clegg", "Pete Ormerod")[number % 2]),
            (f"job {number}", "at", name),
        ]
        triples += [
            (f"job {number}", "cost", f'"£{100 + number}"'),
            (f"job {number}", "done on", f'"2024-1{number % 3}-12"'),
        ]
    triples += [(house, "price paid", f'"£{price}"') for house, price in (("Alma Road", 9000), ("Quarry Street", 8000))]
    return NetworkxStore(dict.fromkeys(triples))


HOUSES = _houses()


@pytest.mark.parametrize(
    ("asked", "answers"),
    [
        ("which town is Olive in?", {"Otley"}),  # a flat has no town, its house has
        ("how much have we paid Maureen altogether?", {"£202"}),  # not all that was ever paid
        ("which jobs were done after 11 November?", {"job 1", "job 2"}),  # births lie in other years
    ],
)
def test_what_is_told(asked: str, answers: set[str]) -> None:
    assert {a.label for a in triplewise.ask(HOUSES, asked, method="query-graph").answers} == answers


def test_the_boiler_of_somebody_is_not_the_one_that_is_called_so_in_part() -> None:
    answers = {
        a.label for a in triplewise.ask(HOUSES, "what make of boiler has Marta got?", method="query-graph").answers
    }
    assert answers <= {"Vaillant"}
