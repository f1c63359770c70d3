"""Query graphs in words for a person."""

from __future__ import annotations

from typing import Any

import pytest
from small_graphs import ferries

from triplewise.kg import NetworkxStore
from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.nameless import told_name
from triplewise.tools.query_graph.readback import read_back
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.query_graph.verbaliser import Verbaliser
from triplewise.tools.text.predicates import predicate
from triplewise.tools.text.verb_forms import base_form, plural, with_article

KG = ferries()


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ({"select": "?x", "where": [["?x", "captain of", "Otter"]]}, "what is the captain of Otter"),
        ({"select": "?x", "where": [["?x", "rdf:type", "Ship"], ["?x", "based at", "Ufer"]]}, "which Ship is based at Ufer"),
        ({"count": "?x", "where": [["?x", "rdf:type", "Ship"], ["?x", "based at", "Ufer"]]},
         "how many Ships X there are, where X is based at Ufer"),
        ({"select": "?x", "where": [["?x", "rdf:type", "Island"]]}, "every Island X"),
        ({"select": "?x", "where": [["Otter", "her mum is", "?x"]]}, "the mum of Otter"),
        ({"select": "?x", "where": [["?x", "length m", "?h"]], "order": {"by": "?h"}},
         "the X with the greatest Y, where X's length m is Y"),
        ({"select": "?x", "where": [["?y", "based at", "?x"]], "order": {"by": "count ?y", "desc": False}},
         "the X with the fewest Y, where Y is based at X"),
        ({"select": "?x", "where": [["?x", "built", "?d"]], "filter": [["?d", ">=", "2010"]]},
         "every X, where X was built on Y and Y is since 2010"),
        ({"select": "?x", "where": [["?x", "length m", "?d"]], "filter": [["?d", "<", "60"]]},
         "every X, where X's length m is Y and Y is less than 60"),
        ({"select": "?x", "where": [["?x", "based at", "?h"]], "filter": [["?x", "not in", ["Otter"]]]},
         "every X, where X is based at Y and X is not Otter"),
        ({"select": "?x", "where": [["?x", "based at", "?h"]], "minus": [["?x", "retired in", "?y"]]},
         "every X, where X is based at Y, but not where X retired in Z"),
        ({"ask": "none", "where": [["Otter", "carries cars", '"yes"']]}, "it is not so that Otter carries cars"),
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
        ({"select": "?x", "where": [["Otter", "based at", "?x"]]}, "where Otter is based"),
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
    [("captain of", "is the captain of"), ("mate on", "is a mate on"), ("built", "was built"), ("calls at", "calls at"),
     ("length m", ""), ("on day", "is on"), ("on island", "is on the island"), ("retired in", "retired in"),
     ("breed", "")],
)  # fmt: skip
def test_predicates(relation: str, words: str) -> None:
    assert str(predicate(KG, relation)) == words


DIVES = NetworkxStore(
    [
        ("Dive 1", "had_diver", "Olga"), ("Dive 1", "hasMember", "Olga"), ("Wreck", "sank_in", '"1917"'),
        ("Point", "access_by", "shore"), ("Point", "required_cert", "Nitrox"), ("Nitrox", "issued_by_agency", "PADI"),
        ("May", "dropped_out", "Olga"), ("Club", "headquarters", "Kendal"), ("Mill", "makesProduct", "ropes"),
        ("Climb", "viaRoute", "Spur"), ("Peak", "inRange", "Tarkhan Range"), ("Peak", "isUnclimbed", '"true"'),
        ("Spur", "isUnclimbed", '"false"'), ("Alien", "starring", "Weaver"), ("Dive 1", "species_seen", "ray"),
        ("Weaver", "marriedTo", "Olga"), ("Olga", "is a", "Weaver"), ("Hut", "beds", '"36"'), ("Hut", "warden", "Wanda"),
        ("Wanda", "born", '"1943-01-02"'), ("Club", "foundedYear", '"1898"'), ("Hut", "holds litres", '"40"'),
        ("Hut", "in charge", "Wanda"), ("Hut", "in stock", '"7"'), ("Wanda", "client since", '"2001"'),
        ("Line 3", "replaced", "Line 13"), ("Hut", "first led by", "Wanda"), ("Hut", "building", "Hall"),
        ("Hut", "needs heating", '"no"'), ("Hut", "has pool", '"no"'), ("Hut", "scores kept by", "Wanda"),
    ]
)  # fmt: skip


@pytest.mark.parametrize(
    ("relation", "claim", "tail", "head"),
    [
        ("had_diver", "Dive 1 had the diver Olga", "which diver Dive 1 had", "what had the diver Olga"),
        ("hasMember", "Dive 1 has the member Olga", "which member Dive 1 has", "what has the member Olga"),
        ("sank_in", "Wreck sank in 1917", "when Wreck sank", "what sank in 1917"),
        ("access_by", "Point has access by shore", "what Point has access by", "what has access by shore"),
        ("required_cert", "Point's required cert is Nitrox", "the required cert of Point",
         "what has Nitrox as required cert"),
        ("issued_by_agency", "Nitrox is issued by the agency PADI", "which agency Nitrox is issued by",
         "what is issued by the agency PADI"),
        ("dropped_out", "May has Olga as one that dropped out", "what May has as one that dropped out",
         "what has Olga as one that dropped out"),
        ("headquarters", "Club's headquarters are Kendal", "the headquarters of Club", "what has the headquarters Kendal"),
        ("makesProduct", "Mill makes the product ropes", "which product Mill makes", "what makes the product ropes"),
        ("viaRoute", "Climb is via the route Spur", "which route Climb is via", "what is via the route Spur"),
        ("inRange", "Peak is in Tarkhan Range", "which range Peak is in", "what is in Tarkhan Range"),
        ("isUnclimbed", "Peak is unclimbed", "whether Peak is unclimbed", "what is unclimbed"),
        ("needs heating", "Hut does not need heating", "whether Hut needs heating", "what does not need heating"),
        ("has pool", "Hut has no pool", "whether Hut has a pool", "what has no pool"),
        ("starring", "Alien is starring Weaver", "what Alien is starring", "what is starring Weaver"),
        ("species_seen", "Dive 1's species seen is ray", "the species seen of Dive 1", "what has the species seen ray"),
        ("marriedTo", "Weaver is married to Olga", "what Weaver is married to", "what is married to Olga"),
        ("beds", "Hut's beds are 36", "the beds of Hut", "what has the beds 36"),
        ("warden", "Hut's warden is Wanda", "the warden of Hut", "what has Wanda as warden"),
        ("born", "Wanda was born on 1943-01-02", "when Wanda was born", "what was born on 1943-01-02"),
        ("foundedYear", "Club was founded in 1898", "when Club was founded", "what was founded in 1898"),
        ("holds litres", "Hut holds 40 litres", "how many litres Hut holds", "what holds 40 litres"),
        ("in charge", "Hut has Wanda in charge", "what Hut has in charge", "what has Wanda in charge"),
        ("in stock", "Hut has 7 in stock", "how many Hut has in stock", "what has 7 in stock"),
        ("client since", "Wanda has been a client since 2001", "since when Wanda has been a client",
         "what has been a client since 2001"),
        ("replaced", "Line 3 replaced Line 13", "what Line 3 replaced", "what replaced Line 13"),
        ("first led by", "Hut was first led by Wanda", "what Hut was first led by", "what was first led by Wanda"),
        ("building", "Hut's building is Hall", "the building of Hut", "what has the building Hall"),
        ("scores kept by", "Hut has scores kept by Wanda", "what Hut has scores kept by",
         "what has scores kept by Wanda"),
    ],
)  # fmt: skip
def test_nouns_verbs_and_participles_are_told_apart(relation: str, claim: str, tail: str, head: str) -> None:
    triple = next(iter(DIVES.triples(relation=relation)))
    asked = [
        {"ask": "some", "where": [[triple.head, relation, triple.tail]]},
        {"select": "?x", "where": [[triple.head, relation, "?x"]]},
        {"select": "?x", "where": [["?x", relation, triple.tail]]},
    ]
    assert [read_back(DIVES, QueryGraph.from_json(q)) for q in asked] == [claim, tail, head]


@pytest.mark.parametrize(
    ("where", "text"),
    [
        (["Weaver", "marriedTo", "?x"], "who Weaver is married to"),
        (["?x", "marriedTo", "Olga"], "who is married to Olga"),
        (["Dive 1", "hasMember", "?x"], "which member Dive 1 has"),
        (["?x", "hasMember", "Olga"], "what has the member Olga"),
        (["?x", "marriedTo", "Nobody"], "who is married to Nobody"),  # whom the relation is of tells it
    ],
)
def test_who_is_asked_for_where_people_are(where: list[str], text: str) -> None:
    people = {"Olga", "Weaver", "Wanda"}
    assert read_back(DIVES, QueryGraph.from_json({"select": "?x", "where": [where]}), people.__contains__) == text


def test_one_that_is_of_a_kind_has_an_article_and_an_own_name_keeps_its_s() -> None:
    kinds = QueryGraph.from_json({"select": "?x", "where": [["?x", "sort", "Olga"], ["?x", "beds", "?y"]]})
    store = NetworkxStore([("Ann", "sort", "Olga"), ("Ann", "beds", '"3"')], relation_labels={"sort": "is a"})
    assert read_back(store, kinds) == "every X, where X is an Olga and X's beds are Y"


def test_what_the_encoder_reads_are_the_bare_words() -> None:
    words = Verbaliser(SchemaView(DIVES))
    assert [words.step(r) for r in ("hasMember", "sank_in", "inRange")] == [
        "has member",
        "sank in year",
        "in range Tarkhan Range",
    ]


def test_verbs_and_plurals() -> None:
    assert [base_form(w) for w in ("works at", "teaches", "carries cars", "goes")] == [
        "work at",
        "teach",
        "carry cars",
        "go",
    ]
    assert [base_form(w) for w in ("lies off", "has a key")] == ["lie off", "have a key"]
    articles = ["an Otter", "a unicorn", "an hour", "a European", "an MRI scan", "a MacBook"]
    assert [with_article(a.partition(" ")[2]) for a in articles] == articles
    assert [plural(w) for w in ("city", "person", "bus", "ship")] == ["cities", "people", "buses", "ships"]


def test_a_long_list_is_cut() -> None:
    people = ["Anna Berg", "Ben Ode", "Carla Ruiz", "Dov Lind", "Otter", "Ufer", "Rona"]
    query = {"select": "?x", "where": [["?x", "mate on", "?s"]], "filter": [["?x", "not in", people]]}
    assert read_back(KG, QueryGraph.from_json(query)).endswith(
        "X is not Anna Berg or Ben Ode or Carla Ruiz or Dov Lind or Otter or 2 more"
    )


def test_a_day_in_words_is_said_as_one_and_a_month_as_a_year() -> None:
    store = NetworkxStore([("Wanda", "born", "2 January 1943"), ("Olga", "born", "May 1951")])
    for name, said in (("Wanda", "Wanda was born on 2 January 1943"), ("Olga", "Olga was born in May 1951")):
        (triple,) = store.triples(name)
        query = QueryGraph.from_json({"ask": "some", "where": [[name, "born", triple.tail]]})
        assert said in read_back(store, query)


def test_a_blank_node_is_not_called_by_its_id() -> None:
    triples = [("_:b3", "climbed by", "Wanda"), ("_:b4", "climbed by", "Wanda"), ("Ann", "knows", "_:b4")]
    store = NetworkxStore(triples, types={"_:b3": ["First Ascent"]})
    query = {"select": "?x", "where": [["?x", "climbed by", "Wanda"]], "filter": [["?x", "not in", ["_:b3", "_:b4"]]]}
    assert read_back(store, QueryGraph.from_json(query)).endswith("not a nameless First Ascent or a nameless thing")
    assert told_name(store, "Wanda") == "Wanda"
