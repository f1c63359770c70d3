"""Claims are not read in ways that say no more than a plainer reading, or that nothing can meet."""

from __future__ import annotations

import pytest
from small_graphs import Candidates, ferries, word_affinity

from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.candidates.drafts import Row
from triplewise.tools.query_graph.candidates.idle_patterns import (
    contradictory,
    either_answer,
    of_difference,
    of_named,
    roundabout,
)
from triplewise.tools.query_graph.candidates.of_claims.claims import ClaimRun

FERRIES = Candidates(ferries())
TO_SHARED, FROM_SHARED, NAMED = ("Otter", "based at", 1), (0, "based at", 1), (0, "based at", "Ufer")
CREWS = Candidates(NetworkxStore([*ferries().triples(), ("Ben Ode", "mate on", "MS Löwe")]))


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ((TO_SHARED, FROM_SHARED, NAMED), True),
        ((NAMED, TO_SHARED, FROM_SHARED), True),
        ((TO_SHARED, ("Sea Eagle", "based at", 1), FROM_SHARED, NAMED), False),
        ((TO_SHARED, FROM_SHARED, ("Sea Eagle", "based at", 2), (0, "based at", 2), NAMED), False),
        (((2, "based at", 1), FROM_SHARED, NAMED), False),
        ((TO_SHARED, FROM_SHARED), False),
        ((TO_SHARED, NAMED), False),
        ((TO_SHARED, FROM_SHARED, (0, "carries cars", "yes")), False),
        # one may be mate on several ships: to be on one with a mate of Otter is not to be on Otter
        ((("Ben Ode", "mate on", 1), (0, "mate on", 1), (0, "mate on", "Otter")), False),
    ],
)
def test_a_value_told_of_another_that_shares_it(rows: tuple[Row, ...], expected: bool) -> None:
    assert roundabout(CREWS.schema, rows) is expected


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (((0, "carries cars", '"yes"'), (0, "carries cars", '"no"')), True),
        (((0, "carries cars", '"yes"'), (1, "carries cars", '"no"')), False),
        (((0, "based at", "Ufer"), (0, "based at", "Nordkap Quay")), False),
    ],
)
def test_yes_and_no_of_one_thing(rows: tuple[Row, ...], expected: bool) -> None:
    assert contradictory(FERRIES.schema, rows) is expected


@pytest.mark.parametrize("claim", ["Otter is based at Ufer.", "No ship carries a camel."])
def test_such_readings_are_not_proposed(claim: str) -> None:
    sentence = FERRIES.generator.read(claim)
    for draft in ClaimRun(FERRIES.generator, sentence, word_affinity(FERRIES.schema, claim)).drafts():
        assert not roundabout(FERRIES.schema, draft.rows), draft
        assert not contradictory(FERRIES.schema, draft.rows), draft


def test_what_makes_no_difference_is_not_said() -> None:
    _, drafts = FERRIES.of("Which ships carry cars?")
    yes = next(d for d in drafts if (0, "carries cars", '"yes"') in d.rows and len(d.rows) == 2)
    based = yes.but(rows=(*yes.rows, (0, "based at", 1)))
    assert of_difference([yes, based]) == [yes]
    assert of_difference([based]) == [based]
    other = based.but(answers=yes.answers | {"Otter"})
    assert of_difference([yes, other]) == [yes, other]
    named = yes.but(rows=(*yes.rows, (0, "based at", "Ufer")))
    assert of_difference([yes, named]) == [yes, named]


def test_what_is_named_is_not_left_open() -> None:
    sentence, drafts = FERRIES.of("Who is the captain of Sea Eagle?")
    named = next(d for d in drafts if d.rows == ((0, "captain of", "Sea Eagle"),))
    anybody = named.but(rows=((0, "captain of", 1),), links=())
    assert of_named(sentence, [named, anybody]) == [named]
    assert of_named(sentence, [anybody]) == [anybody]
    mates = anybody.but(rows=((0, "mate on", 1),))
    assert of_named(sentence, [named, mates]) == [named, mates]
    part, _ = FERRIES.of("Who is the captain of Eagle?")
    assert of_named(part, [named, anybody]) == [named, anybody]


def test_a_yes_or_no_is_said_as_one_of_them() -> None:
    _, drafts = FERRIES.of("Which ships carry cars?")
    yes = next(d for d in drafts if (0, "carries cars", '"yes"') in d.rows)
    assert not either_answer(FERRIES.schema, yes)
    assert either_answer(FERRIES.schema, yes.but(rows=((0, "carries cars", 1),)))
    assert not either_answer(FERRIES.schema, yes.but(rows=(("Otter", "carries cars", 0),)))
    assert not either_answer(FERRIES.schema, yes.but(rows=((0, "based at", 1),)))
