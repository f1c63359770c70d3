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


def test_networkx_graph_has_an_edge_per_triple(random_store: NetworkxStore) -> None:
    assert {(h, r, t) for h, t, r in random_store.graph.edges(keys=True)} == {tuple(t) for t in random_store.triples()}


def test_types_on_both_sides() -> None:
    kg = NetworkxStore([("Alien", "directed_by", "Scott")], types={"Alien": ["Film"], "Scott": ["Person"]})
    assert kg.type_relations("Film") == {DirectedRelation("directed_by", False)}
    assert kg.type_relations("Person") == {DirectedRelation("directed_by", True)}
    assert kg.find_type("films") == "Film" == kg.find_type("FILM") and kg.find_type("car") is None
    assert list(kg.instances("Film")) == ["Alien"]


def test_unknown_ids_are_typed_errors(random_store: NetworkxStore) -> None:
    for call in (random_store.relations, random_store.neighbors, lambda e: random_store.relations_within(e, 2)):
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


def test_content_hash_is_of_the_content() -> None:
    triples = [Triple("a", "r", "b"), Triple("b", "r", "c")]
    one, other = NetworkxStore(triples), NetworkxStore(reversed(triples))
    assert one.content_hash == other.content_hash != NetworkxStore(triples[:1]).content_hash
    assert NetworkxStore(triples, labels={"a": "A"}).content_hash != one.content_hash
