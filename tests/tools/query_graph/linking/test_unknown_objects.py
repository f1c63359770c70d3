"""Objects of verbs that a graph has no word for."""

from __future__ import annotations

import pytest

import triplewise
from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.linking.unknown_objects import unknown_objects
from triplewise.tools.query_graph.ranker import reader_of

VILLAGE = NetworkxStore(
    [
        *(("Pilates", "is a", "Course"), ("Life Drawing", "is a", "Course"), ("Upright Piano", "is a", "Item")),
        *(("Pilates", "taught by", "Ines Moura"), ("Life Drawing", "taught by", "Hugh Denby")),
        *(("Pilates", "held in", "Loft"), ("Life Drawing", "held in", "Snug")),
        *(("Agnes Pell", "attends", "Pilates"), ("Agnes Pell", "attends", "Life Drawing")),
        *(("Drip & Daughter", "is a", "Company"), ("Drip & Daughter", "owned by", "Gwen Farthing")),
        *(("Upright Piano", "donated by", "Agnes Pell"), ("Upright Piano", "kept in", "Loft")),
        *((name, "is a", "Person") for name in ("Ines Moura", "Hugh Denby", "Agnes Pell", "Gwen Farthing")),
    ]
)
READER = reader_of(VILLAGE)


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("Who teaches karate?", ["karate"]),
        ("Who has taught karate?", ["karate"]),
        ("Who teaches pottery in the Loft?", ["pottery"]),
        ("Who attends the karate course?", ["karate"]),
        ("Gwen Farthing owns the bakery.", ["bakery"]),
        ("Who teaches Pilates?", []),
        ("Who teaches the early course?", []),  # an adjective tells which one
        ("Who owns the businesses?", []),  # the companies, in another word
        ("Who owns the compny?", []),  # misspelt
        ("Who attends regularly?", []),
        ("Who attends something in the Loft?", []),
        ("Who taught the man that owns Drip & Daughter?", []),  # told by a clause
        ("Who taught the teacher of Pilates?", []),
        ("Who was taught karate?", []),  # what is asked for is no teacher
        ("Which of the 60 owns suit her?", []),  # no verb behind a number
        ("Who does the loos?", []),  # the graph has no such verb
    ],
)
def test_objects(sentence: str, found: list[str]) -> None:
    assert [x.text for x in unknown_objects(sentence, READER.words, READER.affinity(sentence))] == found


def test_who_does_it_to_anything_is_no_answer() -> None:
    assert not triplewise.ask(VILLAGE, "Who teaches karate?", method="query-graph").answers
    assert triplewise.ask(VILLAGE, "Who teaches Pilates?", method="query-graph").answers[0].label == "Ines Moura"


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Ines Moura teaches karate.", "not_enough_evidence"),
        ("Gwen Farthing owns the bakery.", "not_enough_evidence"),
        ("Gwen Farthing owns a company.", "supported"),
        ("Ines Moura teaches Pilates.", "supported"),
    ],
)
def test_claims_of_what_the_graph_lacks_stay_open(claim: str, verdict: str) -> None:
    assert triplewise.verify(VILLAGE, claim, method="query-graph").verdict == verdict
