"""What is said beside what is asked takes no answer away: an aside, a clause of its own, a month that a name has."""

from __future__ import annotations

import pytest

from triplewise.kg import NetworkxStore
from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.pruning.idle.narrower import of_said_narrowness
from triplewise.tools.query_graph.pruning.times.own_dates import of_tied_dates
from triplewise.tools.query_graph.ranker import Reader

KEPT = {
    "dome": ("North Dome", "South Dome"), "telescope": ("Kite", "Quadrant"), "run": ("R-1", "R-2", "R-3"),
    "instrument": ("HARRIER", "BRICK"), "proposal": ("P-1", "P-2"), "person": ("Ruth", "Gus", "Dov", "Marta"),
    "club": ("Gulls", "Krakens"), "night": ("N-0405", "N-0406"),
}  # fmt: skip
OBSERVATORY = NetworkxStore(
    [
        ("Kite", "lives in", "North Dome"), ("Quadrant", "lives in", "South Dome"),
        ("North Dome", "keyholder", "Gus"), ("South Dome", "keyholder", "Marta"),
        ("HARRIER", "inst pi", "Ruth"), ("BRICK", "inst pi", "Dov"), ("HARRIER", "wanted by", "P-1"),
        ("P-1", "pi", "Dov"), ("P-2", "pi", "Ruth"),
        ("R-1", "telescope", "Kite"), ("R-1", "run by", "Dov"), ("R-2", "telescope", "Quadrant"), ("R-2", "run by", "Ruth"),
        ("R-1", "in night", "N-0405"), ("R-2", "in night", "N-0406"), ("R-1", "shown by", "Gus"), ("R-2", "shown by", "Marta"),
        ("R-1", "watched by", "Ruth"), ("R-2", "watched by", "Dov"), ("R-1", "began on", '"2024-04-06"'),
        ("R-2", "began on", '"2024-05-06"'), ("R-1", "ended on", '"2024-05-03"'), ("R-2", "ended on", '"2024-05-09"'),
        ("R-3", "telescope", "Kite"), ("R-3", "run by", "Dov"), ("R-3", "shown by", "Gus"), ("R-3", "watched by", "Marta"),
        ("R-3", "began on", '"2024-03-01"'), ("R-3", "ended on", '"2024-03-03"'), ("R-3", "in night", "N-0406"),
        ("N-0405", "date", '"2024-04-05"'), ("N-0406", "date", '"2024-05-06"'),
        ("Gulls", "backed by", "Juno Cola"), ("Krakens", "backed by", "Sprinkle"),
    ],
    types={thing: [kind] for kind, things in KEPT.items() for thing in things},
    name="observatory",
)  # fmt: skip
READER = Reader(OBSERVATORY)


def _kept(question: str) -> list[set[str]]:
    """The answers of what is left of a question's candidates."""
    sentence, drafts, _ = READER.candidates(question)
    return [set(d.answers) for d in READER.pruner.kept(sentence, "ask", drafts)]


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("I can't stand Juno Cola. Whose shirts is it on?", {"Gulls"}),
        ("I never learnt who watched R-1.", {"Ruth"}),
        ("Who keeps the key to the dome where Kite lives?", {"Gus"}),
        ("R-1 was at the telescope. Who watched it?", {"Ruth"}),
        ("They met in the night of 5 April, N-0405. Who ran the run?", {"Dov"}),
    ],
)
def test_the_answer_is_kept(question: str, answers: set[str]) -> None:
    assert answers in _kept(question)


def _has(drafts: list[Draft], answers: set[str], *relations: str) -> bool:
    """Whether some draft comes to these answers by these relations and no others."""
    return any(d.answers == answers and {*relations} == {r for _, r, _ in d.rows} - {TYPE} for d in drafts)


def test_a_relation_is_narrower_only_of_the_same_kind_of_thing() -> None:
    """A proposal has a PI, and an instrument one of its own."""
    sentence, drafts, _ = READER.candidates("Who led the build of HARRIER?")
    assert _has(of_said_narrowness(READER.schema, sentence, drafts), {"Ruth"}, "inst pi")


@pytest.mark.parametrize(
    ("question", "answers", "relations"),
    [
        ("Which runs were over after the start of May 2024?", {"R-1", "R-2"}, ("ended on",)),
        ("Who was shown about before May 2024?", {"Ruth", "Marta"}, ("watched by", "began on")),  # by whom, a run tells
    ],
)
def test_the_dates_of_a_row_are_kept(question: str, answers: set[str], relations: tuple[str, ...]) -> None:
    sentence, drafts, _ = READER.candidates(question)
    assert _has(drafts, answers, *relations)
    assert _has(of_tied_dates(READER.schema, sentence, drafts), answers, *relations)


def test_what_is_denied_of_what_is_asked_is_taken_away() -> None:
    kept = _kept("Which clubs are not backed by Juno Cola?")
    assert {"Krakens"} in kept and {"Gulls"} not in kept
