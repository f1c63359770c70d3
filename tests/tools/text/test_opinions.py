"""What a sentence says of its speaker is no part of what it claims."""

from __future__ import annotations

import pytest

from triplewise.tools.text.opinions import as_told, without_opinion


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I think that Ann left", "Ann left"),
        ("Well, I've heard that Ann left", "Ann left"),
        ("I wasn't aware that Ann had a successor.", "Ann had a successor."),
        ("I didn’t know that Ann was not there.", "Ann was not there."),
        ("Priya's not full time, is she?", "Priya's not full time"),
        ("Ann left, didn't she?", "Ann left"),
        ("Ann left", "Ann left"),
        ("Did you know that Ann left?", "Ann left?"),
        ("I wish that Ann did not have a mascot.", "Ann did have a mascot."),
        ("If only the house wasn't empty", "the house was empty"),
        ("I wish the house had a lift.", "It is not so that the house had a lift."),
        ("Ann wishes for a lift.", "Ann wishes for a lift."),
        ("I wish to know that Ann left.", "I wish to know that Ann left."),
        ("Ann is not aware of it.", "Ann is not aware of it."),
        ("I think so", "I think so"),
    ],
)
def test_as_told(text: str, told: str) -> None:
    assert as_told(text) == told


def test_an_opinion_keeps_its_denials() -> None:
    assert without_opinion("I was told Ann did not leave") == "Ann did not leave"
    assert without_opinion("I wish Ann had not left") == "I wish Ann had not left"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("it was Lena who trained her", "Lena trained her"),
        ("So it was the old drill that broke first", "So the old drill broke first"),
        ("it was £31.50 he paid for it, wasn't it?", "he paid £31.50 for it"),
        ("it was not Lena who trained her", "it was not Lena who trained her"),
        ("it was cold that day", "it was cold that day"),
        ("Ann sold it first, I'm quite sure of it", "Ann sold it first"),
    ],
)
def test_what_is_put_first_to_be_stressed(text: str, told: str) -> None:
    assert as_told(text) == told


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        ("Rui works for one of our sponsors.", "Rui works for some of our sponsors."),
        ("One of our sponsors sells ink.", "One of our sponsors sells ink."),
        ("Only one of our sponsors sells ink.", "Only one of our sponsors sells ink."),
        ("Ann has more than one of our keys.", "Ann has more than one of our keys."),
    ],
)
def test_one_of_several_is_some(claim: str, told: str) -> None:
    assert as_told(claim) == told
