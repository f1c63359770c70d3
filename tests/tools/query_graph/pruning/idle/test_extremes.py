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
