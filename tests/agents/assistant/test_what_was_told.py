"""What was told before, called by a noun: "that colour", "the other sailor"."""

from __future__ import annotations

import pytest

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.follow_ups import FollowUps
from triplewise.agents.assistant.memory import Memory, Remembered
from triplewise.kg import NetworkxStore
from triplewise.kg.query import QueryGraph, execute
from triplewise.tools.query_graph.linking.mentions import NameIndex
from triplewise.tools.query_graph.schema_view import SchemaView

POST = NetworkxStore(
    [
        ("Parcel 1", "colour", '"dark red"'),
        ("Parcel 1", "weight", '"4"'),
        ("Parcel 1", "price", '"9"'),
        ("Parcel 1", "carried by", "Ann Holt"),
        ("Parcel 1", "sent on", '"2024-05-01"'),
        ("Parcel 2", "colour", '"dark red"'),
        ("Parcel 2", "weight", '"7"'),
        ("Parcel 2", "price", '"5"'),
        ("Parcel 2", "carried by", "Ben Roe"),
        ("Parcel 2", "sent on", '"2024-05-01"'),
        ("Parcel 3", "colour", '"green"'),
        ("Parcel 3", "weight", '"2"'),
        ("Parcel 3", "price", '"3"'),
        ("Parcel 3", "carried by", "Ann Holt"),
        ("Parcel 3", "sent on", '"2024-06-02"'),
        ("Ann Holt", "job", '"carrier"'),
        ("Ben Roe", "job", '"carrier"'),
        ("Ida Lund", "job", '"clerk"'),
        ("Parcel 1", "sent to", "Kirkby"),
        ("Parcel 2", "sent to", "Selby"),
        ("Parcel 3", "sent to", "Kirkby"),
    ],
    types={
        **dict.fromkeys(("Parcel 1", "Parcel 2", "Parcel 3"), ("parcel",)),
        **dict.fromkeys(("Ann Holt", "Ben Roe", "Ida Lund"), ("person",)),
        **dict.fromkeys(("Kirkby", "Selby"), ("town",)),
    },
)
ALL = [["?x", "rdf:type", "parcel"]]


def turn(question: str, where: list[list[str]], select: str = "?x", **more: object) -> Remembered:
    query = QueryGraph.from_json({"select": select, "where": where, **more})
    found = execute(POST, query).ids
    return Remembered(question, question, "ask", found, query.entities, query=query.to_json())


def complete(text: str, *turns: Remembered) -> list[Interpretation]:
    return FollowUps(POST, NameIndex(SchemaView(POST))).interpretations(text, Memory(POST, turns))


COLOUR = turn("What colour is Parcel 1?", [["Parcel 1", "colour", "?x"]])
WEIGHT = turn("How heavy is Parcel 1?", [["Parcel 1", "weight", "?x"]])
SENT = turn("When was Parcel 1 sent?", [["Parcel 1", "sent on", "?x"]])


@pytest.mark.parametrize(
    ("text", "before", "whole"),
    [
        ("Which others are of that colour?", COLOUR, "Which others are of the colour dark red?"),
        ("which other parcels have the same colour?", COLOUR, "which parcels have the colour dark red?"),
        ("Which others are of that colour?", WEIGHT, "Which others are of the colour dark red?"),
        ("Which other ones went that day?", SENT, "Which ones went on 2024-05-01?"),
        ("Was Parcel 2 sent on that day too?", SENT, "Was Parcel 2 sent on 2024-05-01 too?"),
    ],
)
def test_a_value_is_called_by_its_relation(text: str, before: Remembered, whole: str) -> None:
    assert whole in [i.text for i in complete(text, before)]


def test_what_no_relation_is_called_by_stays_as_it_is() -> None:
    assert all("that size" in i.text for i in complete("Which others are of that size?", COLOUR))
    assert any("the same colour" in i.text for i in complete("Do both have the same colour?", COLOUR))


def test_the_other_of_the_only_two_that_a_noun_calls() -> None:
    carried = turn("What did Ann Holt carry?", [["?x", "carried by", "Ann Holt"]])
    first = complete("And the other carrier?", carried)[0]
    assert first.query is not None and execute(POST, first.query).ids == ("Parcel 2",)
    own = complete("and the other carrier, where does he live?", carried)[0]
    assert own.text == "Ben Roe, where does Ben Roe live?"
    kirkby = turn("What is sent to Kirkby?", [["?x", "sent to", "Kirkby"]])
    assert [execute(POST, i.query).ids for i in complete("and the other town?", kirkby) if i.query] == [("Parcel 2",)]
    assert not any(i.given == ("Parcel 2",) for i in complete("and the other parcel?", COLOUR))  # there are three


def test_the_other_of_a_kind_is_the_one_that_was_not_picked() -> None:
    two = turn("What was sent on the first of May?", [["?x", "sent on", SENT.answers[0]]])
    picked = turn("Which is heavier?", ALL, filter=[["?x", "in", ["Parcel 2"]]])
    assert complete("what does the other parcel weigh?", two, picked)[0].given == ("Parcel 1",)


FIXED = turn("Which parcels are red?", ALL, filter=[["?x", "in", ["Parcel 1", "Parcel 2", "Parcel 3"]]])


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Who carried the heaviest one?", "Who carried Parcel 2?"),
        ("what colour is the most expensive one?", "what colour is Parcel 1?"),
        ("I'd take the cheapest one, who carries it?", "who carries Parcel 3?"),
    ],
)
def test_the_first_of_a_list_by_its_measure(text: str, whole: str) -> None:
    assert complete(text, FIXED)[0].text == whole


def test_the_heavy_one_is_what_was_the_heaviest() -> None:
    heaviest = turn("Which parcel is the heaviest?", ALL, filter=[["?x", "in", ["Parcel 2"]]])
    carried = turn("Who carried Parcel 2?", [["Parcel 2", "carried by", "?x"]])
    assert complete("k back to the heavy one, where does it go", heaviest, carried)[0].text == "where does Parcel 2 go"
    assert not complete("and the cheap one, where does it go", heaviest, carried)[0].how.startswith("the cheap")


def test_what_the_things_of_a_list_lead_to() -> None:
    carried = turn("What did Ann Holt carry?", [["?x", "carried by", "Ann Holt"]])
    for text, expected in (("And of which colours?", {"dark red", "green"}), ("Of what weight, then?", {"4", "2"})):
        first = complete(text, carried)[0]
        assert first.query is not None and {POST.label(n) for n in execute(POST, first.query).ids} == expected
    inner = turn("Who carried what?", [["?p", "carried by", "?x"], ["?p", "colour", SENT.answers[0]]])
    assert not any(i.how == "of what was asked" for i in complete("And of which colours?", inner, COLOUR))


def test_a_thing_is_picked_before_it_is_asked_about() -> None:
    two = turn("What was sent on the first of May?", [["?x", "sent on", SENT.answers[0]]])
    assert complete("Then I prefer the heavier one. Who carries it?", two)[0].text == "Who carries Parcel 2?"
    assert complete("I don't like the heavier one. Who carries it?", two)[0].given != ("Parcel 2",)


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("so who is a clerk then, out of all the people", "who is a clerk then"),
        ("who is the boss of everybody", "who is the boss of everybody"),
        ("who is the oldest out of all the people", "who is the oldest out of all the people"),
    ],
)
def test_what_is_asked_of_all_is_asked_of_nobody_who_was_spoken_of(text: str, whole: str) -> None:
    job = turn("What is Ann Holt's job?", [["Ann Holt", "job", "?x"]])
    assert [i.text for i in complete(text, job)] == [whole]


def test_the_row_between_is_not_what_it_stands_for() -> None:
    rows = [
        ("L1", "item", "Drill"),
        ("L1", "borrower", "Ann Holt"),
        ("L2", "item", "Drill"),
        ("L2", "borrower", "Ben Roe"),
    ]
    kinds = {"loan": ("L1", "L2"), "item": ("Drill",), "person": ("Ann Holt", "Ben Roe")}
    store = NetworkxStore(rows, types={thing: (kind,) for kind, things in kinds.items() for thing in things})
    asked = "since when?"
    turns = [
        Remembered("who has the drill?", "who has the drill?", "ask", ("Ann Holt",), ("Drill",)),
        Remembered(asked, f"{asked} L1", "ask", ("2024-05-01",), ("L1",)),
    ]
    follow_ups = FollowUps(store, NameIndex(SchemaView(store)))
    texts = [
        i.text for i in follow_ups.interpretations("who else has had it?", Memory(store, turns)) if i.kind == "else"
    ]
    assert texts and "Drill" in texts[0] and "L1" not in texts[0]


def test_the_same_is_asked_of_another_month_or_day() -> None:
    may = turn("How many parcels went in May 2024?", [["?x", "sent on", SENT.answers[0]]])
    assert [i.text for i in complete("and June?", may)] == ["How many parcels went in June 2024?"]
    assert [i.text for i in complete("what about in June 2023 then?", may)] == ["How many parcels went in June 2023?"]
    friday = turn("Who drives on Fridays?", [["?x", "carried by", "Ann Holt"]])
    assert [i.text for i in complete("and Mondays?", friday)] == ["Who drives on Mondays?"]


def test_what_rows_brought_in_is_added_up() -> None:
    money = NetworkxStore([(f"sale {n}", r, v) for n, who in enumerate(("Ann", "Ben", "Ann")) for r, v in
                           (("sold to", who), ("got", f'"£{n}5"'), ("day", f'"2024-05-0{n + 1}"'))])  # fmt: skip
    query = QueryGraph.from_json({"select": "?x", "where": [["?s", "sold to", "?x"], ["?s", "day", "?d"]]})
    found = execute(money, query).ids
    sold = Remembered("Who bought?", "Who bought?", "ask", found, query.entities, query=query.to_json())
    follow_ups = FollowUps(money, NameIndex(SchemaView(money)))
    told = follow_ups.interpretations("how much did that bring in altogether?", Memory(money, (sold,)))
    assert [i.query.form for i in told if i.query] == ["total"]
    assert [execute(money, i.query).ids for i in told if i.query] == [('"£05"', '"£15"', '"£25"')]


def test_the_last_question_is_asked_of_somebody_elses_thing_of_its_kind() -> None:
    stays = NetworkxStore(
        [(f"Stay {n}", r, v) for n, (dog, bill) in enumerate((("Bruno", "£112"), ("Duke", "£120"), ("Luna", "£84")), 1)
         for r, v in (("dog", dog), ("bill", f'"{bill}"'))],
        types={f"Stay {n}": ("stay",) for n in (1, 2, 3)} | dict.fromkeys(("Bruno", "Duke", "Luna"), ("dog",)),
    )  # fmt: skip
    query = QueryGraph.from_json({"select": "?x", "where": [["Stay 1", "bill", "?x"]]})
    last = Remembered(
        "and that?", "How much was Stay 1?", "ask", execute(stays, query).ids, query.entities, query=query.to_json()
    )
    follow_ups = FollowUps(stays, NameIndex(SchemaView(stays)))
    told = follow_ups.interpretations("and for Duke's stay?", Memory(stays, (last,)))
    assert [execute(stays, i.query).ids for i in told if i.query] == [('"£120"',)]


def test_who_does_something_with_somebody_is_another() -> None:
    carried = turn("Who carried Parcel 1?", [["Parcel 1", "carried by", "?x"]])
    told = [i for i in complete("who sent it with her?", carried) if "Ann Holt" in i.given]
    assert told and all("Ann Holt" in i.drop for i in told)
