"""A relation that no word says does not narrow a reading that says all."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.pruning.idle.conditions import of_said_conditions

_COMPLAINTS = (
    ("Mud", "no", "2025-03-02"),
    ("Noise", "yes", "2025-06-22"),
    ("Stairs", "no", ""),
    ("Tap", "no", "2025-04-11"),
)
COMPLAINTS = Candidates(
    NetworkxStore(
        [
            *((name, "settled", f'"{settled}"') for name, settled, _ in _COMPLAINTS),
            *((name, "date received", f'"{day}"') for name, _, day in _COMPLAINTS if day),
            *((name, "is a", "Complaint") for name, *_ in _COMPLAINTS),
            *(("Ann", "made", name) for name, *_ in _COMPLAINTS), ("Ann", "is a", "Person"),
        ]
    )
)  # fmt: skip
_ALL, _DATED = frozenset(("Mud", "Stairs", "Tap")), frozenset(("Mud", "Tap"))


@pytest.mark.parametrize(
    ("question", "narrowed"),
    [
        ("Which complaints have not been settled yet?", False),
        ("Which complaints haven't been settled?", False),
        ("Which complaints received have not been settled?", True),
        ("Which complaints from summer have not been settled?", True),
    ],
)
def test_what_nothing_says_is_no_condition(question: str, narrowed: bool) -> None:
    sentence, drafts = COMPLAINTS.of(question)
    before = {d.answers for d in drafts if d.form == "select" and not (d.order or d.minus)}
    kept = of_said_conditions(COMPLAINTS.schema, sentence, drafts)
    answers = {d.answers for d in kept if d.form == "select" and not (d.order or d.minus)}
    assert {_ALL, _DATED} <= before
    assert _ALL in answers and (_DATED in answers) == narrowed
