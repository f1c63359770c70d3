"""What "how many" asks of is counted, and no number of something else told."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.pruning.quantities.counted_nouns import of_counted_noun

_STAFF = {"Ann Lee": "Waiter", "Bob Ray": "Waiter", "Cal Hume": "Porter", "Dee Fox": "Waiter"}
FEASTS = Candidates(
    NetworkxStore(
        [
            *((name, "is a", "Waiting Staff") for name in _STAFF),
            *((name, "job title", f'"{job}"') for name, job in _STAFF.items()),
            *(("Gala", "staffed by", name) for name in ("Ann Lee", "Cal Hume", "Bob Ray")),
            ("Fete", "staffed by", "Dee Fox"), ("Fete", "booked by", "Otter Club"), ("Gala", "booked by", "Otter Club"),
            ("Gala", "guest count", '"260"'), ("Fete", "guest count", '"40"'), ("Otter Club", "is a", "Client"),
            ("Gala", "uses van", "Basil"), ("Fete", "uses van", "Thyme"), ("Basil", "is a", "Van"), ("Thyme", "is a", "Van"),
            ("Gala", "is a", "Event"), ("Fete", "is a", "Event"),
        ],
        name="feasts",
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How many vans did we send to the Gala?", {"uses van"}),
        ("How many of our vans did we send to the Gala?", {"uses van"}),
        ("How many staff did we send to the Gala?", {"staffed by"}),
        ("How many waiters did we send to the Gala?", set()),
        ("How many guests did we have at the Gala?", {"guest count", "uses van", "staffed by", "booked by"}),
        ("How many came to the Gala?", {"guest count", "uses van", "staffed by", "booked by"}),
    ],
)
def test_the_noun_behind_how_many_is_counted(question: str, told: set[str]) -> None:
    sentence, drafts = FEASTS.of(question)
    kept = [d for d in of_counted_noun(FEASTS.schema, sentence, drafts) if len(d.rows) == 1 and d.rows[0][0] == "Gala"]
    numbers = {d.rows[0][1] for d in kept if d.form == "count" or d.rows[0][1] == "guest count"} - {"is a"}
    assert numbers == told


def test_those_called_by_a_value_are_counted_at_what_is_named() -> None:
    sentence, drafts = FEASTS.of("How many waiters did we send to the Gala?")
    kept = [d for d in of_counted_noun(FEASTS.schema, sentence, drafts) if d.form == "count" and not d.minus]
    assert [d.answers for d in kept] == [frozenset({"Ann Lee", "Bob Ray"})]
