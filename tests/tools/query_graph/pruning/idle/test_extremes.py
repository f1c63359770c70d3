"""No extreme is taken that no word asks for."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.pruning.idle.extremes import of_said_extremes

STOCK = NetworkxStore(
    [
        *((part, "in stock", f'"{n}"') for part, n in (("chain", 2), ("cable", 4), ("bell", 9), ("pump", 12))),
        *((part, "is a", "Part") for part in ("chain", "cable", "bell", "pump")),
    ]
)
PARTS = Candidates(STOCK)


@pytest.mark.parametrize(
    ("question", "ordered"),
    [
        ("which parts run low, with less than 5 in stock?", False),
        ("which part is the lowest in stock of those with less than 5?", True),
        ("which parts run low in stock?", True),
    ],
)
def test_no_extreme_of_what_a_number_bounds(question: str, ordered: bool) -> None:
    sentence, drafts = PARTS.of(question)
    bounded = [d for d in drafts if d.order and (d.filters or not sentence.values)]
    assert bounded
    left = of_said_extremes(PARTS.schema, sentence, drafts)
    assert bool({id(d) for d in bounded} & {id(d) for d in left}) == ordered


COACHES = Candidates(
    NetworkxStore(
        [
            *((c, "last check", f'"{day}"') for c, day in (("Bertha", "2025-04-02"), ("Dot", "2025-01-09"))),
            *((c, "toilet", f'"{t}"') for c, t in (("Bertha", "yes"), ("Dot", "no"))),
            *((c, "is a", "Coach") for c in ("Bertha", "Dot")),
        ]
    )
)


@pytest.mark.parametrize(
    ("question", "ordered"),
    [("Which coaches have a toilet and passed their last check?", False), ("Which coach was checked last?", True)],
)
def test_a_relation_that_is_called_by_an_extreme_asks_for_none(question: str, ordered: bool) -> None:
    sentence, drafts = COACHES.of(question)
    assert any(d.order and not d.order[2] for d in drafts)
    left = of_said_extremes(COACHES.schema, sentence, drafts)
    assert any(d.order and not d.order[2] for d in left) == ordered
