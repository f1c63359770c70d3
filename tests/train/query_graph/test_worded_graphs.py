"""Graphs that are made for the wordings of relations."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from triplewise.train.query_graph.asked import read_asked
from triplewise.train.query_graph.worded_graphs import FieldGraph, write_graphs
from triplewise.train.query_graph.wordings import read_wordings

CORPUS = Path(__file__).resolve().parents[3] / "corpus"
FIELD = """\
# a dairy
cheese | matured in | cave
\tWhereabouts is the Rotspitz getting its age?
\tTomme Noire, lying in what vault?
\tWhat's on the boards in Keller Nord?
\tThe Tomme Noire spends its months down in Grotto Vera, true?
cheese | weight | number
\tHow heavy is a Rotspitz?
\tThe tomme noire, what does it bring to the scales?
\tall the heavy ones
cheese | made by | cheesemaker
\tWho stood at the vat for the Rotspitz?
\tWhose handiwork is the Tomme Noire?
\tWhat does Beat Zgraggen turn out?
cheese | goes with | cheese
\tWhat is eaten beside the Rotspitz?
+ matured in + made by
\tWho made what lies in Keller Nord?
"""


@pytest.fixture
def dairy(tmp_path: Path) -> FieldGraph:
    (tmp_path / "dairy.txt").write_text(FIELD)
    return FieldGraph(read_wordings(tmp_path / "dairy.txt"))


def test_what_a_sentence_names_is_a_thing_of_the_graph(dairy: FieldGraph) -> None:
    asked = dict(dairy.questions())
    assert set(asked) == {
        "Whereabouts is the Rotspitz getting its age?", "Tomme Noire, lying in what vault?",
        "What's on the boards in Keller Nord?", "How heavy is a Rotspitz?",
        "The tomme noire, what does it bring to the scales?", "Who stood at the vat for the Rotspitz?",
        "Whose handiwork is the Tomme Noire?", "What does Beat Zgraggen turn out?",
    }  # fmt: skip
    assert {"Rotspitz", "Tomme Noire"} <= dairy.things["cheese"]
    assert {"Keller Nord", "Grotto Vera"} <= dairy.things["cave"] and "Beat Zgraggen" in dairy.things["cheesemaker"]


def test_the_answers_are_those_of_the_graph(dairy: FieldGraph) -> None:
    asked, told = dict(dairy.questions()), set(dairy.triples)
    assert all(asked.values())
    for cave in asked["Whereabouts is the Rotspitz getting its age?"]:
        assert ("Rotspitz", "matured in", cave) in told and (cave, "type", "cave") in told
    for cheese in asked["What does Beat Zgraggen turn out?"]:
        assert (cheese, "made by", "Beat Zgraggen") in told


def test_the_same_graph_each_time(dairy: FieldGraph) -> None:
    assert FieldGraph(dairy.field).triples == dairy.triples
    assert FieldGraph(dairy.field, seed=1).triples != dairy.triples


def test_the_corpus_s_fields_are_questions_to_train_on(tmp_path: Path) -> None:
    assert write_graphs(CORPUS, tmp_path) > 9_000
    (graph,) = read_asked(tmp_path, "cheese_dairy")
    lines = (tmp_path / "cheese_dairy" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(graph.asked) == len(lines) > 40
    assert json.loads(lines[0])["question"] == "Whereabouts is the Rotspitz getting its age?"
    assert graph.store.types("Rotspitz") == ("cheese",)
