"""Which kinds of a graph surely are persons, and which surely are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from triplewise.kg import KGStore, NetworkxStore, load_kg
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.text.persons import Person, Persons

YARD = """\
Ann Holt\trdf:type\tdiver
Ann Holt\tborn in\t1990
Ben Roe\trdf:type\tcustomer
Nora Lind\trdf:type\tpatron
Open Water 2\trdf:type\tcourse
Open Water 2\ttaught by\tAnn Holt
Open Water 2\tbooked by\tBen Roe
Manta Queen\trdf:type\tboat
Manta Queen\tseats\t14
River Ouse\trdf:type\triver
River Ouse\tfeeds\tNorth Sea
Rex\trdf:type\tdog
Rex\tborn in\t2019
"""


@pytest.fixture(scope="module")
def kg(tmp_path_factory: pytest.TempPathFactory) -> KGStore:
    path: Path = tmp_path_factory.mktemp("yard") / "yard.tsv"
    path.write_text(YARD, encoding="utf-8")
    return load_kg(path)


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        ("Ann Holt", "person"),  # by what is told of it
        ("Ben Roe", "person"),  # by its kind's word
        ("Nora Lind", "person"),
        ("Open Water 2", "thing"),  # "taught by" is told of courses too
        ("Manta Queen", "thing"),
        ("River Ouse", ""),  # called as people are, and ends as their roles do
        ("Rex", ""),  # animals are he and she as well
        ("1990", "thing"),
    ],
)
def test_who_is_a_person(kg: KGStore, node: str, expected: Person) -> None:
    node = next((n for n in kg.entities() if kg.label(n) == node), node)
    assert Persons(SchemaView(kg)).sure(node) == expected


def test_names_that_a_graph_writes_small_are_those_of_persons() -> None:
    told = [(who, "is a", "crew member") for who in ("mika", "wee ben", "ola")]
    told += [("mika", "job", "barista"), ("wee ben", "job", "student"), ("saturn", "is a", "planet")]
    persons = Persons(SchemaView(NetworkxStore(told)))
    assert persons.holds("mika") and persons.holds("wee ben") and not persons.holds("saturn")
