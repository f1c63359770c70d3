"""Words for the first and the last place."""

from __future__ import annotations

from pathlib import Path

import pytest

from triplewise.graphs.run import ask, verify
from triplewise.kg import KGStore, load_kg
from triplewise.tools.query_graph.winners import find_winners, says_last, with_last

_TABLES = {
    "boats": "id,name,owner\nB1,Gannet,Iris Kemp\nB2,Petrel,Owen Pike\nB3,Teal,Hanna Lode\nB4,Dunlin,Rolf Tarn\n",
    "races": "id,name,date\nC1,Spring Cup,2023-04-02\nC2,Autumn Dash,2023-09-10\n",
    "results": """id,race_id,boat_id,helm,place,points
R1,C1,B1,Iris Kemp,2,7
R2,C1,B2,Owen Pike,1,9
R3,C1,B3,Hanna Lode,3,5
R4,C2,B1,Iris Kemp,1,9
R5,C2,B4,Rolf Tarn,2,7
R6,C2,B3,Hanna Lode,3,5
""",
}


@pytest.fixture(scope="module")
def races(tmp_path_factory: pytest.TempPathFactory) -> KGStore:
    """Tables of boats, races and the places in these."""
    folder = tmp_path_factory.mktemp("races")
    for name, text in _TABLES.items():
        Path(folder, f"{name}.csv").write_text(text, encoding="utf-8")
    return load_kg(folder)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("Who won the Spring Cup?", ["1"]),
        ("Who won't sail the Spring Cup?", []),
        ("Who were the winner and the runner-up?", ["1", "2"]),
        ("Who won a prize in the Spring Cup?", []),
        ("Who sailed in the Spring Cup?", []),
    ],
)
def test_places_of_winners(text: str, places: list[str]) -> None:
    assert [v.low for v in find_winners(text)] == places


@pytest.mark.parametrize(
    ("text", "is_last"),
    [
        ("Who came last in the race?", True),
        ("who was last?", True),
        ("Which boat took the last place?", True),
        ("When was it last seen?", False),
        ("Who came last week?", False),
        ("Where did the last race end?", False),
    ],
)
def test_the_last_place(text: str, is_last: bool) -> None:
    assert says_last(text) == is_last


def test_the_last_place_in_the_words_of_the_graph() -> None:
    assert with_last("Who came last in it?", "rank") == "Who took the last rank in it?"


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Who came second in the Spring Cup?", ["Iris Kemp"]),
        ("Who won the Spring Cup?", ["Owen Pike"]),
        ("Which boat won the Autumn Dash?", ["Gannet"]),
        ("Which races has Gannet won?", ["Autumn Dash"]),
        ("Which boat came last in the Spring Cup?", ["Teal"]),
        ("Did Teal win the Autumn Dash?", ["no"]),
    ],
)
def test_questions(races: KGStore, question: str, answers: list[str]) -> None:
    assert [a.label for a in ask(races, question, method="query-graph").answers] == answers


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Gannet won the Autumn Dash.", "supported"),
        ("Teal won the Autumn Dash.", "refuted"),
        ("Teal came last in the Spring Cup.", "supported"),
        ("Petrel came last in the Spring Cup.", "refuted"),
        ("Petrel did not come last in the Spring Cup.", "supported"),
    ],
)
def test_claims(races: KGStore, claim: str, verdict: str) -> None:
    assert verify(races, claim, method="query-graph").verdict == verdict


def test_what_is_somebodys_boat(races: KGStore) -> None:
    asked = {"What is Owen Pike's boat?": "Petrel", "What is Gannet's owner?": "Iris Kemp"}
    for question, answer in asked.items():
        assert [a.label for a in ask(races, question, method="query-graph").answers] == [answer]
