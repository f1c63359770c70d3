"""Small domains for questions and claims of several steps."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from triplewise.errors import ConfigError
from triplewise.kg.query import execute
from triplewise.train.query_graph.corpus import Domain, check
from triplewise.train.query_graph.several_steps import SteppedGraph, read_steps, write_domains
from triplewise.train.query_graph.wordings import Wordings, read_wordings

CORPUS = Path(__file__).resolve().parents[3] / "corpus"
FIELD = """\
cheese | matured in | cave
\tWhereabouts is the Rotspitz getting its age?
\tWhat's on the boards in Keller Nord?
cheese | weight | number
\tHow heavy is a Rotspitz?
cheese | made by | cheesemaker
\tWho stood at the vat for the Rotspitz?
cave | dug in | year
\tHow old is Keller Nord?
"""
ASKED = [
    ["question", "Whose work lies in Keller Nord?",
     {"select": "?x", "where": [["?c", "made by", "?x"], ["?c", "matured in", "Keller Nord"]]}],
    ["question", "since when has there been a hole for Beat's cheeses?",
     {"select": "?y", "where": [["?c", "made by", "Beat Zgraggen"], ["?c", "matured in", "?k"], ["?k", "dug in", "?y"]]}],
    ["question", "Which of Beat's weigh more than 7?",
     {"select": "?c", "where": [["?c", "made by", "Beat Zgraggen"], ["?c", "weight", "?w"]], "filter": [["?w", ">", "7"]]}],
    ["question", "What of Beat's is not in Keller Nord?",
     {"select": "?c", "where": [["?c", "made by", "Beat Zgraggen"]], "minus": [["?c", "matured in", "Keller Nord"]]}],
    ["claim", "Something of Beat's lies in the Keller Nord.",
     {"ask": "some", "where": [["?c", "made by", "Beat Zgraggen"], ["?c", "matured in", "Keller Nord"]]}],
]  # fmt: skip
NOT_TOLD = {
    "question": "Which cow gave the Rotspitz?", "missing": "relation",
    "query": {"select": "?x", "where": [["Rotspitz", "milk of", "?x"]]},
}  # fmt: skip

_EXPECTED = "dairy.jsonl:1: expected a question or a claim, and a query with triples of texts."


@pytest.fixture
def dairy(tmp_path: Path) -> Wordings:
    (tmp_path / "dairy.txt").write_text(FIELD)
    return read_wordings(tmp_path / "dairy.txt")


def _file(folder: Path, *rows: object) -> Path:
    path = folder / "dairy.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def test_each_query_has_answers_in_the_drawn_graph(dairy: Wordings, tmp_path: Path) -> None:
    rows = [{kind: text, "query": query} for kind, text, query in ASKED]
    stepped = read_steps(_file(tmp_path, *rows, NOT_TOLD), dairy)
    assert not stepped.wrong
    domain = SteppedGraph(stepped).domain(tmp_path / "out")
    items = {item.text: item for item in domain.items()}
    assert list(items) == [text for kind, text, _ in (*ASKED[:-1], ["", NOT_TOLD["question"], ""], ASKED[-1])]
    assert not check(domain)
    for kind, text, _ in ASKED:
        query = items[text].query
        assert query is not None
        done = execute(domain.store, query)
        assert done.holds if kind == "claim" else set(done.ids) == items[text].answers != set()
    assert not items[str(NOT_TOLD["question"])].answers
    assert domain.store.types("Keller Nord") == ("cave",)


def test_the_same_graph_each_time(dairy: Wordings, tmp_path: Path) -> None:
    stepped = read_steps(_file(tmp_path, *({kind: text, "query": query} for kind, text, query in ASKED)), dairy)
    assert SteppedGraph(stepped).triples == SteppedGraph(stepped).triples
    assert SteppedGraph(stepped).triples != SteppedGraph(stepped, seed=1).triples


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        ({"question": "Who?"}, _EXPECTED),
        (["Who?"], _EXPECTED),
        ({"question": "Who?", "query": {"select": "?x"}}, _EXPECTED),
        ({"question": "Who?", "query": {"select": "?x", "where": [["Rotspitz", "made by"]]}}, _EXPECTED),
        ({"question": "Who?", "query": {"select": "?x", "where": [["Rotspitz", "made by", 7]]}}, _EXPECTED),
        (
            {"question": "Rotspitz?", "query": {"select": "?x", "where": [["Rotspitz", "eaten by", "?x"]]}},
            "dairy.jsonl:1: 'eaten by' is no relation of the field.",
        ),
        (
            {"question": "Who made it?", "query": {"select": "?x", "where": [["Rotspitz", "made by", "?x"]]}},
            "dairy.jsonl:1: 'Rotspitz' is not named in 'Who made it?'.",
        ),
        (
            {
                "question": "And Keller Nord's?",
                "query": {"select": "?x", "where": [["?c", "matured in", "Keller Nord"], ["?c", "dug in", "?x"]]},
            },
            "dairy.jsonl:1: '?c' is a cave and a cheese.",
        ),
        (
            {
                "question": "7?",
                "query": {"select": "?x", "where": [["?x", "weight", "?w"]], "filter": [["?w", "~", "7"]]},
            },
            "dairy.jsonl:1: ['?w', '~', '7'] is no filter.",
        ),
    ],
)
def test_what_is_wrong_with_a_line_is_said(row: object, wrong: str, dairy: Wordings, tmp_path: Path) -> None:
    stepped = read_steps(_file(tmp_path, row), dairy)
    assert (stepped.wrong, stepped.rows) == ([wrong], [])


def test_a_query_that_is_none_is_left_out(dairy: Wordings, tmp_path: Path) -> None:
    query = {"where": [["?c", "weight", "?w"], ["?c", "made by", "Beat"]]}
    stepped = read_steps(_file(tmp_path, {"question": "What of Beat's weighs 7?", "query": query}), dairy)
    assert not list(SteppedGraph(stepped).domain(tmp_path / "out").items())


def test_a_line_that_is_no_json(dairy: Wordings, tmp_path: Path) -> None:
    (tmp_path / "dairy.jsonl").write_text("{\n")
    with pytest.raises(ConfigError, match=r"dairy\.jsonl:1: not JSON"):
        read_steps(tmp_path / "dairy.jsonl", dairy)


def test_the_corpus_s_fields_are_domains_to_train_on(tmp_path: Path) -> None:
    sentences, _ = write_domains(CORPUS, tmp_path, ("cheese_dairy",))
    domain = Domain(tmp_path / "cheese_dairy")
    assert sentences == len(list(domain.items())) > 12
    assert not check(domain)
