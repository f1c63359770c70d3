"""Follow-ups over a small graph: every way in which the turns before complete a sentence."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from triplewise.agents.assistant.completions.asked_of import renamed
from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.edits import asked_for, held_of_each, of_each, swapped
from triplewise.agents.assistant.follow_ups import FollowUps
from triplewise.agents.assistant.memory import Memory, Remembered, remember
from triplewise.agents.query_graph.executor import UNSURE
from triplewise.kg import KGStore, NetworkxStore, load_kg
from triplewise.kg.query import QueryGraph, execute
from triplewise.tools.query_graph.linking.mentions import NameIndex
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.types import Reading, Result


def asked(kg: KGStore, question: str, where: list[list[str]], **more: object) -> Memory:
    query = QueryGraph.from_json({"select": "?x", "where": where, **more})
    turn = Remembered(question, question, "ask", execute(kg, query).ids, query.entities, query=query.to_json())
    return Memory(kg, [turn])


def complete(kg: KGStore, names: NameIndex, text: str, memory: Memory) -> list[Interpretation]:
    return FollowUps(kg, names).interpretations(text, memory)


def test_a_sentence_that_names_a_value_may_stand_alone(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "Who looks after Bramble?", [["Bramble", "looked after by", "?x"]])
    texts = {i.text: i.kind for i in complete(kg, names, "who lives at mill cottage?", memory)}
    assert texts["who lives at mill cottage?"] == "alone" and "ellipsis" in texts.values()


@pytest.mark.parametrize(
    ("text", "expected"),
    [("How old is the second of those?", "Duke (horse)"), ("where's the older one?", "Duke (horse)"),
     ("and the latter?", "Duke (horse)"), ("And the first one?", "Bramble")],
)  # fmt: skip
def test_one_of_the_last_answers_by_its_place_or_date(kg: KGStore, names: NameIndex, text: str, expected: str) -> None:
    answers = ("Bramble", "Duke (bull)", "Duke (horse)")
    answers = ("Bramble", "Duke (horse)") if "second" in text or "latter" in text else answers
    memory = Memory(kg, [Remembered("Which animals?", "Which animals?", "ask", answers)])
    [only] = complete(kg, names, text, memory)
    assert only.kind == "ordinal" and only.given == (expected,)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("when was she born?", "Ann Holt"), ("when was he born?", "Ben Roe"), ("and the lady's birth year?", "Ann Holt"),
     ("What is the gentleman born in?", "Ben Roe")],
)  # fmt: skip
def test_a_pronoun_means_somebody_of_its_gender(club: KGStore, text: str, expected: str) -> None:
    for order in (("Ann Holt", "Ben Roe"), ("Ben Roe", "Ann Holt")):
        memory = Memory(club, [Remembered(f"{name}?", f"{name}?", "ask", (), (name,)) for name in order])
        found = complete(club, NameIndex(SchemaView(club)), text, memory)
        assert {i.given for i in found if i.kind == "pronoun"} == {(expected,)}


def test_what_an_answer_was_reached_through_can_be_meant(kg: KGStore, names: NameIndex) -> None:
    turn = Remembered("q", "Has the vet seen Duke?", "verify", (), ("Duke (horse)",), inner=("wheat",))
    assert [i.given for i in complete(kg, names, "what for?", Memory(kg, [turn]))] == [("Duke (horse)",), ("wheat",)]


def test_and_x_asks_the_same_of_x(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "What do we get for wheat?", [["wheat", "price", "?x"]])
    [first, *_] = complete(kg, names, "and oats?", memory)
    assert first.kind == "swap" and first.text == "What do we get for oats?"
    assert first.query is not None and [kg.label(i) for i in execute(kg, first.query).ids] == ["228"]


@pytest.mark.parametrize(
    ("where", "text", "swapped"),
    [
        ([["Duke (horse)", "born", "?x"]], "and Bramble?", [["Bramble", "born", "?x"]]),  # a cow after a horse
        (
            [["Duke (horse)", "born", "?x"], ["Duke (horse)", "rdf:type", "horse"]],
            "and Bramble?",
            [["Bramble", "born", "?x"]],
        ),
        ([["Duke (horse)", "born", "?x"]], "and Petra Vond?", None),  # of whom no birth is told
    ],
)
def test_and_x_asks_the_same_of_a_thing_of_another_class(
    kg: KGStore, names: NameIndex, where: list[list[str]], text: str, swapped: list[list[str]] | None
) -> None:
    found = complete(kg, names, text, asked(kg, "When was Duke (horse) born?", where))
    queries = [i.query.to_json()["where"] for i in found if i.kind == "swap" and i.query is not None]
    assert queries == ([swapped] if swapped else [])


def test_and_x_of_a_kindred_class_asks_what_is_not_told_of_x() -> None:
    rows = [("Plate 1", "plate"), ("Plate 2", "plate"), ("Card 1", "card"), ("Card 2", "card")]
    triples = [(p, r, f"{r} A") for p, _ in rows for r in ("kept in", "shows", "given by")]
    triples += [("Plate 1", "taken by", "Ada"), ("Card 2", "taken by", "Ada"), *((p, "is a", k) for p, k in rows)]
    store = NetworkxStore(triples)
    memory = asked(store, "Who took Plate 1?", [["Plate 1", "taken by", "?x"]])
    [first, *_] = complete(store, NameIndex(SchemaView(store)), "And Card 1?", memory)
    assert first.kind == "swap" and first.query is not None and first.query.entities == ("Card 1",)


def test_how_many_counts_the_last_answers(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "What does Petra look after?", [["?x", "looked after by", "Petra Vond"]])
    [first, *_] = complete(kg, names, "How many are there?", memory)
    assert first.kind == "count" and first.query is not None and execute(kg, first.query).number == 2


def test_the_other_one_is_the_namesake(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "When was Duke (horse) born?", [["Duke (horse)", "born", "?x"]])
    [first, *_] = complete(kg, names, "And the other Duke?", memory)
    assert first.kind == "namesake" and first.query is not None
    assert [kg.label(i) for i in execute(kg, first.query).ids] == ["2019-03-02"]
    [first, *_] = complete(kg, names, "who looks after the other one?", memory)
    assert first.text == "who looks after Duke (bull)?" and first.given == ("Duke (bull)",)


def test_a_comparison_with_the_namesake_names_both(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "When was Duke (horse) born?", [["Duke (horse)", "born", "?x"]])
    [first, *_] = complete(kg, names, "The other Duke is the younger one", memory)
    assert first.given == ("Duke (bull)", "Duke (horse)")


def test_a_name_is_no_description(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "Who looks after Duke (bull)?", [["Duke (bull)", "looked after by", "?x"]])
    [first, *_] = complete(kg, names, "the Bramble, who looks after her?", memory)
    assert first.given == ("Bramble",)


def test_a_pronoun_is_tried_with_the_answer_first(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "Who looks after Bramble?", [["Bramble", "looked after by", "?x"]])
    found = complete(kg, names, "where does she live?", memory)
    assert found[0].text == "where does Petra Vond live?"  # then Bramble: a cow may be a she
    assert found[0].how == "she: Petra Vond"
    found = complete(kg, names, "when was it born?", memory)
    assert found[0].text == "when was Bramble born?"  # then Petra Vond: a ship may be called as people are


def test_who_then_after_a_claim_that_is_wrong(kg: KGStore, names: NameIndex) -> None:
    memory = Memory(kg, [Remembered("x", "Petra Vond looks after wheat", "verify", topics=("Petra Vond", "wheat"))])
    assert complete(kg, names, "Oh. Who does, then?", memory)[0].text == "Who looks after wheat?"


@pytest.mark.parametrize("text", ["and Tom?", "what about Tom?", "How about tom then?"])
def test_a_first_name_of_a_small_graph_stands_for_its_only_bearer(team: KGStore, text: str) -> None:
    memory = asked(team, "Where does Mia Kern live?", [["Mia Kern", "city", "?x"]])
    [swap, *_] = complete(team, NameIndex(SchemaView(team)), text, memory)
    assert swap.kind == "swap" and swap.query is not None and swap.query.entities == ("Tom Weber",)


@pytest.mark.parametrize(
    ("text", "stands_alone"),
    [
        ("What is the capital of France?", True),
        ("What was her role in March 2019?", False),
        ("and the Start date?", False),
        ("What is the Role?", False),  # a relation of the graph
    ],
)
def test_what_the_graph_has_no_word_for_hangs_on_nothing(team: KGStore, text: str, stands_alone: bool) -> None:
    memory = asked(team, "Where does Mia Kern live?", [["Mia Kern", "city", "?x"]])
    found = complete(team, NameIndex(SchemaView(team)), text, memory)
    assert ([i.kind for i in found] == ["alone"]) == stands_alone


def test_a_whole_sentence_may_stand_alone(team: KGStore) -> None:
    memory = asked(team, "Where does Mia Kern live?", [["Mia Kern", "city", "?x"]])
    names = NameIndex(SchemaView(team))
    assert {i.kind for i in complete(team, names, "who started last?", memory)} == {"ellipsis", "alone"}
    assert {i.kind for i in complete(team, names, "since when?", memory)} == {"ellipsis"}
    assert {i.kind for i in complete(team, names, "How many roles are there?", memory)} == {"pronoun", "alone"}


@pytest.mark.parametrize(
    "text",
    [
        "Who are they?",
        "which ones?",
        "and what are those",
        "Name them.",
        "list them all please",
        "Show me these",
        "Namely?",
    ],
)
def test_what_was_counted_is_listed(team: KGStore, text: str) -> None:
    query = QueryGraph.from_json({"count": "?x", "where": [["?x", "team", "Checkout"]]})
    question = "How many are in Checkout?"
    memory = Memory(team, [Remembered(question, question, "ask", (), ("Checkout",), query=query.to_json())])
    first = complete(team, NameIndex(SchemaView(team)), text, memory)[0]
    assert first.query is not None and set(execute(team, first.query).ids) == {"Ana Ruiz", "Tom Weber", "Lea Brandt"}


def test_there_may_be_a_place_that_is_only_a_value(team: KGStore) -> None:
    memory = asked(team, "Where does Mia Kern live?", [["Mia Kern", "city", "?x"]])
    first = complete(team, NameIndex(SchemaView(team)), "Who works there?", memory)[0]
    assert first.given == ("Berlin",) and first.text == "Who works at Berlin?"


def test_how_big_is_asked_of_it(kg: KGStore, names: NameIndex) -> None:
    memory = Memory(kg, [Remembered("who looks after Bramble?", "who looks after Bramble?", topics=("Bramble",))])
    assert [i.text for i in complete(kg, names, "how big?", memory)][:1] == ["how big is Bramble?"]


def test_done_by_asks_who_does_it(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "When was Bramble born?", [["Bramble", "born", "?x"]])
    assert complete(kg, names, "looked after by?", memory)[0].text == "who is Bramble looked after by?"
    assert complete(kg, names, "stand by?", memory)[0].text != "who is Bramble stand by?"


def test_nobody_does_it_to_himself(kg: KGStore, names: NameIndex) -> None:
    both = asked(kg, "Who looks after the horse?", [["Duke (horse)", "looked after by", "?x"]]).turns
    then = asked(kg, "Who looks after Bramble?", [["Bramble", "looked after by", "?x"]]).turns
    found = [i.text for i in complete(kg, names, "she taught her", Memory(kg, [*both, *then]))]
    assert found[:2] == ["Petra Vond taught Jory Pask", "Jory Pask taught Petra Vond"]
    assert "Petra Vond sold Petra Vond's house" in {
        i.text for i in complete(kg, names, "she sold her house", Memory(kg, [*both, *then]))
    }


def test_they_there_are_people_at_a_place(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "Who lives in Mill Cottage?", [["?x", "lives in", "Mill Cottage"]])
    [first, *others] = complete(kg, names, "how long have they been there?", memory)
    one = kg.label(memory.turns[0].answers[0])
    assert (first.text, first.each) == (f"how long has {one} been at Mill Cottage?", memory.turns[0].answers)
    assert not any(i.given == ("Mill Cottage",) for i in others)
    assert complete(kg, names, "what do they have?", memory)[0].text == f"what does {one} have?"
    assert complete(kg, names, "when were they born?", memory)[0].text == f"when was {one} born?"


def test_of_them_reaches_over_a_turn_that_told_nothing(kg: KGStore, names: NameIndex) -> None:
    listed = asked(kg, "What has Petra Vond to look after?", [["?x", "looked after by", "Petra Vond"]]).turns
    nothing = [Remembered("how old?", "how old is it?", "ask", ("212",)), Remembered("how big?", "how big?", "ask")]
    found = complete(kg, names, "which of them is the oldest?", Memory(kg, [*listed, *nothing]))
    assert any(i.kind == "among" and set(i.keep) == {"Bramble", "Duke (bull)"} for i in found)


def test_whom_after_who_has_somebody(kg: KGStore, names: NameIndex) -> None:
    where = [["?x", "looked after by", "?y"]]
    asked_for = {"filter": [["?x", "in", ["Bramble", "oats"]]]}
    memory = asked(kg, "Which of the two does somebody look after?", where, **asked_for)
    [whom] = complete(kg, names, "Whom?", memory)
    assert whom.query and execute(kg, whom.query).ids == ("Petra Vond",)
    assert not any(i.query for i in complete(kg, names, "What?", memory))


def test_the_second_before_a_question(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "What has Petra Vond to look after?", [["?x", "looked after by", "Petra Vond"]])
    first = complete(kg, names, "the second, when was it born?", memory)[0]
    assert first.given == (memory.turns[0].answers[1],)


def test_the_first_of_them_to_do_something(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "What has Petra Vond to look after?", [["?x", "looked after by", "Petra Vond"]])
    [first] = complete(kg, names, "the first of them to be sold?", memory)
    assert (first.text, set(first.keep)) == ("Which thing was the first to be sold?", {"Bramble", "Duke (bull)"})


def test_one_of_those_is_one_of_them(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "What is sold to Zawn Mills?", [["?x", "sold to", "Zawn Mills"]])
    [first] = complete(kg, names, "one of those costs 228", memory)
    assert (first.text, first.kind, set(first.keep)) == ("a crop costs 228", "among", {"wheat", "oats"})


def test_the_other_two_are_asked_the_same(kg: KGStore, names: NameIndex) -> None:
    three = Remembered("q", "q", "ask", ("Bramble", "Duke (bull)", "Duke (horse)"))
    then = asked(kg, "Who looks after Bramble?", [["Bramble", "looked after by", "?x"]]).turns
    [first] = complete(kg, names, "and the other two?", Memory(kg, [three, *then]))
    assert first.query and set(execute(kg, first.query).ids) == {"Petra Vond", "Jory Pask"}
    assert first.text == "Who looks after Duke (bull) and Duke (horse)?"


def test_which_are_that_asks_of_each(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "What is sold to Zawn Mills?", [["?x", "sold to", "Zawn Mills"]])
    assert set(complete(kg, names, "which fields are that?", memory)[0].each) == {"wheat", "oats"}


def test_that_first_is_it_at_first(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "Who looks after Bramble?", [["Bramble", "looked after by", "?x"]])
    assert "when was Bramble first sold?" in {i.text for i in complete(kg, names, "when was that first sold?", memory)}


def test_the_other_one_is_asked_something_else(kg: KGStore, names: NameIndex) -> None:
    said = "When was Duke the bull born?"
    memory = Memory(kg, [Remembered(said, said, topics=("Duke (bull)",), chosen=("Duke (bull)",))])
    texts = [i.text for i in complete(kg, names, "And the other Duke, who looks after him?", memory)]
    assert texts and not any("born" in text for text in texts) and "looks after" in texts[0]


def test_an_ellipsis_is_about_what_was_spoken_of(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "Who looks after Bramble?", [["Bramble", "looked after by", "?x"]])
    assert [i.given for i in complete(kg, names, "born when?", memory)] == [("Petra Vond",), ("Bramble",)]


def test_what_a_sentence_names_first_is_what_it_asks_of(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "Who looks after Bramble?", [["Bramble", "looked after by", "?x"]])
    for text in (
        "And oats, who buys that?",
        "Oats, who buys that?",
        "Right. The oats then, who buys that?",
    ):
        [only, *_] = complete(kg, names, text, memory)
        assert only.given == ("oats",) and only.text.endswith("ho buys oats?")
    [only] = complete(kg, names, "Silly me. Who gave you that?", memory)[:1]
    assert only.text == "Who gave you Bramble?"  # what comes before the question is left out


def test_one_of_the_last_answers_by_its_description(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "What has Petra Vond to look after?", [["?x", "looked after by", "Petra Vond"]])
    [only] = complete(kg, names, "and the 2017 one, when was it born?", memory)
    assert (only.text, only.given) == ("when was Bramble born?", ("Bramble",))
    [only] = complete(kg, names, "who looks after the 2019 one?", memory)
    assert only.text == "who looks after Duke (bull)?"
    [only] = complete(kg, names, "the cow, what is it called?", memory)
    assert only.given == ("Bramble",)


def test_those_two_are_the_one_asked_about_and_the_answer(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "Who looks after Bramble?", [["Bramble", "looked after by", "?x"]])
    [first, *_] = complete(kg, names, "how many fields do those two have?", memory)
    assert first.text == "how many fields do Bramble and Petra Vond have?"


def test_a_question_of_its_own_stays_as_it_is(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "Who looks after Bramble?", [["Bramble", "looked after by", "?x"]])
    assert complete(kg, names, "Who buys the wheat?", memory) == [Interpretation("Who buys the wheat?")]
    assert complete(kg, names, "Who buys it?", Memory(kg)) == [Interpretation("Who buys it?")]


def test_what_the_sentences_before_the_question_name_is_meant_first(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "Who looks after Bramble?", [["Bramble", "looked after by", "?x"]])
    [first, *_] = complete(kg, names, "Jory Pask came by today. Where does he live?", memory)
    assert (first.text, first.given) == ("Where does Jory Pask live?", ("Jory Pask",))
    [first, *_] = complete(kg, names, "The oats are in. Who buys that?", Memory(kg))
    assert first.given == ("oats",)
    texts = [i.text for i in complete(kg, names, "We have wheat. What is the price of oats?", memory)]
    assert texts == ["We have wheat. What is the price of oats?", "What is the price of oats?"]


def test_who_else_leaves_out_what_the_answer_was_reached_through(kg: KGStore, names: NameIndex) -> None:
    turn = Remembered("q", "Who looks after Duke?", "ask", ("Petra Vond",), ("Duke (bull)",), inner=("Bramble",))
    found = complete(kg, names, "What else does she look after?", Memory(kg, [turn]))
    assert {i.kind for i in found} == {"else"} and "Bramble" in found[0].drop


def test_what_has_names_as_people_do_is_no_person_by_its_relations(tmp_path: Path) -> None:
    path = tmp_path / "museum.tsv"
    path.write_text(
        "Petra Vond\trdf:type\tpainter\nJory Pask\trdf:type\tpainter\nPetra Vond\tborn in\tOslo\n"
        "Guild Banner\trdf:type\ttextile\nGuild Banner\tmade by\tPetra Vond\nKettler Sword\trdf:type\ttextile\n",
        encoding="utf-8",
    )
    kg = load_kg(path)
    memory = asked(kg, "Who made the Guild Banner?", [["Guild Banner", "made by", "?x"]])
    found = complete(kg, NameIndex(SchemaView(kg)), "and when was it made?", memory)
    assert found[0].given == ("Guild Banner",)


def test_the_new_one_is_the_latest_of_the_last_answers(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "What has Petra Vond to look after?", [["?x", "looked after by", "Petra Vond"]])
    assert complete(kg, names, "who looks after the new one?", memory)[0].given == ("Duke (bull)",)
    assert complete(kg, names, "who looks after the old one?", memory)[0].given == ("Bramble",)


def test_a_comparison_without_a_subject_is_of_what_was_spoken_of(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "What do we get for wheat?", [["wheat", "price", "?x"]])
    found = complete(kg, names, "less than oats", memory)
    assert ("ellipsis", ("wheat",)) in [(i.kind, i.given) for i in found]


def test_a_noun_stands_for_what_was_spoken_of(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "Who looks after Bramble?", [["Bramble", "looked after by", "?x"]])
    [only] = complete(kg, names, "no I mean the cow, when was it born?", memory)
    assert (only.text, only.given) == ("when was Bramble born?", ("Bramble",))
    assert complete(kg, names, "is he older than the cow?", memory)[0].text == "is Petra Vond older than Bramble?"
    assert "the cow" in complete(kg, names, "which is the cow?", memory)[0].text
    assert "the cow of" in complete(kg, names, "when was the cow of Jory Pask born?", memory)[0].text


def test_of_them_asks_of_the_last_answers_alone(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "What do we sell to Zawn Mills?", [["?x", "sold to", "Zawn Mills"]])
    for text, whole in (
        ("Which of them costs 228?", "Which crops costs 228?"),
        ("which one costs 228?", "which crop costs 228?"),
        ("how many among those two cost 228?", "how many crops cost 228?"),
    ):
        [only] = complete(kg, names, text, memory)
        assert (only.kind, only.text, set(only.keep)) == ("among", whole, {"wheat", "oats"})
    [claim, *_] = complete(kg, names, "two of them are sold to Zawn Mills", memory)[1:]
    assert claim.kind == "pronoun"  # a claim has no answers that could be kept


def test_a_pronoun_beside_of_them_is_another_thing(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "What has Petra Vond to look after?", [["?x", "looked after by", "Petra Vond"]])
    found = complete(kg, names, "Which of those does she like more?", memory)
    assert found[0].text == "Which things does Petra Vond like more?" and found[0].given == ("Petra Vond",)
    assert "Which things does she like most?" in [i.text for i in found]  # of two, the greater is the greatest
    assert all(set(i.keep) == {"Bramble", "Duke (bull)"} for i in found)


def test_the_one_from_somewhere_is_one_of_the_last_answers(kg: KGStore, names: NameIndex) -> None:
    people = Memory(kg, [Remembered("q", "Who works here?", "ask", ("Petra Vond", "Jory Pask"))])
    [only] = complete(kg, names, "the one with Bramble, where does she live?", people)
    assert (only.text, only.given) == ("where does Petra Vond live?", ("Petra Vond",))


def test_a_superlative_alone_is_of_the_last_answers(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "What has Petra Vond to look after?", [["?x", "looked after by", "Petra Vond"]])
    for text in (
        "And the oldest?", "oldest?", "which is the oldest?", "Which is older?", "the older of the two?",
        "The older one of that pair?", "the older of both?",
    ):  # fmt: skip
        first = complete(kg, names, text, memory)[0]
        assert first.kind == "among" and re.fullmatch(
            r"Which of (?:Bramble|Duke|and|[() ]|bull)+ is the oldest\?", first.text
        )
        assert set(first.keep) == {"Bramble", "Duke (bull)"}
    listed = complete(kg, names, "Of the two on my list, which is the older?", memory)
    assert any(i.text == first.text and i.keep for i in listed)
    three = Memory(kg, [Remembered("q", "q", "ask", ("Bramble", "Duke (bull)", "Duke (horse)"))])
    for text in ("Which is older?", "which one's older"):
        texts = {i.text for i in complete(kg, names, text, three) if i.kind == "among" and len(i.keep) == 3}
        assert "Which of Bramble, Duke (bull) and Duke (horse) is the oldest?" in texts
    assert "among" not in {i.kind for i in complete(kg, names, "older?", three)}  # than what?
    assert "among" not in {i.kind for i in complete(kg, names, "and the price?", three)}


def test_the_other_of_two_is_the_one_not_picked(kg: KGStore, names: NameIndex) -> None:
    both = asked(kg, "What do we sell to Zawn Mills?", [["?x", "sold to", "Zawn Mills"]]).turns
    price = asked(kg, "What is the price of oats?", [["oats", "price", "?x"]]).turns
    for text in ("And the other?", "and the other one?", "and the other one's?"):
        [only] = complete(kg, names, text, Memory(kg, (*both, *price)))
        assert only.text == "What is the price of wheat?" and only.query is not None
        assert [kg.label(i) for i in execute(kg, only.query).ids] == ["212"]
    [only] = complete(kg, names, "the other, who buys that?", Memory(kg, (*both, *price)))
    assert only.given == ("wheat",)


def test_the_old_one_of_two_namesakes_is_asked_the_same(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "Who looks after Duke (bull)?", [["Duke (bull)", "looked after by", "?x"]])
    [only] = complete(kg, names, "and the old one?", memory)
    assert only.query is not None and execute(kg, only.query).ids == ("Jory Pask",)


def test_who_then_asks_the_claim_of_anyone(kg: KGStore, names: NameIndex) -> None:
    claim = QueryGraph.from_json({"ask": "some", "where": [["Bramble", "looked after by", "Jory Pask"]]})
    turn = Remembered("x", "Jory Pask looks after Bramble", "verify", (), claim.entities, query=claim.to_json())
    for text in ("Who does, then?", "Oh. Who then?", "Who is it?"):
        first = complete(kg, names, text, Memory(kg, [turn]))[0]
        assert first.query is not None and execute(kg, first.query).ids == ("Petra Vond",), text
    [first, *_] = complete(kg, names, "any others?", Memory(kg, [turn]))
    assert first.query is not None and execute(kg, first.query).ids == ("Petra Vond",)
    assert asked_for(claim, "wheat") is None


def test_what_begins_with_a_preposition_hangs_on_the_question_before(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "Who looks after Bramble?", [["Bramble", "looked after by", "?x"]])
    found = complete(kg, names, "in the Mill Cottage kitchen, with a view?", memory)
    assert [(i.kind, i.given) for i in found] == [
        ("ellipsis", ("Petra Vond",)),
        ("ellipsis", ("Bramble",)),
        ("alone", ()),
    ]


def test_a_question_word_alone_belongs_to_the_sentence_before(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "Who looks after Bramble?", [["Bramble", "looked after by", "?x"]])
    found = complete(kg, names, "She lives in some cottage, I think. Which one?", memory)
    assert found[0].text.startswith("Petra Vond lives in some cottage")


def test_older_than_her_is_of_another_of_her_kind(kg: KGStore, names: NameIndex) -> None:
    people = Remembered("q", "Is Petra Vond a friend of Jory Pask?", "verify", (), ("Petra Vond", "Jory Pask"))
    found = complete(kg, names, "older than her", Memory(kg, [people]))
    assert ("Jory Pask is older than Petra Vond", ("Jory Pask", "Petra Vond")) in [(i.text, i.given) for i in found]


def test_both_are_things_and_said_to_be_two(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "When was Bramble born?", [["Bramble", "born", "?x"]])
    assert [i.given for i in complete(kg, names, "who looks after them?", memory)] == [("Bramble",)]


def test_what_was_counted_is_what_of_them_means(kg: KGStore) -> None:
    query = {"count": "?x", "where": [["?x", "sold to", "Zawn Mills"]]}
    result = Result("how many?", "query-graph", "2", reading=Reading("how many", query, ("2",)))
    assert set(remember(kg, "how many?", result, "ask").answers) == {"wheat", "oats"}


def test_their_asks_of_each_of_the_last_answers(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "Which animals are there?", [["?x", "born", "?y"]])
    duke, *_ = memory.turns[-1].answers
    first = complete(kg, names, "who looks after them?", memory)[0]
    assert (first.given, first.each, first.kind) == ((duke,), memory.turns[-1].answers, "pronoun")
    one = QueryGraph.from_json({"select": "?x", "where": [[duke, "looked after by", "?x"]]})
    together = of_each(one, duke, first.each)
    assert together and set(execute(kg, together).ids) == {"Petra Vond", "Jory Pask"}
    beside = QueryGraph.from_json(
        {"select": "?x", "where": [[duke, "looked after by", "?p"], ["?x", "looked after by", "?p"]],
         "filter": [["?x", "not in", [duke]]]}
    )  # fmt: skip
    other = of_each(beside, duke, ["Duke (bull)", "Duke (horse)"])
    assert other and execute(kg, other).ids == ("Bramble",)
    compared = {"select": "?x", "where": [["?x", "born", "?y"]], "filter": [["?x", "in", [duke, "Bramble"]]]}
    assert of_each(QueryGraph.from_json(compared), duke, first.each) is None
    for text, said in (
        ("what does each cost?", "what does {} cost?"),
        ("who does each belong to", "who does {} belong to"),
    ):
        first = complete(kg, names, text, memory)[0]
        assert (first.text, first.each) == (said.format(kg.label(duke)), memory.turns[-1].answers)
    assert not any(i.each for i in complete(kg, names, "what does each farmer own?", memory))
    for text in ("who looks after both of them?", "they are looked after by Jory Pask", "what do they share?"):
        assert not any(i.each for i in complete(kg, names, text, memory))


def test_both_claims_it_of_each_of_two(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "What does Petra Vond look after?", [["?x", "looked after by", "Petra Vond"]])
    one, two = memory.turns[0].answers
    [first, *_] = complete(kg, names, "are they both looked after by Petra?", memory)
    assert (first.text, first.each) == (f"is {one} looked after by Petra?", (one, two))
    claim = QueryGraph.from_json(
        {"ask": "some", "where": [[one, "looked after by", "Petra Vond"], [one, "born", "?x"]]}
    )
    both = held_of_each(claim, one, first.each)
    assert both is not None and execute(kg, both).number and set(both.entities) == {one, two, "Petra Vond"}
    jory = swapped(claim, "Petra Vond", "Jory Pask")
    assert (none := held_of_each(jory, one, first.each)) is not None and not execute(kg, none).number
    assert held_of_each(replace(claim, denied=True), one, first.each) is None
    assert held_of_each(swapped(claim, "Petra Vond", two), one, first.each) is None  # about the other as well
    assert not any(i.each for i in complete(kg, names, "do they both share a keeper?", memory))


def test_the_other_one_is_the_rival_that_the_answer_named(team: KGStore) -> None:
    query = QueryGraph.from_json({"select": "?x", "where": [["Mia Kern", "city", "?x"]]})
    turn = Remembered("q", "Where does she live?", "ask", (), ("Mia Kern",), query=query.to_json())
    names, turn = NameIndex(SchemaView(team)), replace(turn, rivals=("Mia Kern", "Tom Weber", "Lea Brandt"))
    found = complete(team, names, "No, I meant the other one.", Memory(team, [turn]))
    assert [i.query.entities for i in found if i.query] == [("Tom Weber",), ("Lea Brandt",)]
    then = replace(turn, topics=("Tom Weber",), rivals=(), query=found[0].query and found[0].query.to_json())
    [first, *_] = complete(team, names, "and the other one?", Memory(team, [turn, then]))
    assert first.query is not None and first.query.entities == ("Lea Brandt",)  # on to the third
    old = {k: v for k, v in turn.to_json().items() if k != "rivals"}
    assert Remembered.from_json(old).rivals == ()


def test_the_other_one_goes_on_with_the_name_that_was_said(kg: KGStore, names: NameIndex) -> None:
    turn = asked(kg, "When was Duke (bull) born?", [["Duke (bull)", "born", "?x"]]).turns[0]
    memory = Memory(kg, [replace(turn, said="and the other Duke?")])
    [only] = complete(kg, names, "and the other one?", memory)
    assert only.query is not None and only.query.entities == ("Duke (horse)",)


def test_that_one_after_the_other_one_is_the_one_picked(kg: KGStore, names: NameIndex) -> None:
    keeper = asked(kg, "Who looks after Duke (horse)?", [["Duke (horse)", "looked after by", "?x"]]).turns[0]
    said = Memory(kg, [replace(keeper, said="and the other Duke?")])
    found = complete(kg, names, "when was that one born?", said)
    assert [i.given for i in found if i.kind == "pronoun"] == [("Duke (horse)",)]
    plain = complete(kg, names, "when was that one born?", Memory(kg, [keeper]))
    assert ("Jory Pask",) in [i.given for i in plain]


def test_a_bare_number_chooses_of_the_bearers_that_were_told(kg: KGStore, names: NameIndex) -> None:
    turn = asked(kg, "When was Duke (bull) born?", [["Duke (bull)", "born", "?x"]]).turns[0]
    told = Memory(kg, [replace(turn, rivals=("Duke (bull)", "Duke (horse)"))])
    for text, born in (("2", "2004-05-17"), ("number 1.", "2019-03-02")):
        first = complete(kg, names, text, told)[0]
        assert first.query is not None and [kg.label(i) for i in execute(kg, first.query).ids] == [born]
    assert all(i.kind != "namesake" for text in ("3", "2") for i in complete(kg, names, text, Memory(kg, [turn])))
    assert all(i.kind != "namesake" for i in complete(kg, names, "3", told))


def test_what_a_bearer_has_is_no_word_for_it(kg: KGStore, names: NameIndex) -> None:
    said = "how old is Duke?"
    turn = Remembered(
        said, said, topics=("Duke (bull)",), query=asked(kg, said, [["Duke (bull)", "born", "?x"]]).turns[0].query
    )
    assert not any(i.kind == "namesake" for i in complete(kg, names, "and the bull?", Memory(kg, [turn])))
    assert any(i.kind == "namesake" for i in complete(kg, names, "and the horse?", Memory(kg, [turn])))


def test_what_tells_namesakes_apart_goes_with_the_name() -> None:
    assert renamed("who mentors Sam Dee (M-4)?", ("Sam Dee",), "Sam Dee (M-3)") == "who mentors Sam Dee (M-3)?"


def test_the_name_that_was_said_goes_be_it_a_nickname_or_a_part() -> None:
    names = ("Echo (Owls)", "Tom Sand", "Echo")
    assert renamed("When's Echo's birthday?", names, "Echo (Gears)") == "When's Echo (Gears)'s birthday?"
    assert renamed("When is an echo-free room let?", ("Cho",), "Ned") == "When is an echo-free room let, for Ned?"


@pytest.mark.parametrize("text", ["I mean Tom Weber, please.", "Tom Weber."])
def test_the_name_that_was_taken_confirms_the_answer(team: KGStore, text: str) -> None:
    memory = asked(team, "Where does Tom live?", [["Tom Weber", "city", "?x"]])
    [same, *_] = complete(team, NameIndex(SchemaView(team)), text, memory)
    assert same.text == "Where does Tom live?" and memory.last is not None
    assert same.query == QueryGraph.from_json(memory.last.query)
    [swap, *_] = complete(team, NameIndex(SchemaView(team)), "Mia Kern, please.", memory)
    assert swap.query is not None and swap.query.entities == ("Mia Kern",)


def test_when_after_a_wrong_date_asks_for_the_right_one(kg: KGStore, names: NameIndex) -> None:
    claim = {"ask": "some", "where": [["Bramble", "born", "?x"]], "filter": [["?x", "year", "2015"]]}
    turn = Remembered("x", "Bramble was born in 2015.", "verify", (), ("Bramble",), query=claim)
    for text in ("When?", "When, then?"):
        found = complete(kg, names, text, Memory(kg, [turn]))
        answers = [kg.label(i) for f in found if f.query for i in execute(kg, f.query).ids]
        assert answers == ["2017-01-09"], text


@pytest.mark.parametrize("text", ["Who's the youngest, then?", "And the youngest?", "Which is the youngest?"])
def test_the_other_extreme_of_a_claim_is_among_the_same_by_the_same(kg: KGStore, names: NameIndex, text: str) -> None:
    where = [["?x", "born", "?a"], ["Duke (horse)", "born", "?c"]]
    claim = {"ask": "none", "where": where, "filter": [["?a", "<", "?c"]]}
    turn = Remembered("q", "Is Duke (horse) the oldest animal?", "verify", (), ("Duke (horse)",), query=claim)
    first, second, *_ = complete(kg, names, text, Memory(kg, [turn]))
    assert first.query is not None and execute(kg, first.query).ids == ("Duke (bull)",)
    assert set(second.keep) == {"Bramble", "Duke (bull)", "Duke (horse)"}
    dearest = complete(kg, names, "Which is the most expensive?", Memory(kg, [turn]))[0]
    assert dearest.query is None and dearest.text.endswith(" is the most expensive?")  # by other values


def test_which_of_them_is_asks_of_one(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "What do we sell to Zawn Mills?", [["?x", "sold to", "Zawn Mills"]])
    for text, whole in (
        ("Which of them is the older one?", "Which crop is the oldest one?"),
        ("which of those isn't for sale?", "which crop isn't for sale?"),
        ("Which of them are sold?", "Which crops are sold?"),
        ("how many of them has he?", "which crops has he?"),
    ):
        assert whole in [i.text for i in complete(kg, names, text, memory)]
    assert complete(kg, names, "how many of them has he?", memory)[-1].counted


def test_an_extreme_of_a_kind_may_stand_alone(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "What do we get for wheat?", [["wheat", "price", "?x"]])
    for text, kinds in (
        ("cheapest crop?", {"ellipsis", "alone"}),
        ("oldest cows?", {"ellipsis", "alone"}),
        ("lowest price?", {"ellipsis"}),
        ("which crop?", {"ellipsis"}),
    ):
        assert {i.kind for i in complete(kg, names, text, memory)} == kinds, text


def test_both_are_the_last_two_of_one_kind(team: KGStore) -> None:
    names = NameIndex(SchemaView(team))
    list_ = Remembered("q", "Who is in Checkout?", "ask", ("Ana Ruiz", "Tom Weber", "Lea Brandt"), ("Checkout",))
    ana = Remembered("q", "Where does Ana live?", "ask", ("Madrid",), ("Ana Ruiz",))
    tom = Remembered("q", "and Tom?", "ask", ("Berlin",), ("Tom Weber",))
    [only] = complete(team, names, "do they both work there", Memory(team, [list_, ana, tom]))
    assert only.each == ("Ana Ruiz", "Tom Weber") and only.text.startswith("does Ana Ruiz work")
    [only] = complete(team, names, "have they both met", Memory(team, [list_, ana, tom]))
    assert only.given == ("Ana Ruiz", "Tom Weber") and only.text.startswith("have Ana Ruiz and Tom Weber both met")
    alone = complete(team, names, "do they both work on Search?", Memory(team, [tom]))
    assert "pronoun" not in {i.kind for i in alone}  # one is not both
    for text in ("do they both sing and dance?", "do they work there too?"):  # one may be "they"
        assert ("Tom Weber",) in [i.given for i in complete(team, names, text, Memory(team, [tom]))], text


def test_what_was_offered_is_taken_and_may_be_meant(kg: KGStore, names: NameIndex) -> None:
    query = {"select": "?x", "where": [["Bramble", "looked after by", "?x"]]}
    result = Result(
        "who has Bramble?", "query-graph", UNSURE, other_readings=(Reading("who looks after Bramble", query),)
    )
    turn = remember(kg, "who has her?", result, "ask", named=("Bramble",))
    assert turn.topics == ("Bramble", "Petra Vond") and not turn.answers and turn.query is None
    turn = Remembered.from_json(turn.to_json())
    [only] = complete(kg, names, "Yes, please.", Memory(kg, [turn]))
    assert only.text == "who has Bramble?" and only.query == QueryGraph.from_json(query)
    assert complete(kg, names, "where does she live?", Memory(kg, [turn]))[0].given == ("Petra Vond",)
    silent = replace(result, text="The graph does not tell.")
    assert remember(kg, "who has her?", silent, "ask", named=("Bramble",)).offered is None


@pytest.mark.parametrize("text", ["Who did, then?", "who then?"])
def test_who_then_asks_for_what_the_claim_named_first(kg: KGStore, names: NameIndex, text: str) -> None:
    query = QueryGraph.from_json({"ask": "some", "where": [["wheat", "sold to", "Zawn Mills"]]})
    claim = "Zawn Mills bought wheat"
    turn = Remembered(claim, claim, "verify", (), query.entities, query=query.to_json())
    [first, *_] = complete(kg, names, text, Memory(kg, [turn]))
    assert first.text == "Who bought wheat?" and first.drop == ("Zawn Mills",)


@pytest.mark.parametrize("text", ["who then?", "Oh. Whose, then?", "ok who then"])
def test_who_then_asks_by_whom_where_the_claim_was_about_another(text: str) -> None:
    crew = NetworkxStore([("Rosa", "answers to", "Femi"), ("Femi", "answers to", "Marge")], types={
        name: ["person"] for name in ("Rosa", "Femi", "Marge")
    })  # fmt: skip
    query = QueryGraph.from_json({"ask": "some", "where": [["Rosa", "answers to", "Marge"]]})
    turn = Remembered("x", "Rosa answers to Marge", "verify", (), query.entities, query=query.to_json())
    [first, *_] = complete(crew, NameIndex(SchemaView(crew)), text, Memory(crew, [turn]))
    assert first.query is not None and execute(crew, first.query).ids == ("Femi",)


@pytest.mark.parametrize("text", ["With whom?", "and who with?", "together with whom, then?"])
def test_with_whom_asks_for_the_others(kg: KGStore, names: NameIndex, text: str) -> None:
    memory = asked(kg, "Where does Petra live?", [["Petra Vond", "lives in", "?x"]])
    [first, *_] = complete(kg, names, text, memory)
    assert first.query is not None and execute(kg, first.query).ids == ("Jory Pask",)
    memory = asked(kg, "Who buys wheat?", [["wheat", "sold to", "?x"]], order={"by": "?x"})
    assert not any(i.how.startswith("besides") for i in complete(kg, names, text, memory))


@pytest.mark.parametrize("text", ["and crops?", "What about crops?", "crops?"])
def test_and_another_class_asks_the_same_of_it(kg: KGStore, names: NameIndex, text: str) -> None:
    query = QueryGraph.from_json({"count": "?x", "where": [["?x", "rdf:type", "person"]]})
    turn = Remembered("x", "How many persons are there?", "ask", (), (), query=query.to_json())
    older = Remembered("y", "Where does Petra live?", "ask", ("Mill Cottage",), ("Petra Vond",))
    [first, *_] = complete(kg, names, text, Memory(kg, [older, turn]))
    assert first.query is not None and set(execute(kg, first.query).ids) == {"wheat", "oats"}
    assert "crops" in first.how


def test_a_value_that_is_a_part_of_a_name_is_a_value_too() -> None:
    shops = [("Alpina Boots", "makes", '"boots"'), ("Taternik Ropes", "makes", '"ropes"')]
    others = [(f"Shop {word}", "makes", f'"{word}"') for word in ("tents", "axes", "hats", "maps", "socks", "stoves")]
    store = NetworkxStore([*shops, *others], types={shop: ["company"] for shop, *_ in (*shops, *others)})
    memory = asked(store, "Which company makes ropes?", [["?x", "makes", '"ropes"']])
    [first, *_] = complete(store, NameIndex(SchemaView(store)), "and boots?", memory)
    assert first.query is not None and execute(store, first.query).ids == ("Alpina Boots",)


@pytest.mark.parametrize(
    ("text", "taken", "born"),
    [
        ("the horse", "Duke (bull)", "2004-05-17"),
        ("I mean the bull", "Duke (bull)", "2019-03-02"),  # confirmed, not the other one
        ("the bull, please", "Duke (horse)", "2019-03-02"),
        ("the one that Jory looks after", "Duke (bull)", "2004-05-17"),
        ("the one with Jory Pask", "Duke (horse)", "2004-05-17"),  # a fact of it, also where it was taken
        ("the one with Jory Pask", "Duke (bull)", "2004-05-17"),
    ],
)
def test_a_description_chooses_the_bearer_of_a_name(
    kg: KGStore, names: NameIndex, text: str, taken: str, born: str
) -> None:
    memory = asked(kg, "When was Duke born?", [[taken, "born", "?x"]])
    first, second = complete(kg, names, text, memory)
    assert first.query is not None and [kg.label(i) for i in execute(kg, first.query).ids] == [born]
    assert first.text == f"When was {second.given[0]} born?"
    [later, _] = complete(kg, names, "the horse", Memory(kg, [replace(memory.turns[0], rivals=("Duke (bull)", taken))]))
    assert later.query is not None and later.query.entities == ("Duke (horse)",)
    assert all(i.kind != "namesake" for i in complete(kg, names, "who looks after the horse?", memory))


def test_what_is_no_person_is_no_he_and_a_person_no_it(club: KGStore) -> None:
    names = NameIndex(SchemaView(club))
    turn = Remembered("q", "Which course did Ann Holt take?", "ask", ("Open Water 2",), ("Ann Holt",))
    for text, given in (
        ("who teaches her?", [("Ann Holt",)]),
        ("who is that woman?", [("Ann Holt",)]),
        ("who teaches it?", [("Open Water 2",)]),
        ("and that one?", [("Open Water 2",), ("Ann Holt",)]),  # may be either
    ):
        found = complete(club, names, text, Memory(club, [turn]))
        assert [i.given for i in found if i.kind == "pronoun"] == given, text
    alone = replace(turn, topics=())  # "Open Water 2" is no name that anybody has
    assert not complete(club, names, "who teaches her?", Memory(club, [alone]))[0].given
    [only] = [
        i for i in complete(club, names, "bless her, who takes it?", Memory(club, [alone])) if i.kind == "pronoun"
    ]
    assert (only.text, only.given) == ("who takes Open Water 2?", ("Open Water 2",))


def test_a_person_who_is_only_a_value_is_he_before_what_is_a_row() -> None:
    sales = [(f"SL-{n}", "buyer", f'"{who}"') for n, who in enumerate(("Maud Ellery", "Ray Dunmore"))]
    store = NetworkxStore(sales, types={sale: ["sale"] for sale, *_ in sales})
    names = NameIndex(SchemaView(store))
    assert FollowUps(store, names).spoken_of("And Ray Dunmore?") == ['"Ray Dunmore"']
    memory = Memory(store, [Remembered("x", "And Ray Dunmore?", "ask", ("SL-0",), ('"Ray Dunmore"',))])
    found = complete(store, names, "what was sold to him?", memory)
    assert [i.given for i in found if i.kind == "pronoun"] == [('"Ray Dunmore"',)]


@pytest.mark.parametrize("text", ["Is oats dearer than wheat?", "Is wheat dearer than oats?"])
def test_a_comparison_is_about_things_in_the_order_of_its_words(kg: KGStore, names: NameIndex, text: str) -> None:
    words = text.split()
    for given in ("wheat", "oats"):
        about = FollowUps(kg, names).about(Interpretation(text, "pronoun", given=(given,)))
        assert about == (words[1], words[-1].strip("?"))


def test_who_refutes_a_claim_is_less_spoken_of_than_whom_it_named(club: KGStore) -> None:
    before = Remembered("q", "Who took Open Water 2?", "ask", ("Ann Holt",), ("Open Water 2",))
    claim = Remembered("q", "Did Ben Roe take it?", "verify", (), ("Open Water 2", "Ben Roe"), inner=("Ann Holt",))
    assert Memory(club, [claim]).place("Ann Holt") == "inner"
    assert Memory(club, [replace(claim, refuted=True)]).place("Ann Holt") == ""
    memory = Memory(club, [before, replace(claim, refuted=True)])
    assert memory.place("Ann Holt") == "older" and memory.place("Ben Roe") == ""


def test_else_knows_what_the_last_turns_spoke_of(kg: KGStore, names: NameIndex) -> None:
    first = Remembered("q", "When was Bramble born?", "ask", ("2017-01-09",), ("Bramble",))
    memory = Memory(kg, [first, *asked(kg, "Who looks after her?", [["Bramble", "looked after by", "?x"]]).turns])
    found = complete(kg, names, "Which other cows does she milk every day?", memory)
    assert found[0].given == ("Petra Vond",) and set(found[0].drop) == {"Bramble", "Petra Vond"}


def test_what_else_after_a_claim_is_no_other_end_of_it(kg: KGStore, names: NameIndex) -> None:
    claim = {"ask": "some", "where": [["Bramble", "looked after by", "Petra Vond"]]}
    topics = ("Bramble", "Petra Vond")
    turn = Remembered("q", "Petra Vond looks after Bramble.", "verify", (), topics, query=claim)
    memory = Memory(kg, [turn])
    assert all(i.query is None for i in complete(kg, names, "what else is she selling?", memory))
    assert all(i.query is not None for i in complete(kg, names, "who else?", memory))


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("Sorry, back up: oats, not wheat. How many?", "228"),
        ("not wheat but oats", "228"),
        ("I meant oats instead of wheat.", "228"),
    ],
)
def test_a_correction_asks_the_earlier_question_again(kg: KGStore, names: NameIndex, text: str, price: str) -> None:
    memory = asked(kg, "What do we get for wheat?", [["wheat", "price", "?x"]])
    memory = Memory(kg, [*memory.turns, *asked(kg, "Who keeps Bramble?", [["Bramble", "looked after by", "?x"]]).turns])
    [only] = complete(kg, names, text, memory)
    assert only.text == "What do we get for oats?" and only.query is not None
    assert [kg.label(i) for i in execute(kg, only.query).ids] == [price]


def test_a_correction_that_asks_something_new_is_none(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "What do we get for wheat?", [["wheat", "price", "?x"]])
    found = complete(kg, names, "Is it oats, not wheat, that Zawn Mills buys?", memory)
    assert all(i.text != "What do we get for oats?" for i in found)


def test_what_is_left_out_is_one_thing(club: KGStore) -> None:
    names = NameIndex(SchemaView(club))
    turn = Remembered("q", "Who took Open Water 1?", "ask", ("Ann Holt", "Ben Roe"), ("Open Water 1",))
    said = Memory(club, [turn])
    assert complete(club, names, "how much?", said)[0].given == ("Open Water 1",)
    counted = {"count": "?x", "where": [["Open Water 1", "taken by", "?x"]]}
    of_one = Memory(club, [replace(turn, answers=("Ann Holt",), query=counted)])
    assert complete(club, names, "how much?", of_one)[0].given == ("Open Water 1",)
    assert complete(club, names, "how old?", Memory(club, [replace(turn, answers=("Ann Holt",))]))[0].given == (
        "Ann Holt",
    )


def test_and_goes_on_with_what_was_spoken_of(club: KGStore) -> None:
    names = NameIndex(SchemaView(club))
    turn = Remembered("q", "Who took Open Water 1?", "ask", ("Ann Holt",), ("Open Water 1",))
    for text, alone in (
        ("and how many dropped out?", False),
        ("how many dropped out?", True),
        ("and which course is the cheapest?", True),
    ):
        kinds = {i.kind for i in complete(club, names, text, Memory(club, [turn]))}
        assert ("alone" in kinds) == alone, text


def test_a_description_by_what_only_one_bearer_does(kg: KGStore, names: NameIndex) -> None:
    things = Things(kg, names, lambda _: lambda step: {"lives in": 0.8, "looked after by": 0.3}.get(step.relation, 0.1))
    assert things.doing(("Duke (bull)", "Petra Vond"), "who rents a home") == "Petra Vond"
    near = Things(kg, names, lambda _: lambda step: {"lives in": 0.8, "born": 0.75}.get(step.relation, 0.1))
    assert near.doing(("Duke (bull)", "Petra Vond"), "who rents a home") == ""  # as near
    assert things.doing(("Duke (bull)", "Duke (horse)"), "who rents a home") == ""  # both have the same relations


REPAIRS = [
    ("R1", "item", "Kettle"), ("R1", "repaired by", "Lucy Marsh"), ("R1", "result", '"not fixed"'),
    ("R2", "item", "Toaster"), ("R2", "repaired by", "Lucy Marsh"), ("R2", "result", '"fixed"'), ("R1", "minutes", '"40"'),
    ("R2", "minutes", '"25"'), ("R3", "item", "Radio"), ("R3", "repaired by", "Ann Holt"), ("R3", "minutes", '"10"'),
    ("Kettle", "is a", "item"), ("Toaster", "is a", "item"), ("Radio", "is a", "item"), ("R1", "is a", "repair"),
    ("R2", "is a", "repair"), ("R3", "is a", "repair"), ("Lucy Marsh", "is a", "volunteer"),
    ("Ann Holt", "is a", "volunteer"),
]  # fmt: skip


def test_nobody_is_a_result() -> None:
    kg = NetworkxStore(REPAIRS)
    names = NameIndex(SchemaView(kg))
    who = asked(kg, "Who repaired the Kettle?", [["?y", "item", "Kettle"], ["?y", "repaired by", "?x"]])
    result = asked(kg, "Did R1 work?", [["R1", "result", "?x"]])
    found = complete(kg, names, "what else did she repair?", Memory(kg, [*who.turns, *result.turns]))
    assert [i.text for i in found if "not fixed" in i.text] == [] and found[0].given == ("Lucy Marsh",)


def test_another_thing_is_asked_of_by_what_hangs_on_it() -> None:
    kg = NetworkxStore(REPAIRS)
    names = NameIndex(SchemaView(kg))
    who = asked(kg, "Who repaired the Kettle?", [["?y", "item", "Kettle"], ["?y", "repaired by", "?x"]])
    lasted = asked(kg, "How long did R1 take?", [["R1", "minutes", "?x"]])
    for text, minutes in (("no, I meant the toaster", "25"), ("and the radio?", "10")):
        first = complete(kg, names, text, Memory(kg, [*who.turns, *lasted.turns]))[0]
        assert first.kind == "swap" and first.query is not None
        assert [kg.label(i) for i in execute(kg, first.query).ids] == [minutes]
    unsaid = complete(kg, names, "no, I meant the toaster", lasted)
    assert all(i.query is None for i in unsaid)  # nothing was said of a kettle


def test_what_was_asked_of_listed_things_is_asked_of_those_of_another() -> None:
    kg = NetworkxStore(REPAIRS)
    names = NameIndex(SchemaView(kg))
    which = asked(kg, "What repairs did the Kettle have?", [["?x", "item", "Kettle"]])
    listed = [["?y", "in", list(which.turns[0].answers)]]
    lasted = asked(kg, "How long did they take?", [["?y", "minutes", "?x"]], filter=listed)
    first = complete(kg, names, "and the radio?", Memory(kg, [*which.turns, *lasted.turns]))[0]
    assert first.kind == "swap" and first.query is not None
    assert [kg.label(i) for i in execute(kg, first.query).ids] == ["10"]
    assert all(i.query is None for i in complete(kg, names, "and the radio?", lasted))


def test_a_bearer_that_is_named_before_the_question(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "When was Duke born?", [["Duke (bull)", "born", "?x"]])
    for text in ("Right, and now the horse: who looks after it?", "the horse, who looks after it?"):
        first = complete(kg, names, text, memory)[0]
        assert (first.text, first.given) == ("who looks after Duke (horse)?", ("Duke (horse)",)), text


def test_a_comparison_lacks_its_subject(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "What do we get for wheat?", [["wheat", "price", "?x"]])
    for text, whole in (
        ("Cheaper than oats?", "wheat is Cheaper than oats?"),
        ("More than oats, then.", "wheat has More than oats, then."),
        ("same buyer as oats?", "wheat has same buyer as oats?"),
    ):
        assert whole in [i.text for i in complete(kg, names, text, memory) if i.kind == "ellipsis"]


def test_of_the_other_two(kg: KGStore, names: NameIndex) -> None:
    answers = ("Bramble", "Duke (bull)", "Duke (horse)")
    first = Remembered("Which animals?", "Which animals?", "ask", answers)
    second = Remembered("Which is a cow?", "Which is a cow?", "ask", ("Bramble",))
    [only] = complete(kg, names, "Of the other two, which is older?", Memory(kg, [first, second]))
    assert only.keep == ("Duke (bull)", "Duke (horse)") and only.text == "Which thing is oldest?"
    alone = complete(kg, names, "Of the other three, which is older?", Memory(kg, [first, second]))
    assert not any(i.how.startswith("the other") for i in alone)


def test_and_is_she(club: KGStore) -> None:
    query = QueryGraph.from_json({"ask": "some", "where": [["Ben Roe", "born in", "1985"]]})
    first = Remembered("Ann?", "Ann?", "ask", (), ("Ann Holt",))
    claim = Remembered("Is he?", "Is Ben Roe born in 1985", "verify", (), ("Ben Roe",), query=query.to_json())
    memory = Memory(club, [first, claim])
    [found] = [i for i in complete(club, NameIndex(SchemaView(club)), "And is she?", memory) if i.query]
    assert found.query and found.query.entities == ("Ann Holt", "1985") and found.text == "Is Ann Holt born in 1985"


def test_what_the_speaker_tells_first_asks_nothing(club: KGStore) -> None:
    text = "So I had Ann Holt on the phone just now, what courses has she taken?"
    found = complete(club, NameIndex(SchemaView(club)), text, Memory(club, []))
    assert found[0].text == "what courses has Ann Holt taken?"


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Right, I've got a man here who can't swim, so which course did Ann Holt take?", "which course did Ann Holt take?"),
        ("Sorry to bother you, could you see who took Open Water 1?", "who took Open Water 1?"),
        ("Excuse me, I was wondering who took Open Water 1", "who took Open Water 1"),
        ("Good evening. I should like to know who took Open Water 1", "who took Open Water 1"),
        ("who took Open Water 1, while I'm here?", "who took Open Water 1?"),
    ],
)  # fmt: skip
def test_what_is_said_for_politeness_asks_nothing(club: KGStore, text: str, asked: str) -> None:
    found = FollowUps(club, NameIndex(SchemaView(club))).interpretations(text, Memory(club))
    assert {i.text for i in found} == {asked}


def test_the_wrong_one_is_put_right(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "What do we get for wheat?", [["wheat", "price", "?x"]])
    [first, *_] = complete(kg, names, "Sorry, wrong crop, oats I meant.", memory)
    assert first.kind == "swap" and first.text == "What do we get for oats?"


def test_who_else_does_what_was_told(kg: KGStore, names: NameIndex) -> None:
    memory = asked(kg, "Who buys wheat?", [["wheat", "sold to", "?x"]])
    found = complete(kg, names, "who else buys that", memory)
    assert all(i.kind == "else" for i in found) and not any("wheat buys" in i.text for i in found)


def test_what_was_called_by_a_part_is_named_in_full(club: KGStore) -> None:
    follow_ups = FollowUps(club, NameIndex(SchemaView(club)))
    assert follow_ups.in_full("what Holt does for the club", "Ann Holt") == "what Ann Holt does for the club"
    assert follow_ups.in_full("what Ann Holt does", "Ann Holt") == "what Ann Holt does"
    assert follow_ups.in_full("what she does", "Ann Holt") == "what she does"
