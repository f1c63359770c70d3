"""Whom a nickname stands for, and what is asked of a nickname otherwise."""

from __future__ import annotations

import pytest

import triplewise
from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.ranker import reader_of

CUSTOMERS = NetworkxStore(
    [
        ("Margaret Pugh", "nickname", '"Peggy"'),
        ("Dilys Beavan", "nickname", '"Auntie Dil"'),
        ("Margaret Pugh", "lives in", "Hay"),
        ("Dilys Beavan", "lives in", "Clyro"),
        ("Oonagh Farrell", "lives in", "Hay"),
    ]
)


@pytest.mark.parametrize(
    ("asked", "answers"),
    [
        ("whats Peggys real name", {"Margaret Pugh"}),
        ("what's Auntie Dil's proper name again?", {"Dilys Beavan"}),
        ("do you know the full name of Peggy?", {"Margaret Pugh"}),
        ("who is Auntie Dil really?", {"Dilys Beavan"}),
        ("what's Peggy short for?", {"Margaret Pugh"}),
        ("Peggy's proper name for the badge, please?", {"Margaret Pugh"}),
        ("Peggy, what's she christened?", {"Margaret Pugh"}),
        ("Auntie Dil on paper?", {"Dilys Beavan"}),
        ("Peggy is short for who in our tree?", {"Margaret Pugh"}),
        ("who do folk mean when they say Peggy", {"Margaret Pugh"}),
        ("Who on earth is Auntie Dil?", {"Dilys Beavan"}),
        ("who's this Peggy everybody keeps shouting for?", {"Margaret Pugh"}),
        ("what is Margaret Pugh's nickname?", {"Peggy"}),
        ("where does Peggy live?", {"Hay"}),
    ],
)
def test_questions(asked: str, answers: set[str]) -> None:
    assert {a.label for a in triplewise.ask(CUSTOMERS, asked).answers} == answers


def test_a_relation_that_tells_full_names_is_asked_itself() -> None:
    kg = NetworkxStore([("Peg", "full name", '"Margaret Pugh"'), ("Peg", "nickname", '"Peggy"')])
    assert reader_of(kg).real_names.ranking("what's Peggy's full name?", "ask", ()) is None
    assert reader_of(kg).real_names.ranking("what's Peggy's real name?", "ask", ()) is not None


def test_who_somebody_is_by_his_own_name_is_read_otherwise() -> None:
    assert reader_of(CUSTOMERS).real_names.ranking("who is Oonagh Farrell?", "ask", ()) is None
