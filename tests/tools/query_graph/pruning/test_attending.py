"""Who came, what somebody cannot eat, and where the one lives who drew a plan: a supper club's tables, and a village."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_graphs import tables_in

import triplewise
from triplewise.kg import KGStore, NetworkxStore
from triplewise.tools.query_graph.pruning.taking_part import _ATTENDS
from triplewise.tools.query_graph.ranker import reader_of

SUPPERS = {
    "suppers": """supper,held_on,guest_of_honour,cook,cost
Fish Night,2025-02-01,Ola Brandt,Ivy Moss,61.00
Apple Day,2025-10-04,Ned Ash,Cass Hurd,48.50
""",
    "places": """place,supper,guest,outcome
P1,Fish Night,Ola Brandt,came
P2,Fish Night,Ned Ash,came
P3,Fish Night,Tab Reed,cried off
P4,Apple Day,Ned Ash,came
P5,Apple Day,Tab Reed,came
""",
    "people": """name,cannot_eat,town
Ola Brandt,fish,Corrow
Ned Ash,,Harle
Tab Reed,nuts,Corrow
Ivy Moss,,Harle
Cass Hurd,,Harle
""",
    "courses": """dish,supper,kind,contains,made_by
Trout,Fish Night,main,fish,Ivy Moss
Nut Roast,Apple Day,main,nuts,Cass Hurd
Apple Snow,Apple Day,dessert,eggs,Cass Hurd
""",
}
VILLAGE = NetworkxStore(
    [
        ("Grand Hotel", "designed by", "Edwin Thorn"), ("Grand Hotel", "built by", "Josh Pell"),
        ("Elm Villa", "lived in by", "Edwin Thorn"), ("Mill House", "lived in by", "Josh Pell"),
        ("Elm Villa", "condition", '"standing"'), ("Grand Hotel", "condition", '"demolished"'),
        ("Edwin Thorn", "occupation", '"architect"'), ("Josh Pell", "occupation", '"builder"'),
        ("Ada Pell", "subscription", '"overdue"'), ("Tom Reeve", "subscription", '"paid"'),
        ("Old Shops", "status", '"cancelled"'), ("The Mill", "status", '"planned"'),
    ],
    types={
        **dict.fromkeys(("Grand Hotel", "Elm Villa", "Mill House"), ("building",)),
        **dict.fromkeys(("Edwin Thorn", "Josh Pell", "Ada Pell", "Tom Reeve"), ("person",)),
        **dict.fromkeys(("Old Shops", "The Mill"), ("talk",)),
    },
    name="village",
)  # fmt: skip


@pytest.fixture(scope="module")
def suppers(tmp_path_factory: pytest.TempPathFactory) -> KGStore:
    folder: Path = tmp_path_factory.mktemp("suppers") / "kg"
    return tables_in(folder, SUPPERS)


@pytest.mark.parametrize(
    ("asked", "answers"),
    [
        ("who came to Fish Night?", {"Ola Brandt", "Ned Ash"}),
        ("How many guests turned up to Fish Night?", {"2"}),
        ("which suppers has Ned been to?", {"Fish Night", "Apple Day"}),  # not only where he was guest of honour
        ("who was guest of honour at Apple Day?", {"Ned Ash"}),
        ("Who is it that can't have nuts?", {"Tab Reed"}),
        ("how many suppers are there?", {"2"}),
        ("which dish was served at Fish Night?", {"Trout"}),
        ("what can't Ola eat?", {"fish"}),
        ("who can eat nuts?", {"Ola Brandt", "Ned Ash", "Ivy Moss", "Cass Hurd"}),
        ("which puddings did Cass make?", {"Apple Snow"}),
    ],
)
def test_suppers(suppers: KGStore, asked: str, answers: set[str]) -> None:
    assert {a.label for a in triplewise.ask(suppers, asked, method="query-graph").answers} == answers


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("who turned up to Fish Night?", "who came to Fish Night?"),
        ("has Tab been to a supper?", "has Tab came to a supper?"),
        ("who turned up the heating?", "who turned up the heating?"),
    ],
)
def test_coming_is_said_as_the_graph_does(suppers: KGStore, asked: str, said: str) -> None:
    assert reader_of(suppers).wording.sentence(asked) == said


@pytest.mark.parametrize(
    ("asked", "answers"),
    [
        ("where did the chap who designed the Grand Hotel live?", {"Elm Villa"}),
        ("which building has been pulled down?", {"Grand Hotel"}),
        ("whos behind with their subs", {"Ada Pell"}),
        ("Which talk got called off?", {"Old Shops"}),
        ("who designed the Grand Hotel?", {"Edwin Thorn"}),
    ],
)
def test_a_village(asked: str, answers: set[str]) -> None:
    assert {a.label for a in triplewise.ask(VILLAGE, asked, method="query-graph").answers} == answers


@pytest.mark.parametrize(
    ("text", "attends"),
    [
        ("who came to the March meeting?", True),
        ("which members turned up?", True),
        ("who else turned up at the AGM?", True),
        ("who came to us after 2015?", False),
        ("which records turned up at the flea market?", False),
        ("who do I ring when the barley turns up late?", False),
    ],
)
def test_what_says_of_somebody_to_come(text: str, attends: bool) -> None:
    assert bool(_ATTENDS.search(text)) is attends
