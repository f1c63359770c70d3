"""A day or a time of day does not tell how long something takes."""

from __future__ import annotations

import pytest
from small_graphs import Candidates, ferries

from triplewise.graphs.run import ask
from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.pruning.points_in_time import ends_at_point

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
