"""A relation that is called as the class that a sentence says."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.pruning.spent_nouns import not_spent_twice

_BOATS = ("Lark", "Heron", "Otter")
_RESULTS = [
    t
    for n, boat in enumerate(_BOATS[:2])
    for t in ((f"_:r{n}", "boat", boat), (f"_:r{n}", "finishing place", f'"{n + 1}"'))
]
REGATTA = Candidates(
    NetworkxStore(
        [
            *_RESULTS, ("Cup", "result", "_:r0"), ("Cup", "result", "_:r1"), ("Cup", "is a", "Race"),
            *((boat, "is a", "Boat") for boat in _BOATS),
            *((boat, "built in", f'"{2010 + n}"') for n, boat in enumerate(_BOATS)),
            ("Lark", "sponsor", "Acme"), ("Otter", "sponsor", "Acme"), ("Acme", "is a", "Company"),
        ],
        name="regatta",
    )
)  # fmt: skip


def _by_row(question: str) -> tuple[bool, bool]:
    """Whether readings say of a boat only that some row has it: before, and of those that are kept."""

    def idle(draft: Draft) -> bool:
        return [r for r in (*draft.rows, *draft.minus) if 1 in (r[0], r[2])] == [(1, "boat", 0)]

    sentence, drafts = REGATTA.of(question)
    return any(map(idle, drafts)), any(map(idle, not_spent_twice(REGATTA.schema, sentence, drafts)))


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("What boats have been built after 2010?", False),
        ("Name the boats that have no backer", False),
        ("Which boats have no result?", True),  # what has the relation is spoken of
        ("Which boats have a finishing place?", True),
        ("What has a boat that is a boat?", True),  # the noun is said twice
    ],
)
def test_the_noun_of_a_class_is_not_spent_on_a_relation_as_well(question: str, kept: bool) -> None:
    assert _by_row(question) == (True, kept)


def test_a_row_of_which_more_is_said_is_kept() -> None:
    sentence, drafts = REGATTA.of("Which boats are in the Cup?")
    kept = not_spent_twice(REGATTA.schema, sentence, drafts)
    assert (("Cup", "result", 1), (1, "boat", 0)) in [d.rows for d in kept]
