"""Questions whether there is something, turned into the questions for it."""

from __future__ import annotations

import pytest

from triplewise.tools.text.existential import asked_thing


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Has she got anything on the quay?", "What has she got on the quay?"),
        ("do any boats lie in Ufer", "Which boats lie in Ufer?"),
        ("Is any of those blue?", "Which of those is blue?"),
        ("Are any of those boats blue?", "Which of those boats are blue?"),
        ("OK. Did any of the repairs get finished?", "Which of the repairs did get finished?"),
        ("Has any other boat been sold?", "Which other boat has been sold?"),
        ("Does anybody else carry it?", "Who else carries it?"),
        ("does anyone still owe us anything?", "Who still owes us anything?"),
        ("Is anything else on that shelf?", "What else is on that shelf?"),
        ("Did she bring anyone herself?", "Who did she bring?"),
        ("Is she working for somebody else?", "Who else is she working for?"),
        ("Does he share it with anyone?", "Who does he share it with?"),
        ("Does he sell anything old?", "What old thing does he sell?"),
        ("Has it won anything we can tell of?", "What has it won?"),
        ("Has she got anyone she trained?", "Who she trained?"),
        ("Has he ever taken one of ours out?", "Which of ours has he taken out?"),
        ("Has Lena got a boat herself?", "Which boat has Lena got?"),
        ("Does she have pupils of her own?", "Which pupils does she have?"),
        ("Have we got a number for Jim Oake?", "What is the number for Jim Oake?"),
        ("do you have an address for Ann?", "What is the address for Ann?"),
    ],
)
def test_whether_there_is_something_asks_for_it(text: str, asked: str) -> None:
    assert asked_thing(text) == asked


@pytest.mark.parametrize(
    "text",
    [
        "Hasn't he got a boat?",
        "Does Lena live in Oslo?",
        "Is Lena one of the singers?",
        "Is it any good?",
        "Does she have blue eyes?",
        "Does the Otter lend any out?",
        "Has she a cat or a dog?",
        "Who has anything with us?",
        "Lena has got a boat.",
    ],
)
def test_other_sentences_ask_for_nothing(text: str) -> None:
    assert asked_thing(text) == ""
