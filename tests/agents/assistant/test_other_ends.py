"""Follow-ups that ask for the other end: to whom, who is last, and of what is called alike."""

from __future__ import annotations

import pytest

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.follow_ups import FollowUps
from triplewise.agents.assistant.memory import Memory, Remembered
from triplewise.kg import NetworkxStore
from triplewise.kg.query import QueryGraph, execute
from triplewise.tools.query_graph.linking.mentions import NameIndex
from triplewise.tools.query_graph.schema_view import SchemaView

TOWN = NetworkxStore(
    [
        ("Kit Hale", "engaged to", "Tess Moss"), ("Carol Pell", "born", '"1963"'), ("Carol Pell", "reports to", "Tess Moss"),
        ("House insurance", "amount", '"372"'), ("Car insurance", "amount", '"488"'), ("Car park", "amount", '"12"'),
        ("Kit Hale", "street", "Mill Street"), ("Tess Moss", "street", "Mill Street"), ("Car park", "street", "Mill Street"),
        ("Mill Hall", "built by", "Tess Moss"), ("Mill Hall", "built in", '"1902"'), ("Mill Hall", "restored in", '"1990"'),
        ("Badgers", "points", '"152"'), ("Otters", "points", '"131"'), ("Herons", "points", '"98"'),
    ],
    types={
        **dict.fromkeys(("Kit Hale", "Tess Moss", "Carol Pell"), ("person",)),
        **dict.fromkeys(("House insurance", "Car insurance"), ("bill",)),
        **dict.fromkeys(("Badgers", "Otters", "Herons"), ("patrol",)),
        **dict.fromkeys(("Car park", "Mill Hall"), ("place",)),
    },
)  # fmt: skip
FOLLOW_UPS = FollowUps(TOWN, NameIndex(SchemaView(TOWN)))


def complete(said: str, question: str, query: dict[str, object], task: str = "ask") -> list[Interpretation]:
    asked = QueryGraph.from_json(query)
    answers = execute(TOWN, asked).ids if asked.form == "select" else ()
    turn = Remembered(question, question, task, answers, asked.entities, query=asked.to_json())  # pyright: ignore[reportArgumentType]
    return FOLLOW_UPS.interpretations(said, Memory(TOWN, [turn]))


ENGAGED = {"ask": "some", "where": [["Kit Hale", "engaged to", "Carol Pell"]]}
REPORTS = {"ask": "some", "where": [["Carol Pell", "reports to", "Kit Hale"]]}


@pytest.mark.parametrize(
    ("claim", "query", "said", "asked"),
    [
        ("Kit Hale is engaged to Carol Pell", ENGAGED, "who to, then?", "Who is Kit Hale engaged to?"),
        ("is Kit Hale engaged to Carol Pell now", ENGAGED, "to whom?", "Who is Kit Hale engaged to?"),
        ("Carol Pell reports to Kit Hale", REPORTS, "so who to?", "Who Carol Pell reports to?"),
    ],
)
def test_who_it_is_to_whom(claim: str, query: dict[str, object], said: str, asked: str) -> None:
    assert [i.text for i in complete(said, claim, query, "verify")] == [asked]


def test_by_whom_is_not_to_whom() -> None:
    found = complete("by whom?", "Kit Hale is engaged to Carol Pell", ENGAGED, "verify")
    assert "Who is Kit Hale engaged by?" not in [i.text for i in found]


BUILT = {"select": "?x", "where": [["Mill Hall", "built by", "?x"]]}


@pytest.mark.parametrize("said", ["and what year?", "when was that?", "and when?", "in which year was it, then?"])
def test_when_it_was_is_of_what_was_asked(said: str) -> None:
    [found] = complete(said, "who built Mill Hall?", BUILT)
    assert found.query is not None and execute(TOWN, found.query).ids == ('"1902"',)


def test_when_something_else_was_is_no_date_of_what_was_asked() -> None:
    engaged = {"select": "?x", "where": [["Kit Hale", "engaged to", "?x"]]}
    assert all(i.query is None for i in complete("and when?", "who is Kit Hale engaged to?", engaged))
    assert all(i.query is None for i in complete("when was she born?", "who built Mill Hall?", BUILT))


MOST = {"select": "?x", "where": [["?x", "points", "?p"]], "order": {"by": "?p", "desc": True, "limit": 1}}


@pytest.mark.parametrize(
    "said", ["and who's bottom?", "who came last?", "and which is the lowest?", "what about the other end?"]
)
def test_the_other_end_of_an_order(said: str) -> None:
    query = next(i.query for i in complete(said, "Which patrol has the most points?", MOST) if i.query)
    assert execute(TOWN, query).ids == ("Herons",)


def test_without_an_order_there_is_no_other_end() -> None:
    found = complete(
        "and who's bottom?", "Which patrols are there?", {"select": "?x", "where": [["?x", "points", "?p"]]}
    )
    assert all(i.query is None or i.query.order is None for i in found)


@pytest.mark.parametrize("said", ["and the car?", "what about the car one?"])
def test_what_is_called_alike_is_asked_of(said: str) -> None:
    query = {"select": "?x", "where": [["House insurance", "amount", "?x"]]}
    found = complete(said, "how much is the House insurance?", query)
    assert any(i.query and execute(TOWN, i.query).ids == ('"488"',) for i in found)
    assert not any(i.query and "Car park" in i.query.entities for i in found)


def test_who_else_is_no_place() -> None:
    where = {"select": "?x", "where": [["Kit Hale", "street", "?x"]]}
    found = complete("who else lives there?", "where does Kit Hale live?", where)
    asked = [execute(TOWN, i.query).ids for i in found if i.query]
    assert asked == [("Tess Moss",)]
