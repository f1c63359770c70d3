"""A first name is that of its bearer, however many rows and things are called after her."""

from __future__ import annotations

import pytest

from triplewise.graphs.run import ask
from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.linking.mentions import NameIndex
from triplewise.tools.query_graph.schema_view import SchemaView

CLUB = NetworkxStore(
    [
        ("Nuala Byrne", "lives in", "Halifax"), ("Tomos Pell", "lives in", "Tadwick"), ("Ellie Marsh", "lives in", "Hull"),
        *((f"Nuala's session {n} April", "climber", "Nuala Byrne") for n in (3, 13, 20)),
        *((f"Nuala's session {n} April", "paid", '"£9.50"') for n in (3, 13)),
        ("Nuala's goggles", "belongs to", "Nuala Byrne"), ("Tomos's goggles", "belongs to", "Tomos Pell"),
        *((f"Tomos 50 back at {where}", "swum by", "Tomos Pell") for where in ("Hull", "Ripon", "Selby")),
        ("Ellie Carver", "lives in", "Ripon"), ("Ellie's kit", "belongs to", "Ellie Carver"),
    ]
)  # fmt: skip


@pytest.mark.parametrize(
    ("sentence", "named"),
    [
        ("where does nuala live?", {"Nuala Byrne"}),
        ("where does Tomos live?", {"Tomos Pell"}),
        ("what about Nuala's goggles?", {"Nuala's goggles"}),
    ],
)
def test_the_bearer_is_linked(sentence: str, named: set[str]) -> None:
    assert {link.node for link in NameIndex(SchemaView(CLUB)).link(sentence)} >= named


def test_what_is_called_after_somebody_is_not_meant_by_the_name_alone() -> None:
    links = {link.node for link in NameIndex(SchemaView(CLUB)).link("who drove nuala there?")}
    assert "Nuala's goggles" not in links
    assert {"Ellie Marsh", "Ellie Carver"} <= {x.node for x in NameIndex(SchemaView(CLUB)).link("who is Ellie?")}


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("where does nuala live?", {"Halifax"}),
        ("how much has Nuala paid for her sessions altogether?", {"£19.00"}),
        ("whose are Tomos's goggles?", {"Tomos Pell"}),
    ],
)
def test_questions(question: str, answers: set[str]) -> None:
    assert {a.label for a in ask(CLUB, question).answers} == answers
