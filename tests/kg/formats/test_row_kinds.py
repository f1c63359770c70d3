"""What rows are by a header and a file's name, and the names that such rows have."""

from __future__ import annotations

from pathlib import Path

import pytest

from triplewise.kg import load_kg

ROWS = "A1,Löwe,Ufer,3\nA2,Tiger,Wald,2\nA3,Bär,Ufer,1\nA4,Tiger,Wald,5\n"


@pytest.mark.parametrize(
    ("stem", "header", "kind"),
    [
        ("customers", "Cust No", "customer"),
        ("customers", "Cust. No.", "customer"),
        ("engineers", "Eng ID", "engineer"),
        ("members", "Mbr No", "member"),
        ("vans", "Reg", "van"),
        ("vans", "Van Reg", "Van"),
        ("cases", "ref", "case"),
        ("staff", "Case ref", "Case"),
        ("members", "First name", "member"),
        ("fleet", "Ship name", "Ship"),
        ("fleet", "Reg", ""),
        ("jobs", "Job No", "Job"),
    ],
)
def test_a_header_names_the_rows_or_the_file_does(tmp_path: Path, stem: str, header: str, kind: str) -> None:
    path = tmp_path / f"{stem}.csv"
    path.write_text(f"{header},Colour,Town,Age\n{ROWS}", encoding="utf-8")
    assert load_kg(path).types("A1") == ((kind,) if kind else ())


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ("Cust No,Customer Name,Town,Age", ["Löwe", "Tiger", "Bär", "Tiger"]),  # two of four are namesakes
        ("Cust No,Customer,Town,Age", ["A1", "A2", "A3", "A4"]),
        ("id,Name,Town,Age", ["Löwe", "Tiger", "Bär", "Tiger"]),
    ],
)
def test_a_column_that_is_called_as_the_file_names_its_rows(tmp_path: Path, header: str, names: list[str]) -> None:
    path = tmp_path / "customers.csv"
    path.write_text(f"{header}\n{ROWS}", encoding="utf-8")
    kg = load_kg(path)
    assert [kg.label(f"A{n}") for n in (1, 2, 3, 4)] == names


def test_some_names_may_read_as_numbers(tmp_path: Path) -> None:
    path = tmp_path / "parts.csv"
    path.write_text("id,Part,Town,Cost\nP1,6 eggs,Ufer,3\nP2,Butter,Wald,2\nP3,Flour,Ufer,1\n", encoding="utf-8")
    kg = load_kg(path)
    assert [kg.label(f"P{n}") for n in (1, 2, 3)] == ["6 eggs", "Butter", "Flour"]


def test_a_short_header_means_the_same_things_in_each_file(tmp_path: Path) -> None:
    (tmp_path / "customers.csv").write_text("Cust No,Name,Town\n1,Ann,York\n2,Bo,Bath\n", encoding="utf-8")
    (tmp_path / "phones.csv").write_text("Cust No,Phone,Kind\n1,77,home\n2,78,work\n", encoding="utf-8")
    kg = load_kg(tmp_path)
    assert {t.relation for t in kg.triples("customer 1")} == {"Town", "Phone", "Kind"}
