"""A step that nothing says is not gone."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.pruning.idle.steps import of_said_steps

_HOMES = {"Ann Lee": "York", "Bob Ray": "Leeds", "Cal Hume": "Ripon"}
STAFF = Candidates(
    NetworkxStore(
        [
            *((name, "lives in", town) for name, town in _HOMES.items()),
            ("Ann Lee", "reports to", "Bob Ray"), ("Bob Ray", "reports to", "Cal Hume"), ("Dee Fox", "reports to", "Cal Hume"),
            *((name, "is a", "Waiter") for name in ("Ann Lee", "Bob Ray", "Dee Fox")), ("Cal Hume", "is a", "Chef"),
            *((town, "is a", "Town") for town in _HOMES.values()),
        ],
        name="staff",
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "farther"),
    [
        ("Where do our waiters live?", False),
        ("In which towns do the waiters live?", False),
        ("Where do the bosses of our waiters live?", True),
        ("Where do the waiters' chefs live?", True),
    ],
)
def test_what_a_class_has_is_its_own(question: str, farther: bool) -> None:
    sentence, drafts = STAFF.of(question)
    kept = of_said_steps(STAFF.schema, sentence, drafts)
    own, bosses = frozenset(("York", "Leeds")), frozenset(("Leeds", "Ripon"))
    assert {own, bosses} <= {d.answers for d in drafts}
    assert own in {d.answers for d in kept} and (bosses in {d.answers for d in kept if d.form == "select"}) == farther


_REPAIRS = [("R1", "Swift", "Kettle Yard"), ("R2", "Comet", "Kettle Yard"), ("R3", "Swift", "Mill Shed")]
BIKES = Candidates(
    NetworkxStore(
        [
            *((row, column, end) for row, *ends in _REPAIRS for column, end in zip(("bike", "depot"), ends, strict=True)),
            ("Swift", "depot", "Kettle Yard"), ("Moth", "depot", "Kettle Yard"), ("Comet", "depot", "Mill Shed"),
            *((row, "is a", "Repair") for row, *_ in _REPAIRS), ("Kettle Yard", "is a", "Depot"),
            *((name, "is a", "Bike") for name in ("Swift", "Moth", "Comet")),
        ],
        name="bikes",
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "farther"),
    [
        ("How many bikes does the Kettle Yard have?", False),
        ("How many bikes were in a repair at Kettle Yard?", True),
        ("How many bikes were patched up at Kettle Yard?", True),
    ],
)
def test_no_other_table_is_asked(question: str, farther: bool) -> None:
    sentence, drafts = BIKES.of(question)
    kept = {d.rows for d in of_said_steps(BIKES.schema, sentence, drafts) if not d.minus}
    assert (((1, "depot", "Kettle Yard"), (1, "bike", 0)) in kept) == farther
    assert any(rows[:1] == ((0, "depot", "Kettle Yard"),) for rows in kept)


def test_nothing_is_named_twice() -> None:
    sentence, drafts = BIKES.of("How many bikes were in the repairs at Kettle Yard, by bike?")
    twice = drafts[0].but(rows=((1, "depot", "Kettle Yard"), (1, "bike", 2), (1, "bike", 0)))
    assert twice not in of_said_steps(BIKES.schema, sentence, [*drafts, twice])
