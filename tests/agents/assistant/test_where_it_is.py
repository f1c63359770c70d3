"""Where something is that the graph only tells others to have."""

from __future__ import annotations

import pytest

from triplewise.agents.assistant.follow_ups import FollowUps
from triplewise.agents.assistant.memory import Memory
from triplewise.kg import NetworkxStore
from triplewise.kg.query import execute
from triplewise.tools.query_graph.linking.mentions import NameIndex
from triplewise.tools.query_graph.schema_view import SchemaView

BEDS = NetworkxStore(
    [
        ("Smelly Bed", "growing now", '"garlic"'),
        ("Herb Corner", "growing now", '"rosemary"'),
        ("Herb Corner", "minded by", "Rosemary Tull"),
        ("Potato Pit", "growing now", "charlotte potatoes"),
        ("Rosemary Tull", "day job", '"pharmacist"'),
        ("Derek Holt", "day job", '"porter"'),
        ("Rosemary Tull", "born", '"1961"'),
        ("Derek Holt", "born", '"1958"'),
        ("Herb Corner", "next to", "Smelly Bed"),
    ],
    types={
        "charlotte potatoes": ("plant",),
        **dict.fromkeys(("Smelly Bed", "Herb Corner", "Potato Pit"), ("bed",)),
        **dict.fromkeys(("Rosemary Tull", "Derek Holt"), ("volunteer",)),
    },
)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("where is the garlic?", "Smelly Bed"),
        ("Where's rosemary growing?", "Herb Corner"),
        ("where are our charlotte potatoes", "Potato Pit"),
    ],
)
def test_what_has_it_is_told(text: str, place: str) -> None:
    follow_ups = FollowUps(BEDS, NameIndex(SchemaView(BEDS)))
    [only] = follow_ups.interpretations(text, Memory(BEDS))
    assert only.query is not None and execute(BEDS, only.query).ids == (place,)


@pytest.mark.parametrize(
    "text",
    ["where is Smelly Bed?", "where is the pharmacist?", "where is the garlic served?", "where does Derek Holt live?"],
)
def test_what_has_facts_of_its_own_or_is_a_persons_is_read(text: str) -> None:
    found = FollowUps(BEDS, NameIndex(SchemaView(BEDS))).interpretations(text, Memory(BEDS))
    assert all(i.query is None for i in found)
