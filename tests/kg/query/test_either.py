"""A pattern of one of several relations: the same answers as of each alone, in the executor and in SPARQL."""

from __future__ import annotations

import pytest
import rdflib

from triplewise.kg import NetworkxStore
from triplewise.kg.query import Pattern, QueryGraph, Variable, execute
from triplewise.kg.query.graph import alternatives, either, either_words
from triplewise.kg.query.sparql import to_rdf, to_sparql
from triplewise.tools.query_graph.readback import read_back

FAMILY = NetworkxStore(
    [
        ("Ann", "daughter of", "Bo"), ("Carl", "son of", "Bo"), ("Dan", "son of", "Carl"), ("Eve", "daughter of", "Carl"),
        ("Ann", "born in", "Hull"), ("Dan", "a|b", "Eve"),
    ]
)  # fmt: skip
X, Y = Variable("x"), Variable("y")
CHILD = either(("son of", "daughter of"))


@pytest.mark.parametrize(
    ("query", "answers"),
    [
        (QueryGraph((Pattern(X, CHILD, "Bo"),), X), {"Ann", "Carl"}),
        (QueryGraph((Pattern("Carl", CHILD, X),), X), {"Bo"}),
        (QueryGraph((Pattern(X, CHILD, Y), Pattern(Y, CHILD, "Bo")), X), {"Dan", "Eve"}),
        (QueryGraph((Pattern(X, CHILD, Y),), X, minus=(Pattern(X, "son of", Y),)), {"Ann", "Eve"}),
        (QueryGraph((Pattern(X, "a|b", "Eve"),), X), {"Dan"}),  # a relation of the graph that is called so
        (QueryGraph((Pattern(X, either(("parent", "uncle")), Y),), X), set()),
    ],
)
def test_executor_and_sparql_agree(query: QueryGraph, answers: set[str]) -> None:
    assert set(execute(FAMILY, query).ids) == answers
    rows = to_rdf(FAMILY).query(to_sparql(FAMILY, query))
    assert {str(row[0]).rsplit(":", 1)[-1] for row in rows if isinstance(row, rdflib.query.ResultRow)} == answers


def test_the_proof_is_the_triple_that_holds() -> None:
    found = execute(FAMILY, QueryGraph((Pattern(X, CHILD, "Bo"),), X)).found
    assert {f.proof[0].relation for f in found} == {"daughter of", "son of"}


def test_it_is_one_relation_in_json() -> None:
    query = QueryGraph((Pattern(X, CHILD, "Bo"),), X)
    assert query.to_json()["where"] == [["?x", "daughter of|son of", "Bo"]]
    assert QueryGraph.from_json(query.to_json()) == query


def test_in_words() -> None:
    assert (
        read_back(FAMILY, QueryGraph((Pattern(X, CHILD, "Bo"),), X), lambda _: True) == "who is a daughter or son of Bo"
    )
    assert either_words(["mother", "father"]) == "mother or father"
    assert alternatives("a|b", lambda: ("a|b",)) == ("a|b",)
