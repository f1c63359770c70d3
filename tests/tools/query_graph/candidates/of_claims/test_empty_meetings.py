"""A claim may say of one thing what nothing in the graph is."""

from __future__ import annotations

import pytest
from small_graphs import Candidates, word_affinity

from triplewise.graphs.run import verify
from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.candidates.of_claims.empty_meetings import empty_meetings

ROWS = [
    ("R1", "Ben Okoro", "Laptop", "fixed"),
    ("R2", "Ben Okoro", "Tablet", "advice"),
    ("R3", "Ida Holm", "Kettle", "fixed"),
    ("R4", "Ida Holm", "Toaster", "not fixed"),
]
WORKSHOP = NetworkxStore(
    [
        (row, relation, end)
        for row, person, item, result in ROWS
        for relation, end in (("repaired by", person), ("item", item), ("result", f'"{result}"'), ("is a", "Repair"))
    ]
    + [(person, "is a", "Volunteer") for person in ("Ben Okoro", "Ida Holm")]
    + [(item, "is a", "Thing") for _, _, item, _ in ROWS]
)
CANDIDATES = Candidates(WORKSHOP)


def empty(claim: str) -> list[frozenset[tuple[str, str]]]:
    """The empty readings of three patterns: the relation and the end of each."""
    run = CANDIDATES.generator.run(CANDIDATES.generator.read(claim), word_affinity(CANDIDATES.schema, claim))
    run.drafts()
    return [frozenset((r, str(t)) for _, r, t in d.rows) for d in empty_meetings(run) if len(d.rows) == 3]


@pytest.mark.parametrize(
    ("claim", "item", "person"),
    [("Ben Okoro fixed the tablet.", "Tablet", "Ben Okoro"), ("Ida Holm fixed the laptop.", "Laptop", "Ida Holm")],
)
def test_one_row_is_claimed_with_all_that_is_named(claim: str, item: str, person: str) -> None:
    assert frozenset({("repaired by", person), ("item", item), ("result", '"fixed"')}) in empty(claim)


def test_what_the_graph_has_is_not_proposed_again() -> None:
    claim = "Ben Okoro fixed the laptop."
    assert frozenset({("repaired by", "Ben Okoro"), ("item", "Laptop"), ("result", '"fixed"')}) not in empty(claim)


def test_of_namesakes_the_one_of_which_it_is_so_is_meant() -> None:
    cast = [
        ("_:1", "2012", "Maren", "Ada Roth"),
        ("_:2", "2023", "Maren", "Ivo Marek"),
        ("_:3", "2023", "Oda", "Ada Roth"),
    ]
    triples = [
        (node, relation, end)
        for node, year, role, actor in cast
        for relation, end in (("staged in", f"play{year}"), ("role", role), ("actor", actor))
    ]
    plays = {f"play{year}": "Salt Wife" for year in ("2012", "2023")}
    things = [(play, "is a", "Play") for play in plays]
    people = [(name, "is a", kind) for _, _, role, actor in cast for name, kind in ((role, "Role"), (actor, "Actor"))]
    candidates = Candidates(NetworkxStore([*triples, *things, *people], labels=plays))
    claim = "Maren in the Salt Wife was Ada Roth."
    run = candidates.generator.run(candidates.generator.read(claim), word_affinity(candidates.schema, claim))
    run.drafts()
    found = [{t for _, _, t in d.rows} for d in empty_meetings(run) if len(d.rows) == 3]
    assert {"play2012", "Maren", "Ada Roth"} in found
    assert not any({"play2023", "Maren", "Ada Roth"} == ends for ends in found)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Ben Okoro fixed the tablet.", "refuted"),
        ("Ida Holm fixed the toaster.", "refuted"),
        ("Ben Okoro fixed the laptop.", "supported"),
        ("Ida Holm fixed the kettle.", "supported"),
    ],
)
def test_such_a_claim_is_judged_by_all_of_it(claim: str, verdict: str) -> None:
    assert verify(WORKSHOP, claim, method="query-graph").verdict == verdict
