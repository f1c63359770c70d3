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


def test_what_no_row_of_a_sheet_has_is_kept() -> None:
    """Dogs of walks, stays and mishaps, of which each sheet has a column "dog": which sheet is meant, the verb tells."""
    rows = [("Walk 1", "Rex"), ("Walk 2", "Flo"), ("Stay 1", "Flo"), ("Stay 2", "Pip")]
    kennel = Candidates(
        NetworkxStore(
            [
                *((row, "dog", dog) for row, dog in rows),
                *((row, "is a", row.split()[0].lower()) for row, _ in rows),
                *((dog, "is a", "dog") for dog in ("Rex", "Flo", "Pip")),
                *((dog, "breed", f'"{breed}"') for dog, breed in (("Rex", "collie"), ("Flo", "pug"), ("Pip", "pug"))),
                *((row, "slept in" if "Stay" in row else "went to", '"barn"') for row, _ in rows),
            ],
            name="kennel",
        )
    )
    sentence, drafts = kennel.of("Which dogs have never stopped overnight?")
    kept = not_spent_twice(kennel.schema, sentence, drafts)
    assert frozenset(["Rex"]) in {
        d.answers for d in kept if any(row[2] == "Stay" or row[2] == "stay" for row in d.minus)
    }


def test_a_row_of_which_more_is_said_is_kept() -> None:
    sentence, drafts = REGATTA.of("Which boats are in the Cup?")
    kept = not_spent_twice(REGATTA.schema, sentence, drafts)
    assert (("Cup", "result", 1), (1, "boat", 0)) in [d.rows for d in kept]


CAST = Candidates(
    NetworkxStore(
        [
            *((f"P{n}", "person", who) for n, who in enumerate(("Ann Lee", "Bo Ek"))),
            *((f"P{n}", "play", play) for n, play in enumerate(("Macbeth", "Hamlet"))),
            *((f"P{n}", "is a", "part") for n in range(2)),
            *((who, "lives in", "Fenby") for who in ("Ann Lee", "Bo Ek", "Cy Vane")),
            *((who, "is a", "person") for who in ("Ann Lee", "Bo Ek", "Cy Vane")),
        ],
        name="cast",
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("Who lives where Bo Ek lives?", False),
        ("Who lives in Fenby?", False),
        ("Who in Fenby has acted?", True),  # a verb for which the graph has no other word
        ("Who in Fenby has a part?", True),
    ],
)
def test_who_says_no_more_than_that_it_is_a_person(question: str, kept: bool) -> None:
    def is_idle(draft: Draft) -> bool:
        rows = [r for r in draft.rows if r[1] == "person" and r[2] == 0]
        told = any(r[1] == "lives in" and r[0] == 0 for r in draft.rows)
        return told and any(sum(row[0] in (h, t) for h, _, t in draft.rows) == 1 for row in rows)

    sentence, drafts = CAST.of(question)
    assert any(map(is_idle, drafts))
    assert any(map(is_idle, not_spent_twice(CAST.schema, sentence, drafts))) == kept
