"""A number that is asked for by what it measures; a day or a time of day tells no duration."""

from __future__ import annotations

import pytest
from small_graphs import Candidates, ferries

from triplewise.graphs.run import ask
from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.pruning.quantities.measures import (
    asks_for_no_count,
    ends_at_point,
    has_asked_measure,
    of_asked_measure,
)

_TOLD = {
    "alcohol percent": ("11.5", "12"),
    "altitude m": ("265", "390"),
    "area ha": ("2.35", "1.2"),
    "points": ("7", "9"),
}
PLOTS = Candidates(
    NetworkxStore(
        [
            *((plot, r, f'"{values[n]}"') for r, values in _TOLD.items() for n, plot in enumerate(("Ashfield", "Birchen"))),
            *((plot, "is a", "Plot") for plot in ("Ashfield", "Birchen")),
        ],
        name="plots",
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "left", "told"),
    [
        ("At what temperature should I keep Ashfield?", {"points"}, False),
        ("How big is Ashfield?", {"area ha", "points"}, True),
        ("How high is Ashfield?", {"altitude m", "points"}, True),
        ("How high is the alcohol of Ashfield?", {"alcohol percent", "altitude m", "points"}, True),
        ("What is told of Ashfield?", set(_TOLD), False),
    ],
)
def test_another_measure_is_no_answer(question: str, left: set[str], told: bool) -> None:
    sentence, drafts = PLOTS.of(question)
    kept = of_asked_measure(PLOTS.schema, sentence, drafts)
    found = {d.rows[0][1] for d in kept if len(d.rows) == 1 and d.rows[0][0] == "Ashfield" and d.answers}
    assert found & set(_TOLD) == left
    assert has_asked_measure(PLOTS.schema, sentence, drafts) == told


BILLS = NetworkxStore(
    [t for n in (1, 2) for t in ((f"job {n}", "clock", "mantel clock"), (f"job {n}", "price", f'"£{n}5"'))],
    name="bills",
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("how many hours did I spend on the mantel clock in all?", set()),
        ("what did the mantel clock cost?", {"£15", "£25"}),
    ],
)
def test_no_money_is_a_number_of_hours(question: str, told: set[str]) -> None:
    assert {a.label for a in ask(BILLS, question).answers} == told


FERRIES = Candidates(ferries())


@pytest.mark.parametrize(
    ("relation", "point"), [("built", True), ("retired in", True), ("length m", False), ("based at", False)]
)
def test_readings_that_end_at_a_point(relation: str, point: bool) -> None:
    _, drafts = FERRIES.of("How long is the Sea Eagle?")
    ended = [d for d in drafts if d.rows == (("Sea Eagle", relation, 0),) and d.form == "select"]
    assert {ends_at_point(FERRIES.schema, draft) for draft in ended} == {point}


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("How long did firing F-2 take?", set()),
        ("When was firing F-2 fired?", {"2024-02-09"}),
    ],
)
def test_no_day_is_told_for_how_long(question: str, answers: set[str]) -> None:
    kg = NetworkxStore(
        [
            (f"F-{n}", relation, f'"{value}"' if relation != "is a" else value)
            for n in range(1, 5)
            for relation, value in (("fired on", f"2024-02-0{n + 7}"), ("peak temp", f"{1000 + n}"), ("is a", "Firing"))
        ]
    )
    assert {a.label for a in ask(kg, question, method="query-graph").answers} == answers


@pytest.mark.parametrize(
    ("question", "things"),
    [
        ("Who is captain of the Sea Eagle?", True),
        ("Which ships are 61 long?", True),
        ("What number of ships is based at Ufer?", False),
        ("How many ships are based at Ufer?", False),
        ("List the ships that are based at Ufer", False),
    ],
)
def test_who_and_which_ask_for_things(question: str, things: bool) -> None:
    assert asks_for_no_count(FERRIES.of(question)[0]) == things


def test_who_is_not_answered_by_a_number() -> None:
    reviews = (("R1", "Ann Doyle", 5), ("R2", "Ben Ode", 5), ("R3", "Cal Hume", 2), ("R4", "Ann Doyle", 4))
    kg = NetworkxStore(
        [
            *((row, "written by", person) for row, person, _ in reviews),
            *((row, "stars", f'"{stars}"') for row, _, stars in reviews),
            *((row, "is a", "Review") for row, *_ in reviews),
        ]
    )
    found = ask(kg, "who gave five stars", method="query-graph")
    assert found.reading is not None and found.reading.query.get("count") is None
    assert all("count" not in reading.query for reading in found.other_readings)


ROLLS = NetworkxStore(
    [
        ("Oxblood", "is a", "fabric"), ("Oxblood", "per metre", '"14"'), ("Oxblood", "left on the roll", '"8.5"'),
        *((chair, "covered in", "Oxblood") for chair in ("stool", "bench")), ("stool", "metres", '"1.5"'),
        ("bench", "metres", '"4"'), ("stool", "is a", "piece"), ("bench", "is a", "piece"),
    ],
    name="rolls",
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How many metres of the oxblood have I got through?", ["5.5"]),
        ("How many metres went on the bench?", ["4"]),
    ],
)
def test_units_are_no_price_and_several_of_them_are_added_up(question: str, told: list[str]) -> None:
    assert [a.label for a in ask(ROLLS, question, method="query-graph").answers] == told
