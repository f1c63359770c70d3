"""Query graphs in words for a person."""

from __future__ import annotations

from typing import Any

import pytest
from small_graphs import ferries

from triplewise.kg import NetworkxStore
from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.nameless import told_name
from triplewise.tools.query_graph.readback import read_back
from triplewise.tools.text.predicates import base_form, plural, predicate

KG = ferries()


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ({"select": "?x", "where": [["?x", "captain of", "Otter"]]}, "what is captain of Otter"),
        ({"select": "?x", "where": [["?x", "rdf:type", "Ship"], ["?x", "based at", "Ufer"]]}, "which Ship is based at Ufer"),
        ({"count": "?x", "where": [["?x", "rdf:type", "Ship"], ["?x", "based at", "Ufer"]]},
         "how many Ships X there are, where X is based at Ufer"),
        ({"select": "?x", "where": [["?x", "rdf:type", "Island"]]}, "every Island X"),
        ({"select": "?x", "where": [["?x", "length m", "?h"]], "order": {"by": "?h"}},
         "the X with the greatest Y, where X's length m is Y"),
        ({"select": "?x", "where": [["?y", "based at", "?x"]], "order": {"by": "count ?y", "desc": False}},
         "the X with the fewest Y, where Y is based at X"),
        ({"select": "?x", "where": [["?x", "built", "?d"]], "filter": [["?d", ">=", "2010"]]},
         "every X, where X was built Y and Y is since 2010"),
        ({"select": "?x", "where": [["?x", "length m", "?d"]], "filter": [["?d", "<", "60"]]},
         "every X, where X's length m is Y and Y is less than 60"),
        ({"select": "?x", "where": [["?x", "based at", "?h"]], "filter": [["?x", "not in", ["Otter"]]]},
         "every X, where X is based at Y and X is not Otter"),
        ({"select": "?x", "where": [["?x", "based at", "?h"]], "minus": [["?x", "retired in", "?y"]]},
         "every X, where X is based at Y, but not where X retired in Z"),
        ({"ask": "none", "where": [["Otter", "carries cars", '"yes"']]}, "it is not so that Otter carries cars yes"),
        ({"count": "?x", "where": [["?x", "based at", "Ufer"]], "compare": ["=", "2"]},
         "how many X there are, where X is based at Ufer, and that it is 2"),
        ({"select": "?x", "where": [["?x", "skos:altLabel", '"Leo"']]}, "what is also called Leo"),
    ],
)  # fmt: skip
def test_a_query_graph_in_words(query: dict[str, Any], text: str) -> None:
    assert read_back(KG, QueryGraph.from_json(query)) == text


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ({"select": "?x", "where": [["Otter", "length m", "?x"]]}, "the length m of Otter"),
        ({"select": "?x", "where": [["Otter", "based at", "?x"]]}, "what Otter is based at"),
        ({"select": "?x", "where": [["Otter", "based at", "?x"], ["?x", "is a", "Harbour"]]},
         "which Harbour Otter is based at"),
        ({"select": "?x", "where": [["?x", "length m", '"12"']]}, "what has the length m 12"),
    ],
)  # fmt: skip
def test_one_triple_is_a_phrase(query: dict[str, Any], text: str) -> None:
    query["where"] = [[h, "rdf:type" if r == "is a" else r, t] for h, r, t in query["where"]]
    assert read_back(KG, QueryGraph.from_json(query)) == text


@pytest.mark.parametrize(
    ("relation", "words"),
    [("captain of", "is captain of"), ("built", "was built"), ("calls at", "calls at"), ("length m", ""),
     ("on day", "is on day"), ("retired in", "retired in"), ("breed", "")],
)  # fmt: skip
def test_predicates(relation: str, words: str) -> None:
    assert predicate(KG, relation) == words


def test_verbs_and_plurals() -> None:
    assert [base_form(w) for w in ("works at", "teaches", "carries cars", "goes")] == [
        "work at",
        "teach",
        "carry cars",
        "go",
    ]
    assert [plural(w) for w in ("city", "person", "bus", "ship")] == ["cities", "people", "buses", "ships"]


def test_a_long_list_is_cut() -> None:
    people = ["Anna Berg", "Ben Ode", "Carla Ruiz", "Dov Lind", "Otter", "Ufer", "Rona"]
    query = {"select": "?x", "where": [["?x", "mate on", "?s"]], "filter": [["?x", "not in", people]]}
    assert read_back(KG, QueryGraph.from_json(query)).endswith(
        "X is not Anna Berg or Ben Ode or Carla Ruiz or Dov Lind or Otter or 2 more"
    )


def test_a_blank_node_is_not_called_by_its_id() -> None:
    triples = [("_:b3", "climbed by", "Wanda"), ("_:b4", "climbed by", "Wanda"), ("Ann", "knows", "_:b4")]
    store = NetworkxStore(triples, types={"_:b3": ["First Ascent"]})
    query = {"select": "?x", "where": [["?x", "climbed by", "Wanda"]], "filter": [["?x", "not in", ["_:b3", "_:b4"]]]}
    assert read_back(store, QueryGraph.from_json(query)).endswith("not a nameless First Ascent or a nameless thing")
    assert told_name(store, "Wanda") == "Wanda"
