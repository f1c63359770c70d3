"""Rows of which no class is told: loans "L-001" beside repairs "R-001", tenancies and sessions by names of their own."""

from __future__ import annotations

import pytest

import triplewise
from triplewise.kg import KGStore, NetworkxStore
from triplewise.tools.query_graph.ranker import reader_of
from triplewise.tools.query_graph.schema_view import SchemaView

_LENT = (("Drill", "Ann Doyle", "2024-03-02", "2024-03-09"), ("Mixer", "Cal Hume", "2024-04-01", "2024-04-03"),
         ("Sander", "Ann Doyle", "2024-08-05", ""), ("Ladder", "Bo Lind", "2024-08-20", "2024-08-24"),
         ("Mixer", "Bo Lind", "2024-09-01", ""))  # fmt: skip
_MENDED = (("Drill", "Askew", "£15"), ("Mixer", "Askew", "£40"), ("Ladder", "Wilf", "£5"))
_LET = (("1", "Ann Doyle", "£600", "2019-02-01"), ("2", "Cal Hume", "£650", "2021-05-01"),
        ("3", "Bo Lind", "£580", "2022-06-01"), ("3", "Ida Lind", "", ""), ("4", "Eve Moss", "£570", "2018-01-01"),
        ("5", "Finn Orr", "£560", "2018-02-01"), ("6", "Gil Pye", "£550", "2018-03-01"))  # fmt: skip
_LESSONS = (("Ann Doyle", "Falcon"), ("Cal Hume", "Heron"), ("Ann Doyle", "Heron"))
_SESSIONS = (("Ann's", "Ann Doyle", "45 min"), ("Cal's", "Cal Hume", "90 min"), ("Bo's", "Bo Lind", "60 min"))


def _street() -> KGStore:
    triples: list[tuple[str, str, str]] = []
    for number, (thing, who, lent, back) in enumerate(_LENT, 1):
        row = f"L-{number:03}"
        triples += [(row, "item", thing), (row, "borrower", who), (row, "lent_on", f'"{lent}"')]
        triples += [(row, "returned_on", f'"{back}"')] if back else []
    for number, (thing, who, cost) in enumerate(_MENDED, 1):
        row = f"R-{number:03}"
        triples += [(row, "item", thing), (row, "repaired_by", who), (row, "cost", f'"{cost}"')]
    triples += [("R-001", "after_loan", "L-001"), ("R-002", "after_loan", "L-002")]
    for thing, price in (("Drill", "£90"), ("Mixer", "£240"), ("Sander", "£55"), ("Ladder", "£70")):
        triples += [(thing, "worth", f'"{price}"'), (thing, "kept_in", "Shed")]
    people = ("Ann Doyle", "Bo Lind", "Cal Hume")
    return NetworkxStore([*triples, *((who, "lives_at", f"{n} Plum Lane") for n, who in enumerate(people, 1))])


def _flats() -> KGStore:
    triples: list[tuple[str, str, str]] = []
    for number, who, rent, since in _LET:
        row = f"tenancy {number}"
        triples += [(row, "tenant", who), (row, "flat", f"Alma {number}")]
        triples += [(row, "monthly rent", f'"{rent}"'), (row, "moved in", f'"{since}"')] if rent else []
        triples += [(who, "works as", "clerk"), (who, "born on", f'"198{number}-01-01"')]
    triples += [(f"Alma {n}", "part of", "Alma Road") for n in (1, 2, 3, 4, 5, 6)]
    return NetworkxStore(dict.fromkeys(triples))


def _stable() -> KGStore:
    triples = [(who, "role", "rider") for who in ("Ann Doyle", "Bo Lind", "Cal Hume")]
    triples += [("Lotte Visser", "role", "instructor")]
    for number, (who, horse) in enumerate(_LESSONS, 1):
        row = f"lesson_{number}"
        triples += [(row, "rider", who), (row, "on_horse", horse), (row, "taught_by", "Lotte Visser")]
        triples += [(row, "on_date", f'"2024-02-0{number}"')]
    for name, who, long in _SESSIONS:
        row = f"{name} test"
        triples += [(row, "taken by", who), (row, "at", "Hall"), (row, "lasted", f'"{long}"')]
        triples += [(row, "was on", f'"2024-03-0{len(long)}"')]
    triples += [(who, "is a", "member") for who in ("Ann Doyle", "Bo Lind", "Cal Hume", "Dora Lunt", "Eve Moss")]
    return NetworkxStore(triples, type_relations=["is a"])


STREET, FLATS, STABLE = _street(), _flats(), _stable()


@pytest.mark.parametrize(
    ("kg", "asked", "answers"),
    [
        (STREET, "what have we lent out since the 1st of August 2024?", {"Sander", "Ladder", "Mixer"}),
        (STREET, "who borrowed the mixer in loan 5?", {"Bo Lind"}),
        (STREET, "what did repair 2 cost?", {"£40"}),
        (FLATS, "who's moved in since the start of 2021?", {"Cal Hume", "Bo Lind", "Ida Lind"}),
        (FLATS, "of the ones living with us now, who pays the most rent?", {"Cal Hume"}),
        (STABLE, "which of our riders hasn't had a single lesson yet?", {"Bo Lind"}),
        (STABLE, "who was on lesson 2?", {"Cal Hume"}),
        (STABLE, "which members have never taken a test?", {"Dora Lunt", "Eve Moss"}),
        (STREET, "what's still out, not been brought back yet?", {"Sander", "Mixer"}),
    ],
)
def test_what_is_asked_of_rows(kg: KGStore, asked: str, answers: set[str]) -> None:
    assert {a.label for a in triplewise.ask(kg, asked, method="query-graph").answers} == answers


def test_rows_of_two_tables_are_two_kinds() -> None:
    schema = SchemaView(STREET)
    assert schema.kinds("L-001") == schema.kinds("L-005") != schema.kinds("R-001") == schema.kinds("R-003")
    flats = SchemaView(FLATS)
    assert len(flats.members(*flats.kinds("tenancy 1"))) == 6


@pytest.mark.parametrize(
    ("kg", "asked", "row"),
    [
        (STREET, "what did repair 2 cost?", "R-002"),
        (STREET, "who had loan 5?", "L-005"),
        (STREET, "what did the last 2 repairs cost?", ""),
        (STREET, "what did 2 repairs cost?", ""),
        (STREET, "who repaired 2 things?", ""),
        (STREET, "which 3 things were lent 2 times?", ""),
        (STREET, "what did repair 9 cost?", ""),  # there is none
        (STABLE, "who was on lesson 2?", "lesson_2"),
        (STABLE, "who had a lesson?", ""),
        (FLATS, "who has tenancy 02?", "tenancy 2"),
    ],
)
def test_a_code_is_said_by_its_word_and_number(kg: KGStore, asked: str, row: str) -> None:
    rows = [x.node for x in reader_of(kg).generator.read(asked).links if x.node[-1].isdigit() and x.node[0] in "LRlt"]
    assert rows[:1] == ([row] if row else [])
