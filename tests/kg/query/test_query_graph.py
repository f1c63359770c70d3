"""Query graphs: their JSON form both ways, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triplewise.errors import QuestionError
from triplewise.kg.query import NAME, TYPE, Filter, Order, Pattern, QueryGraph, Variable
from triplewise.kg.query.graph import Form

X, H = Variable("x"), Variable("h")
WHERE = [["?x", "r", "?h"]]


def test_the_form_of_the_docstring() -> None:
    data = {
        "select": "?x",
        "where": [["?x", "on_line", "Lake Line"], ["?x", "elevation_m", "?h"]],
        "filter": [["?h", ">", "300"]],
        "minus": [["RE 2210", "calls_at", "?x"]],
        "order": {"by": "?h", "desc": True, "limit": 1},
    }
    query = QueryGraph.from_json(data)
    assert query == QueryGraph(
        (Pattern(X, "on_line", "Lake Line"), Pattern(X, "elevation_m", H)),
        X,
        filters=(Filter(H, ">", "300"),),
        minus=(Pattern("RE 2210", "calls_at", X),),
        order=Order(H),
    )
    assert query.to_json() == data
    assert query.entities == ("Lake Line", "RE 2210")
    assert query.relations == ("on_line", "elevation_m", "calls_at")


def test_names_are_turned_into_ids() -> None:
    query = QueryGraph.from_json(
        {"select": "?x", "where": [["?x", "r", "a"]], "filter": [["?x", "in", ["b"]], ["?x", "=", "c"]]},
        entity=str.upper,
        relation=lambda r: f"rel:{r}",
    )
    assert query.patterns == (Pattern(X, "rel:r", "A"),)
    assert query.filters == (Filter(X, "in", ("B",)), Filter(X, "=", "c"))


def test_numbers_without_quotes_and_short_orders_are_read() -> None:
    query = QueryGraph.from_json(
        {"count": "?x", "where": WHERE, "filter": [["?h", ">", 300]], "order": {"by": "count ?h"}, "compare": ["=", 3]}
    )
    assert query.filters == (Filter(H, ">", "300"),)
    assert query.order == Order(H, descending=True, limit=1, measure="count")
    assert query.compare == ("=", "3")


names = st.text(min_size=1).filter(lambda t: not t.startswith("?")) | st.sampled_from(["?x", "? y", "{"])
variables = st.sampled_from([X, H, Variable("a b"), Variable("?")])
terms = variables | names
patterns = st.builds(Pattern, terms, st.text() | st.sampled_from([TYPE, NAME]), terms)


@st.composite
def queries(draw: st.DrawFn) -> QueryGraph:
    where = (Pattern(X, "r", H), *draw(st.lists(patterns, max_size=3)))
    bound = st.sampled_from(sorted({v for p in where for v in p.variables}, key=str))
    compared = st.builds(Filter, bound, st.sampled_from(["=", "!=", "<", "<=", ">", ">=", "year"]), bound | names)
    listed = st.builds(Filter, bound, st.sampled_from(["in", "not in"]), st.lists(names).map(tuple))
    apart = st.builds(Filter, bound, st.just("not in"), bound)
    forms: list[Form] = ["select", "count", "ask"]
    form = draw(st.sampled_from(forms))
    counts = form == "count" and draw(st.booleans())
    return QueryGraph(
        where,
        None if form == "ask" else draw(bound),
        form,
        tuple(draw(st.lists(compared | listed | apart, max_size=3))),
        tuple(draw(st.lists(patterns, max_size=2))),
        None if form == "ask" else draw(st.none() | st.builds(Order, bound, st.booleans(), st.integers(1, 9), st.sampled_from((None, "count", "total", "average")))),
        form == "ask" and draw(st.booleans()),
        (draw(st.sampled_from(["=", "!=", "<", "<=", ">", ">="])), "3") if counts else None,
    )  # fmt: skip


@given(queries())
def test_json_and_back(query: QueryGraph) -> None:
    assert QueryGraph.from_json(query.to_json()) == query


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ([], "it is not an object"),
        ({}, "none of select, count, total, average, span and ask"),
        ({"select": "?x", "ask": "some", "where": WHERE}, "select and ask"),
        ({"select": "?x"}, "has no pattern"),
        ({"select": "?x", "where": []}, "has no pattern"),
        ({"select": "?x", "where": WHERE, "limit": 3}, "unknown field 'limit'"),
        ({"select": "x", "where": WHERE}, "'x' is not a variable"),
        ({"select": "?", "where": [["?", "r", "b"]]}, "'\\?' is not a variable"),
        ({"select": "?y", "where": WHERE}, "\\?y stands in no pattern"),
        ({"select": "?x", "where": ["?x r ?h"]}, '"where" is a list of lists of three'),
        ({"select": "?x", "where": "?x r ?h"}, '"where" is a list of lists of three'),
        ({"select": "?x", "where": [["?x", "r"]]}, "has \\['\\?x', 'r'\\]"),
        ({"select": "?x", "where": [["?x", "r", 5]]}, "5 is not a term"),
        ({"select": "?x", "where": [["?x", None, "a"]]}, "None is not a relation"),
        ({"select": "?x", "where": [["?x", "r", {"name": "a"}]]}, "no 'id'"),
        ({"select": "?x", "where": WHERE, "filter": [["?h", "~", "3"]]}, "no comparison '~'"),
        ({"select": "?x", "where": WHERE, "filter": [["?h", ">", True]]}, "True is not a value"),
        ({"select": "?x", "where": WHERE, "filter": [["?h", ">", ["3"]]]}, "not with a list"),
        ({"select": "?x", "where": WHERE, "filter": [["?h", "in", "?x"]]}, "'in' needs a list"),
        ({"select": "?x", "where": WHERE, "filter": [["?z", ">", "3"]]}, "\\?z stands in no pattern"),
        (
            {
                "select": "?x",
                "where": WHERE,
                "minus": [["?x", "s", "?m"]],
                "filter": [["?m", ">", "3"], ["?z", ">", "3"]],
            },
            "\\?z stands in no pattern",
        ),
        ({"select": "?x", "where": WHERE, "order": "?h"}, '"order" is not an object'),
        ({"select": "?x", "where": WHERE, "order": {"desc": True}}, "no 'by'"),
        ({"select": "?x", "where": WHERE, "order": {"by": "?h", "limit": "1"}}, "whole number"),
        ({"select": "?x", "where": WHERE, "order": {"by": "?h", "limit": 0}}, "first 0 answers"),
        ({"select": "?x", "where": WHERE, "order": {"by": "?z"}}, "\\?z stands in no pattern"),
        ({"ask": "some", "where": WHERE, "order": {"by": "?h"}}, "an order needs answers"),
        ({"select": "?x", "where": WHERE, "order": {"by": ["?z", "?h"]}}, "\\?z stands in no pattern"),
        ({"select": "?x", "where": WHERE, "order": {"by": ["?h"]}}, "is not a variable"),
        ({"ask": True, "where": WHERE}, '"ask" is "some" or "none"'),
        ({"select": "?x", "where": WHERE, "compare": ["=", "3"]}, "only a count"),
        ({"count": "?x", "where": WHERE, "compare": "= 3"}, '"compare" is not'),
        ({"count": "?x", "where": WHERE, "compare": ["=", "many"]}, "not compared by '=' with 'many'"),
        ({"count": "?x", "where": WHERE, "compare": ["year", "3"]}, "not compared by 'year'"),
    ],
)
def test_a_wrong_query_is_refused_in_words(data: Any, problem: str) -> None:
    with pytest.raises(QuestionError, match=problem):
        QueryGraph.from_json(data)


def test_a_listed_value_may_stand_alone() -> None:
    query = QueryGraph.from_json({"select": "?x", "where": WHERE, "filter": [["?x", "not in", "a"]]})
    assert query.filters == (Filter(X, "not in", ("a",)),)


def test_an_answer_belongs_to_select_and_count_only() -> None:
    with pytest.raises(QuestionError, match="Not both"):
        QueryGraph((Pattern(X, "r", H),), X, "ask")
    with pytest.raises(QuestionError, match="Not both"):
        QueryGraph((Pattern(X, "r", H),))
