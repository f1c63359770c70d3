"""Questions that are answered by yes or no."""

from __future__ import annotations

import pytest

from triplewise.tools.text.yes_no import (
    asks_for_things,
    asks_openly,
    asks_yes_or_no,
    claim_in,
    denies,
    may_be_answered_yes,
)


@pytest.mark.parametrize(
    "text",
    [
        "Does Lena live in Oslo?",
        "and is the Otter a ship?",
        "isn't she a musician",
        "Had they met?",
        "Were the two flats let?",
    ],
)
def test_yes_or_no(text: str) -> None:
    assert asks_yes_or_no(text)


@pytest.mark.parametrize(
    "text",
    [
        "Who lives in Oslo?",
        "Is Peat or Salt heavier?",
        "Is there a ferry to Rona?",
        "Do you know who wrote it?",
        "Can you list the ships?",
        "were is the Otter",
        "Lena lives in Oslo.",
        "Is it known when she left?",
    ],
)
def test_other_sentences(text: str) -> None:
    assert not asks_yes_or_no(text)


def test_the_claim_of_a_question() -> None:
    assert claim_in("Isn't Lena a musician?") == "Is Lena a musician"
    assert claim_in("does Lena live in Oslo ?") == "does Lena live in Oslo"


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Who rents Plot 4?", True),
        ("which ship is the longest", True),
        ("And in which harbour does it lie?", True),
        ("Where is the Otter?", True),
        ("Where the Otter lies, there is no harbour master.", False),
        ("Whoever sails the Otter lives in Ufer.", False),
        ("Someone has sailed it, no?", False),
        ("Is the Otter a ship?", False),
    ],
)
def test_a_question_is_no_claim(text: str, asks: bool) -> None:
    assert asks_for_things(text) == asks


def test_whether_one_is_the_one_who_does_it_is_whether_they_do() -> None:
    assert asks_yes_or_no("Is Lena the person who coaches Tom?")
    assert claim_in("Is Lena the person who coaches Tom?") == "Lena coaches Tom"
    assert not asks_yes_or_no("Who is the person who coaches Tom?")


def test_a_question_that_expects_a_yes_puts_up_a_claim() -> None:
    assert asks_openly("Is she a musician?") and not asks_openly("Isn't she a musician?")
    assert not asks_openly("She is a musician.")


def test_the_form_of_a_question_for_what_is_possible_or_at_hand() -> None:
    assert may_be_answered_yes("And is there parking?") and may_be_answered_yes("Can I bring my car?")
    assert not may_be_answered_yes("There is parking.") and not may_be_answered_yes("Can you tell who sings?")


def test_a_value_that_denies() -> None:
    for value in ("not fixed", "None", "never", "failed", "unresolved", "no suction", "didn't work"):
        assert denies(value), value
    for value in ("fixed", "No. 5", "no 12", "under repair", "United Nations", "unit", "Norah", "2019"):
        assert not denies(value), value
