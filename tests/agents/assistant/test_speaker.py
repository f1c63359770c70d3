"""Who speaks, and what he says of himself."""

from __future__ import annotations

import pytest

from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.completions.told.speaker import with_speaker
from triplewise.agents.assistant.memory import Memory, Remembered
from triplewise.kg import KGStore
from triplewise.tools.query_graph.linking.mentions import NameIndex
from triplewise.tools.query_graph.schema_view import SchemaView


@pytest.fixture(scope="module")
def things(club: KGStore) -> Things:
    return Things(club, NameIndex(SchemaView(club)))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Hi, Ann here. Which courses have I taken?", "Which courses has Ann Holt taken?"),
        ("Good evening, this is Ann Holt. Which courses am I on?", "Which courses is Ann Holt on?"),
        ("hiya its ann, what have u got me down for", "what have u got Ann Holt down for"),
        ("Which courses have I taken? Ann speaking", "Which courses has Ann Holt taken?"),
        ("Hello, Ann here! Could you tell me what my courses cost?", "Could you tell me what Ann Holt's courses cost?"),
        ("Is Ann here?", "Is Ann here?"),
        ("Hi, Zed here. Which courses have I taken?", "Hi, Zed here. Which courses have I taken?"),
        ("I think Ann is here", "I think Ann is here"),
    ],
)
def test_who_speaks_is_put_in_for_i(club: KGStore, things: Things, text: str, meant: str) -> None:
    assert with_speaker(things, text, Memory(club))[0] == meant


def test_who_spoke_before_is_known_still(club: KGStore, things: Things) -> None:
    memory = Memory(club, [Remembered("Hi, Ben here! Who is Ann?", "Who is Ann?")])
    assert with_speaker(things, "was I on it too?", memory)[0] == "was Ben Roe on it too?"
    assert with_speaker(things, "can I see that?", memory)[0] == "can I see that?"
    asked = Memory(club, [Remembered("Is Ben here?", "Is Ben here?")])
    assert with_speaker(things, "was I on it too?", asked)[0] == "was I on it too?"
