"""A relation whose own words are asked for is answered with what it leads to."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.pruning.idle.asked_relation import of_asked_relation

CLUBS = Candidates(
    NetworkxStore(
        [
            ("Chess Club", "treasurer", "Ann Moss"),
            ("Bridge Club", "treasurer", "Ben Hall"),
            ("Chess Club", "members", '"9"'),
            ("Bridge Club", "members", '"41"'),
        ],
        types={"Chess Club": ["Club"], "Bridge Club": ["Club"]},
    )
)


@pytest.mark.parametrize(
    ("question", "pruned"),
    [
        ("Who is the treasurer of the club with the most members?", True),
        ("Who's the treasurer of the biggest club?", True),
        ("Which club has a treasurer and the most members?", False),
        ("Who is the patron of the club with the most members?", False),
    ],
)
def test_a_club_that_has_any_treasurer_does_not_tell_the_treasurer(question: str, pruned: bool) -> None:
    sentence, drafts = CLUBS.of(question)
    kept = of_asked_relation(CLUBS.schema, sentence, drafts)
    assert (len(kept) < len(drafts)) is pruned
    assert frozenset({"Ben Hall"}) in {d.answers for d in kept}


def test_what_has_a_floor_is_no_floor() -> None:
    rows = [("Optics", "room", "Lab"), ("Sets", "room", "Attic"), ("Lab", "floor", '"2"'), ("Attic", "floor", '"5"')]
    found = Candidates(NetworkxStore(rows, types={"Lab": ["Room"], "Attic": ["Room"]}))
    sentence, drafts = found.of("On which floor is the room of Optics?")
    kept = of_asked_relation(found.schema, sentence, drafts)
    assert not any(draft.answers == {"Lab"} for draft in kept if draft.form == "select")
    assert any(draft.answers == {'"2"'} for draft in kept)
