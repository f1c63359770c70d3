"""One of several of one name, called "one"; and days of the week as a graph writes them."""

from __future__ import annotations

import pytest

import triplewise
from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.ranker import reader_of

STREET = NetworkxStore(
    [
        ("Street Party 2023", "turnout", '"86"'), ("Street Party 2024", "turnout", '"94"'),
        ("AGM 2024", "turnout", '"41"'), ("Quiz Night", "turnout", '"52"'),
        ("Quiz Night", "held on", '"2024-10-12"'), ("AGM 2024", "held on", '"2024-03-02"'),
        ("Choir", "eve", '"Wed"'), ("Chess", "eve", '"Wed"'), ("Yoga", "eve", '"Mon"'),
    ],
    types={
        **dict.fromkeys(("Street Party 2023", "Street Party 2024", "AGM 2024", "Quiz Night"), ("event",)),
        **dict.fromkeys(("Choir", "Chess", "Yoga"), ("class",)),
    },
)  # fmt: skip


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("the 2023 street party drew more than the 2024 one", "the 2023 street party drew more than Street Party 2024"),
        ("Street Party 2024 or the 2023 one?", "Street Party 2024 or Street Party 2023?"),
        ("the quiz night drew more than the 2024 one", "the quiz night drew more than the 2024 one"),
        ("which is the 2024 one of these?", "which is the 2024 one of these?"),
        ("what is on on Wednesdays?", "what is on on Wed?"),
        ("is there anything on mondays?", "is there anything on Mon?"),
        ("what is on on Fridays?", "what is on on Fridays?"),
        ("who wed Ann?", "who wed Ann?"),
    ],
)
def test_in_the_words_of_the_graph(said: str, meant: str) -> None:
    assert reader_of(STREET).wording.sentence(said) == meant


def test_two_of_one_name_are_compared() -> None:
    told = triplewise.verify(STREET, "The 2023 street party drew more people than the 2024 one.", method="query-graph")
    assert told.verdict == "refuted"


def test_on_a_day_of_the_week() -> None:
    result = triplewise.ask(STREET, "How many classes are on Wednesdays?", method="query-graph")
    assert [a.label for a in result.answers] == ["2"]


def test_a_day_is_no_time_of_day() -> None:
    assert triplewise.ask(STREET, "When was the Quiz Night held?", method="query-graph").answers
    assert not triplewise.ask(STREET, "What time was the Quiz Night held?", method="query-graph").answers
