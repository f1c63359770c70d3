"""Questions for the time between days: what they ask for, and what the shipped ranker makes of them."""

from __future__ import annotations

from datetime import date

import pytest

from triplewise.kg import NetworkxStore
from triplewise.kg.query import execute
from triplewise.tools.query_graph.ranker import reader_of
from triplewise.tools.query_graph.wording.amounts.asked_spans import AskedSpan, asked_span

LOANS = NetworkxStore(
    [
        ("Ann Lee", "born", "1950-06-30"), ("Ann Lee", "joined", "2001-05-02"), ("Ann Lee", "town", "Ufer"),
        ("Old Tom", "born", "1931-04-12"), ("Old Tom", "died", "2011-02-03"),
        ("Bo Hill", "joined", "2011-03-04"), ("Bo Hill", "town", "Wald"), ("Bo Hill", "age", "41"),
        ("loan 1", "borrower", "Ann Lee"), ("loan 1", "tool", "ladder"), ("loan 1", "lent on", "2024-02-26"),
        ("loan 1", "due on", "2024-02-28"), ("loan 1", "returned on", "2024-03-01"),
        ("loan 2", "borrower", "Bo Hill"), ("loan 2", "tool", "drill"), ("loan 2", "lent on", "2024-05-01"),
        ("loan 2", "due on", "2024-05-08"), ("loan 2", "returned on", "2024-06-04"),
        ("loan 3", "borrower", "Bo Hill"), ("loan 3", "tool", "jigsaw"), ("loan 3", "lent on", "2024-07-01"),
        ("loan 3", "due on", "2024-07-08"),
        ("visit 1", "at", "Mill House"), ("visit 1", "visited on", "2024-01-10"),
        ("visit 2", "at", "Mill House"), ("visit 2", "visited on", "2024-01-31"), ("visit 2", "minutes", "45"),
        ("visit 1", "minutes", "90"), ("ladder", "made of", "ash"), ("drill", "made of", "steel"),
    ]
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("how long did Ann keep the ladder?", AskedSpan("lasting", "days", "did Ann keep the ladder")),
        ("How many weeks was the drill out for?", AskedSpan("lasting", "weeks", "was the drill out", told=True)),
        ("How many nights were we away in total?", AskedSpan("lasting", "days", "were we away", told=True)),
        ("how many days are Ann and Bo in Lagos for", AskedSpan("lasting", "days", "are Ann and Bo in Lagos", told=True)),
        ("how long is the boat for sale?", None),
        ("How many days went by between our two visits?", AskedSpan("several", "days", "our two visits")),
        ("how many days apart were the two visits?", AskedSpan("several", "days", "the two visits")),
        ("How long was it from sowing to picking them?", AskedSpan("between", "days", "sowing", "picking them")),
        ("how many days after the launch did Ann join?", AskedSpan("between", "days", "the launch", "did Ann join")),
        ("So how old was Ann when she joined?", AskedSpan("age", "years", "Ann", "she joined")),
        ("How old was she at the launch?", AskedSpan("age", "years", "she", "the launch", at=True)),
        ("poor Ann, how old was she when she died?", AskedSpan("age", "years", "Ann", "she died")),
        ("How old is Ann now?", AskedSpan("age", "years", "Ann", now=True)),
        ("how old is she, when's her birthday?", None),
        ("How long is the film?", None),
        ("How many days are there in June?", None),
        ("How many visits were there between May and June?", None),
        ("Who is the oldest?", None),
        ("How far is it from Ufer to Wald?", None),
    ],
)  # fmt: skip
def test_what_time_is_asked_for(text: str, asked: AskedSpan | None) -> None:
    assert asked_span(text) == asked


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How many days did Ann keep the ladder?", ("4 days",)),
        ("how long did Bo hang on to the drill?", ("34 days",)),
        ("How many weeks did Bo have the drill?", ("4 weeks",)),
        ("How many days were there between the two visits to Mill House?", ("21 days",)),
        ("How many days was it from lending the drill to getting it back?", ("34 days",)),
        ("How old was Ann when she joined?", ("50 years",)),
        ("How old was Ann when she borrowed the ladder?", ("73 years",)),
        ("How old was Ann in 2010?", ("60 years",)),
        ("How old was Old Tom?", ("79 years",)),
        ("How old is Old Tom?", ("79 years",)),
    ],
)
def test_the_time_is_reckoned_from_the_days(question: str, told: tuple[str, ...]) -> None:
    ranking = reader_of(LOANS).rank(question)
    assert ranking.none < 0.5
    query = ranking.readings[0].draft.query()
    done = execute(LOANS, query)
    assert (query.form, done.amounts) == ("span", told)
    assert all(any(t.tail[:2] in ("19", "20") for t in found.proof) for found in done.found)


def test_an_age_goes_on_until_today() -> None:
    query = reader_of(LOANS).rank("How old is Ann now?").readings[0].draft.query()
    today = date.today()
    years = today.year - 1950 - ((today.month, today.day) < (6, 30))
    assert execute(LOANS, query).amounts == (f"{years} years",)


@pytest.mark.parametrize(
    ("question", "told"),
    [("How old is Bo?", ("41",)), ("How long did visit 2 take?", ("45",))],
)
def test_a_number_that_the_graph_holds_is_told_as_it_is(question: str, told: tuple[str, ...]) -> None:
    query = reader_of(LOANS).rank(question).readings[0].draft.query()
    assert (query.form, execute(LOANS, query).ids) == ("select", told)


def test_what_is_not_back_has_no_length() -> None:
    ranking = reader_of(LOANS).rank("How many days did Bo keep the jigsaw?")
    assert (ranking.readings, ranking.none) == ((), 1.0)
