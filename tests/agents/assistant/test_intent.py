"""What a turn is: a question, a claim, a search, small talk; told by rules."""

from __future__ import annotations

import pytest

from triplewise.agents.assistant.intents.claims_said import claim_of
from triplewise.agents.assistant.intents.in_one import in_one
from triplewise.agents.assistant.intents.intent import asks_of_choice, by_rules, last_sentence
from triplewise.agents.assistant.intents.small_talk import accepts, complains, number_taken
from triplewise.agents.assistant.talk import reply_to_complaint


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Who runs Harbour?", "ask"),
        ("hello there!", "chat"),
        ("ok cool thanks", "chat"),
        ("she's a gem, that one :)", "chat"),
        ("aw, they're absolute legends!", "chat"),
        ("we sold it before the left one, I'm sure of it", "verify"),
        ("thx!", "chat"),
        ("ty so much", "chat"),
        ("cheers mate", "chat"),
        ("thx, and who runs Harbour?", "ask"),
        ("Ty was hired in 2019.", "verify"),
        ("Ty was dropped at the Dog Show.", "verify"),
        ("Show me Ty.", "ask"),
        ("please list Ty and Bo", "ask"),
        ("Hiya, morning! Lovely day, isn't it", "chat"),
        ("hello robot! how are you?", "chat"),
        ("Great, that's all I need for now, thanks a million!", "chat"),
        ("Lovely. And that one looks out on the garden, doesn't it?", "verify"),
        ("Y'alright mate?", "chat"),
        ("how are you getting to Ufer?", "ask"),
        ("ok wat bike does the other tom ride", "ask"),
        ("gorgeous day out there, isn't it!", "chat"),
        ("Might I have his phone number?", "ask"),
        ("Would you happen to have his e-mail address?", "ask"),
        ("is she ok with night work", "verify"),
        ("so she was here well before him, ha", "verify"),
        ("great, thanks, haha", "chat"),
        ("evening! working out who to ask round in May", "chat"),
        ("hi, just sorting out the Brava file", "chat"),
        ("haha i'd forgotten about the harp", "chat"),
        ("fab, I'd better start saving", "chat"),
        ("right, doing the rota, who has Monday", "ask"),
        ("hey, got a minute for some questions?", "chat"),
        ("omg so before Harbour?", "verify"),
        ("I'm trying to find the boats of Harbour, dear.", "ask"),
        ("OK. How many tonnes came off Well Field?", "ask"),
        ("He's the owner, isn't he?", "verify"),
        ("Is it true that Ann is 12?", "verify"),
        ("Was she born in Oslo?", "verify"),
        ("And that's the place where Ann lives, isn't it?", "verify"),
        ("Is Ann the one who runs Harbour?", "verify"),
        ("And that's more than it was?", "verify"),
        ("Who is the one that runs Harbour, right?", "ask"),
        ("The other one, how far is that?", "ask"),
        ("Since when have we had it?", "ask"),
        ("Can I have the Harbour phone number?", "ask"),
        ("She's the one who runs Harbour, isn't she?", "verify"),
        ("why?", "prove"),
        ("Are you sure?", "prove"),
        ("you sure about that?", "prove"),
        ("why not?", "prove"),
        ("is that true?", "prove"),
        ("how did you get that?", "prove"),
        ("what makes you think so?", "prove"),
        ("How so?", "prove"),
        ("sure?", "prove"),
        ("search for Harbour", "search"),
        ("tell me about Harbour", "explore"),
        ("tell me what Field owns", "ask"),
        ("Who might direct Alien 5?", "complete"),
        ("what can you do?", "chat"),
        ("What can you tell me?", "chat"),
        ("what can I ask here", "chat"),
        ("What is the graph about?", "chat"),
        ("can you help me", "chat"),
        ("Hello, could you help me out, please?", "chat"),
        ("I need some help.", "chat"),
        ("yo whats the biggest boat", "ask"),
        ("hi whens the next race", "ask"),
        ("hey wheres Harbour", "ask"),
        ("hiya, who's in the choir?", "ask"),
        ("Sorry to trouble you, could you check who runs Harbour?", "ask"),
        ("Would you also have her phone number, please?", "ask"),
        ("Morning! Hope you're well, it's pouring down here", "chat"),
        ("Hello! Sorting the parcels today and my desk is all over the place, bear with me :)", "chat"),
        ("hehe you know everyone", "chat"),
    ],
)
def test_rules_tell_the_intent(text: str, expected: str) -> None:
    assert by_rules(text, named=int("Harbour" in text or "Field" in text), after_answer=True) == expected


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("Heron longer than Teal?", ["Heron", "Teal"], "Heron is longer than Teal"),
        ("So the Heron more expensive than the Teal?", ["Heron", "Teal"], "the Heron is more expensive than the Teal"),
        ("heron more berths than teal", ["heron", "teal"], "heron has more berths than teal"),
        ("Heron as old as that one?", ["Heron"], "Heron is as old as that one"),
    ],
)
def test_a_comparison_may_lack_its_verb(text: str, names: list[str], expected: str) -> None:
    assert by_rules(text, named=len(names), after_answer=True, names=names) == "verify"
    assert claim_of(text) == expected
    assert by_rules("boats longer than Teal?", named=1, after_answer=True, names=["Teal"]) == "ask"
    assert by_rules("which boats longer than Teal?", named=1, after_answer=True, names=["Teal"]) == "ask"


def test_what_somebody_believes_is_a_claim_after_another_sentence_too() -> None:
    text = "My son loves the Heron. I believe Ann moors her at Ufer?"
    assert by_rules(text, named=2, after_answer=True, names=["Heron", "Ann"]) == "verify"
    assert claim_of(text) == "My son loves the Heron. Ann moors her at Ufer"
    assert by_rules("I think Ann moors whom?", named=1, after_answer=True, names=["Ann"]) == "ask"


def test_a_claim_loses_its_tag() -> None:
    assert claim_of("So he's the owner, isn't he?") == "he is the owner"
    assert claim_of("Is it true that Ann is 12?") == "Ann is 12"


def test_a_question_that_expects_a_yes_is_a_claim() -> None:
    assert claim_of("Wasn't it lent to them?") == "Was it lent to them"
    assert claim_of("Isn’t she from Oslo?") == "Is she from Oslo"
    assert claim_of("Cheap, is it? Better than 200?") == "Cheap, is it. Better than 200"


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("He gets it at Harbour though, right?", "He gets it at Harbour"),
        ("It was dearer than Thorn though, I think.", "It was dearer than Thorn"),
        ("she's older then, innit?", "she is older"),
        ("And it was Tom who trained Rex, was it not?", "Tom trained Rex"),
        ("they have the same boss, am I right?", "they have the same boss"),
        ("It was back by then, wasn't it?", "It was back by then"),
        ("Wait, isn't that the woman who found Rex?", "she found Rex"),
        ("That's the man who trains Tom, no?", "he trains Tom"),
        ("Is that the one who found Rex?", "that one found Rex"),
    ],
)
def test_a_claim_loses_its_particles_and_is_of_whom_that_points_at(text: str, claim: str) -> None:
    assert claim_of(text) == claim


def test_what_takes_an_offer() -> None:
    for text in ("yes", "Yes please!", "right", "Yes, that's it.", "oh yes, thanks", "that's what I meant"):
        assert accepts(text), text
    for text in ("thanks", "yes, who made it?", "no", "right, and Tom?", "oh"):
        assert not accepts(text), text


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("But it did win something in 2017, I was there!", "verify"),
        ("Pity. That picture of hers went over three and a half thousand, surely.", "verify"),
        ("Is Lena the person who coaches Tom?", "verify"),
        ("I think he joined in 2020.", "verify"),
        ("she left the club in May", "verify"),
        ("they joined whom?", "ask"),
        ("Ah yes, I was at the wedding!", "chat"),
        ("Too bad. That's life.", "chat"),
        ("Lovely, that was all I needed!", "chat"),
    ],
)
def test_a_courtesy_hides_no_claim(text: str, intent: str) -> None:
    assert by_rules(text, named=0, after_answer=True) == intent


def test_the_one_who_says_no_more_than_what_they_do() -> None:
    assert claim_of("Isn't he the one who leads the violas?") == "he leads the violas"
    assert claim_of("Lena is the woman that coaches Tom, right?") == "Lena coaches Tom"
    assert claim_of("Is Rex the one that Tom walks?") == "Is Rex the one that Tom walks"


@pytest.mark.parametrize(
    "text",
    [
        "Wanda Skiba led Lhotang 1981.",
        "Wanda Skiba led Lhotang 1981",
        "Wanda Skiba led the second team",
        "I think Alpina Boots also sponsored Lhotang 1981.",
        "But Alpina Boots sponsored two expeditions!",
        "I'm sure that the Alpina Boots paid for it",
        "So Wanda Skiba runs the lodge.",
        "Wanda Skiba costs more than 20 euros.",
        "A pair of the Alpina Boots costs 35 euros.",
        "Lhotang 1981 was led by Wanda Skiba.",
    ],
)
def test_a_plain_statement_is_a_claim(text: str) -> None:
    names = [n for n in ("Wanda Skiba", "Lhotang 1981", "Alpina Boots") if n in text]
    assert by_rules(text, named=len(names), names=names, after_answer=True) == "verify"


@pytest.mark.parametrize(
    "text",
    [
        "Lhotang 1981 elevation",
        "Lhotang 1981 FA - date",
        "Wanda Skiba's birthday",
        "and the Lhotang 1981",
        "Lhotang 1981 elevation.",
        "Alpina Boots models 2019.",
        "A list of Alpina Boots models.",
        "Alpina Boots sponsored expeditions",
        "Lhotang 1981 members",
        "No, I meant Wanda Skiba.",
        "Wanda Skiba led what?",
        "expeditions that Wanda Skiba led.",
    ],
)
def test_a_noun_phrase_is_a_question(text: str) -> None:
    names = [n for n in ("Wanda Skiba", "Lhotang 1981", "Alpina Boots") if n in text]
    assert by_rules(text, named=len(names), names=names, after_answer=True) == "ask"


def test_a_claim_loses_whose_opinion_it_is() -> None:
    assert claim_of("I think that Wanda led it.") == "Wanda led it."
    assert claim_of("I was told Rosa did it first, right?") == "Rosa did it first"


@pytest.mark.parametrize("text", ["wrong", "No, that's wrong!", "you are useless", "that is not what I asked for."])
def test_a_complaint_asks_nothing(text: str) -> None:
    assert complains(text) and by_rules(text, named=0, after_answer=True) == "chat"
    assert "take another" in reply_to_complaint("who runs Harbour") and "other words" in reply_to_complaint("")


@pytest.mark.parametrize("text", ["is that wrong?", "that's wrong, it was Ann", "wrong Ann", "no, I meant Harbour"])
def test_more_than_a_complaint_is_read(text: str) -> None:
    assert not complains(text)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("2", 2), ("2.", 2), ("#3", 3), ("reading 2", 2), ("Reading 2, please", 2), ("No, I meant 2", 2), ("/read 3", 3), ("take the reading number 2", 2),
        ("2 films", 0), ("in 1990", 0), ("1990", 0), ("-2", 0), ("2 %", 0), ("how many? 2", 0), ("reading", 0), ("", 0),
    ],
)  # fmt: skip
def test_a_reply_that_is_the_number_of_a_reading(text: str, number: int) -> None:
    assert number_taken(text) == number


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("and he taught his own boy?", "verify"),
        ("so Kit reports to Wanda too", "verify"),
        ("So she conducts as well?", "verify"),
        ("and it was Kit who got there first", "verify"),
        ("and Kit was the one who trained him up?", "verify"),
        ("so the guarantee's gone since 2025?", "verify"),
        ("so Kit's the boss over there?", "verify"),
        ("and when Wanda's off, Kit takes over from her?", "verify"),
        ("So that beats his lifetime best!", "verify"),
        ("and when Wanda's off, who takes over from her?", "ask"),
        ("that leads to what?", "ask"),
        ("And they brought her where?", "ask"),
        ("And she learnt it from?", "ask"),
        ("since when's the head of that lot been there", "ask"),
        ("Kit's deputies?", "ask"),
        ("What's the name?", "ask"),
    ],
)
def test_what_stands_as_in_a_statement_is_a_claim(text: str, expected: str) -> None:
    assert by_rules(text, named=2, after_answer=True, names=["Kit", "Wanda"]) == expected


@pytest.mark.parametrize(
    ("text", "named", "expected"),
    [
        ("Harold owns Heron", ["Harold", "Heron"], "verify"),
        ("Harold owns the Heron", ["Harold", "Heron"], "verify"),
        ("Harold Pike leads Payments", ["Harold Pike", "Payments"], "verify"),
        ("Harold boats 2019", ["Harold"], "ask"),
        ("who owns Heron", ["Heron"], "ask"),
        ("Harold owns what", ["Harold"], "ask"),
    ],
)
def test_a_plain_statement_needs_no_full_stop(text: str, named: list[str], expected: str) -> None:
    assert by_rules(text, named=len(named), after_answer=False, names=named) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Good afternoon, Maison Talon here again.", "chat"),
        ("hello, this is Maison Talon", "chat"),
        ("Good afternoon, is Maison Talon here?", "verify"),
        ("hi, what does Maison Talon pay here", "ask"),
    ],
)
def test_who_says_who_he_is_asks_nothing(text: str, expected: str) -> None:
    assert by_rules(text, named=1, after_answer=False, names=["Maison Talon"]) == expected


def test_what_a_reply_to_a_choice_goes_on_to_ask() -> None:
    assert asks_of_choice("The old one, when did he get the pub?") == "when did he get the pub?"
    assert asks_of_choice("Little Tom, I mean. Which houses are his?") == "Which houses are his?"
    assert asks_of_choice("the old one, of course") == "" == asks_of_choice("the one who sings?")


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("is that shared? with whom", "with whom"),
        ("didn't she win gold once? what year", "what year"),
        ("isn't she the trainee?? who's her boss", "who's her boss"),
        ("is that shared? I think so", "is that shared?"),
    ],
)
def test_what_goes_on_asking_is_what_is_asked(text: str, asked: str) -> None:
    assert last_sentence(text) == asked
    assert by_rules(text, named=0, after_answer=True) == ("verify" if asked.startswith("is that") else "ask")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("so those two joined on the same day?", "verify"),
        ("so the price?", "ask"),
        ("So that was the last one?", "verify"),
        ("Live cover that time?", "ask"),
        ("Got a mobile for him?", "ask"),
        ("and the other one's?", "ask"),
        ("and the other one's older", "verify"),
    ],
)
def test_what_goes_on_after_an_answer_asks_or_states(text: str, expected: str) -> None:
    assert by_rules(text, named=0, after_answer=True) == expected


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("is that shared? with whom", "with whom is that shared?"),
        ("Does either of them teach somebody? Whom?", "Whom does either of them teach?"),
        ("lol ok. did somebody announce it? who", "lol ok. who did announce it?"),
        ("didn't that plain one win a gold once? what year", "what year did that plain one win a gold once?"),
        ("And was she written to about it? By whom, if so?", "And By whom was she written to about it?"),
        ("was he alone on it? who with", "who was he alone on it with?"),
        ("is it shared?", "is it shared?"),
        ("Did Dele do any other race? Which?", "Did Dele do any other race? Which?"),
        ("Who is she? When did she come?", "Who is she? When did she come?"),
        ("Is there a prize without a winner? which", "Is there a prize without a winner?"),
        ("ok, did any of the loans come back? which ones were they?", "ok, did any of the loans come back?"),
        ("Is there a prize? which prize has no winner?", "Is there a prize? which prize has no winner?"),
        ("now wards. which ones are on the third floor?", "now which wards are on the third floor?"),
    ],
)
def test_whether_and_then_who_is_one_question(text: str, whole: str) -> None:
    assert in_one(text) == whole


def test_a_sentence_may_begin_small() -> None:
    assert last_sentence("phew, same day. and he's Ivo's man") == "and he's Ivo's man"


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("was Heron hired by Ann or Bo?", "ask"),
        ("is it Ann or the Heron that's older?", "ask"),
        ("did Ann or by chance Bo hire it?", "verify"),
        ("was Heron hired by Ann?", "verify"),
        ("has either Ann or Bo paid?", "verify"),
        ("was Heron or Ann late?", "verify"),
        ("was Heron hired by Ann or Bo.", "verify"),
    ],
)
def test_which_of_two_is_no_claim(text: str, intent: str) -> None:
    assert by_rules(text, named=2, after_answer=True, names=["Heron", "Ann", "Bo"]) == intent
