"""Totals and averages: each value once for each thing that has it, written as the values are."""

from __future__ import annotations

import pytest

from triplewise.errors import QuestionError
from triplewise.kg import NetworkxStore
from triplewise.kg.query import Pattern, QueryGraph, Variable, execute
from triplewise.kg.query.reckon import Reckoning, reckon
from triplewise.kg.query.sparql import to_rdf, to_sparql

X, Y = Variable("x"), Variable("y")
BILLS = NetworkxStore(
    [
        ("job 1", "price", '"20"'),
        ("job 2", "price", '"20"'),
        ("job 3", "price", '"1450.50"'),
        ("job 4", "price", '"free"'),
        ("job 1", "done by", "Ann"),
        ("job 2", "done by", "Ann"),
        ("job 2", "done by", "Bob"),
        ("job 3", "done by", "Bob"),
    ]
)


@pytest.mark.parametrize(
    ("how", "labels", "told"),
    [
        ("total", ["20", "3.5"], "23.5"),
        ("total", ["£12.50", "£3"], "£15.50"),
        ("total", ["1,450 m", "50 m"], "1,500 m"),
        ("total", ["12k", "3k"], "15k"),
        ("total", ["2 kg", "3 m"], ""),
        ("total", ["free", "n/a"], ""),
        ("total", ["5", "unknown"], "5"),
        ("total", ["0.1", "0.2"], "0.3"),
        ("average", ["31", "28", "40"], "33"),
        ("average", ["4.20", "4.50"], "4.35"),
        ("average", ["10", "20", "20"], "16.67"),
        ("average", ["-5 °C", "6 °C"], "0.5 °C"),
        ("average", ["1500", "2500"], "2000"),
        ("total", [], ""),
    ],
)
def test_numbers_are_reckoned(how: Reckoning, labels: list[str], told: str) -> None:
    assert reckon(how, labels) == told


def test_each_value_counts_once_for_each_holder() -> None:
    every = QueryGraph((Pattern(X, "price", Y),), Y, "total")
    done = execute(BILLS, every)
    assert (done.amounts, done.number, done.holds) == (("1490.50",), 3, None)
    assert {t.head for found in done.found for t in found.proof} == {"job 1", "job 2", "job 3"}
    of_ann = QueryGraph((Pattern(X, "price", Y), Pattern(X, "done by", "Ann")), Y, "total")
    assert execute(BILLS, of_ann).amounts == ("40",)
    who = Variable("who")  # a job that two have done is paid once
    assert execute(BILLS, QueryGraph((*every.patterns, Pattern(X, "done by", who)), Y, "total")).amounts == ("1490.50",)
    assert execute(BILLS, QueryGraph((Pattern("job 1", "price", Y),), Y, "average")).amounts == ("20",)
    assert execute(BILLS, QueryGraph((Pattern("job 4", "price", Y),), Y, "total")).amounts == ()


def test_sparql_says_the_same() -> None:
    graph = to_rdf(BILLS)
    for form, amount in (("total", 1490.5), ("average", 1490.5 / 3)):
        query = QueryGraph.from_json({form: "?y", "where": [["?x", "price", "?y"]]})
        (row,) = graph.query(to_sparql(BILLS, query)).bindings
        assert float(str(next(iter(row.values())))) == pytest.approx(amount)
        assert QueryGraph.from_json(query.to_json()) == query
    none = QueryGraph((Pattern("job 4", "price", Y),), Y, "total")
    assert not graph.query(to_sparql(BILLS, none)).bindings


def test_no_order_is_reckoned() -> None:
    with pytest.raises(QuestionError, match="total of the first by an order"):
        QueryGraph.from_json({"total": "?y", "where": [["?x", "price", "?y"]], "order": {"by": "?y"}})
