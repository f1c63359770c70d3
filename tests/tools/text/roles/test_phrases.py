"""What one thing is to another by a set phrase."""

from __future__ import annotations

import pytest

from triplewise.tools.text.roles.converses import LEADING, SUCCESSION, TEACHING, Role
from triplewise.tools.text.roles.doers import LIGHT, Between, does_first, ends_by_words, ends_of, roles_said, says_label
from triplewise.tools.text.roles.phrases import DERIVATION, STANDING_IN, of_phrase

PUPIL, STAND_IN, COVERED = Role(TEACHING, False), Role(STANDING_IN, True), Role(STANDING_IN, False)
LATER, EARLIER = Role(SUCCESSION, False), Role(SUCCESSION, True)


@pytest.mark.parametrize(
    ("words", "role"),
    [
        ("learned it all from", PUPIL),
        ("learnt the trade off old", PUPIL),
        ("once studied under", PUPIL),
        ("is the apprentice of", PUPIL),
        ("had his schooling from", PUPIL),
        ("is in charge of", Role(LEADING, True)),
        ("works under", Role(LEADING, False)),
        ("is over", Role(LEADING, True)),
        ("fills in for", STAND_IN),
        ("is the deputy to", STAND_IN),
        ("is covered by", COVERED),
        ("fails over to", COVERED),
        ("was written in place of", LATER),
        ("took the minutes over from", LATER),
        ("is just a sequel to", LATER),
        ("has been superseded by", EARLIER),
        ("came out of the 2016", Role(DERIVATION, False)),
        ("climbed over the fence to", None),
        ("is an older version of", None),
        ("and his sister who lives next door learned from", None),
    ],
)
def test_what_the_first_is_by_a_phrase(words: str, role: Role | None) -> None:
    assert of_phrase(words.split(), LIGHT) == role


@pytest.mark.parametrize(
    ("label", "head"),
    [
        ("learnt from", PUPIL),
        ("trained under", PUPIL),
        ("stands in for", STAND_IN),
        ("deputy", COVERED),
        ("stand in", COVERED),
        ("replaces", LATER),
        ("succeeded", LATER),
        ("replaced by", EARLIER),
        ("trn by", Role("trn", False)),
        ("married to", None),
    ],
)
def test_the_heads_of_relations_called_by_phrases(label: str, head: Role | None) -> None:
    ends = ends_of(label)
    assert (ends and ends[0]) == head


@pytest.mark.parametrize(
    ("before", "between", "after", "role"),
    [
        ("if", "is ill", "does the round", COVERED),
        ("", "does the round whenever", "is ill", STAND_IN),
        ("", "took", "under his wing", Role(TEACHING, True)),
        ("it was", "who taught young", "", Role(TEACHING, True)),
        ("", "'s the one who taught", "the trade", Role(TEACHING, True)),
    ],
)
def test_what_clauses_tell(before: str, between: str, after: str, role: Role) -> None:
    assert role in roles_said(Between(before.split(), between.split(), after.split()))


@pytest.mark.parametrize(
    ("before", "between"), [("whoever taught", "covers for"), ("a friend of", "covers for"), ("", "'s aunt covers for")]
)
def test_a_verb_is_said_of_its_subject_alone(before: str, between: str) -> None:
    assert STAND_IN not in roles_said(Between(before.split(), between.split(), []))


@pytest.mark.parametrize(
    ("between", "after", "does"),
    [
        ("recommended us to", "", True),
        ("sent", "our way", True),
        ("was introduced by", "", False),
        ("came to us through", "", False),
        ("heard of us from", "", False),
        ("received a letter from", "", None),
        ("married", "", None),
    ],
)
def test_the_doer_of_one_verb_is_that_of_another(between: str, after: str, does: bool | None) -> None:
    assert does_first(Between([], between.split(), after.split())) is does


def test_a_relation_said_in_its_own_words_begins_at_the_first() -> None:
    assert says_label("hidden in", ["are", "hiding", "in", "the"])
    assert not says_label("hidden in", ["has"])
    assert not says_label("next to", ["is", "next", "to"])
    assert ends_by_words("married to") is None
