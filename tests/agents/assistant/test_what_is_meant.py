"""What a pronoun, "of them", "there" and "the Heron one" mean where several things were spoken of."""

from __future__ import annotations

from dataclasses import replace

import pytest

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.follow_ups import FollowUps
from triplewise.agents.assistant.memory import Memory, Remembered
from triplewise.kg import NetworkxStore
from triplewise.kg.query import QueryGraph, execute
from triplewise.tools.query_graph.linking.mentions import NameIndex
from triplewise.tools.query_graph.schema_view import SchemaView

SHOW = NetworkxStore(
    [
        ("Fair", "held on", '"2024-05-01"'),
        ("Fair", "ends on", '"2024-05-03"'),
        ("Fair", "visitors", '"300"'),
        ("Fair", "opened by", "Ann Holt"),
        ("Regatta", "held on", '"2024-06-01"'),
        ("Regatta", "ends on", '"2024-06-02"'),
        ("Regatta", "visitors", '"500"'),
        ("Regatta", "opened by", "Ben Roe"),
        ("Heron Refit", "refit of", "Heron"),
        ("Heron Refit", "led by", "Ann Holt"),
        ("Heron Refit", "done in", "Dock 1"),
        ("Teal Refit", "refit of", "Teal"),
        ("Teal Refit", "led by", "Ben Roe"),
        ("Teal Refit", "done in", "Dock 2"),
        ("Heron", "moored at", "Dock 1"),
        ("Teal", "moored at", "Dock 2"),
        ("Heron", "won", "Blue Cup"),
        ("Teal", "won", "Red Cup"),
        ("Ann Holt", "lives in", "Kirkby"),
        ("Ann Holt", "born in", '"1980"'),
        ("Ben Roe", "lives in", "Selby"),
        ("Ben Roe", "born in", '"1975"'),
        ("Kirkby", "inhabitants", '"900"'),
        ("Selby", "inhabitants", '"700"'),
    ],
    types={
        **dict.fromkeys(("Fair", "Regatta"), ("event",)),
        **dict.fromkeys(("Heron", "Teal"), ("boat",)),
        **dict.fromkeys(("Heron Refit", "Teal Refit"), ("refit",)),
        **dict.fromkeys(("Blue Cup", "Red Cup"), ("cup",)),
        **dict.fromkeys(("Ann Holt", "Ben Roe"), ("person",)),
        **dict.fromkeys(("Kirkby", "Selby"), ("town",)),
    },
)
BOATS = {"filter": [["?x", "in", ["Heron", "Teal"]]]}


def turn(question: str, where: list[list[str]], said: str = "", **more: object) -> Remembered:
    query = QueryGraph.from_json({"select": "?x", "where": where, **more})
    found = execute(SHOW, query).ids
    return Remembered(said or question, question, "ask", found, query.entities, query=query.to_json())


def complete(text: str, *turns: Remembered) -> list[Interpretation]:
    return FollowUps(SHOW, NameIndex(SchemaView(SHOW))).interpretations(text, Memory(SHOW, turns))


def answers(found: Interpretation) -> list[str]:
    assert found.query is not None
    return [SHOW.label(i) for i in execute(SHOW, found.query).ids]


WHICH = turn("Which boats are there?", [["?x", "rdf:type", "boat"]])
FIRST = turn("When is the Fair?", [["Fair", "held on", "?x"]])
AND_THEN = turn("When is the Regatta?", [["Regatta", "held on", "?x"]], "and the Regatta?")


def test_that_one_after_the_other_one_is_what_was_picked() -> None:
    won = turn("What did Teal win?", [["Teal", "won", "?x"]], "and the other one?")
    [first, *_] = complete("Who owns that one?", WHICH, turn("What did Heron win?", [["Heron", "won", "?x"]]), won)
    assert first.given == ("Teal",)


def test_what_was_passed_over_is_not_it() -> None:
    chosen = turn("Which boat won the Blue Cup?", [["?x", "won", "Blue Cup"]], **BOATS)
    found = complete("Where is it moored?", WHICH, chosen)
    assert ("Heron",) in [i.given for i in found] and ("Teal",) not in [i.given for i in found]


@pytest.mark.parametrize("said", ["Which of them is the oldest?", "which of those won?"])
def test_of_them_are_those_that_were_chosen_from(said: str) -> None:
    chosen = turn("Which boat won the Blue Cup?", [["?x", "won", "Blue Cup"]], said, **BOATS)
    unanswered = Remembered(said, said)
    for before in ((WHICH, chosen), (WHICH, unanswered)):
        [first] = complete("How many of them are red?", *before)
        assert first.kind == "among" and first.keep == ("Heron", "Teal")  # and never of all that are red


def test_of_these_is_asked_of_those_beside_the_first() -> None:
    [first, *_] = complete("Which of these is larger than the first one?", WHICH)
    assert first.text == "Which boat is larger than Heron?" and first.keep == ("Teal",)


def test_there_is_no_person_and_what_there_was_is_no_place() -> None:
    who = turn("Who opened the Fair?", [["Fair", "opened by", "?x"]])
    assert ("Ann Holt",) not in [i.given for i in complete("What grows there?", who)]
    assert {i.kind for i in complete("How many visitors of the Regatta were there?", who)} == {"alone"}


def test_his_is_nobody_named_as_the_place() -> None:
    who = turn("Who opened the Regatta?", [["Regatta", "opened by", "?x"]])
    [first, *_] = complete("and in Kirkby, what is his house?", who)
    assert first.given == ("Ben Roe",) and first.text == "in Kirkby, what is Ben Roe's house?"
    [first, *_] = complete("Ann Holt, what is her house?", who)
    assert first.given == ("Ann Holt",)


def test_neither_a_town_nor_an_event_is_she() -> None:
    where = turn("Where is it?", [["Heron Refit", "done in", "?x"]])
    asked = Remembered("the Fair?", "the Fair?", "ask", (), ("Fair", "Kirkby"))
    assert not {"Fair", "Kirkby"} & {n for i in complete("what else did she lead?", where, asked) for n in i.given}


def test_another_is_asked_of_what_the_question_reached() -> None:
    lives = turn("Where does the Fair live?", [["Fair", "opened by", "?y"], ["?y", "lives in", "?x"]])
    [first, *_] = complete("And Ben Roe?", replace(lives, inner=("Ann Holt",)))
    assert first.text == "Where does the Ben Roe live?" and answers(first) == ["Selby"]


def test_the_heron_one_is_of_the_kind_that_was_asked_about() -> None:
    done = turn("Where was the Teal Refit done?", [["Teal Refit", "done in", "?x"]])
    [first, *_] = complete("no sorry, i mean the Heron one", done)
    assert first.text == "Where was the Heron Refit done?" and answers(first) == ["Dock 1"]


@pytest.mark.parametrize(
    "text", ["Which one had more visitors?", "which has more visitors?", "Which had more visitors"]
)
def test_which_has_more_compares_what_was_asked_about_in_turn(text: str) -> None:
    [only] = complete(text, FIRST, AND_THEN)
    assert only.keep == ("Fair", "Regatta") and "event" in only.text and "most visitors" in only.text


def test_which_is_older_may_be_of_the_two_answers() -> None:
    opened = (
        turn(f"Who opened the {x}?", [[x, "opened by", "?x"]], "" if x == "Fair" else "and the Regatta?")
        for x in ("Fair", "Regatta")
    )
    assert [i.keep for i in complete("Which one is older?", *opened)] == [("Fair", "Regatta"), ("Ann Holt", "Ben Roe")]
    alone = turn("When does the Regatta end?", [["Regatta", "ends on", "?x"]])
    assert all(i.keep != ("Fair", "Regatta") for i in complete("Which one had more visitors?", FIRST, alone))


def test_the_older_one_may_be_of_the_two_that_were_told_last() -> None:
    town = [
        turn(f"Who lives in {x}?", [["?x", "rdf:type", "person"], ["?x", "lives in", x]]) for x in ("Kirkby", "Selby")
    ]
    told = [replace(t, answers=("Heron", "Teal")) for t in town]
    found = complete("Which is the older one?", *told)
    assert [(i.keep, i.text) for i in found] == [(("Heron", "Teal"), "Which boat is the oldest?")]

    told = [replace(t, answers=("Ann Holt", "Ben Roe")) for t in town]  # who have a date of birth
    assert [i.keep for i in complete("Which is the older one?", *told)] == [("Ann Holt", "Ben Roe")]


def test_who_else_is_nobody_beside_a_number() -> None:
    number = turn("How many people live in Kirkby?", [["Kirkby", "inhabitants", "?x"]])
    found = complete("Thank you! And who else lives there?", number)
    assert all(i.query is None for i in found) and "who lives at Kirkby?" in [i.text for i in found]


def test_a_question_that_was_not_understood_is_asked_of_another() -> None:
    offered = {"select": "?x", "where": [["Ann Holt", "lives in", "?x"]]}
    unsure = Remembered("Who runs Ann Holt?", "Who runs Ann Holt?", topics=("Ann Holt",), offered=offered)
    [only] = complete("and of Ben?", unsure)
    assert only.text == "Who runs Ben Roe?" and only.query is None and only.given == ("Ben Roe",)


SOME = {"ask": "some", "where": [["?a", "held on", "?d"], ["?a", "opened by", "?b"], ["?b", "lives in", "Kirkby"]]}
OF_ALL = {
    "ask": "none",
    "where": [["?x", "rdf:type", "person"], ["?x", "born in", "?a"]],
    "minus": [["?x", "lives in", "Kirkby"]],
}


@pytest.mark.parametrize(
    ("text", "claim", "expected"),
    [
        ("who has?", SOME, ["Ann Holt"]),
        ("Who does then?", OF_ALL, ["Ann Holt"]),
        ("which ones do?", OF_ALL, ["Ann Holt"]),
        ("and who doesn't?", OF_ALL, ["Ben Roe"]),
    ],
)
def test_who_does_after_a_claim_of_all_asks_of_whom_it_is_so(
    text: str, claim: dict[str, object], expected: list[str]
) -> None:
    """And of no town in place of Kirkby."""
    question = "All the people from Kirkby have opened something."
    said = Remembered(question, question, "verify", (), ("Kirkby",), query=QueryGraph.from_json(claim).to_json())
    [first, *_] = complete(text, said)
    assert first.kind == "else" and answers(first) == expected


ELSE = turn(
    "Which events are there?",
    [["?x", "rdf:type", "event"]],
    "what other events are there?",
    filter=[["?x", "not in", ["Fair"]]],
)


def test_when_asks_of_the_other_that_was_just_told() -> None:
    """And not of what was told before it and left out."""
    assert ELSE.topics and "Fair" in ELSE.topics
    assert next(i.given for i in complete("when?", FIRST, ELSE)) == ("Regatta",)


@pytest.mark.parametrize("text", ["Which of those has more visitors?", "which has the most visitors of those?"])
def test_those_are_the_other_and_what_was_told_before_it(text: str) -> None:
    found = complete(text, FIRST, ELSE)
    assert {i.keep for i in found} == {("Fair", "Regatta")}
    assert next(i.keep for i in complete("Which is older?", FIRST, ELSE)) == ("Fair", "Regatta")


WHO = turn("Which people are there?", [["?x", "rdf:type", "person"]])


@pytest.mark.parametrize("text", ["Ann Holt is the oldest of them", "is Ann Holt the oldest of them"])
def test_the_oldest_of_them_is_claimed_and_not_put_in(text: str) -> None:
    """Also after some of them were counted: who is named is one of those that are meant."""
    few = replace(WHO, answers=("Ben Roe", "Teal"))
    for before in ((WHO,), (WHO, few)):
        [only] = complete(text, *before)
        assert only.kind == "among" and only.keep == ("Ann Holt", "Ben Roe")
        assert only.text == text.replace("of them", "person")


def test_she_is_the_oldest_of_them() -> None:
    lives = turn("Where does Ann Holt live?", [["Ann Holt", "lives in", "?x"]])
    asked = replace(lives, query=None, answers=WHO.answers)
    [first, *_] = complete("was she the oldest of them?", asked)
    assert first.text == "was Ann Holt the oldest person?" and first.keep == ("Ann Holt", "Ben Roe")


HIRED = NetworkxStore(
    [
        ("Job 1", "done by", "Holt Builders"), ("Job 1", "done on", '"2024-05-01"'), ("Job 1", "paid", '"true"'),
        ("Job 2", "done by", "Holt Builders"), ("Job 2", "done on", '"2024-06-01"'), ("Job 2", "paid", '"false"'),
        ("Holt Builders", "run by", "Ann Holt"), ("Ann Holt", "lives in", "Kirkby"),
        ("Colin Pell (1962)", "lives in", "Selby"), ("Colin Pell (1990)", "lives in", "Kirkby"),
        ("Silk Yoga", "taught by", "Ann Holt"), ("Silk Yoga", "fee", '"4"'),
        ("Tai Chi", "taught by", "Colin Pell (1990)"), ("Tai Chi", "fee", '"5"'),
    ],
    types={
        **dict.fromkeys(("Job 1", "Job 2"), ("job",)),
        **dict.fromkeys(("Silk Yoga", "Tai Chi"), ("class",)),
        **dict.fromkeys(("Ann Holt", "Colin Pell (1962)", "Colin Pell (1990)"), ("person",)),
        "Holt Builders": ("firm",), "Kirkby": ("town",), "Selby": ("town",),
    },
)  # fmt: skip


def then(text: str, *turns: Remembered) -> list[Interpretation]:
    return FollowUps(HIRED, NameIndex(SchemaView(HIRED))).interpretations(text, Memory(HIRED, turns))


JOBS = Remembered("q", "What has Holt Builders done?", "ask", ("Job 1", "Job 2"), ("Holt Builders",))
DONE = Remembered("q", "When was Job 1 done?", "ask", ("Job 1",), ("Holt Builders",))


def test_they_who_do_something_are_no_job() -> None:
    [first, *_] = then("What have they charged?", DONE)
    assert first.given == ("Holt Builders",)
    for text in ("When were they done?", "Who paid for them?"):  # what is done may be one
        assert then(text, DONE)[0].given == ("Job 1",)


def test_what_they_have_not_done_to_theirs_is_not_done() -> None:
    [first, *_] = then("which one haven't they paid for?", JOBS)
    assert first.text == "which job isn't paid for?" and first.keep == ("Job 1", "Job 2")
    claimed = Remembered("q", "Are they big?", "verify", (), ())
    [only] = then("have they paid for both of them?", JOBS)
    assert only.text == "is Job 1 paid for?" and only.each == ("Job 1", "Job 2")
    assert not any("isn't paid" in i.text for i in then("which one haven't they paid for?", claimed))


def test_both_of_them_are_not_also_they() -> None:
    found = then("Do they run both of them?", JOBS)
    assert found and all(i.given[0] == "Job 1" and i.each == ("Job 1", "Job 2") for i in found)
    assert {i.given[1:] for i in found} == {("Holt Builders",)}


def test_a_class_that_is_taught_is_no_he() -> None:
    """Also where it is called by two words with capitals, as people are."""
    told = Remembered("q", "What does Colin Pell (1990) teach?", "ask", ("Tai Chi",), ("Colin Pell (1990)",))
    assert [i.given for i in then("what's his phone number?", told)] == [("Colin Pell (1990)",)]


def test_who_is_named_before_the_question_is_he_though_two_have_the_name() -> None:
    lives = Remembered("q", "Where does Ann Holt live?", "ask", ("Kirkby",), ("Ann Holt",))
    [only] = then("and Colin, what does he teach?", lives)
    assert only.text == "what does Colin teach?" and not only.given


def test_he_is_none_of_two_of_one_name() -> None:
    text = "colin pell, since when is he here?"
    assert [(i.text, i.given) for i in then(text)] == [(text, ())]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ann Holt has it, she lives there no?", "Ann Holt lives"),
        ("Ann Holt has won a lot and she runs it", "Ann Holt runs"),
        ("Ann Holt, where does she live?", "where does Ann Holt live"),
    ],
)
def test_she_is_who_the_clause_before_names(text: str, expected: str) -> None:
    other = turn("Who opened the Regatta?", [["?x", "rdf:type", "person"], ["Regatta", "opened by", "?x"]])
    assert all(expected in i.text for i in complete(text, other))


PUB = NetworkxStore(
    [
        ("Hannah Lark", "quizzes with", "Quizzy Rascals"),
        ("Mary Tranter", "quizzes with", "Quizzy Rascals"),
        ("Peter Pell", "quizzes with", "Norfolk and Chance"),
        ("Quizzy Rascals", "captain", "Hannah Lark"),
        ("Norfolk and Chance", "captain", "Peter Pell"),
        ("The Talbot Inn", "referred by", "Mary Tranter"),
        ("Black Hen", "on the pump", '"2"'),
        ("Parson's Folly", "on the pump", '"3"'),
        ("Parson's Folly", "goes off", '"2025-05-20"'),
        ("Black Hen", "goes off", '"2025-06-20"'),
        ("Black Hen", "strength", '"5.1"'),
        ("Parson's Folly", "strength", '"6.0"'),
    ],
    types={
        **dict.fromkeys(("Hannah Lark", "Mary Tranter", "Peter Pell"), ("regular",)),
        **dict.fromkeys(("Quizzy Rascals", "Norfolk and Chance"), ("team",)),
        **dict.fromkeys(("Black Hen", "Parson's Folly"), ("beer",)),
        "The Talbot Inn": ("regular",),
    },
)


def at_pub(text: str, *turns: Remembered) -> list[Interpretation]:
    return FollowUps(PUB, NameIndex(SchemaView(PUB))).interpretations(text, Memory(PUB, turns))


def asked(question: str, where: list[list[str]], **more: object) -> Remembered:
    query = QueryGraph.from_json({"select": "?x", "where": where, **more})
    return Remembered(question, question, "ask", execute(PUB, query).ids, query.entities, query=query.to_json())


@pytest.mark.parametrize("firm", ["Quizzy Rascals", "The Talbot Inn"])
def test_she_is_the_person_before_and_no_firm(firm: str) -> None:
    """Though a team is called by two words, as people are, and an inn is a customer, as people are."""
    captain = asked("Who leads Quizzy Rascals?", [["Quizzy Rascals", "captain", "?x"]])
    last = Remembered("q", f"What of {firm}?", "ask", (firm,), ())
    assert [i.given for i in at_pub("where does she live?", captain, last)] == [("Hannah Lark",)]


def test_both_pronouns_have_their_persons_in_the_last_turns() -> None:
    captain = asked("Who leads Quizzy Rascals?", [["Quizzy Rascals", "captain", "?x"]])
    other = asked("Who leads Norfolk and Chance?", [["Norfolk and Chance", "captain", "?x"]])
    [first, *_] = at_pub("so she works for him too?", captain, other)
    assert first.text == "Hannah Lark works for Peter Pell too?"


def test_of_those_is_asked_of_the_only_one() -> None:
    beer = asked("Which beer is on pump 3?", [["?x", "on the pump", "3"]])
    beer = replace(beer, answers=("Parson's Folly",))
    [first, *_] = at_pub("which of those is strong?", beer)
    assert first.keep == ("Parson's Folly",) and first.text == "which beer is strong?"


def test_another_number_of_an_earlier_question() -> None:
    beer = replace(asked("What's on pump 3?", [["?x", "on the pump", "3"]]), answers=("Parson's Folly",))
    until = asked("Till when is Parson's Folly on?", [["Parson's Folly", "goes off", "?x"]])
    assert "What's on pump two?" in [i.text for i in at_pub("and two?", beer, until)]
    assert not any("pump" in i.text for i in at_pub("and two pints?", beer, until))


BEERS = [["?x", "rdf:type", "beer"]]
STRONGEST = asked(
    "Which beer is the strongest?", [*BEERS, ["?x", "strength", "?s"]], order={"by": "?s", "desc": True, "limit": 1}
)
LAST = asked("Which beer goes last?", [*BEERS, ["?x", "goes off", "?d"]], order={"by": "?d", "desc": True, "limit": 1})


@pytest.mark.parametrize(("text", "before"), [("and the least?", STRONGEST), ("and the first?", LAST)])
def test_the_other_end_is_by_the_same_values(text: str, before: Remembered) -> None:
    [first, *_] = at_pub(text, before)
    assert first.query is not None and first.query.order is not None and not first.query.order.descending
    assert {p.relation for p in first.query.patterns} >= {
        p.relation for p in QueryGraph.from_json(before.query or {}).patterns if p.relation != "rdf:type"
    }


@pytest.mark.parametrize(
    "text", ["which goes off last?", "which is the strongest by volume?", "Which was mended first"]
)
def test_the_last_of_a_list_is_one_of_it(text: str) -> None:
    listed = asked("Which beers are there?", BEERS)
    [first, *_] = at_pub(text, listed)
    assert set(first.keep) == {"Black Hen", "Parson's Folly"} and first.text.startswith("Which beer ")


def test_of_all_is_not_of_those_that_were_told() -> None:
    among = {"filter": [["?x", "in", ["Black Hen"]]]}
    last = asked("Which beer is on?", [["?x", "goes off", "?d"], *BEERS], **among)
    for text in ("no, I meant of all beers", "of all of them, I meant", "no, I meant all"):
        found = [i for i in at_pub(text, last) if i.query is not None]
        assert text.startswith("of all") or (found and not found[0].query.filters)
    [other, *_] = at_pub("no, I meant of all teams", asked("Which beer is on?", BEERS, **among))
    assert other.text == "which teams is on?" and other.query is None


def test_another_question_word_is_meant() -> None:
    last = asked("Who leads Quizzy Rascals?", [["Quizzy Rascals", "captain", "?x"]])
    [only] = at_pub("no I meant when", last)
    assert only.text == "when leads Quizzy Rascals?" and only.given == ("Quizzy Rascals",)


def test_any_other_of_the_kind_leaves_out_what_was_told() -> None:
    told = asked("Who quizzes with Quizzy Rascals?", [["?x", "quizzes with", "Quizzy Rascals"]])
    for text in ("any others?", "and any other regulars?", "who else?"):
        [first, *_] = at_pub(text, told)
        assert first.kind == "else" and first.query is not None
        assert not execute(PUB, first.query).ids and first.query.filters[-1].right == told.answers
    captain = asked("Who leads Quizzy Rascals?", [["Quizzy Rascals", "captain", "?x"]])
    assert ("Quizzy Rascals",) in [i.given for i in at_pub("who are the others in it?", captain)]


def test_other_things_of_a_kind_are_none_that_was_spoken_of() -> None:
    beer = replace(asked("What's on pump 3?", [["?x", "on the pump", "3"]]), answers=("Parson's Folly",))
    captain = asked("Who leads Quizzy Rascals?", [["Quizzy Rascals", "captain", "?x"]])
    found = at_pub("does she drink any other beers?", beer, captain)
    assert found and all("Parson's Folly" in i.drop for i in found)


def test_what_was_left_out_is_hardly_it() -> None:
    rest = asked("Which other beer is there?", BEERS, filter=[["?x", "not in", ["Black Hen"]]])
    assert Memory(PUB, [rest]).place("Black Hen") == "older" and Memory(PUB, [rest]).place("Parson's Folly") == "answer"


def test_a_boat_is_she_beside_women() -> None:
    kg = NetworkxStore(
        [
            *(("Morning Star", r, n) for r, n in (("owned by", "Catriona Munro"), ("length m", '"12"'))),
            *(("Catriona Munro", r, n) for r, n in (("lives in", "Oban"), ("gender", "female"), ("born in", '"1963"'))),
            ("Oban", "inhabitants", '"8000"'),
        ],
        types={"Morning Star": ("Boat",), "Catriona Munro": ("Member",), "Oban": ("town",)},
    )
    query = QueryGraph.from_json({"select": "?x", "where": [["?x", "owned by", "Catriona Munro"]]})
    said = "what does Catriona own?"
    last = Remembered(said, said, "ask", execute(kg, query).ids, query.entities, query=query.to_json())
    names = NameIndex(SchemaView(kg))
    texts = [i.text for i in FollowUps(kg, names).interpretations("who skippers her?", Memory(kg, [last]))]
    assert {"who skippers Morning Star?", "who skippers Catriona Munro?"} <= set(texts)
