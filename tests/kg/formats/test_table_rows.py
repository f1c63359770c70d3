"""Tables whose first column repeats: each row a nameless node, what stays told of the thing, and what is warned of."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from triplewise.kg import KGStore, load_kg
from triplewise.kg.stores.importer import import_graph
from triplewise.kg.stores.oxigraph import OxigraphStore

JOBS = "Job No,Description,Hours\nJ1,Kitchen rewire,19\nJ2,Fuse box,4\nJ3,Porch light,2\n"
PARTS = "Part code,Part,Cost\nP1,Socket,3\nP2,Breaker,9\nP3,Cable,5\n"
USED = "Job No,Part code,Qty\nJ1,P1,10\nJ1,P2,3\nJ2,P2,1\n"
ORDERS = "Order No,Customer,Product,Qty\n1001,Bell,Shelf,2\n1001,Bell,Stool,4\n1002,Finch,Stool,1\n1002,Finch,Rack,5\n"


def graph(tmp_path: Path, **files: str) -> KGStore:
    path = tmp_path / "shop"
    path.mkdir()
    for stem, text in files.items():
        (path / f"{stem}.csv").write_text(text, encoding="utf-8")
    return load_kg(path if len(files) > 1 else path / f"{next(iter(files))}.csv")


def rows(kg: KGStore) -> list[dict[str, str]]:
    """What each nameless row tells, by relation, in names."""
    nodes = sorted(e for e in kg.entities() if e.startswith("_:"))
    return [{t.relation: kg.label(t.tail) for t in kg.triples(head=node)} for node in nodes]


def test_a_row_tells_which_quantity_is_of_which_part(tmp_path: Path) -> None:
    kg = graph(tmp_path, jobs=JOBS, parts=PARTS, parts_used=USED)
    assert rows(kg) == [
        {"Job No": "Kitchen rewire", "Part code": "Socket", "Qty": "10"},
        {"Job No": "Kitchen rewire", "Part code": "Breaker", "Qty": "3"},
        {"Job No": "Fuse box", "Part code": "Breaker", "Qty": "1"},
    ]
    assert {kg.relation_label(r) for r in ("Job No", "Part code")} == {"job", "part"}
    import_graph(tmp_path / "shop", tmp_path / "store")
    assert set(OxigraphStore(tmp_path / "store").triples()) == set(kg.triples())


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which parts were used on the kitchen rewire?", {"Socket", "Breaker"}),
        ("What quantity of breakers was used on the kitchen rewire?", {"3"}),
        ("Which jobs used breakers?", {"Kitchen rewire", "Fuse box"}),
    ],
)
def test_questions_cross_a_row_as_one_step(tmp_path: Path, question: str, answer: set[str]) -> None:
    from triplewise.tools.query_graph.ranker import Reader

    kg = graph(tmp_path, jobs=JOBS, parts=PARTS, parts_used=USED)
    assert {kg.label(a) for a in Reader(kg).rank(question).readings[0].draft.answers} == answer


def test_what_is_the_same_in_all_rows_of_a_thing_is_told_of_it(tmp_path: Path) -> None:
    kg = graph(tmp_path, orders=ORDERS)
    assert [t.tail for t in kg.triples("1001")] == ["Bell"] and kg.types("1001") == ("Order",)
    assert rows(kg)[1] == {"Order No": "1001", "Product": "Stool", "Qty": "4"}


def test_names_of_the_thing_stay_its_names(tmp_path: Path) -> None:
    text = "Student ID,Student name,Course,Mark\n" + "".join(
        f"S{n},{name},{course},{mark}\n"
        for n, name in enumerate(("Amina", "Ben", "Chloe"), 1)
        for course, mark in (("Maths", 60 + n), ("Music", 70 + n))
    )
    kg = graph(tmp_path, enrolments=text)
    assert [kg.label(f"S{n}") for n in (1, 2, 3)] == ["Amina", "Ben", "Chloe"]
    assert rows(kg)[0] == {"Student ID": "Amina", "Course": "Maths", "Mark": "61"}


def test_days_and_parts_played_are_no_things_of_the_table(tmp_path: Path) -> None:
    kg = graph(tmp_path, rota="Date,Who,Site,Hours\n03/02/2025,Mary,Docks,8\n03/02/2025,Joe,Market,6\n")
    assert rows(kg)[0] == {"Date": "2025-02-03", "Who": "Mary", "Site": "Docks", "Hours": "8"}
    assert not list(kg.triples("2025-02-03"))
    other = tmp_path / "league"
    other.mkdir()
    league = graph(other, results="Home,Away,Goals,Day\nTern,Gull,2,1\nTern,Kite,0,2\nGull,Kite,1,3\nGull,Tern,2,4\n")
    assert rows(league)[3] == {"Home": "Gull", "Away": "Tern", "Goals": "2", "Day": "4"}
    assert not league.types("Tern")


def test_plain_links_and_further_rows_of_a_thing_stay_as_they_are(tmp_path: Path) -> None:
    kg = graph(tmp_path, clubs="Name,Club\nAda,Chess\nAda,Drama\nBo,Chess\n", rooms="Name,Floor\nLab,2\n")
    assert {t.tail for t in kg.triples("Ada", "Club")} == {"Chess", "Drama"} and not rows(kg)
    staff = tmp_path / "staff.csv"
    staff.write_text("Name,Team,Phone,Boss\nMia,Sales,1,Jon\nMia,,2,\nJon,Sales,3,\n")
    assert {t.tail for t in load_kg(staff).triples("Mia")} == {"Sales", "1", "2", "Jon"}


def test_two_things_with_one_number_are_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    text = "Cust No,Name,Town\nC1,Ann,York\nC2,Bo,Bath\nC3,Cy,York\nC1,Di,Hull\nC4,Ed,Hull\n"
    with caplog.at_level(logging.WARNING):
        kg = graph(tmp_path, customers=text, payments="Cust No,Paid,On\nC1,3,2024\nC2,4,2025\nC3,7,2024\n")
    assert not rows(kg) and {t.tail for t in kg.triples("C1", "Town")} == {"York", "Hull"}
    (warning,) = caplog.messages
    assert "customers: rows with the same first cell are read as one thing" in warning
    assert '"C1" in lines 2, 5 (other Name, Town)' in warning
