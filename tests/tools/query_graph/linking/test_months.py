"""Months that are named without a year."""

from __future__ import annotations

import pytest

import triplewise
from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.linking.mentions import Link
from triplewise.tools.query_graph.linking.months import (
    Month,
    by_day,
    find_months,
    usual_year,
    with_days,
    with_month,
    with_year,
    with_years_of_span,
)


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
        ("What was open in May to July 2024?", []),
        ("What may I see, and who will march?", []),
        ("Who is April?", []),
    ],
)
def test_months_of_any_year(text: str, numbers: list[int]) -> None:
    assert [month.number for month in find_months(text, (), ())] == numbers


@pytest.mark.parametrize(
    ("text", "months", "name"),
    [
        ("What was open in May to July?", [5, 6, 7], "May or June or July"),
        ("Who moved in in June or in August", [6, 8], "June or August"),
        ("Who came between November and January?", [11, 12, 1], "November or December or January"),
        ("Who came from November to January?", [11, 12, 1], "November or December or January"),
        ("Who came in June?", [6], "June"),
    ],
)
def test_several_months(text: str, months: list[int], name: str) -> None:
    (month,) = find_months(text, (), ())
    assert [month.number, *month.others] == months and month.name == name
    assert [n for n in range(1, 13) if month.holds(f"2024-{n:02}-09")] == sorted(months)


def test_who_did_so_in_no_such_month() -> None:
    kg = NetworkxStore(
        [("Ann", "moved in", "2024-06-03"), ("Bo", "moved in", "2023-09-12"), ("Ann", "born on", "1938-07-21")],
        name="home",
    )
    assert not triplewise.ask(kg, "who moved in in July?", method="query-graph").answers
    told = triplewise.ask(kg, "who moved in in June or September?", method="query-graph")
    assert sorted(a.label for a in told.answers) == ["Ann", "Bo"]


def test_what_is_called_by_a_month_is_none() -> None:
    assert not find_months("Which shrub flowers in May?", [Link("n", "May", 4, 4, 1.0, 5.0)], ())
    assert not find_months("What was earned in May?", (), ["earned in may"])
    run = "Who missed the run on 3 November?"
    assert not find_months(run, [Link("n", "Run 3 November", 3, 6, 1.0, 9.0)], ())
    assert find_months(run, [Link("n", "Run of November", 3, 6, 0.7, 5.0)], ())


@pytest.mark.parametrize(
    ("label", "held"), [("2024-04-06", True), ("1999-04", True), ("2024-05-04", False), ("4", False)]
)
def test_dates_in_a_month(label: str, held: bool) -> None:
    assert Month(4, 0, 5).holds(label) == held


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("finished before the 25th of March?", "finished before the 25th of March 2025?"),
        ("after 3 May or by June 6", "after 3 May 2025 or by June 6 2025"),
        ("finished on the 25th of March?", "finished on the 25th of March?"),
        ("before the 25th of March 2024", "before the 25th of March 2024"),
        ("before March", "before March 2025"),
        ("before March 2024", "before March 2024"),
        ("between 1 May and 30 June", "between 1 May and 30 June 2025"),
        ("from 3 to 9 June", "from 3 to 9 June 2025"),
        ("from 3 to 9 June 2024", "from 3 to 9 June 2024"),
        ("the one before May's", "the one before May's"),
        ("who helped before March stall?", "who helped before March stall?"),
        ("what came after May Day?", "what came after May Day?"),
        ("who paid since August and who before June?", "who paid since August 2025 and who before June 2025?"),
        ("who came before May of last year", "who came before May of last year"),
    ],
)
def test_a_day_that_others_are_held_against_is_of_the_usual_year(text: str, told: str) -> None:
    assert with_year(text, "2025") == told
    assert with_year(text, "") == text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Who works on the 12th?", "Who works on 12 April 2025?"),
        ("who was in before the 12th and why", "who was in before 12 April 2025 and why"),
        ("Who was ill on Monday the 14th?", "Who was ill on 14 October 2024?"),
        ("Who was ill on Tuesday the 14th?", "Who was ill on Tuesday the 14th?"),
        ("Who was ill on the 14th?", "Who was ill on the 14th?"),
        ("Who works on the 3rd?", "Who works on the 3rd?"),
        ("Who lives on the 12th floor?", "Who lives on the 12th floor?"),
        ("Who works on the 12th, June or May?", "Who works on the 12th, June or May?"),
        ("on the 12th of March", "on the 12th of March"),
    ],
)
def test_a_day_alone_is_of_the_only_month_that_has_it(text: str, told: str) -> None:
    dates = [(2025, 4, 12), (2025, 3, 3), (2025, 4, 3), (1972, 5, 12), (2024, 10, 14), (2025,), (2016, 5, 14)]
    assert with_month(text, by_day(dates), "2025") == told


def test_the_usual_year() -> None:
    assert usual_year([(2025, 3, 1), (2025, 4, 1), (2009, 1, 1)]) == "2025"
    assert not usual_year([(2025, 3, 1), (2024, 4, 1), (2009, 1, 1)])
    assert not usual_year([])


REPAIRS = NetworkxStore(
    [
        *(("Red Dawes", "finished", '"2025-03-06"'), ("Blue Trek", "finished", '"2025-04-02"')),
        *(("Red Dawes", "received", '"2025-03-01"'), ("Blue Trek", "received", '"2025-03-20"')),
    ]
)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The Red Dawes was finished before the 25th of March.", "supported"),
        ("The Blue Trek was finished before the 25th of March.", "refuted"),
    ],
)
def test_claims_of_a_day_without_its_year(claim: str, verdict: str) -> None:
    assert triplewise.verify(REPAIRS, claim, method="query-graph").verdict == verdict


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("who came since the start of August?", "who came since 1 August?"),
        ("between the start of March and the end of May", "between 1 March and 31 May"),
        ("before the very end of February 2024", "before 29 February 2024"),
        ("what was due by the end of february", "what was due by 28 february"),
        ("who left at the end of May?", "who left at the end of May?"),
        ("the end of May and the start of June", "the end of May and the start of June"),
        ("between January and the end of June 2024", "between January and June 2024"),
        ("from the start of January 2024 to June 2024", "from January 2024 to June 2024"),
        ("between the start of January 2024 and the end of May", "between 1 January 2024 and 31 May"),
        ("between new year 2024 and the end of that april", "between 1 January 2024 and 30 april"),
    ],
)
def test_the_edge_of_a_month_is_a_day_where_it_bounds(text: str, told: str) -> None:
    assert with_days(text, "") == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("between 1 January 2024 and 30 June?", "between 1 January 2024 and 30 June 2024?"),
        ("from November 2023 to February", "from November 2023 to February 2024"),
        ("between 1 January 2024 and 30 June 2025", "between 1 January 2024 and 30 June 2025"),
    ],
)
def test_the_last_day_of_a_span_is_of_the_year_that_its_first_tells(text: str, told: str) -> None:
    assert with_years_of_span(text, ()) == told


def test_a_span_without_its_year_and_a_name_with_a_month() -> None:
    bags = [("bag 1", "8 Jan 2025", "Ann Lee"), ("bag 2", "3 Mar 2025", "Bo Ray"), ("bag 3", "2 June 2025", "Cy Tan")]
    rows = [t for bag, day, who in bags for t in ((bag, "came in", f'"{day}"'), (bag, "given by", who))]
    kg = NetworkxStore([*rows, ("March stall", "manned by", "Ann Lee"), ("ladder loan June", "lent to", "Bo Ray")])

    def told(question: str) -> set[str]:
        return {a.label for a in triplewise.ask(kg, question).answers}

    assert told("Which bags came in between the start of March and the end of May?") == {"bag 2"}
    assert told("Which bags came in in June?") == {"bag 3"}


SEASON = [(2013.0, 1.0, 22.0), (2024.0, 12.0, 3.0), (2025.0, 1.0, 9.0), (2024.0, 10.0, 1.0)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("between 1 December and 31 January", "between 1 December 2024 and 31 January 2025"),
        ("from 3 to 9 January", "from 3 to 9 January 2025"),
        ("from 3 to 30 January", "from 3 to 30 January"),  # of two years
        ("from 1 October to 10 October", "from 1 October to 10 October 2024"),
        ("between 1 May and 3 May", "between 1 May and 3 May"),
        ("between 1 December and 31 January 2025", "between 1 December and 31 January 2025"),
    ],
)
def test_a_span_is_of_the_years_in_which_something_was(text: str, told: str) -> None:
    assert with_years_of_span(text, SEASON) == told
