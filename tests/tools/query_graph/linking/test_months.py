"""Months that are named without a year."""

from __future__ import annotations

import pytest

from triplewise.tools.query_graph.linking.mentions import Link
from triplewise.tools.query_graph.linking.months import Month, find_months


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Who hired it in April?", [4]),
        ("what was sold during late Sept", [9]),
        ("the bookings of May, and those of June", [5, 6]),
        ("Who hired it in April 2024?", []),
        ("Who hired it in April, 2024?", []),
        ("who came in May 3rd", [5]),  # that day
        ("what was watered on 6 June, and on the 7th of July 2024", [6]),
        ("What was open in May to July?", []),
        ("What may I see, and who will march?", []),
        ("Who is April?", []),
    ],
)
def test_months_of_any_year(text: str, numbers: list[int]) -> None:
    assert [month.number for month in find_months(text, (), ())] == numbers


def test_what_is_called_by_a_month_is_none() -> None:
    assert not find_months("Which shrub flowers in May?", [Link("n", "May", 4, 4, 1.0, 5.0)], ())
    assert not find_months("What was earned in May?", (), ["earned in may"])


@pytest.mark.parametrize(
    ("label", "held"), [("2024-04-06", True), ("1999-04", True), ("2024-05-04", False), ("4", False)]
)
def test_dates_in_a_month(label: str, held: bool) -> None:
    assert Month(4, 0, 5).holds(label) == held
