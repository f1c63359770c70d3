"""The time between days: arithmetic by examples, and executor, SPARQL and brute force on random days."""

from __future__ import annotations

import random

import pytest
from fuzzing import FACTOR

from tests.kg.query.test_agreement import World, by_brute_force, by_executor, by_sparql
from triplewise.errors import QuestionError
from triplewise.kg import NetworkxStore
from triplewise.kg.query import Pattern, QueryGraph, Span, Variable, execute
from triplewise.kg.query.span import SpanUnit, between, moment, whole
from triplewise.kg.query.sparql import to_rdf, to_sparql
from triplewise.tools.query_graph.readback import read_back

X, Y, Z = Variable("x"), Variable("y"), Variable("z")
LOANS = NetworkxStore(
    [
        ("loan 1", "item", "ladder"), ("loan 1", "lent on", "2024-02-26"), ("loan 1", "returned on", "1 March 2024"),
        ("loan 2", "item", "ladder"), ("loan 2", "lent on", "2024-05-01"), ("loan 2", "returned on", "2024-06-04"),
        ("loan 3", "item", "drill"), ("loan 3", "lent on", "2024-05-01"), ("Oma", "born", "1949-11-30"),
        ("Oma", "tablet since", "2022"), ("Oma", "died", "2023-11-29"),
    ]
)  # fmt: skip


@pytest.mark.parametrize(
    ("one", "other", "unit", "told"),
    [
        ("2024-02-26", "2024-03-01", "days", 4),
        ("2024-03-01", "26.02.2024", "days", 4),
        ("2024-02-26", "2024-03-10", "weeks", 1),
        ("2000-02-29", "2001-02-28", "years", 0),
        ("2000-02-29", "2001-03-01", "years", 1),
        ("1949-11-30", "2023-11-29", "years", 73),
        ("1949-11-30", "2022", "years", 73),
        ("1949", "2022", "years", 73),
        ("2024-01-31", "2024-03-01", "months", 1),
        ("2024-01", "2024-03-31", "months", 2),
        ("2024-01", "2024-03-31", "days", None),
        ("2023", "2024-03-31", "months", None),
        ("2024-02-30", "2024-03-31", "days", None),
        ("yesterday", "2024-03-31", "days", None),
        ("-0044-03-15", "0014-08-19", "years", 58),
    ],
)
def test_whole_units(one: str, other: str, unit: SpanUnit, told: int | None) -> None:
    assert between(moment(one, unit), moment(other, unit), unit) == told


def test_from_the_first_to_the_last_of_several() -> None:
    days = [moment(day, "days") for day in ("2024-05-01", "2024-02-26", "2024-03-01")]
    assert whole(days, "days") == 65
    assert whole([days[0], days[0]], "days") is None
    assert whole([moment(day, "years") for day in ("2019", "2024-03-01", "2021")], "years") == 5


def test_a_row_tells_how_long_it_took_with_both_days_as_its_proof() -> None:
    data = {
        "span": ["?a", "?b"], "unit": "days",
        "where": [["?x", "item", "ladder"], ["?x", "lent on", "?a"], ["?x", "returned on", "?b"]],
    }  # fmt: skip
    query = QueryGraph.from_json(data)
    assert query.to_json() == data
    done = execute(LOANS, query)
    assert (done.amounts, done.number) == (("4 days", "34 days"), 2)
    assert {t.tail for t in done.found[1].proof} == {"ladder", "2024-05-01", "2024-06-04"}
    words = "the days from Z to X, where Y's item is ladder, Y was lent on Z and Y was returned on X"
    assert read_back(LOANS, query) == words


def test_the_first_and_the_last_time_to_a_given_day_and_nothing() -> None:
    lent = (Pattern(X, "item", "ladder"), Pattern(X, "lent on", Y))
    assert execute(LOANS, QueryGraph(lent, Y, "span", span=Span())).amounts == ("65 days",)
    assert execute(LOANS, QueryGraph(lent, Y, "span", span=Span("2024-05-02"))).amounts == ("1 day", "66 days")
    drill = (Pattern(X, "item", "drill"), Pattern(X, "lent on", Y))
    assert execute(LOANS, QueryGraph(drill, Y, "span", span=Span())).amounts == ()
    back = QueryGraph((*drill, Pattern(X, "returned on", Z)), Z, "span", span=Span(Y))
    assert execute(LOANS, back).amounts == ()
    age = QueryGraph((Pattern("Oma", "born", X), Pattern("Oma", "tablet since", Y)), Y, "span", span=Span(X, "years"))
    assert execute(LOANS, age).amounts == ("73 years",)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"span": "?y", "unit": "hours"}, "no unit 'hours'"),
        ({"span": ["?y", "soon"]}, "'soon' is no day"),
        ({"span": ["2024", "2025"]}, "of which one is a variable"),
        ({"span": ["?y", "?x", "?y"]}, "of which one is a variable"),
        ({"span": ["?a", "?y"]}, r"\?a stands in no pattern"),
        ({"select": "?y", "unit": "days"}, '"unit" stands with "span" alone'),
        ({"span": "?y", "order": {"by": "?y"}}, "span of the first by an order"),
    ],
)
def test_what_is_no_span_is_said(data: dict[str, object], said: str) -> None:
    with pytest.raises(QuestionError, match=said):
        QueryGraph.from_json({**data, "where": [["?x", "lent on", "?y"]]})
    with pytest.raises(QuestionError, match="no other form has"):
        QueryGraph((Pattern(X, "lent on", Y),), Y, "span")


def _day(rng: random.Random) -> str:
    year, month, day = rng.choice((1899, 1999, 2000, 2024)), rng.randint(1, 12), rng.randint(1, 28)
    return rng.choice(
        (f"{year}-{month:02d}-{day:02d}",) * 6 + (f"{day}.{month}.{year}", f"{year}", f"{year}-{month:02d}", "soon")
    )


@pytest.mark.parametrize("first", range(0, 45 * FACTOR, 15))
def test_random_days_by_executor_sparql_and_brute_force(first: int) -> None:
    told = 0
    for seed in range(first, first + 15):
        rng = random.Random(seed)
        triples = [
            (f"row {i}", r, _day(rng)) for i in range(rng.randint(1, 3)) for r in ("from", "to") if rng.random() < 0.9
        ]
        triples = list(dict.fromkeys(triples)) or [("row 0", "from", "2024")]
        store = NetworkxStore(triples)
        nodes = sorted({n for h, _, t in triples for n in (h, t)})
        world = World(store, set(triples), nodes, {n: store.label(n) for n in nodes})
        graph = to_rdf(store)
        for unit in ("days", "weeks", "months", "years"):
            each = (Pattern(X, "from", Y), Pattern(X, "to", Z))
            queries = [QueryGraph(each, Z, "span", span=Span(Y, unit))]
            queries += [
                QueryGraph(each[:1], Y, "span", span=Span(since, unit)) for since in (None, "2001-05-06", "2001")
            ]
            for query in queries:
                plainly = by_brute_force(world, query)
                told += bool(plainly)
                assert by_executor(world, query) == plainly, (triples, query.to_json())
                assert by_sparql(world, graph, query) == plainly, (triples, to_sparql(store, query))
    assert told > 56
