"""Random query graphs on random stores: executor, rdflib's SPARQL engine and brute force give the same answers."""

from __future__ import annotations

import itertools
import random
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest
import rdflib

from triplewise.kg import NetworkxStore
from triplewise.kg.names import literal_parts, quote_literal
from triplewise.kg.query import NAME, TYPE, Filter, Order, Pattern, QueryGraph, Span, Variable, execute
from triplewise.kg.query.graph import Measure
from triplewise.kg.query.rdf_terms import node_term
from triplewise.kg.query.sparql import to_rdf, to_sparql
from triplewise.kg.values import compare, parse_value
from triplewise.types import Triple

THINGS = (
    "Ann Lee",
    "b",
    "http://example.org/c",
    "_:d",
    "?e",
    '"Weird Al" Y.',
    "f\\u0041{}<>",
    "urn:x:g",
    "urn:triplewise:b",
    "Bé%20",
)
XSD = "http://www.w3.org/2001/XMLSchema#"
VALUES = (
    ("5", "12", "3.5", "-7", "1972"),
    ("5 kg", "1,450,000", "12%", "€ 12", "2.5E7", "1850", "12 m"),
    ("1972-05-01", "2014-08-11", "1999-12-31"),
    ("1972", "1972-05-01", "2014-08", "2014", "2014-08-11T10:00:00Z", "-0044-03-15"),
    ("1872", "22 May 1872", "May 1872", "1872-05-22", "March 3, 1889"),
    ("09:30", "17:05", "17:05:30", "yes", "no", "true"),
    ("Ann Lee", "ann  lee", "", "a\\u0041\tb\n\"q\"", "été", "ete", "C:\\new\\Users"),
)  # fmt: skip
TYPED = (
    f'"5"^^<{XSD}integer>', f'"05"^^<{XSD}integer>', f'"1972-05-01"^^<{XSD}date>', f'"1.50"^^<{XSD}decimal>', '"b"@en', '"b"@EN',
    '"b"', f'"b"^^<{XSD}string>', f'"true"^^<{XSD}boolean>', f'"x"^^<{XSD}integer>', '"1"^^xsd:int', f'"2E1"^^<{XSD}double>', '"\\q"',
)  # fmt: skip
RIGHTS = (
    "5",
    "12 kg",
    "1,450,000",
    "1972",
    "2014",
    "2014-08-11",
    "1999-12-31",
    "May 1872",
    "17:05",
    "yes",
    "Ann Lee",
    "ete",
    "1000000",
    "3.5",
)
CLASSES = ("Person", "http://example.org/City", '"Town"')
MEASURES: tuple[Measure | None, ...] = (None, None, "count", "total", "average")
X, Y, Z = (Variable(n) for n in ("x", "y y", "z_"))


@dataclass
class World:
    """A store, and its facts apart from it."""

    store: NetworkxStore
    facts: set[tuple[str, str, str]]
    nodes: list[str]
    labels: dict[str, str]


def world(rng: random.Random) -> World:
    things = rng.sample(THINGS, rng.randint(2, 5))
    pool = rng.choice(VALUES) if rng.random() < 0.7 else tuple(itertools.chain(*VALUES))
    literals = [quote_literal(v) for v in rng.sample(pool, min(len(pool), rng.randint(1, 4)))]
    literals += rng.sample(TYPED, rng.randint(0, 3))
    relations = ["r", "http://example.org/s t", "rdfs:label"][: rng.randint(1, 3)]
    triples = [(rng.choice(things), rng.choice(relations), rng.choice(things)) for _ in range(rng.randint(1, 8))]
    triples += [(rng.choice(things), "v", rng.choice(literals)) for _ in range(rng.randint(1, 6))]
    if rng.random() < 0.2:  # RDF has no such triple
        triples.append((rng.choice(literals), "r", rng.choice(things)))
    told = rng.choice(("types", "both", "none"))
    types = {t: tuple(rng.sample(CLASSES, rng.randint(1, 2))) for t in things if rng.random() < 0.6 and told != "none"}
    aliases = {t: tuple(rng.sample(("AL", "b", "Al\\u0041"), rng.randint(1, 2))) for t in things if rng.random() < 0.4}
    if told == "both":
        triples += [(rng.choice(things), "kind", rng.choice(CLASSES)) for _ in range(2)]
        triples += [(rng.choice(things), "nick", rng.choice((things[0], "Nick", '"Nick"'))) for _ in range(2)]
    labels = {things[0]: "Ann Lee"} if rng.random() < 0.5 else {}
    store = NetworkxStore(
        triples, types=types, aliases=aliases, labels=labels, type_relations=["kind"], alias_relations=["nick"]
    )  # fmt: skip
    facts = set(triples)
    entities = {e for h, _, t in triples for e in (h, t)} | set(types) | set(aliases) | set(labels)
    entities -= {r for _, r, _ in triples}
    label = {n: store.label(n) for n in entities | set(CLASSES)}
    for thing in entities:
        if not store.is_literal(thing):
            facts |= {(thing, TYPE, c) for c in types.get(thing, ())}
            facts |= {(thing, TYPE, c) for h, r, c in triples if r == "kind" and h == thing}
            names = {*aliases.get(thing, ()), *(label[t] for h, r, t in triples if r == "nick" and h == thing)}
            facts |= {(thing, NAME, quote_literal(n)) for n in names}
    nodes = list(dict.fromkeys(n for h, _, t in sorted(facts) for n in (h, t)))
    return World(store, facts, nodes, {n: store.label(n) for n in nodes})


def query(rng: random.Random, w: World) -> QueryGraph:
    relations = sorted({r for _, r, _ in w.facts}) + ["unknown"] * (rng.random() < 0.05)

    def term(variables: list[Variable], share: float) -> Variable | str:
        return rng.choice(variables) if rng.random() < share else rng.choice([*w.nodes, *THINGS[:2], '"nothing"'])

    def pattern(variables: list[Variable], share: float) -> Pattern:
        relation = rng.choice(relations)
        like = rng.choice([f for f in sorted(w.facts) if f[1] == relation] or [("b", relation, "b")])
        head, tail = (
            rng.choice(variables) if rng.random() < share else like[i] if rng.random() < 0.8 else term(variables, 0.3)
            for i in (0, 2)
        )
        return Pattern(head, relation, tail)

    count = rng.choice((1, 2, 2, 3))
    variables = [X, Y, Z][:count]
    patterns = [pattern(variables, 0.8) for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.4:
        patterns.append(Pattern(rng.choice(variables), "v", rng.choice(variables)))
    bound = list(dict.fromkeys(v for p in patterns for v in p.variables))
    if not bound:
        patterns.append(Pattern(X, "v", Y))
        bound = [X, Y]

    def condition(left: Variable, others: list[Variable]) -> Filter:
        op = rng.choice(("=", "!=", "<", "<=", ">", ">=", "in", "not in", "year", "<", ">", "not in"))
        some = tuple(rng.sample(w.nodes, min(len(w.nodes), rng.randint(0, 3))))
        if op == "in":
            right: Variable | str | tuple[str, ...] = some
        elif op == "not in":
            right = some if rng.random() < 0.5 else rng.choice(others)
        else:
            right = rng.choice(others) if rng.random() < 0.35 else rng.choice([*RIGHTS, w.labels[rng.choice(w.nodes)]])
        return Filter(left, op, right)

    filters: list[Filter] = []
    while rng.random() < 0.45:
        filters.append(condition(rng.choice(bound), bound))
    minus = ()
    if rng.random() < 0.3:
        minus = tuple(pattern([*bound, Variable("m")], 0.7) for _ in range(rng.randint(1, 2)))
        there = list(dict.fromkeys(v for p in minus for v in p.variables))
        while Variable("m") in there and rng.random() < 0.5:
            filters.append(condition(Variable("m"), there))
    form = rng.choice(("select", "select", "count", "ask", "total", "average", "span"))
    if form == "ask":
        return QueryGraph(tuple(patterns), None, "ask", tuple(filters), minus, denied=rng.random() < 0.4)
    order = None
    if form in ("total", "average"):
        return QueryGraph(tuple(patterns), rng.choice(bound), form, tuple(filters), minus)
    if form == "span":
        since = rng.choice((None, rng.choice(("1990-06-15", "2014", "2014-08")), *bound, *bound))
        span = Span(since, rng.choice(("days", "weeks", "months", "years")))
        return QueryGraph(tuple(patterns), rng.choice(bound), form, tuple(filters), minus, span=span)
    if rng.random() < 0.35:
        measure = rng.choice(MEASURES)
        since = rng.choice(bound) if measure is None and rng.random() < 0.4 else None
        order = Order(rng.choice(bound), rng.random() < 0.5, rng.randint(1, 3), measure, since)
    number = None
    if form == "count" and rng.random() < 0.4:
        number = (rng.choice(("=", "!=", "<", "<=", ">", ">=")), rng.choice(("0", "1", "2", "1.5", "3 things")))
    return QueryGraph(tuple(patterns), rng.choice(bound), form, tuple(filters), minus, order, compare=number)


Outcome = frozenset[str] | int | bool | Decimal | None


def by_brute_force(w: World, q: QueryGraph) -> Outcome:
    """All assignments of nodes to variables, by the definition."""

    def value(term: Variable | str, row: dict[Variable, str]) -> str:
        return row[term] if isinstance(term, Variable) else term

    def holds(p: Pattern, row: dict[Variable, str]) -> bool:
        tail = value(p.tail, row)
        if p.relation == NAME and isinstance(p.tail, str):  # a name may be written without quotes
            tail = quote_literal(parts.value if (parts := literal_parts(tail)) else tail)
        return (value(p.head, row), p.relation, tail) in w.facts

    def passes(f: Filter, row: dict[Variable, str]) -> bool:
        left = row[f.left]
        if f.op in ("in", "not in"):
            some = f.right if isinstance(f.right, tuple) else (row[f.right],) if isinstance(f.right, Variable) else ()
            return (left in some) == (f.op == "in")
        assert not isinstance(f.right, tuple)
        right = w.labels[row[f.right]] if isinstance(f.right, Variable) else f.right
        if f.op == "year":
            a, b = parse_value(w.labels[left]), parse_value(right)
            return a.kind in ("date", "year") and b.kind in ("date", "year", "number") and a.key[0] == b.key[0]
        return compare(w.labels[left], f.op, right)

    def assignments(patterns: tuple[Pattern, ...], row: dict[Variable, str]) -> list[dict[Variable, str]]:
        free = list(dict.fromkeys(v for p in patterns for v in p.variables if v not in row))
        rows = (
            {**row, **dict(zip(free, nodes, strict=True))} for nodes in itertools.product(w.nodes, repeat=len(free))
        )
        return [r for r in rows if all(holds(p, r) for p in patterns)]

    bound = {v for p in q.patterns for v in p.variables}
    own = [f for f in q.filters if bound.issuperset(f.variables)]
    away = [f for f in q.filters if not bound.issuperset(f.variables)]
    rows = [r for r in assignments(q.patterns, {}) if all(passes(f, r) for f in own)]
    if q.minus:
        rows = [r for r in rows if not any(all(passes(f, m) for f in away) for m in assignments(q.minus, r))]
    if q.form == "ask":
        return bool(rows) != q.denied
    assert q.answer is not None
    answers = {r[q.answer] for r in rows}
    if q.order:
        keys: dict[str, list[tuple[float, ...]]] = defaultdict(list)
        for answer in answers:
            found = {r[q.order.by] for r in rows if r[q.answer] == answer}
            if q.order.since:
                ends = [
                    (day(w.labels[r[q.order.since]]), day(w.labels[r[q.order.by]]))
                    for r in rows
                    if r[q.answer] == answer
                ]
                keys[answer] = [
                    (abs(date(*b) - date(*a)).days,) for a, b in ends if len(a) == len(b) == 3 and min(a[0], b[0]) > 0
                ]
            elif q.order.measure is None:
                keys[answer] = [k for n in found if (k := parse_value(w.labels[n]).key)]
            elif q.order.measure == "count":
                keys[answer] = [(len(found),)]
            else:
                keys[answer] = amounts(w, q, q.order, [r for r in rows if r[q.answer] == answer])
        if q.order.measure in ("total", "average") and units(w, {r[q.order.by] for r in rows}) != 1:
            return 0 if q.form == "count" and not q.compare else compare("0", *q.compare) if q.compare else frozenset()
        best = {a: (max if q.order.descending else min)(ks) for a, ks in keys.items() if ks}
        ranked = sorted(best.values(), reverse=q.order.descending)[: q.order.limit]
        answers = {a for a, k in best.items() if k in ranked}
    if q.form in ("total", "average"):
        return reckoned(w, q, rows)
    if q.span:
        return spans(w, q.answer, q.span, rows)
    if q.compare:
        return compare(str(len(answers)), *q.compare)
    return len(answers) if q.form == "count" else frozenset(answers)


def day(label: str) -> tuple[int, ...]:
    """The year, and the month and the day where they are told; () for no date."""
    value = parse_value(label)
    return tuple(int(k) for k in value.key if k) if value.kind in ("date", "year") else ()


def units(w: World, nodes: Iterable[str]) -> int:
    """How many units numbers have."""
    return len({v.unit for n in nodes if (v := parse_value(w.labels[n])).kind in ("number", "year")})


def amounts(w: World, q: QueryGraph, order: Order, rows: list[dict[Variable, str]]) -> list[tuple[float, ...]]:
    """The sum or mean of what the rows of one answer have, each once for each thing that has it."""
    held = next((p.head for p in q.patterns if p.tail == order.by), None)
    pairs = {(r[held] if isinstance(held, Variable) else held, r[order.by]) for r in rows}
    values = [Fraction(str(v.key[0])) for _, n in pairs if (v := parse_value(w.labels[n])).kind in ("number", "year")]
    total = sum(values)
    return [(float(total if order.measure == "total" else total / len(values)),)] if values else []


def reckoned(w: World, q: QueryGraph, rows: list[dict[Variable, str]]) -> Decimal | None:
    """The sum or mean of the values of each thing that has them."""
    assert q.answer is not None
    held = next((p.head for p in q.patterns if p.tail == q.answer), None)
    pairs = {(r[held] if isinstance(held, Variable) else held, r[q.answer]) for r in rows}
    values = [v for _, node in pairs if (v := parse_value(w.labels[node])).kind in ("number", "year")]
    if len({v.unit for v in values}) != 1:
        return None
    total = sum(v.key[0] for v in values)
    return rounded(total if q.form == "total" else total / len(values))


def spans(w: World, answer: Variable, span: Span, rows: list[dict[Variable, str]]) -> frozenset[str]:
    """The whole units between days, counted one by one."""

    def time(one: tuple[int, ...], other: tuple[int, ...]) -> int | None:
        (first, last), unit = sorted((one, other)), span.unit
        if unit in ("days", "weeks"):
            if min(map(len, (one, other))) < 3 or first[0] < 1:
                return None
            return (date(*last) - date(*first)).days // (7 if unit == "weeks" else 1)
        told = min(len(one), len(other))
        if told < (1 if unit == "years" else 2):
            return None
        if told < 3:
            first, last = (day[: 1 if unit == "years" else 2] for day in (first, last))
        number, month = 0, 0 if unit == "years" else 1
        while True:
            year, rest = first[0] + (number + 1 if unit == "years" else 0), first[1:]
            if month:
                months = first[0] * 12 + first[1] - 1 + number + 1
                year, rest = months // 12, (months % 12 + 1, *first[2:])
            if (year, *rest) > last:
                return number
            number += 1

    if span.since is None:
        days = {d for row in rows if (d := day(w.labels[row[answer]]))}
        kept = days if span.unit == "years" else {d for d in days if time(d, d) is not None}
        parts = 3 if all(len(d) == 3 for d in kept) else 1 if span.unit == "years" else 2
        ends = [(min(kept)[:parts], max(kept)[:parts])] if len(kept) > 1 else []
    else:
        since = span.since
        ends = [
            (day(w.labels[r[since]] if isinstance(since, Variable) else since), day(w.labels[r[answer]])) for r in rows
        ]
    return frozenset(str(t) for one, other in ends if one and other and (t := time(one, other)) is not None)


def rounded(number: float | str) -> Decimal:
    """Equal for numbers that differ behind the fourth digit only."""
    return Decimal(f"{float(number):.4g}")


def by_executor(w: World, q: QueryGraph) -> Outcome:
    done = execute(w.store, q)
    assert not done.truncated
    for found in done.found:
        assert all(triple in w.facts for triple in found.proof)
        assert all(isinstance(triple, Triple) for triple in found.proof)
    if q.form in ("total", "average"):
        assert len(done.found) == done.number
        return rounded(parse_value(done.amounts[0]).key[0]) if done.amounts else None
    if q.span:
        return frozenset(amount.split()[0] for amount in done.amounts)
    assert [f.id for f in done.found] == (list(done.ids) if q.answer else [""] * done.number)
    if done.holds is not None:
        return done.holds
    return done.number if q.form == "count" else frozenset(done.ids)


def by_sparql(w: World, graph: rdflib.Graph, q: QueryGraph) -> Outcome:
    result = graph.query(to_sparql(w.store, q))
    if result.type == "ASK":
        return bool(result.askAnswer)
    found = [term for row in result.bindings for term in row.values()]
    if q.form == "count":
        return int(str(found[0]))
    if q.form in ("total", "average"):
        return rounded(str(found[0])) if found else None
    if q.span:
        return frozenset(str(int(float(str(number)))) for number in found)
    ids = {str(node_term(w.store, n).n3()): n for n in w.nodes}
    assert len(ids) == len(w.nodes)  # no two ids are one term
    return frozenset(ids[term.n3()] for term in found)


def agree(seed: int, queries: int = 5) -> None:
    rng = random.Random(seed)
    w = world(rng)
    graph = to_rdf(w.store)
    for number in range(queries):
        q = query(rng, w)
        plainly = by_brute_force(w, q)
        where = f"seed {seed}, query {number}: {q.to_json()}"
        assert by_executor(w, q) == plainly, where
        assert by_sparql(w, graph, q) == plainly, f"{where}\n{to_sparql(w.store, q)}"
        assert QueryGraph.from_json(q.to_json()) == q, where


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_200_random_queries(first: int) -> None:
    for seed in range(first, first + 10):
        agree(seed)


@pytest.mark.slow
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("first", range(40, 2_040, 200))
def test_10000_random_queries(first: int) -> None:
    for seed in range(first, first + 200):
        agree(seed)
