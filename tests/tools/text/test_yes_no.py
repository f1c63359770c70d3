"""Questions that are answered by yes or no."""

from __future__ import annotations

import pytest

from triplewise.tools.text.yes_no import asks_yes_or_no, claim_in


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
