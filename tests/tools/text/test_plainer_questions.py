"""Idioms as the plain questions that mean the same."""

from __future__ import annotations

import pytest

from triplewise.tools.text.plainer_questions import (
    corrected,
    in_full,
    plainer,
    with_stand_in,
    with_topic,
    without_idle_words,
)


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("What's Ann Doyle's boat called?", "Which boat is Ann Doyle's?"),
        ("What is the name of Ann Doyle's boat?", "Which boat is Ann Doyle's?"),
        ("What came of Ann's protest?", "What was the outcome of Ann's protest?"),
        ("and what became of the protest", "and what was the outcome of the protest"),
        ("How is called the pet of Ann?", "Which is the pet of Ann?"),
        ("whereabouts do we keep the projector?", "where do we keep the projector?"),
        ("who is on duty at the moment?", "who is on duty?"),
        ("What is the boat called Heron?", "What is the boat called Heron?"),
        ("What is Ann's boat?", "What is Ann's boat?"),
        ("Who came off worst?", "Who came off worst?"),
    ],
)
def test_plainer(question: str, plain: str) -> None:
    assert plainer(question) == plain


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("What is Ann Doyle's boat?", "Which boat is Ann Doyle's?"),
        ("What's the Heron's owner?", "What's the Heron's owner?"),
    ],
)
def test_what_things_are_is_asked_of_the_things(question: str, plain: str) -> None:
    assert plainer(question, lambda noun, owner: (noun, owner) == ("boat", "Ann Doyle")) == plain


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("Who steps in when Tom Szabo can't do his round?", "Who stands in for Tom Szabo?"),
        ("and who fills in if Ann is ill", "Who stands in for Ann?"),
        ("Who steps in when it rains?", "Who steps in when it rains?"),
        ("Who steps in?", "Who steps in?"),
    ],
)
def test_who_steps_in_stands_in(question: str, plain: str) -> None:
    assert with_stand_in(question) == plain


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("the canoe - who has it now?", "who has the canoe now?"),
        ("Ada Moss: what is her job?", "what is Ada Moss's job?"),
        ("The Heron: who owns her?", "who owns The Heron?"),
        ("Heron: who owns the boat?", "Heron: who owns the boat?"),  # points at nothing before it
        ("so - who has it?", "so - who has it?"),
    ],
)
def test_what_stands_before_a_dash_is_asked_of(question: str, plain: str) -> None:
    assert with_topic(question) == plain


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("who's got a key to this place?", "who has a key?"),
        ("who has got the drill round here?", "who has the drill?"),
        ("who's the band again?", "who's the band?"),
        ("which van is it, love?", "which van is it?"),
        ("And Anna, dear, what does she ride?", "And Anna, what does she ride?"),
        ("who has got to pay?", "who has got to pay?"),
        ("did they hire it again?", "did they hire it again?"),
        ("who does Ann love?", "who does Ann love?"),
        ("FloodLab, no. of holders", "FloodLab, number of holders"),
        ("No of seats?", "number of seats?"),
        ("who sold the greatest number of cameras?", "who sold the most cameras?"),
        ("which one has the smallest number of beds?", "which one has the fewest beds?"),
        ("the number of cameras?", "the number of cameras?"),
        ("I'm not sure whom the Port rings.", "whom the Port rings."),
        ("I never learnt who programmed it", "who programmed it"),
        ("we can't remember in which room it is", "in which room it is"),
        ("Not a clue who won?", "who won?"),
        ("I'm not who you think", "I'm not who you think"),
        ("who said no of those", "who said no of those"),
        ("which rooms haven't needed a single repair?", "which rooms haven't needed any repair?"),
        ("who has never sold a single cup", "who has never sold any cup"),
        ("which room isn't a single room?", "which room isn't a single room?"),
        ("which bills are still unpayed?", "which bills are still unpaid?"),
        ("what's his number, I'll give him a ring", "what's his number?"),
        ("Lisky is who again", "who is Lisky?"),
        ("the chap who runs it is where?", "where is the chap who runs it?"),
        ("do you know when it is?", "do you know when it is?"),
        ("remind me where callum lives, need to drop his map off", "remind me where callum lives?"),
        ("which boats, i want to know, are out?", "which boats, i want to know, are out?"),
        ("who came, need to know which of them paid", "who came, need to know which of them paid"),
        ("Gwyn here. What did the feed cost?", "What did the feed cost?"),
        ("What is Gwyn here for?", "What is Gwyn here for?"),
        ("who won't eat beetroot? packing now", "who won't eat beetroot?"),
        ("what have we forked out so far", "what have we spent so far"),
        ("how much did she cough up?", "how much did she pay?"),
        ("Auntie, whose is the Beast?", "whose is the Beast?"),
        ("please, Uncle Ned, where is it?", "where is it?"),
        ("Dad drove, who steered?", "Dad drove, who steered?"),
        ("who has it, gaffer?", "who has it?"),
        ("whats the gateway depend on", "what does the gateway depend on?"),
        ("and where's Tom live?", "and where does Tom live?"),
        ("what's it like to live?", "what's it like to live?"),
        ("what's Tom's work for the show?", "what's Tom's work for the show?"),
    ],
)
def test_idle_words_are_left_out(question: str, plain: str) -> None:
    assert without_idle_words(question) == plain


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("priciest single part we ever sent away for?", "Which part is the priciest we ever sent away for?"),
        ("Newest one?", "Which one is the newest?"),
        ("the most expensive repair of 2024", "Which repair is the most expensive of 2024?"),
        ("Dearest job ever, who did it?", "Dearest job ever, who did it?"),
        ("Guest list?", "Guest list?"),
    ],
)
def test_an_extreme_alone_is_asked_for(question: str, plain: str) -> None:
    assert in_full(question) == plain


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("how many years later did.. no, just when did it come out", "when did it come out"),
        ("who has, sorry, where is the drill?", "where is the drill?"),
        ("Georg... sorry, Gus was there to help", "Gus was there to help"),
        ("Did Ann, I mean Bo, bring it?", "Did Bo, bring it?"),
        ("where does Ann live, and when did Bo come?", "where does Ann live, and when did Bo come?"),
        ("Ann was sorry, Bo was not", "Ann was sorry, Bo was not"),
        ("when did we last go, I mean which day was it?", "when did we last go, I mean which day was it?"),
    ],
)
def test_what_is_taken_back_is_left_out(said: str, meant: str) -> None:
    assert corrected(said) == meant
