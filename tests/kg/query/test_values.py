"""What labels say as values, and how values compare."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triplewise.errors import QuestionError
from triplewise.kg.values import comparable, compare, is_duration, month_first_dates, parse_value


@pytest.mark.parametrize(
    ("text", "kind", "key", "unit"),
    [
        ("5", "number", (5.0,), ""),
        ("-3.5", "number", (-3.5,), ""),
        ("1,450,000", "number", (1_450_000.0,), ""),
        ("12 kg", "number", (12.0,), "kg"),
        ("300m", "number", (300.0,), "m"),
        ("21.5 °C", "number", (21.5,), "°C"),
        ("12%", "number", (12.0,), "%"),
        ("€ 1,200.50", "number", (1200.5,), "€"),
        ("2.5E7", "number", (25_000_000.0,), ""),
        ("12k", "number", (12_000.0,), ""),
        ("1.1 million", "number", (1_100_000.0,), ""),
        ("2 Mio. €", "number", (2_000_000.0,), "€"),
        ("3 billion people", "number", (3e9,), "people"),
        ("£1.2m", "number", (1_200_000.0,), "£"),
        ("-$2.5M", "number", (-2_500_000.0,), "$"),
        ("£20 m²", "number", (20.0,), "£"),
        ("£1,150 pcm", "number", (1150.0,), "£"),
        ("€4.50/kg", "number", (4.5,), "€"),
        ("85 €/m²", "number", (85.0,), "€/m²"),
        ("120 km/h", "number", (120.0,), "km/h"),
        ("£13.50 an hour", "number", (13.5,), "£"),
        ("£140 (family)", "number", (140.0,), "£"),
        ("41:12", "time", (41.0, 12.0, 0.0), ""),
        ("3:59.4", "time", (3.0, 59.0, 0.4), ""),
        ("1:02:33.5", "time", (1.0, 2.0, 33.5), ""),
        ("2h 31m", "time", (2.0, 31.0, 0.0), ""),
        ("2 hrs, 31 min", "time", (2.0, 31.0, 0.0), ""),
        ("2 hours and 31 minutes", "time", (2.0, 31.0, 0.0), ""),
        ("2h31", "time", (2.0, 31.0, 0.0), ""),
        ("3m 59.4s", "time", (0.0, 3.0, 59.4), ""),
        ("45 s", "number", (45.0,), "s"),
        ("45 min", "number", (45.0,), "min"),
        ("61:10", "text", (), ""),
        ("12:75", "text", (), ""),
        ("about 38 miles", "number", (38.0,), "miles"),
        ("~€20", "number", (20.0,), "€"),
        ("c. 1890", "year", (1890.0,), ""),
        ("paid about £40", "text", (), ""),
        ("3 (old)", "text", (), ""),
        ("12 K", "number", (12.0,), "K"),
        ("5 kilos", "number", (5.0,), "kilos"),
        ("1972", "year", (1972.0,), ""),
        ("3072", "number", (3072.0,), ""),
        ("2014-08", "date", (2014.0, 8.0, 0.0), ""),
        ("2014-08-11", "date", (2014.0, 8.0, 11.0), ""),
        ("2014-08-11T09:30:00Z", "date", (2014.0, 8.0, 11.0), ""),
        ("-0044-03-15", "date", (-44.0, 3.0, 15.0), ""),
        ("22 May 1872", "date", (1872.0, 5.0, 22.0), ""),
        ("3rd of march, 1889", "date", (1889.0, 3.0, 3.0), ""),
        ("Mon, 3-Mar-1889", "date", (1889.0, 3.0, 3.0), ""),
        ("Sept. 4th, 1910", "date", (1910.0, 9.0, 4.0), ""),
        ("May 1872", "date", (1872.0, 5.0, 0.0), ""),
        ("9:30", "time", (9.0, 30.0, 0.0), ""),
        ("23:05:59", "time", (23.0, 5.0, 59.0), ""),
        ("True", "yes-no", (1.0,), ""),
        ("no", "yes-no", (0.0,), ""),
        ("2014-13-01", "text", (), ""),
        ("32 May 1872", "text", (), ""),
        ("Mayor 1872", "text", (), ""),
        ("25:00", "time", (25.0, 0.0, 0.0), ""),
        ("12,34", "text", (), ""),
        ("GBP 45", "text", (), ""),
        ("5 High Street", "text", (), ""),
        ("Ann Lee", "text", (), ""),
        ("", "text", (), ""),
    ],
)
def test_what_a_label_says(text: str, kind: str, key: tuple[float, ...], unit: str) -> None:
    assert parse_value(text) == (kind, key, unit)
    assert parse_value(f"  {text} ") == (kind, key, unit)


@pytest.mark.parametrize(
    "claim",
    [
        ("1,450,000", ">", "12 kg"),
        ("5 kg", "=", "5.0"),
        ("850", "<", "1972"),
        ("1972", "=", "1,972"),
        ("2014-08-11", ">", "2013"),
        ("2014-08-11", "<=", "2014"),
        ("2014-08-11", ">=", "2014"),
        ("2014-08", "<", "2014-08-11"),
        ("22 May 1872", "=", "1872-05-22"),
        ("22 May 1872", "<", "March 3, 1889"),
        ("May 1872", "<=", "1872"),
        ("-0044-03-15", "<", "1066"),
        ("9:30", "<", "17:05"),
        ("17:05", "=", "17:05:00"),
        ("17:05:30", ">", "17:05"),
        ("yes", "=", "TRUE"),
        ("Amélie ", "=", "amelie"),
    ],
)
def test_holds_and_its_opposite_does_not(claim: tuple[str, str, str]) -> None:
    opposite = {"=": "!=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
    left, op, right = claim
    assert compare(left, op, right)
    assert not compare(left, opposite[op], right)


@pytest.mark.parametrize(
    ("left", "right"), [("Ann", "5"), ("yes", "no"), ("9:30", "1972"), ("300", "2014-08-11"), ("Ann", "Bob"), ("", "")]
)
def test_what_has_no_order_satisfies_no_inequality(left: str, right: str) -> None:
    assert not comparable(parse_value(left), parse_value(right))
    assert not any(compare(left, op, right) for op in ("<", "<=", ">", ">="))


def test_a_year_is_not_one_of_its_dates() -> None:
    assert not compare("2014-08-11", "=", "2014")
    assert not compare("2014-08-11", ">", "2014")


@pytest.mark.parametrize(("text", "told"), [("41:12", True), ("2h 31m", True), ("19:58", False), ("45 min", False)])
def test_a_duration_can_be_no_time_of_day(text: str, *, told: bool) -> None:
    assert is_duration(text) == told


@pytest.mark.parametrize("op", ["in", "year", "~"])
def test_other_operators_are_refused(op: str) -> None:
    with pytest.raises(QuestionError, match="no comparison"):
        compare("1", op, "2")


@given(st.text(), st.text())
def test_equality_is_reflexive_and_symmetric_on_any_text(left: str, right: str) -> None:
    assert compare(left, "=", left)
    assert compare(left, "=", right) == compare(right, "=", left) != compare(left, "!=", right)
    assert compare(left, "<", right) == compare(right, ">", left)


@given(st.integers(-(10**12), 10**12), st.integers(-(10**12), 10**12))
def test_numbers_order_as_numbers_however_they_are_written(a: int, b: int) -> None:
    assert compare(f"{a:,} km", "<", str(b)) == (a < b)
    assert compare(f"{a:,} km", "=", str(b)) == (a == b)


def test_days_of_numbers_alone_are_days() -> None:
    day = parse_value("1872-05-22")
    assert parse_value("22.05.1872") == parse_value("22/5/1872") == parse_value("05/22/1872") == day
    assert parse_value("32.01.2020").kind == parse_value("1.2.3").kind == "text"
    assert compare("26.02.2024", ">", "2024-02-01") and compare("26.02.2024", "<", "01.03.2024")


def test_months_come_first_where_one_of_a_graph_must() -> None:
    assert month_first_dates(["05/22/1999", "03/04/2001"]) == {"05/22/1999": "1999-05-22", "03/04/2001": "2001-03-04"}
    assert month_first_dates(["03/04/2001"]) == month_first_dates(["22/05/1999", "05/22/1999"]) == {}
