"""The in-memory store against brute force, and names that are unique by construction."""

from __future__ import annotations

import random
from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triplewise.errors import UnknownEntityError, UnknownRelationError
from triplewise.kg import DirectedRelation, KGStore, NetworkxStore, load_kg
from triplewise.kg.names import entity_label, literal_parts, one_line, quote_literal, relation_words
from triplewise.types import Triple

NODES, RELATIONS = [f"n{i}" for i in range(40)], [f"r{i}" for i in range(7)]


@pytest.fixture(scope="module")
def random_store() -> NetworkxStore:
    rng = random.Random(3)
    return NetworkxStore.from_triples((rng.choice(NODES), rng.choice(RELATIONS), rng.choice(NODES)) for _ in range(70))


def test_it_is_a_store(random_store: NetworkxStore) -> None:
    assert isinstance(random_store, KGStore)


def test_lookups_equal_a_scan(random_store: NetworkxStore) -> None:
    everything = list(random_store.triples())
    assert len(everything) == len(set(everything)) == len(random_store)
    for head in [None, *NODES[:12]]:
        for relation in [None, *RELATIONS]:
            for tail in [None, *NODES[:12]]:
                want = {
                    t
                    for t in everything
                    if head in (None, t.head) and relation in (None, t.relation) and tail in (None, t.tail)
                }
                assert set(random_store.triples(head, relation, tail)) == want


@pytest.mark.parametrize("hops", [1, 2, 3, 4])
def test_relations_within_equals_networkx(random_store: NetworkxStore, hops: int) -> None:
    graph = random_store.graph.to_undirected(as_view=True)
    for node in random_store.entities():
        near = nx.single_source_shortest_path_length(graph, node, cutoff=hops - 1)
        want = {t.relation for n in near for t in [*random_store.triples(head=n), *random_store.triples(tail=n)]}
        assert random_store.relations_within(node, hops) == want


@pytest.mark.parametrize("hops", [1, 2])
def test_neighborhood_is_nearest_first_and_capped(random_store: NetworkxStore, hops: int) -> None:
    graph = random_store.graph.to_undirected(as_view=True)
    seed = random_store.entities()[0]
    distance = nx.single_source_shortest_path_length(graph, seed)
    found = random_store.neighborhood([seed], hops)
    steps = [min(distance[t.head], distance[t.tail]) for t in found]
    assert all(a <= b for a, b in pairwise(steps))
    assert set(found) == {
        t for t in random_store.triples() if min(distance.get(t.head, 99), distance.get(t.tail, 99)) < hops
    }
    assert random_store.neighborhood([seed], hops, limit=3) == found[:3]


def test_triples_of_a_relation_are_looked_up(random_store: NetworkxStore, monkeypatch: pytest.MonkeyPatch) -> None:
    every = list(random_store.triples())
    monkeypatch.setattr(random_store, "_out", None)  # what a scan would go through
    for relation in random_store.relation_ids():
        found = list(random_store.triples(relation=relation))
        assert len(set(found)) == len(found) and set(found) == {t for t in every if t.relation == relation}
    assert list(random_store.triples(relation="no_such")) == []


def test_networkx_graph_has_an_edge_per_triple(random_store: NetworkxStore) -> None:
    assert {(h, r, t) for h, t, r in random_store.graph.edges(keys=True)} == {tuple(t) for t in random_store.triples()}


def test_the_graph_is_read_only(random_store: NetworkxStore) -> None:
    with pytest.raises(nx.NetworkXError, match=r"[Ff]rozen"):
        random_store.graph.add_edge("n0", "n1", key="new")


def test_no_hops_and_no_room_give_nothing(random_store: NetworkxStore) -> None:
    seed = random_store.entities()[0]
    assert random_store.relations_within(seed, 0) == frozenset() and random_store.neighborhood([seed], 0) == []
    assert random_store.neighborhood([seed], 2, limit=0) == []


def test_classes_and_relations_that_are_only_described_are_no_entities() -> None:
    kg = NetworkxStore(
        [("alien", "dir", "scott")],
        labels={"Film": "Movie", "dir": "directed by", "ghost": "Ghost"},
        types={"alien": ["Film"], "Film": ["Class"], "dir": ["Property"]},
    )
    assert list(kg.entities()) == ["alien", "scott", "ghost"] and kg.label("Film") == "Movie"
    assert kg.find_type("movies") == "Film" and list(kg.instances("Property")) == []


def test_types_on_both_sides() -> None:
    kg = NetworkxStore([("Alien", "directed_by", "Scott")], types={"Alien": ["Film"], "Scott": ["Person"]})
    assert kg.type_relations("Film") == {DirectedRelation("directed_by", False)}
    assert kg.type_relations("Person") == {DirectedRelation("directed_by", True)}
    assert kg.find_type("films") == "Film" == kg.find_type("FILM") and kg.find_type("car") is None
    assert list(kg.instances("Film")) == ["Alien"]


def test_unknown_ids_are_typed_errors(random_store: NetworkxStore) -> None:
    for call in (
        random_store.relations,
        random_store.neighbors,
        random_store.degree,
        lambda e: random_store.relations_within(e, 2),
    ):
        with pytest.raises(UnknownEntityError, match="nobody"):
            call("nobody")
    with pytest.raises(UnknownRelationError):
        random_store.relation_label("no_such")


def test_shared_labels_are_told_apart() -> None:
    kg = load_kg("films")
    groups: dict[str, list[str]] = {}
    for entity in kg.entities():
        groups.setdefault(kg.label(entity), []).append(entity)
    shared = {label: group for label, group in groups.items() if len(group) > 1}
    assert len(shared) >= 6
    for label, group in shared.items():
        assert len({kg.display(e) for e in group}) == len(group)
        assert all(kg.display(e).startswith(label) for e in group)


NAMES = st.text(st.characters(blacklist_categories=["Cs"]), min_size=1, max_size=6)


@given(st.dictionaries(NAMES, st.sampled_from(["A", "B", "A (1)", "A (x)"]), min_size=1, max_size=12))
def test_display_is_one_to_one(labels: dict[str, str]) -> None:
    kg = NetworkxStore([(e, "r", "tail") for e in labels], labels=labels)
    for entity in [*kg.entities(), *labels]:
        assert kg.resolve_display(kg.display(entity)) == entity


def test_relation_labels_are_readable_and_unique() -> None:
    ids = ["directed_by", "birthPlace", "/film/director/film", "film.actor.film", "http://x.org/onto#leaderName", "directedBy",
           "/film/actor/film./film/performance/film"]  # fmt: skip
    kg = NetworkxStore([("a", r, "b") for r in ids])
    labels = [kg.relation_label(r) for r in ids]
    assert labels[1:3] == ["birth place", "director film"] and labels[4] == "leader name"
    assert len(set(labels)) == len(ids)


def test_relations_of_one_name_are_told_apart_by_what_their_iris_differ_in() -> None:
    prop = "http://www.wikidata.org/prop/"
    ids = [f"{prop}direct/P166", f"{prop}P166", f"{prop}statement/P166", "http://h/a/b", "http://h/a/b/", "/a/b", "a b"]
    kg = NetworkxStore(
        [("a", r, "b") for r in [*ids, f"{prop}direct/P1", f"{prop}P1", f"{prop}P2"]],
        relation_labels={**dict.fromkeys(ids[:3], "award"), **dict.fromkeys((f"{prop}{p}" for p in ("P1", "P2")), "w")}
        | {f"{prop}direct/P1": "w"},
    )
    assert [kg.relation_label(r) for r in ids[:3]] == ["award (direct)", "award (prop)", "award (statement)"]
    assert [kg.relation_label(f"{prop}{p}") for p in ("direct/P1", "P1", "P2")] == [
        "w (direct/P1)", "w (prop/P1)", "w (prop/P2)",
    ]  # fmt: skip
    assert kg.relation_label(ids[3]) == "b (http://h/a/b)"


def test_namesakes_are_told_apart_by_bracket_year_or_type() -> None:
    kg = NetworkxStore(
        [
            ("Dune (1984)", "by", "x"),
            ("q1", "release_date", '"1979-05-25"'),
            ("q2", "candidate_of", "z"),
            ("q1", "r", "q3"),
        ],
        labels={"Dune (1984)": "Dune", "q1": "Dune", "q2": "Dune", "q3": "Dune"},
        types={"q2": ["Book"]},
    )
    assert [kg.display(e) for e in ("Dune (1984)", "q1", "q2", "q3")] == [
        "Dune (1984)", "Dune (1979)", "Dune (Book)", "Dune (q3)",
    ]  # fmt: skip


RELATION_IDS = st.sampled_from(["x_y", "xY", "x y", "x-y", "p:xY", "/a/x/y", "a.x.y", "http://h/xY", "z", "zz"])


@given(st.dictionaries(RELATION_IDS, st.sampled_from(["", "x y", "x y (xY)", "z"]), min_size=1))
def test_relation_labels_are_one_to_one(labels: dict[str, str]) -> None:
    kg = NetworkxStore([("a", r, "b") for r in labels], relation_labels={r: x for r, x in labels.items() if x})
    assert len({kg.relation_label(r) for r in labels}) == len(labels)


@given(st.text(), st.sampled_from(["", "en", "de-AT"]), st.sampled_from(["", "http://x/#int"]))
def test_literals_keep_their_value(value: str, language: str, datatype: str) -> None:
    parts = literal_parts(quote_literal(value, language, "" if language else datatype))
    assert parts == (value, language)


@pytest.mark.parametrize("name", ['"Weird Al" Yankovic', '"Heart" of "Gold"', '"', '"open', 'He said "no"'])
def test_quotes_in_a_name_make_no_literal(name: str) -> None:
    kg = NetworkxStore([("UHF", "with", name)])
    assert not kg.is_literal(name) and name in kg.entities() and kg.label(name) == name


def test_labels_of_ids() -> None:
    assert entity_label("http://dbpedia.org/resource/Alien:_Covenant") == "Alien: Covenant"
    assert entity_label("http://dbpedia.org/resource/AC/DC") == "AC/DC"
    assert entity_label("http://www.wikidata.org/entity/Q42") == "Q42" and entity_label("urn:isbn:123") == "123"
    assert entity_label("%22Ibrahim_Kodra%22_Foundation") == '"Ibrahim Kodra" Foundation'
    assert entity_label("William_Anders") == "William Anders" and entity_label("100% and 50%25") == "100% and 50%25"
    assert entity_label("_:b0") == "_:b0" and relation_words("dbo:leaderName") == "leader name"
    assert one_line("a\x1b[31m\nb\u202e") == "a\ufffd[31m b\ufffd"


def test_labels_of_values_as_wikidata_writes_them() -> None:
    kind = "http://www.w3.org/2001/XMLSchema#"
    quantity, day = quote_literal("+812.5", datatype=f"{kind}decimal"), "1902-09-17T00:00:00Z"
    kg = NetworkxStore(
        [("bridge", "length", quantity), ("bridge", "opened", quote_literal(day, datatype=f"{kind}dateTime"))]
    )
    assert [kg.label(t.tail) for t in kg.triples("bridge")] == ["812.5", "1902-09-17"]
    assert [t.tail[1:].partition('"')[0] for t in kg.triples("bridge")] == ["+812.5", day]
    for value, datatype in (
        ("+49 30", ""),
        ("+812", ""),
        ("-7", f"{kind}decimal"),
        (day, ""),
        ("1902-09-17T08:00:00Z", f"{kind}dateTime"),
    ):
        assert entity_label(quote_literal(value, datatype=datatype)) == value


def test_content_hash_is_of_the_content() -> None:
    triples = [Triple("a", "r", "b"), Triple("b", "r", "c")]
    one, other = NetworkxStore(triples), NetworkxStore(reversed(triples))
    assert one.content_hash == other.content_hash != NetworkxStore(triples[:1]).content_hash
    assert NetworkxStore(triples, labels={"a": "A"}).content_hash != one.content_hash
    assert NetworkxStore([("a\tb", "r", "c")]).content_hash != NetworkxStore([("a", "b\tr", "c")]).content_hash
