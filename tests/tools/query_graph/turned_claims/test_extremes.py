"""Claims of an extreme, comparisons that nothing meets, what a sentence takes away, and names that a graph lacks."""

from __future__ import annotations

import pytest

from triplewise.graphs.run import ask, verify
from triplewise.kg import KGStore, NetworkxStore
from triplewise.tools.query_graph.turned_claims.extremes import (
    BeyondAll,
    ExtremeClaim,
    ExtremeSubject,
    LastClaim,
    TurnedClaim,
    beyond_all,
    extreme_claim,
    extreme_subject,
    longest_claim,
)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Tern Rock is the tallest lighthouse", ExtremeClaim("Tern Rock", "the tallest lighthouse", False)),
        ("is Tern Rock the tallest lighthouse", ExtremeClaim("Tern Rock", "the tallest lighthouse", False)),
        ("Tern Rock is not the tallest", ExtremeClaim("Tern Rock", "the tallest", True)),
        ("Copper Red is our priciest glaze.", ExtremeClaim("Copper Red", "the priciest glaze.", False)),
        ("The tallest lighthouse is Tern Rock.", TurnedClaim("Tern Rock", "is the tallest lighthouse", False)),
        ("The boat with the highest mast is Heron", TurnedClaim("Heron", "boat has the highest mast", False)),
        ("The person that has been here longest is not Ann", LastClaim("Ann", "has been here longest", True)),
        ("The oldest boat is in the harbour", None),
        ("Tern Rock is at least 12 m tall", None),
        ("The guests live in the forest", None),
    ],
)
def test_parts(text: str, parts: ExtremeClaim | None) -> None:
    assert extreme_claim(text) == parts and type(extreme_claim(text)) is type(parts)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Ann has been with us longest.", LastClaim("Ann", "has been with us longest.", False)),
        ("So Ann is not longest in the firm", LastClaim("Ann", "is longest in the firm", True)),
        ("Ann has not been here longest", LastClaim("Ann", "has been here longest", True)),
        ("Ann is longest in the firm", LastClaim("Ann", "is longest in the firm", False)),
        ("Ann has the longest boat", None),
    ],
)
def test_parts_of_who_has_been_there_longest(text: str, parts: LastClaim | None) -> None:
    assert longest_claim(text) == parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("The oldest boat belongs to Ann.", ExtremeSubject("The oldest boat", "belongs to Ann.")),
        ("The most recent film is a comedy", ExtremeSubject("The most recent film", "is a comedy")),
        ("The oldest boat of the club belongs to Ann", None),
        ("The boat belongs to the oldest sailor", None),
        ("The oldest boat is the longest boat", None),
    ],
)
def test_parts_of_what_tells_something_of_an_extreme(text: str, parts: ExtremeSubject | None) -> None:
    assert extreme_subject(text) == parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Rex is older than every other dog.", BeyondAll("Rex", "", "the oldest", "dog", False)),
        ("Is Rex younger than all the others?", BeyondAll("Rex", "", "the youngest", "", False)),
        ("Rex is more playful than any other dog", BeyondAll("Rex", "", "the most playful", "dog", False)),
        ("Rex isn't better than all other dogs", BeyondAll("Rex", "", "the best", "dogs", True)),
        ("Rex weighs less than everyone else", BeyondAll("Rex", "weighs", "the least", "", False)),
        ("Rex has more pups than any other dog", BeyondAll("Rex", "has", "the most pups", "dog", False)),
        ("Rex is not older than any other dog", None),
        ("Rex is older than the other dog", None),
        ("Rex is older than Flint", None),
    ],
)
def test_parts_of_what_is_more_than_all_others(text: str, parts: BeyondAll | None) -> None:
    assert beyond_all(text) == parts


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Falcon is the longest boat", "supported"),
        ("Heron is the longest boat", "refuted"),
        ("Heron is not the longest boat", "supported"),
        ("Falcon is the oldest boat", "supported"),
        ("Osprey is the shortest boat", "refuted"),
        ("Heron is our shortest boat", "supported"),
        ("Osprey is our longest-serving boat", "refuted"),
        ("Falcon is longer than Heron", "supported"),
        ("Falcon is longer than every other boat", "supported"),
        ("Osprey is longer than every other boat", "refuted"),
        ("Osprey is longer than all other boats", "refuted"),
        ("Osprey is older than any other boat", "refuted"),
        ("Falcon is older than all the others", "supported"),
        ("Osprey is not longer than every other boat", "supported"),
        ("The oldest boat is owned by Ann Doyle", "supported"),
        ("The shortest boat is owned by Ann Doyle", "refuted"),
        ("The longest boat is the Falcon", "supported"),
        ("The longest boat is the Heron", "refuted"),
        ("Osprey has been here longest", "refuted"),
        ("Falcon was built in Norway", "not_enough_evidence"),
    ],
)
def test_claims(boats: KGStore, claim: str, verdict: str) -> None:
    assert verify(boats, claim, method="query-graph").verdict == verdict


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("which boat is longer than falcon?", []),
        ("which boats are longer than heron?", ["Falcon", "Osprey"]),
        ("is any boat longer than Falcon?", ["no"]),
        ("is falcon the oldest boat?", ["yes"]),
        ("which boats are not owned by Ann Doyle?", ["Heron", "Osprey"]),
        ("which boats are not insured?", ["Heron"]),
        ("which is our longest-serving boat?", ["Falcon"]),
        ("list all elephants", []),
        ("who owns the Titanic?", []),
    ],
)
def test_questions(boats: KGStore, question: str, answers: list[str]) -> None:
    assert sorted(a.label for a in ask(boats, question, method="query-graph").answers) == answers


@pytest.mark.parametrize(("number", "verdict"), [(3, "supported"), (6, "not_enough_evidence")])
def test_few_without_a_number_are_not_held_against_an_extreme(number: int, verdict: str) -> None:
    """Of the repairs without a bill nobody knows one; where most lack it, nothing is told."""
    repairs = [f"R{i}" for i in range(1, 6 + number)]
    bills = [(repair, "bill", f'"{10 * i}"') for i, repair in enumerate(repairs[:5], 1)]
    jobs = [(repair, "mechanic", "Ann Lee") for repair in repairs]
    kg = NetworkxStore([*bills, *jobs], types={repair: ["repair"] for repair in repairs})
    assert verify(kg, "R5 was the most expensive repair.", method="query-graph").verdict == verdict
    assert verify(kg, "R4 was the most expensive repair.", method="query-graph").verdict == "refuted"
