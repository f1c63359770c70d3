"""What is done, and who comes, by a few words of a table: a wedding's tasks and guests, and a shop that has neither."""

from __future__ import annotations

import pytest

import triplewise
from triplewise.kg import KGStore, NetworkxStore
from triplewise.tools.query_graph.ranker import reader_of

_TASKS = (("order the rings", "Rafe Moss", "done"), ("book the coach", "Rafe Moss", "not yet"),
          ("chase replies", "Tamsin Oak", "not yet"), ("shot list", "Tamsin Oak", "started"))  # fmt: skip
_GUESTS = {"Fergus Boyle": "no", "Priya Nair": "yes", "Tom Harding": "yes", "Olivia Brandt": "not heard yet"}


def _wedding() -> KGStore:
    triples = [(task, r, v) for task, who, done in _TASKS for r, v in (("whose job", who), ("done?", f'"{done}"'))]
    triples += [(who, "RSVP", f'"{told}"') for who, told in _GUESTS.items()]
    triples += [(who, "lives in", "York") for who in ("Rafe Moss", "Tamsin Oak", *_GUESTS)]
    return NetworkxStore(triples, types=dict.fromkeys((task for task, *_ in _TASKS), ("task",)))


def _shop() -> KGStore:
    return NetworkxStore([(f"lamp {n}", "status", f'"{s}"') for n, s in enumerate(("sold", "hidden", "sold", "new"))])


WEDDING, SHOP = _wedding(), _shop()


@pytest.mark.parametrize(
    ("asked", "answers"),
    [
        ("what's still left to do?", {"book the coach", "chase replies", "shot list"}),
        ("which tasks are outstanding", {"book the coach", "chase replies", "shot list"}),
        ("what still needs doing?", {"book the coach", "chase replies", "shot list"}),
        ("how many jobs are still to do on the list?", {"3"}),
        ("which jobs has Rafe still got left to do", {"book the coach"}),
        ("what does Tamsin Oak still have to do?", {"chase replies", "shot list"}),
        ("who hasn't replied yet?", {"Olivia Brandt"}),
        ("who's still not let us know", {"Olivia Brandt"}),
        ("who's coming?", {"Priya Nair", "Tom Harding"}),
        ("how many people have said yes", {"2"}),
        ("who can't make it?", {"Fergus Boyle"}),
    ],
)
def test_questions(asked: str, answers: set[str]) -> None:
    assert {a.label for a in triplewise.ask(WEDDING, asked).answers} == answers


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Fergus Boyle is coming.", "refuted"),
        ("Priya's coming", "supported"),
        ("Fergus can't make it.", "supported"),
        ("Tom Harding isn't coming.", "refuted"),
    ],
)
def test_claims(claim: str, verdict: str) -> None:
    assert triplewise.verify(WEDDING, claim).verdict == verdict


@pytest.mark.parametrize(
    ("kg", "text"),
    [
        (SHOP, "what's left to do?"),
        (WEDDING, "which guests are left to do?"),
        (WEDDING, "who's coming from York?"),
        (WEDDING, "what did Rafe do?"),
    ],
)
def test_what_is_read_otherwise(kg: KGStore, text: str) -> None:
    assert reader_of(kg).open_states.ranking(text, "ask", ()) is None
