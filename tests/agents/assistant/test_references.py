"""Pronouns and other references to what was said, and names in their place."""

from __future__ import annotations

import pytest

from triplewise.agents.assistant.references import (
    begins_topic,
    find_references,
    replace_pronouns,
    without_else,
    without_of_them,
)


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("And who looks after him?", "Duke", "who looks after Duke?"),
        ("OK, what's her name for it?", "Duke", "what's Duke's name for it?"),
        ("who runs it", "Harbour", "who runs Harbour"),
        ("Which fair was it that was free to get in?", "Harbour", "Which fair was free to get in?"),
        ("back to the red one - who runs it?", "Harbour", "the red one - who runs Harbour?"),
        ("which boats stop there?", "Skerrie", "which boats stop at Skerrie?"),
        ("How old is that one?", "Duke", "How old is Duke?"),
        ("did they give it to him there?", "Duke", "did Duke give it to him?"),
        ("Is there a shop?", "Duke", "Is there a shop?"),
        ("is there parking?", "Duke", "is there parking?"),
        ("who is there?", "Skerrie", "who is at Skerrie?"),
        ("which houses are his?", "Duke", "which houses are Duke's?"),
        ("and hers?", "Duke", "Duke?"),
        ("Different thing: who made it?", "Duke", "who made Duke?"),
        ("ok, changing the subject, who runs it?", "Duke", "who runs Duke?"),
        ("right, something else: where is it?", "Duke", "where is Duke?"),
        ("Right, something else. where is it?", "Duke", "where is Duke?"),
        ("who showed her the ropes?", "Duke", "who showed Duke the ropes?"),
        ("and they brought her where?", "Duke", "Duke brought her where?"),
        ("so it was Lena who taught her", "Duke", "Lena taught Duke"),
        ("it is the one that broke", "Duke", "Duke is the one that broke"),
        ("so Callum leads both.", "Duke", "Callum leads Duke."),
        ("which of em's free", "Duke", "which of Duke is free"),
        ("have both been paid?", "Duke", "have Duke both been paid?"),
    ],
)
def test_pronouns_give_way_to_a_name(text: str, name: str, expected: str) -> None:
    assert replace_pronouns(find_references(text).bare, name) == expected


def test_who_has_somebody_as_their_boss_is_nobody_before() -> None:
    assert not find_references("Who has Doreen as their boss?").pronouns
    assert find_references("Who works as their cook?").pronouns


def test_what_leans_on_earlier_turns_is_found() -> None:
    assert find_references("Which of those are open?").of_them
    assert find_references("Who else lives there?").others
    assert find_references("and the other Duke?").namesake == "Duke"
    assert not find_references("Who looks after Bramble?").any
    assert without_else("Who else lives there?") == "Who lives there?"
    assert find_references("which other films did he direct?").others and find_references("and his other lots?").others
    assert without_else("which other films did he direct?") == "which films did he direct?"
    assert not find_references("which other one is it?").others
    assert not find_references("who went the other way?").others


def test_each_class_of_pronouns_has_a_name_of_its_own() -> None:
    bare = find_references("Does he share it with anyone?").bare
    assert find_references(bare).words == ("he", "it")
    assert replace_pronouns(bare, "Viktor", "L 211") == "Does Viktor share L 211 with anyone?"
    assert replace_pronouns("Who does he cover when they are off?", "Nico") == "Who does Nico cover when they are off?"
    assert replace_pronouns("who taught her?", "Niamh") == "who taught Niamh?"
    assert find_references("The other Stella Maris is older, isn't she?").namesake == "Stella Maris"


@pytest.mark.parametrize(
    ("text", "name"),
    [("No, I meant the other one.", "one"), ("the other Martin.", "Martin"), ("the other St. Anne.", "St. Anne"),
     ("is the other J. P. Weber's house open?", "J. P. Weber"), ("the other U.S.S. Lark, please", "U.S.S. Lark")],
)  # fmt: skip
def test_a_name_after_the_other_ends_before_the_full_stop(text: str, name: str) -> None:
    seen = find_references(text)
    assert seen.namesake == name and not seen.others


def test_the_one_who_does_something_is_not_what_was_spoken_of() -> None:
    assert (
        replace_pronouns("Is he the one who leads the violas?", "Bogdan") == "Is Bogdan the one who leads the violas?"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("which of those are open?", "which stations are open?"),
        ("which of them is open?", "which station is open?"),
        ("which is the deepest of them?", "which is the deepest station?"),
        ("which is the most expensive of those?", "which is the most expensive station?"),
        ("which are the oldest of them?", "which are the oldest stations?"),
    ],
)
def test_of_them_is_one_or_several(text: str, expected: str) -> None:
    assert without_of_them(text, "station", "stations") == expected


@pytest.mark.parametrize("text", ["Which table has nobody on it?", "and which room has no chairs in it?"])
def test_a_pronoun_for_what_is_asked_for_refers_to_nothing_before(text: str) -> None:
    assert not find_references(text).pronouns


def test_the_last_one_of_all_is_none_of_the_last_answers() -> None:
    assert not find_references("who is the last one that started?").ordinal
    assert find_references("the last one?").ordinal == "last"


def test_short_forms_are_written_in_full() -> None:
    assert find_references("what're they charging?").bare == "what are they charging?"
    assert find_references("how'd he pay?").bare == "how did he pay?"
    assert find_references("They've got a grave here").bare == "They have got a grave here"
    assert find_references("who'll be back sooner?").bare == "who will be back sooner?"
    assert find_references("which plots depend on the two of them?").bare == "which plots depend on them?"
    assert len(find_references("he learned it all from Ann").pronouns) == 1
    assert find_references("where do they all live?").bare == "where do they live?"
    assert find_references("what do they both do?").bare == "what do they do?"
    assert find_references("what do they both like?").bare == "what do they both like?"
    assert find_references("Her boss is who?").bare == "who is Her boss?"
    assert not find_references("if it rains, which can we go into?").pronouns


def test_what_ends_a_sentence_and_says_nothing_is_left_out() -> None:
    assert find_references("He's Tom's mentor, if I remember rightly?").bare == "He is Tom's mentor?"
    assert find_references("how many's that then?").bare == "how many is that then?"
    assert find_references("Both by the same director?").bare == "they have the same director?"
    assert not find_references("who was the last one in the whole tree to emigrate").ordinal


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("right, different thing, the hire stuff. which ones haven't we paid the balance on?", True),
        ("ok different thing, who has the drill?", True),
        ("different thing, who has it?", False),
        ("different thing. which ones are red?", False),
        ("which ones haven't we paid the balance on?", False),
    ],
)
def test_a_topic_and_the_ones_of_it(text: str, begins: bool) -> None:
    assert begins_topic(text) == begins
