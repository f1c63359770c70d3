"""A word that tells one bearer of a name from the others."""

from __future__ import annotations

import pytest

from triplewise.agents.assistant.follow_ups import FollowUps
from triplewise.agents.assistant.intents.told_apart import by_age, by_role, called
from triplewise.agents.assistant.memory import Memory, Remembered
from triplewise.kg import KGStore, NetworkxStore
from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.linking.mentions import NameIndex
from triplewise.tools.query_graph.schema_view import SchemaView

_LABELS = {"P1": "Sol Ash", "P2": "Sol Ash", "B1": "Gray Lady", "B2": "White Lady", "B3": "Gray Lady Inn"}


@pytest.fixture(scope="module")
def kg() -> KGStore:
    triples = [
        ("P1", "born", '"1820-01-05"'), ("P2", "born", '"1851-07-05"'), ("P2", "father", "P1"), ("P1", "town", "Redcar"),
        ("P2", "town", "Whitby"), ("B1", "town", "Whitby"), ("B2", "town", "Redcar"), ("B3", "town", "Thirsk"),
        ("Bess", "captain", "P2"), ("P1", "miller of", "Thirsk"),
    ]  # fmt: skip
    types = {"P1": ["person"], "P2": ["person"], "B1": ["boat"], "B2": ["boat"], "B3": ["pub"]}
    aliases = {"P2": ["Asher"], "B1": ["Lady"], "B2": ["Lady"]}
    return NetworkxStore(triples, types=types, labels=_LABELS, aliases=aliases)


def reply(kg: KGStore, text: str, taken: str, other: str) -> str:
    """Whom a reply chooses after one of two bearers was taken."""
    query = QueryGraph.from_json({"select": "?x", "where": [[taken, "town", "?x"]]})
    question = f"Where is {kg.aliases('B1')[0] if taken.startswith('B') else 'Sol Ash'}?"
    turn = Remembered(question, question, "ask", (), (taken,), query=query.to_json(), rivals=(taken, other))
    first = FollowUps(kg, NameIndex(SchemaView(kg))).interpretations(text, Memory(kg, [turn]))[0]
    return first.query.entities[0] if first.kind == "namesake" and first.query else ""


@pytest.mark.parametrize(
    ("text", "meant"),
    [("junior", "P2"), ("the father", "P1"), ("the elder", "P1"), ("I mean the younger one", "P2"), ("Asher", "P2"),
     ("the son, I mean", "P2"), ("senior, please.", "P1"), ("the captain", "P2"), ("it's the miller", "P1")],
)  # fmt: skip
def test_a_word_chooses_the_bearer(kg: KGStore, text: str, meant: str) -> None:
    assert reply(kg, text, "P1", "P2") == reply(kg, text, "P2", "P1") == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [("I meant the Gray Lady", "B1"), ("the white one", "B2"), ("Gray", "B1"), ("the Gray Lady Inn", ""), ("Lady", "")],
)
def test_a_name_with_its_article_chooses_and_that_of_another_thing_does_not(kg: KGStore, text: str, meant: str) -> None:
    assert reply(kg, text, "B2", "B1") == meant


def test_what_does_not_tell_chooses_nothing(kg: KGStore) -> None:
    assert reply(kg, "town", "P1", "P2") == reply(kg, "price?", "P1", "P2") == ""
    assert called(kg, ("B1", "B2"), "the Lady") == by_role(kg, ("B1", "B2"), "town") == ""
    assert by_age(kg, ("P1", "P2"), "red", list) == ""


def test_junior_is_who_is_called_so_or_stands_beside_senior() -> None:
    labels = {"A": "Tom Roe Sr", "B": "Tom Roe", "C": "Tom Roe Junior"}
    kg = NetworkxStore([(n, "town", "Whitby") for n in labels], labels=labels)
    assert (
        by_age(kg, ("A", "B"), "junior", lambda _: []) == "B" and by_age(kg, ("B", "C"), "elder", lambda _: []) == "B"
    )
    assert by_age(kg, ("B", "C"), "junior", lambda _: []) == "C"
    assert by_age(kg, ("B",), "junior", lambda _: []) == ""


def test_the_old_one_may_be_the_grandfather() -> None:
    triples = [("Joe Ash (1)", "took the pub in", '"1972"'), ("Wilf Ash", "child of", "Joe Ash (1)")]
    triples += [
        ("Joe Ash (2)", "child of", "Wilf Ash"),
        ("Joe Ash (2)", "owes", '"12"'),
        ("Joe Ash (1)", "owes", '"3"'),
    ]
    people = {n: ["person"] for n in ("Joe Ash (1)", "Joe Ash (2)", "Wilf Ash")}
    aliases = {n: ["Joe Ash"] for n in ("Joe Ash (1)", "Joe Ash (2)")}
    kg = NetworkxStore(triples, types=people, aliases=aliases)
    joes = ["Joe Ash (1)", "Joe Ash (2)"]
    assert by_age(kg, joes, "old", lambda _: []) == "Joe Ash (1)" == by_age(kg, joes[::-1], "old", lambda _: [])
    assert by_age(kg, joes, "young", lambda _: []) == "Joe Ash (2)"
    follow_ups = FollowUps(kg, NameIndex(SchemaView(kg)))
    turn = Remembered("q", "What does Wilf Ash owe?", "ask", (), ("Wilf Ash",))
    for name in ("Joe Ash", "Joe", "joe"):
        found = follow_ups.interpretations(f"what does the young {name} owe?", Memory(kg, [turn]))
        assert "what does Joe Ash (2) owe?" in [i.text for i in found]
