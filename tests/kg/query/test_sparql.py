"""SPARQL texts: what they say, that they only read, and that no id can break out of its place."""

from __future__ import annotations

import re

import pytest
import rdflib
from hypothesis import given, settings
from hypothesis import strategies as st

from triplewise.kg import NetworkxStore
from triplewise.kg.names import quote_literal
from triplewise.kg.query import Filter, Pattern, QueryGraph, Variable, execute
from triplewise.kg.query.rdf_terms import node_term, relation_iri
from triplewise.kg.query.sparql import to_rdf, to_sparql

X, Y = Variable("x"), Variable("y")
XSD = "http://www.w3.org/2001/XMLSchema#"


def rows(store: NetworkxStore, query: QueryGraph) -> set[str]:
    return {term.n3() for row in to_rdf(store).query(to_sparql(store, query)).bindings for term in row.values()}


def stations(*heights: str) -> NetworkxStore:
    return NetworkxStore((f"s{i}", "height", quote_literal(h)) for i, h in enumerate(heights))


def test_plain_numbers_are_cast() -> None:
    text = to_sparql(
        stations("410", "1180.5"), QueryGraph((Pattern(X, "height", Y),), X, filters=(Filter(Y, ">", "1,000 m"),))
    )
    assert text == (
        "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n"
        "SELECT DISTINCT ?x WHERE {\n"
        "  ?x <urn:triplewise:height> ?y .\n"
        "  FILTER(xsd:decimal(STR(?y)) > 1000)\n"
        "}"
    )


def test_what_sparql_compares_otherwise_is_listed() -> None:
    text = to_sparql(
        stations("410 m", "1,180 m"), QueryGraph((Pattern(X, "height", Y),), X, filters=(Filter(Y, ">", "1000"),))
    )
    assert 'VALUES ?y { "1,180 m" }' in text


@pytest.mark.parametrize(
    ("op", "right", "line"),
    [
        ("<", "1912-07-30", 'FILTER(STR(?y) < "1912-07-30")'),
        (">=", "1912", 'FILTER(SUBSTR(STR(?y), 1, 4) >= "1912")'),
        ("year", "1912", 'FILTER(SUBSTR(STR(?y), 1, 4) = "1912")'),
        ("=", "1912", "FILTER(1 = 2)"),
    ],
)
def test_dates_are_compared_as_they_are_written(op: str, right: str, line: str) -> None:
    store = stations("1901-05-01", "1912-07-30")
    assert line in to_sparql(store, QueryGraph((Pattern(X, "height", Y),), X, filters=(Filter(Y, op, right),)))


def test_ids_as_terms() -> None:
    store = NetworkxStore(
        [
            ("Ann Lee", "http://example.org/r", "http://example.org/b"), ("_:b0", "r s", f'"5"^^<{XSD}integer>'),
            ("urn:triplewise:x", "r s", '"été"@fr'), ('"as head"', "r s", "http://a b"), ("c", "r s", '"as head"'),
            ("c", "r s", '"5"'), ("c", "r s", f'"5"^^<{XSD}string>'), ("c", "r s", '"5"^^xsd:int'),
        ],
    )  # fmt: skip
    written = {node: node_term(store, node).n3() for node in store.nodes()}
    assert written == {
        "Ann Lee": "<urn:triplewise:Ann%20Lee>",
        "http://example.org/b": "<http://example.org/b>",
        "_:b0": "<urn:triplewise:_%3Ab0>",
        f'"5"^^<{XSD}integer>': f'"5"^^<{XSD}integer>',
        "urn:triplewise:x": "<urn:triplewise:urn%3Atriplewise%3Ax>",
        '"été"@fr': '"été"@fr',
        '"as head"': "<urn:triplewise:%22as%20head%22>",
        "http://a b": "<urn:triplewise:http%3A%2F%2Fa%20b>",
        "c": "<urn:triplewise:c>",
        '"5"': '"5"',
        f'"5"^^<{XSD}string>': "<urn:triplewise:%225%22%5E%5E%3Chttp%3A%2F%2Fwww.w3.org%2F2001%2FXMLSchema%23string%3E>",
        '"5"^^xsd:int': "<urn:triplewise:%225%22%5E%5Exsd%3Aint>",
    }
    assert relation_iri("rdf:type") == str(rdflib.RDF.type)
    assert relation_iri(str(rdflib.RDF.type)) != str(rdflib.RDF.type)  # a relation that is merely called so
    assert not rdflib.Graph().parse(data=to_rdf(store).serialize(format="nt"), format="nt") - to_rdf(store)


HOSTILE = (
    "> } ; DROP ALL",
    '" . ?s ?p ?o }',
    "\\u003E\\U0000003E",
    "a\nb\r\t\\",
    "x> <y",
    "SERVICE <http://a/>",
    "'''",
    "#",
    "é\u202e",
)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_ids_stay_in_their_place(hostile: str) -> None:
    literal = quote_literal(hostile)
    store = NetworkxStore([(hostile, hostile, literal), ("other", "r", '"other"')])
    named = QueryGraph((Pattern(hostile, hostile, X),), X, filters=(Filter(X, "in", (literal, "gone")),))
    assert rows(store, named) == {node_term(store, literal).n3()}
    valued = QueryGraph((Pattern(X, hostile, literal),), X, filters=(Filter(X, "!=", "no such"),))
    assert rows(store, valued) == {node_term(store, hostile).n3()}


@settings(max_examples=50, deadline=None)  # a query takes rdflib some 10 ms
@given(
    st.text(min_size=1, alphabet=st.characters(exclude_categories=("Cs",))),
    st.text(alphabet=st.characters(exclude_categories=("Cs",))),
)
def test_any_text_is_escaped(thing: str, value: str) -> None:
    store = NetworkxStore([(thing, "r", quote_literal(value)), ("other", "r", '"other text"')])
    query = QueryGraph((Pattern(X, "r", quote_literal(value)),), X)
    assert rows(store, query) == {node_term(store, i).n3() for i in execute(store, query).ids}


@settings(max_examples=50, deadline=None)  # a query takes rdflib some 10 ms
@given(st.lists(st.text(min_size=1), min_size=3, max_size=3, unique=True))
def test_any_variable_name_is_one(names: list[str]) -> None:
    a, b, c = map(Variable, names)
    store = NetworkxStore([("k", "r", "l"), ("l", "r", "m"), ("m", "r", "m")])
    query = QueryGraph((Pattern(a, "r", b), Pattern(b, "r", c)), a, filters=(Filter(a, "!=", c),))
    assert rows(store, query) == {"<urn:triplewise:k>", "<urn:triplewise:l>"}


def test_queries_only_read() -> None:
    store = stations("410", "5 m", "1912")
    where = [["?x", "height", "?h"], ["?z", "height", "?i"]]
    for extra in (
        {"select": "?x", "order": {"by": "?h", "limit": 2}},
        {"count": "?x", "filter": [["?h", "<", "?i"], ["?x", "not in", ["s1"]]], "compare": [">", "1"]},
        {"ask": "none", "minus": [["?x", "height", "?h"]]},
    ):
        text = to_sparql(store, QueryGraph.from_json({"where": where, **extra}))
        words = set(re.findall(r"\b[A-Z]+\b", text))
        assert not words & {"SERVICE", "FROM", "INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "CONSTRUCT"}
        assert text.splitlines()[-1] == "}"


def test_values_between_variables_bring_their_parsed_value() -> None:
    store = stations("410 m", "1,180 m", "300")
    query = QueryGraph(
        (Pattern(X, "height", Y), Pattern("s0", "height", Variable("z"))), X, filters=(Filter(Y, ">", Variable("z")),)
    )
    assert '("1,180 m" "number" 1180 1180 "1,180 m")' in to_sparql(store, query)
    assert rows(store, query) == {"<urn:triplewise:s1>"}


def test_numbers_that_no_decimal_holds() -> None:
    store = stations("9" * 400, "1E60", "5")
    query = QueryGraph(
        (Pattern(X, "height", Y), Pattern("s1", "height", Variable("z"))), X, filters=(Filter(Y, ">", Variable("z")),)
    )
    assert rows(store, query) == {"<urn:triplewise:s0>"}
