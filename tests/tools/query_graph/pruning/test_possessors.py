"""Whose a thing is, and when it is."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.pruning.persons.possessors import of_beginning, of_having, of_owners, of_possessors
from triplewise.tools.text.persons import Persons

YARD = Candidates(
    NetworkxStore(
        [
            ("Heron", "built by", "Marsh & Son"), ("Heron", "owned by", "Ann Lee"), ("Teal", "built by", "Marsh & Son"),
            ("Teal", "mate", "Heron"), ("Spring Fair", "starts on", '"2026-04-18"'), ("Spring Fair", "ends on", '"2026-04-19"'),
            ("Spring Fair", "held at", "Heron"), ("Heron", "is a", "Boat"), ("Teal", "is a", "Boat"), ("Spring Fair", "is a", "Event"),
        ],
        name="yard",
    )
)  # fmt: skip


def _relations(question: str) -> tuple[set[str], set[str]]:
    """The relations of readings of one pattern: before, and of those that are kept."""
    sentence, drafts = YARD.of(question)
    kept = of_beginning(YARD.schema, sentence, of_owners(YARD.schema, sentence, drafts))
    found, left = ({d.rows[0][1] for d in some if len(d.rows) == 1 and d.links} for some in (drafts, kept))
    return found, left


@pytest.mark.parametrize("question", ["Whose boat is Heron?", "Whose is Teal?", "And whose is the Heron?"])
def test_an_owner_is_asked_for(question: str) -> None:
    found, left = _relations(question)
    assert "built by" in found and left == {"owned by"}


@pytest.mark.parametrize("question", ["Whose mate is Heron?", "Whose logo is on the Heron?", "Who built Heron?"])
def test_others_are_no_question_of_owners(question: str) -> None:
    found, left = _relations(question)
    assert found == left


KENNEL = Candidates(
    NetworkxStore(
        [
            ("Rex", "owned by", "Ann Lee"), ("Flint", "owned by", "Ben Ode"), ("Nala", "owned by", "Ann Lee"),
            ("Rex", "vet", "Cal Hume"), ("Flint", "vet", "Dov Marsh"), ("Nala", "vet", "Dov Marsh"),
            ("Flint", "sire", "Rex"), ("Agility", "taught by", "Eli Stone"), ("Rally", "taught by", "Fay Winter"),
            ("Agility", "held in", "Barn Hall"), ("Rally", "held in", "Barn Hall"),
        ],
        types={name: ["Dog"] for name in ("Rex", "Flint", "Nala")}
        | {name: ["Course"] for name in ("Agility", "Rally")}
        | {name: ["Teacher"] for name in ("Eli Stone", "Fay Winter")},
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Whose dogs see Dov Marsh?", {"Ann Lee", "Ben Ode"}),
        ("And whose dog sees Cal Hume?", {"Ann Lee"}),
        ("Whose courses are held in Barn Hall?", {"Eli Stone", "Fay Winter"}),
    ],
)
def test_whose_things_asks_for_who_has_them(question: str, answers: set[str]) -> None:
    sentence, drafts = KENNEL.of(question)
    kept = of_possessors(KENNEL.schema, Persons(KENNEL.schema), sentence, drafts)
    named = [d for d in drafts if d.links and d.form == "select"]
    things = set(KENNEL.schema.members("Dog")) | set(KENNEL.schema.members("Course"))
    assert any(d.answers & things for d in named)
    left = [d for d in kept if d.links and d.form == "select"]
    assert answers in [set(d.answers) for d in left] and not any(d.answers & things for d in left)


@pytest.mark.parametrize("question", ["Which dogs see Dov Marsh?", "Whose sire is Rex?", "Whose mistake was Agility?"])
def test_other_questions_ask_for_no_possessor(question: str) -> None:
    sentence, drafts = KENNEL.of(question)
    assert of_possessors(KENNEL.schema, Persons(KENNEL.schema), sentence, drafts) == drafts


@pytest.mark.parametrize("question", ["When's the Spring Fair?", "And what day is Spring Fair on?"])
def test_when_it_is_is_when_it_begins(question: str) -> None:
    found, left = _relations(question)
    assert found - left == {"ends on"} and "starts on" in left


def test_when_it_ends_is_asked_for() -> None:
    found, left = _relations("When does the Spring Fair end?")
    assert found == left


CONTRACTS = Candidates(
    NetworkxStore(
        [
            ("Road signs", "signed off by", "Neil Cragg"), ("Road signs", "awarded to", "Kestrel Signs"),
            ("Waste", "signed off by", "Neil Cragg"), ("Allotment 4", "rented by", "Ann Lee"),
            ("Allotment 4", "warden", "Ben Ode"),
        ],
        types={name: ["Contract"] for name in ("Road signs", "Waste")} | {"Kestrel Signs": ["Firm"]},
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "relations"),
    [
        ("Who had Road signs?", {"awarded to"}),
        ("So who's got Road signs now?", {"awarded to"}),
        ("Who has Waste?", {"signed off by", "awarded to"}),  # of nobody else the graph tells
        ("Who has Allotment 4?", {"rented by", "warden"}),
        ("Who has signed off Road signs?", {"signed off by", "awarded to"}),
    ],
)
def test_who_has_it_did_nothing_to_it(question: str, relations: set[str]) -> None:
    sentence, drafts = CONTRACTS.of(question)
    kept = of_having(CONTRACTS.schema, sentence, drafts)
    assert {d.rows[0][1] for d in kept if len(d.rows) == 1 and d.links and d.rows[0][2] == 0} == relations
