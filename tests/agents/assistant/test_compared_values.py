"""Two values that were told, held against each other by the relation that was asked."""

from __future__ import annotations

import pytest

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.follow_ups import FollowUps
from triplewise.agents.assistant.intents.intent import by_rules
from triplewise.agents.assistant.memory import Memory, Remembered
from triplewise.kg import NetworkxStore
from triplewise.kg.query import QueryGraph, execute
from triplewise.tools.query_graph.linking.mentions import NameIndex
from triplewise.tools.query_graph.schema_view import SchemaView

ALBUMS = NetworkxStore(
    [
        ("Undertow", "copies sold", '"4200"'),
        ("Undertow", "released on", '"2019-05-10"'),
        ("Undertow", "made by", "Saltlick"),
        ("Gravel Hymns", "copies sold", '"6850"'),
        ("Gravel Hymns", "released on", '"2023-09-22"'),
        ("Gravel Hymns", "made by", "Saltlick"),
        ("Nine Lanterns", "copies sold", '"1450"'),
    ],
    types={**dict.fromkeys(("Undertow", "Gravel Hymns", "Nine Lanterns"), ("album",)), "Saltlick": ("band",)},
)


def told(album: str, relation: str = "copies sold") -> Remembered:
    query = QueryGraph.from_json({"select": "?x", "where": [[album, relation, "?x"]]})
    question = f"How many copies did {album} sell?" if relation == "copies sold" else f"{relation}, {album}?"
    return Remembered(question, question, "ask", execute(ALBUMS, query).ids, (album,), query=query.to_json())


def complete(text: str, *turns: Remembered) -> list[Interpretation]:
    return FollowUps(ALBUMS, NameIndex(SchemaView(ALBUMS))).interpretations(text, Memory(ALBUMS, turns))


TWO = (told("Undertow"), told("Gravel Hymns"))


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("is that more than the other?", True),
        ("so that's less than the first one", False),
        ("was it higher than that of Nine Lanterns?", True),
        ("is that fewer than Undertow?", False),
    ],
)
def test_what_was_told_last_is_held_against_what_was_told_before(text: str, holds: bool) -> None:
    assert by_rules(text, named=0, after_answer=True) == "verify"
    [only] = complete(text, *TWO)
    assert only.kind == "compared" and only.query is not None and only.query.form == "ask"
    assert bool(execute(ALBUMS, only.query).found) == holds


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("which sold more?", "Gravel Hymns"),
        ("Which one is bigger then?", "Gravel Hymns"),
        ("which had less?", "Undertow"),
    ],
)
def test_which_has_more_is_told_by_what_was_asked_of_both(text: str, answer: str) -> None:
    claimed = Remembered("q", "Gravel Hymns is more than Undertow", "verify", (), ("Gravel Hymns", "Undertow"))
    for turns in (TWO, (*TWO, claimed)):
        [only] = complete(text, *turns)
        assert only.query is not None and execute(ALBUMS, only.query).ids == (answer,)


def test_dates_are_earlier_and_amounts_are_not() -> None:
    dates = (told("Undertow", "released on"), told("Gravel Hymns", "released on"))
    [only] = complete("which is older?", *dates)
    assert only.query is not None and execute(ALBUMS, only.query).ids == ("Undertow",)
    assert not any(i.query for i in complete("which sold more?", *dates))  # of what nothing was told
    assert not any(i.kind == "compared" for i in complete("is it older than the other?", *TWO))


@pytest.mark.parametrize("text", ["which has more songs?", "is that more than 5000?", "is that more than Saltlick?"])
def test_another_measure_is_left_to_the_reader(text: str) -> None:
    assert not any(i.kind == "compared" or (i.query and i.query.order) for i in complete(text, *TWO))
    assert not any(i.kind == "compared" for i in complete("is that more than the other?", told("Undertow")))
