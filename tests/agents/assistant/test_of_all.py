"""Statements of all or of none, and noun phrases that ask for all of a kind."""

from __future__ import annotations

import pytest

from triplewise.agents.assistant.intents.claims_said import claim_of
from triplewise.agents.assistant.intents.intent import by_rules
from triplewise.agents.assistant.intents.of_all import says_of_all
from triplewise.agents.assistant.references import find_references

STATED = """\
All boats at Gayton Basin ban pets.
Nobody gave Lady Margaret more than one star.
All the hirers from Leeds have had training
No boat at Stoke Wharf sleeps ten
no boats at Stoke Wharf allow pets
All boats that sleep 6 allow pets.
Everyone who hired Bittern lives in Cork.
All moorings sell maps
Nobody has hired any boat twice
No boat was built before 1990.
all boats at Foxton Quay sleep at least 4
Nobody booked.
Every hirer paid a deposit
None of the trainers lives in Leeds.
each base has a manager
All boats at the Foxton quay ban pets.
"""
ASKED = """\
all boats at Gayton Basin
All boats at Gayton Basin.
all boats hired in May
All bookings paid
all boats that sleep six
all boats that are at Stoke Wharf
all the boats Amina took in May
all the boats she took
all boats cheaper than 100
no problem
no he lives in Leeds
no sorry, i meant Wendy
no idea how that works
everyone from Leeds
All boats in the Foxton area.
All boats at the quay, please.
Everything off the presses of Smith.
All boats Amina has hired, mended ones included.
nobody else?
Did all boats allow pets?
"""


@pytest.mark.parametrize("text", STATED.splitlines())
def test_a_verb_after_all_of_a_kind_makes_a_statement(text: str) -> None:
    assert says_of_all(text) and by_rules(text, named=1, after_answer=True) == "verify"


@pytest.mark.parametrize("text", ASKED.splitlines())
def test_all_of_a_kind_without_a_verb_is_no_statement(text: str) -> None:
    assert not says_of_all(text)


def test_no_before_a_kind_is_no_answer() -> None:
    assert find_references("No boat at the quay allows pets.").bare == "No boat at the quay allows pets."
    assert find_references("Well, no boat at the quay allows pets.").bare == "no boat at the quay allows pets."
    assert find_references("no he lives at the quay").bare == "he lives at the quay"
    assert claim_of("No boat at the quay allows pets.") == "No boat at the quay allows pets."
