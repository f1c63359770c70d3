"""Two relations of one thing that lead to the same end."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

from triplewise.graphs.run import ask, verify
from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.candidates.same_ends import same_ends

_CLUBS = (("Chess Club", "Bilal", "Bilal"), ("Bridge Club", "Agnes", "Hugh"), ("Village Players", "Hugh", "Agnes"))
CLUBS = Candidates(
    NetworkxStore(
        [
            *((club, "chair", chair) for club, chair, _ in _CLUBS),
            *((club, "treasurer", treasurer) for club, _, treasurer in _CLUBS),
            *((club, "is a", "Club") for club, *_ in _CLUBS),
            *((person, "is a", "Person") for person in ("Bilal", "Agnes", "Hugh")),
        ],
        name="clubs",
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which club has the same person as chair and treasurer?", ["Chess Club"]),
        ("Which clubs have the same chair and treasurer?", ["Chess Club"]),
        ("Which club's chair is also its treasurer?", ["Chess Club"]),
        ("How many clubs have the same person as chair and treasurer?", ["1"]),
    ],
)
def test_it_is_one_things_end(question: str, answers: list[str]) -> None:
    assert [a.label for a in ask(CLUBS.store, question, method="query-graph").answers] == answers


@pytest.mark.parametrize(
    "sentence",
    [
        "Which club has another club's chair as treasurer?",
        "Which club does not have the same person as chair and treasurer?",
        "Does the Chess Club have the same person as chair and treasurer?",
        "Which club has the same chair as the Bridge Club?",
        "Which clubs have a chair and a treasurer?",
    ],
)
def test_other_sentences_are_read_as_before(sentence: str) -> None:
    assert same_ends(CLUBS.schema, CLUBS.generator.read(sentence)) == []


def test_a_claim_without_a_name_can_be_read() -> None:
    claim = "There is a club with the same person as chair and treasurer."
    assert verify(CLUBS.store, claim, method="query-graph").verdict == "supported"
