"""Verbs that forbid."""

from __future__ import annotations

import pytest

from triplewise.tools.query_graph.forbidding import (
    allows,
    forbids,
    is_aversion,
    may_have,
    must_not_have,
    speaks_of_forbidding,
    without_forbidding,
)


@pytest.mark.parametrize(
    "text",
    [
        "Who can't do sesame?",
        "what mustn't end up on Oma's plate?",
        "guests that cannot have nuts",
        "Pip won't eat leek",
    ],
)
def test_what_somebody_must_not_have(text: str) -> None:
    assert must_not_have(text)


@pytest.mark.parametrize("words", ["alrg", "cannot do", "allergic to"])
def test_a_relation_of_what_is_avoided(words: str) -> None:
    assert is_aversion(words)


@pytest.mark.parametrize(
    ("text", "forbidden"),
    [
        ("The inn bans dogs", True),
        ("Dogs are forbidden at the inn", True),
        ("The inn refuses no dogs", True),
        ("The inn never refuses dogs", False),
        ("The inn doesn't actually ban dogs", False),
        ("Dogs have not been excluded", False),
        ("The inn has a bar", False),
    ],
)
def test_what_is_forbidden(text: str, forbidden: bool) -> None:
    assert forbids(text) is forbidden


def test_a_verb_that_forbids_is_taken_out_with_what_denies_it() -> None:
    assert without_forbidding("No inn has ever not banned dogs").split() == ["No", "inn", "has", "ever", "dogs"]
    assert speaks_of_forbidding("Dogs are not banned") and not speaks_of_forbidding("Dogs are allowed")


def test_words_of_a_relation_that_allow() -> None:
    assert allows("pets allowed") and allows("dog friendly") and not allows("pets")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Families that can't have nuts?", True),
        ("who cant eat fish", True),
        ("Patients who must not be given latex", True),
        ("what can't Ann Lee eat?", True),
        ("Which dish could Ann not eat?", True),
        ("Who can have nuts?", False),
        ("What can't F-02 eat?", True),
        ("Who has no nuts?", False),
    ],
)
def test_what_somebody_cannot_have(text: str, said: bool) -> None:
    assert must_not_have(text) is said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("who can eat nuts?", True),
        ("Which dishes could Ann Lee have?", True),
        ("who is allowed to drink wine", True),
        ("who can't eat nuts?", False),
        ("what could Ann not eat?", False),
        ("who cannot have wine", False),
        ("who eats nuts?", False),
    ],
)
def test_what_somebody_can_have(text: str, said: bool) -> None:
    assert may_have(text, ["cannot eat", "town"]) is said
    assert not may_have(text, ["town"]) and not may_have("who can eat nuts?", ["avoids", "eats"])


def test_words_of_a_relation_that_tell_an_aversion() -> None:
    assert is_aversion("allergic to") and is_aversion("avoids") and is_aversion("cannot eat")
    assert not is_aversion("likes") and not is_aversion("eats")
