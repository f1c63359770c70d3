"""Of "both ... and" no reading has one half only."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

import triplewise
from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.pruning.both_said import of_all_clauses, of_both, of_same_end

_PLAYS = [("Macbeth", "Ann Lee", "Bob Ray"), ("Aladdin", "Bob Ray", "Cal Hume"), ("Hay Fever", "Dee Fox", "Ann Lee")]
PLAYS = Candidates(
    NetworkxStore(
        [
            *((play, "directed by", name) for play, name, _ in _PLAYS), *((play, "produced by", name) for play, _, name in _PLAYS),
            *((play, "is a", "Play") for play, *_ in _PLAYS),
            *((name, "is a", "Person") for name in ("Ann Lee", "Bob Ray", "Cal Hume", "Dee Fox")),
        ],
        name="plays",
    )
)  # fmt: skip


def test_both_halves_are_conditions() -> None:
    sentence, drafts = PLAYS.of("Who has both directed and produced?")
    kept = of_both(PLAYS.schema, sentence, drafts)
    assert len(kept) < len(drafts)
    assert {d.answers for d in kept if d.form == "select"} == {frozenset({"Ann Lee", "Bob Ray"})}


def test_without_both_all_stay() -> None:
    sentence, drafts = PLAYS.of("Who has directed and produced?")
    assert of_both(PLAYS.schema, sentence, drafts) == drafts


_BOATS = (("Kite", 6, "yes"), ("Wren", 6, "no"), ("Tern", 4, "yes"))
BOATS = Candidates(
    NetworkxStore(
        [
            *((boat, "sleeps", f'"{sleeps}"') for boat, sleeps, _ in _BOATS),
            *((boat, "pets allowed", f'"{pets}"') for boat, _, pets in _BOATS),
            *((boat, "is a", "Boat") for boat, *_ in _BOATS),
            ("Ann", "home town", "Leeds"), ("Ben", "home town", "Leeds"), ("Cal", "home town", "Cork"),
            ("B1", "hirer", "Ann"), ("B2", "hirer", "Cal"),
            *((person, "joined in", '"2020"') for person in ("Ann", "Ben", "Cal")),
        ]
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "answers", "left"),
    [
        ("Which boats that sleep 6 will take a dog?", {"Kite", "Wren"}, False),
        ("Which boats sleep 6?", {"Kite", "Wren"}, True),
        ("Who from Leeds has hired?", {"Ann", "Ben"}, False),
        ("Who is from Leeds?", {"Ann", "Ben"}, True),
        ("Who from Leeds has joined?", {"Ann", "Ben"}, True),
    ],
)
def test_what_else_is_said_is_a_condition_too(question: str, answers: set[str], left: bool) -> None:
    sentence, drafts = BOATS.of(question)
    kept = of_all_clauses(BOATS.schema, sentence, drafts)
    alone = [
        [d for d in some if d.answers == answers and len(d.rows) == 1 and (d.links or d.values)]
        for some in (drafts, kept)
    ]
    assert alone[0] and bool(alone[1]) == left


FAMILY = NetworkxStore(
    [
        ("Jack Brennan", "mother", "Ruth Hale"),
        ("Lily Brennan", "mother", "Ruth Hale"),
        ("Ruth Hale", "mother", "Joan Hale"),
        ("Toby Oko", "mother", "Nell Oko"),
        ("Jack Brennan", "lives in", "Leeds"),
        ("Lily Brennan", "lives in", "York"),
        ("Toby Oko", "lives in", "Leeds"),
    ],
    name="family",
)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Jack and Lily Brennan have the same mother.", "supported"),
        ("Lily and Toby have the same mother.", "refuted"),
        ("Jack and Toby live in the same town.", "supported"),
        ("Jack and Lily live in the same town.", "refuted"),
    ],
)
def test_two_that_have_the_same(claim: str, verdict: str) -> None:
    assert triplewise.verify(FAMILY, claim, method="query-graph").verdict == verdict


def test_who_has_the_same_as_another_is_one() -> None:
    graph = Candidates(FAMILY)
    for claim in ("Jack and Lily have the same mother as Toby.", "Jack and Lily have a mother."):
        sentence = graph.generator.read(claim)
        drafts = graph.generator.generate(sentence, lambda step: 0.5)
        assert of_same_end(sentence, drafts) == drafts
