"""Cells as spreadsheets show them: dates, numbers, yes and no of local forms, empty cells, and what is left as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from triplewise.kg import load_kg
from triplewise.kg.formats.cells.dates import iso_date
from triplewise.kg.formats.cells.numbers import plain_number
from triplewise.kg.values import parse_value

LETTINGS = """House;Tenant;From;Rent;Size;Furnished;Phone;Postcode
Mill Cottage;Ada Roe;01/03/2023;1.150,00 €;89,5 m²;Y;555 123 456;01234
Lock House;Bo Lund;15/09/2021;950,00 €;61 m²;N;555 987 654;04109
Tower;-;02/11/2022;n/a;102,25 m²;Y;555 456 789;99084
"""


def column(tmp_path: Path, *cells: str, header: str = "Value", beside: dict[str, list[str]] | None = None) -> list[str]:
    """What the cells of a column are loaded as, "" for nothing, in a table with the columns ``beside`` it."""
    columns = {"Thing": [f"row {i}" for i in range(len(cells))], header: cells, "Extra": ["same"] * len(cells)}
    columns |= beside or {}
    lines = [list(columns), *zip(*columns.values(), strict=True)]
    (tmp_path / "t.csv").write_text("\n".join("\t".join(line) for line in lines) + "\n", encoding="utf-8")
    kg = load_kg(tmp_path / "t.csv", format="table")
    tails = ([kg.label(t.tail) for t in kg.triples(head=row, relation=header)] for row in columns["Thing"])
    return ["".join(tail) for tail in tails]


def test_a_spreadsheet_is_read_as_it_is_meant(tmp_path: Path) -> None:
    (tmp_path / "lettings.csv").write_text(LETTINGS, encoding="utf-8")
    kg = load_kg(tmp_path / "lettings.csv")
    told = {(t.relation, kg.label(t.tail)) for t in kg.triples(head="Mill Cottage")}
    assert told == {
        ("Tenant", "Ada Roe"),
        ("From", "2023-03-01"),
        ("Rent", "1,150.00 €"),
        ("Size", "89.5 m²"),
        ("Furnished", "yes"),
        ("Phone", "555 123 456"),
        ("Postcode", "01234"),
    }
    assert {t.relation for t in kg.triples(head="Tower")} == {"From", "Size", "Furnished", "Phone", "Postcode"}


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which house has the latest from?", {"Mill Cottage"}),
        ("Which house has the highest rent?", {"Mill Cottage"}),
        ("Which house has the largest size?", {"Tower"}),
    ],
)
def test_questions_of_local_dates_and_numbers_are_answered(tmp_path: Path, question: str, answers: set[str]) -> None:
    from triplewise.tools.query_graph.ranker import Reader

    (tmp_path / "lettings.csv").write_text(LETTINGS, encoding="utf-8")
    best = Reader(load_kg(tmp_path / "lettings.csv")).rank(question).readings[0]
    assert best.draft.answers == answers


@pytest.mark.parametrize(
    ("cell", "iso"),
    [
        ("01/03/2023", "2023-03-01"),
        ("1.3.2023", "2023-03-01"),
        ("1-3-2023", "2023-03-01"),
        ("01/03/23", "2023-03-01"),
        ("01.03.45", "1945-03-01"),
        ("2023/03/01", "2023-03-01"),
        ("2023.3.1", "2023-03-01"),
        ("12 Mar 2023", "2023-03-12"),
        ("12-Mar-23", "2023-03-12"),
        ("12th of March 2023", "2023-03-12"),
        ("Sun, 12 Mar 2023", "2023-03-12"),
        ("March 12, 2023", "2023-03-12"),
        ("12. März 2023", "2023-03-12"),
        ("March 2023", "2023-03"),
        ("Mar-23", "2023-03"),
        ("01/03/2023 14:30", "2023-03-01T14:30"),
        ("01/03/2023 9:05 pm", "2023-03-01T21:05"),
        ("01/03/2023 00:00:00", "2023-03-01"),
        ("31/02/2023", None),
        ("13/13/2023", None),
        ("0/1/2023", None),
        ("1/2/0000", None),
        ("1.2.3", None),
        ("1.10.15", None),
        ("10/2023", "2023-10"),
        ("May", None),
        ("12 Mar", None),
        ("2023", None),
        ("", None),
    ],
)
def test_iso_dates(cell: str, iso: str | None) -> None:
    assert iso_date(cell) == iso
    assert iso is None or parse_value(iso).kind == "date"


def test_the_order_of_day_and_month_is_told_by_the_column(tmp_path: Path) -> None:
    assert column(tmp_path, "01/03/2023", "02/14/2023") == ["2023-01-03", "2023-02-14"]
    assert column(tmp_path, "01/03/2023", "14/02/2023") == ["2023-03-01", "2023-02-14"]
    assert column(tmp_path, "01/03/2023", "") == ["2023-03-01", ""]


def test_or_by_another_column_but_points_have_the_day_first(tmp_path: Path) -> None:
    told = {"Sold": ["02/14/2023", "03/01/2023"]}
    assert column(tmp_path, "01/03/2023", "01/04/2023", beside=told) == ["2023-01-03", "2023-01-04"]
    assert column(tmp_path, "01.03.2023", "01.04.2023", beside=told) == ["2023-03-01", "2023-04-01"]
    both = told | {"Seen": ["14/02/2023", "01/03/2023"]}
    assert column(tmp_path, "01/03/2023", "01/04/2023", beside=both) == ["2023-03-01", "2023-04-01"]


def test_years_among_dates_stay_and_dates_may_have_several_forms(tmp_path: Path) -> None:
    cells = ("March 2023", "2022", "12 May 2021", "2020-01-31", "2019-05")
    assert column(tmp_path, *cells) == ["2023-03", "2022", "2021-05-12", "2020-01-31", "2019-05"]
    mixed = [*("spring 1870" for _ in range(3)), "22 May 1872", "1874"]  # a column of texts keeps its spelling
    assert column(tmp_path, *mixed) == mixed
    assert column(tmp_path, "about 1870", "22 May 1872", "c. 1874") == ["about 1870", "1872-05-22", "c. 1874"]


@pytest.mark.parametrize(
    ("cell", "comma", "plain"),
    [
        ("1.150,00 €", True, "1,150.00 €"),
        ("89,90", True, "89.90"),
        ("2,5 kg", True, "2.5 kg"),
        ("-12,5 %", True, "-12.5 %"),
        ("1,5 Mio. €", True, "1.5 Mio. €"),
        ("€ 1.150,-", True, "€1,150"),
        ("1.150", True, "1,150"),
        ("1 250", False, "1,250"),
        ("1\u00a0250\u202fkg", False, "1,250\u202fkg"),
        ("1\u202f250\u00a0kg", False, "1,250\u00a0kg"),
        ("CHF 1'250.50", False, "1,250.50 CHF"),
        ("GBP 45", False, "45 GBP"),
        ("EUR45", False, "45 EUR"),
        ("−5 °C", False, "-5 °C"),
        ("−5", False, "-5"),
        ("£−5.20", False, "-£5.20"),
        ("£1,150 pcm", False, "£1,150 pcm"),
        ("£1.2m", False, "£1.2m"),
        ("1,450,000", False, "1,450,000"),
        ("1.150", False, "1.150"),
        ("1,15,000", False, None),
        ("007", True, None),
        ("+44 555 123", False, None),
        ("HRK 418", False, None),
        ("12,50", False, None),
        ("1,2,3", True, None),
        ("12 High Street", True, None),
        ("10-12", True, None),
        ("", True, None),
    ],
)
def test_plain_numbers(cell: str, comma: bool, plain: str | None) -> None:
    assert plain_number(cell, comma=comma) == plain


def test_the_mark_before_decimals_is_told_by_the_column_then_by_the_others(tmp_path: Path) -> None:
    assert column(tmp_path, "12,50", "1.150") == ["12.50", "1,150"]
    assert column(tmp_path, "12.50", "1,150") == ["12.50", "1,150"]
    assert column(tmp_path, "2.500", "1.150") == ["2.500", "1.150"]
    assert column(tmp_path, "2.500", "1.150", beside={"Price": ["89,90", "5,10"]}) == ["2,500", "1,150"]
    assert column(tmp_path, "2.500", "1.150", beside={"Price": ["89.90", "5.10"]}) == ["2.500", "1.150"]


def test_one_cell_in_ten_may_be_of_another_kind(tmp_path: Path) -> None:
    numbers = [f"{i},5" for i in range(9)]
    assert column(tmp_path, *numbers, "on request")[-2:] == ["8.5", "on request"]
    assert column(tmp_path, *numbers[1:], "on request") == [*numbers[1:], "on request"]
    dates = [f"{i}/1/2020" for i in range(1, 9)]
    assert column(tmp_path, *dates, "unknown", "some day") == [*dates, "unknown", "some day"]
    assert column(tmp_path, *dates, "unknown")[-2:] == ["2020-01-08", "unknown"]  # all but one of a few


@pytest.mark.parametrize(
    ("cells", "loaded"),
    [
        (("Y", "N", "y"), ["yes", "no", "yes"]),
        (("ja", "Nein", "-"), ["yes", "no", ""]),
        (("x", "", "X"), ["yes", "", "yes"]),
        (("✓", "", "✓"), ["yes", "", "yes"]),
        (("TRUE", "Yes", "no"), ["TRUE", "Yes", "no"]),
        (("N", "N", "N"), ["N", "N", "N"]),
        (("N", "S", "Y"), ["N", "S", "Y"]),
        (("x", "x", "x"), ["x", "x", "x"]),
    ],
)
def test_yes_and_no(tmp_path: Path, cells: tuple[str, ...], loaded: list[str]) -> None:
    assert column(tmp_path, *cells) == loaded


def test_cells_that_say_nothing_are_empty(tmp_path: Path) -> None:
    cells = ("n/a", "N/A", "-", "–", "?", "NULL", "nan", "Berlin", "none", "Nan", "NA")
    assert column(tmp_path, *cells) == [*[""] * 7, "Berlin", "none", "Nan", "NA"]
    assert column(tmp_path, "+", "-", "+") == ["+", "-", "+"]
    kg = load_kg(_written(tmp_path, "id,name,home,size\n1,n/a,Ufer,3\n2,Löwe,Wald,2\n"))
    assert kg.label("1") == "1" and kg.label("2") == "Löwe"


@pytest.mark.parametrize(
    "header",
    [
        "Phone",
        "Phone (home)",
        "Tel.",
        "postcode",
        "ZIP code",
        "order_id",
        "orderNo",
        "Ref",
        "Vehicle number",
        "version",
    ],
)
def test_columns_headed_as_codes_are_not_altered(tmp_path: Path, header: str) -> None:
    assert column(tmp_path, "1 250", "12,50", "01/03/2023", header=header) == ["1 250", "12,50", "01/03/2023"]


@pytest.mark.parametrize(
    "cells",
    [
        ("01234", "00567", "12345"),
        ("555 123", "555 456", "555 789"),
        ("+44 555 123", "+44 555 456", "+44 20 7946"),
        ("1.2.3", "1.10.15", "2.0.1"),
        ("192.168.1.10", "10.0.0.1", "10.0.0.2"),
        ("A-1", "B-2", "C-3"),
        ("12 Mill Lane", "14 Mill Lane", "1 High Street"),
        ("May", "April", "June"),
        ("2-1", "3-2", "0-0"),
    ],
)
def test_what_is_neither_date_nor_amount_is_not_altered(tmp_path: Path, cells: tuple[str, ...]) -> None:
    assert column(tmp_path, *cells) == list(cells)


def test_names_are_not_altered(tmp_path: Path) -> None:
    path = _written(tmp_path, "Day;Visitors;Weather;Next\n01/03/2023;1 250;-;02/03/2023\n02/03/2023;950;rain;\n")
    kg = load_kg(path)
    assert kg.types("01/03/2023") == ("Day",)
    assert [t.tail for t in kg.triples(head="01/03/2023", relation="Next")] == ["02/03/2023"]
    assert [t.tail for t in kg.triples(head="01/03/2023", relation="Visitors")] == ["1,250"]
    kg = load_kg(_written(tmp_path, "id,name,since,size\n1,12 May 2020,2001,3\n2,1 June 2020,2002,2\n"))
    assert kg.label("1") == "12 May 2020"


def _written(tmp_path: Path, text: str) -> Path:
    (tmp_path / "g.csv").write_text(text, encoding="utf-8")
    return tmp_path / "g.csv"


def test_one_odd_cell_of_a_few_leaves_the_others_read(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(
        "item,bought,paid,price\nlamp,01/02/2020,Y,£5\nrug,15/03/2021,N,£20\nvase,c. 1990,pending,gift\nmat,02/12/2022,Y,£7\n",
        encoding="utf-8",
    )
    kg = load_kg(tmp_path / "t.csv")
    assert {kg.label(t.tail) for t in kg.triples(relation="bought")} == {
        "2020-02-01",
        "2021-03-15",
        "c. 1990",
        "2022-12-02",
    }
    assert {kg.label(t.tail) for t in kg.triples(relation="paid")} == {"yes", "no", "pending"}
