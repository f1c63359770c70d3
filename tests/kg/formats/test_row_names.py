"""What rows are called that are told apart by ids: an address, a subject, the word for them; and what names none."""

from __future__ import annotations

from pathlib import Path

import pytest

from triplewise.kg import load_kg
from triplewise.types import Triple

LETTINGS = """Property ID,Address,Landlord,Beds,Next door
P001,12 Mill Lane,Ada Roe,2,14 Mill Lane
P002,14 Mill Lane,Bo Lund,3,
P003,1 High Street,Cy Marr,1,P001
"""


def labels(tmp_path: Path, text: str) -> list[str]:
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    kg = load_kg(tmp_path / "t.csv", format="table")
    return [kg.label(line.split(",")[0]) for line in text.splitlines()[1:]]


def test_an_address_names_the_rows(tmp_path: Path) -> None:
    assert labels(tmp_path, LETTINGS) == ["12 Mill Lane", "14 Mill Lane", "1 High Street"]
    kg = load_kg(tmp_path / "t.csv")
    assert kg.aliases("P001") == ("P001",) and kg.types("P001") == ("Property",)
    assert set(kg.triples(relation="Next door")) == {
        Triple("P001", "Next door", "P002"),
        Triple("P003", "Next door", "P001"),
    }
    assert not list(kg.triples(relation="Address")) and len(list(kg.triples(relation="Landlord"))) == 3


@pytest.mark.parametrize(
    "question", ["Who is the landlord of 12 Mill Lane?", "Who is the landlord of P001?"], ids=["name", "id"]
)
def test_rows_are_asked_of_by_name_and_by_id(tmp_path: Path, question: str) -> None:
    from triplewise.tools.query_graph.ranker import Reader

    (tmp_path / "t.csv").write_text(LETTINGS, encoding="utf-8")
    best = Reader(load_kg(tmp_path / "t.csv")).rank(question).readings[0]
    assert best.draft.answers == {"Ada Roe"}


@pytest.mark.parametrize(
    ("header", "place"),
    [
        ("ship_id,owner,ship,berths", 2),
        ("ship_id,owner,Ship name,berths", 2),
        ("Ship,owner,ship,berths", 2),
        ("id,status,subject,berths", 2),
        ("ticket no,agent,Subject,berths", 2),
        ("task_id,agent,Task description,berths", 2),
        ("id,city,mayor,berths", 1),
        ("ref,Product,maker,berths", 1),
        ("house nr,Full address,owner,berths", 1),
        ("house_id,owner,address,berths", 2),
        ("house_id,owner,Property address,berths", 2),
        ("id,Address,email,berths", 1),
        ("supplier_id,company,town,berths", 1),
        ("CustomerID,Company name,contact,berths", 1),
    ],
)
def test_the_header_tells_what_names_the_rows(tmp_path: Path, header: str, place: int) -> None:
    rows = [["A-1", "Löwe", "Tiger", "3"], ["A-2", "Panther", "Luchs", "2"], ["A-3", "Bär", "Wolf", "3"]]
    assert labels(tmp_path, _table(header, rows)) == [row[place] for row in rows]


@pytest.mark.parametrize(
    "header",
    [
        "id,landlord,email,berths",
        "order_id,customer,agent,berths",
        "order_id,customer,address,berths",
        "order_id,product,city,berths",
        "order_id,company,city,berths",
        "job_id,company,city,berths",
        "supplier_id,town,company,berths",
        "supplier_id,contact,type,berths",
        "id,owner,city,berths",
        "id,owner,email address,berths",
        "Laptop,maker,description,berths",
        "name,address,subject,berths",
        "Ship name,address,subject,berths",
    ],
)
def test_other_headers_name_nothing(tmp_path: Path, header: str) -> None:
    rows = [["A-1", "Löwe", "Tiger", "3"], ["A-2", "Panther", "Luchs", "2"], ["A-3", "Bär", "Wolf", "3"]]
    assert labels(tmp_path, _table(header, rows)) == ["A-1", "A-2", "A-3"]


@pytest.mark.parametrize(
    ("first", "names"),
    [
        (("A-1", "A-2", "A-3"), ("Löwe", "Löwe", "Tiger")),
        (("A-1", "A-2", "A-3"), ("Löwe", "", "Tiger")),
        (("A-1", "A-2", "A-3"), ("2020-01-01", "2021-01-01", "2022-01-01")),
        (("A-1", "A-2", "A-3"), ("01/03/2020", "1.5.2021", "12 Mar 2022")),
        (("A-1", "A-2", "A-3"), ("x" * 81, "Löwe", "Tiger")),
        (("A-1", "A-1", "A-3"), ("Panther", "Löwe", "Tiger")),
        (("A-1", "A-2"), ("Löwe", "Tiger")),
    ],
    ids=["not unique", "not filled", "dates", "local dates", "too long", "rows about the same thing", "two rows"],
)
def test_a_name_tells_each_row_apart(tmp_path: Path, first: tuple[str, ...], names: tuple[str, ...]) -> None:
    rows = [[a, b, "same", "3"] for a, b in zip(first, names, strict=True)]
    assert labels(tmp_path, _table("house_id,address,owner,berths", rows)) == list(first)


@pytest.mark.parametrize("first", [("Mill", "Lock", "Tower"), ("1996", "2000", "2004")])
def test_a_first_column_that_is_no_id_names_the_rows_itself(tmp_path: Path, first: tuple[str, ...]) -> None:
    rows = [[name, f"{name} Lane", "same", "3"] for name in first]
    assert labels(tmp_path, _table("House,address,owner,berths", rows)) == list(first)


def test_a_given_and_a_family_name_are_a_name(tmp_path: Path) -> None:
    rows = [["7", "Ada", "Roe", "8"], ["8", "Bo", "Roe", ""], ["9", "Cy", "Marr", "Ada Roe"]]
    assert labels(tmp_path, _table("staff_id,First name,Surname,Boss_id", rows)) == ["Ada Roe", "Bo Roe", "Cy Marr"]
    kg = load_kg(tmp_path / "t.csv")
    assert [t.tail for t in kg.triples(head="9", relation="Boss_id")] == ["7"]
    assert [t.tail for t in kg.triples(head="7", relation="Surname")] == ["Roe"]


def _table(header: str, rows: list[list[str]]) -> str:
    return "\n".join([header, *(",".join(row) for row in rows)]) + "\n"


MEMBERS = """Member No,Title,First Name,Surname,Town
1,Mrs,Ann,Lee,Hexham
2,Mr,Bob,Ray,Corbridge
3,Mr,Cal,Hume,Hexham
4,Dr,Ann,Lee,Wylam
5,Mrs,Dee,Fox,Wylam
"""


def test_a_title_of_persons_names_no_rows_and_two_may_be_namesakes(tmp_path: Path) -> None:
    assert labels(tmp_path, MEMBERS) == ["Ann Lee", "Bob Ray", "Cal Hume", "Ann Lee", "Dee Fox"]
    assert len(list(load_kg(tmp_path / "t.csv", format="table").triples(relation="Title"))) == 5


def test_names_may_stand_behind_other_columns(tmp_path: Path) -> None:
    table = "No,Joined,First Name,Surname\n1,2019,Ann,Lee\n2,2020,Bob,Ray\n3,2018,Cal,Hume\n"
    assert labels(tmp_path, table) == ["Ann Lee", "Bob Ray", "Cal Hume"]
    orders = "Order,Date,First Name,Surname\n" + "".join(f"{i},2024-01-0{i},Ann,Lee\n" for i in range(1, 6))
    assert labels(tmp_path, orders) == ["1", "2", "3", "4", "5"]


def test_a_title_of_films_names_the_rows(tmp_path: Path) -> None:
    assert labels(tmp_path, "id,title,year,by\n1,Alien,1979,A\n2,Heat,1995,B\n3,Kes,1969,C\n") == [
        "Alien",
        "Heat",
        "Kes",
    ]
