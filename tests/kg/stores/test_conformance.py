"""One suite over all stores: each says of a graph what the store in memory says."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

import pytest

from triplewise.backends.fake import ScriptedChatModel
from triplewise.errors import UnknownEntityError, UnknownRelationError
from triplewise.graphs.run import ask, verify
from triplewise.kg import KGStore
from triplewise.kg.linking import link_entities
from triplewise.kg.query import TYPE, QueryGraph, execute
from triplewise.kg.query.search import matching
from triplewise.kg.store import NetworkxStore
from triplewise.tools import store_views

from .graphs import QUERIES

KINDS = ["memory", "disk", "oxigraph-server", "rdflib-endpoint", "virtuoso"]


SLOW = {"rdflib-endpoint", "virtuoso"}
PAIRS = [
    pytest.param((k, g), id=f"{k}-{g}", marks=[pytest.mark.slow] if k in SLOW else []) for g in QUERIES for k in KINDS
]


@pytest.fixture(params=PAIRS, scope="session")
def pair(
    request: pytest.FixtureRequest, open_store: Callable[[str, str], Any], in_memory: dict[str, NetworkxStore]
) -> tuple[Any, NetworkxStore]:
    """(the store, the same graph in memory)."""
    kind, graph = request.param
    return open_store(kind, graph), in_memory[graph]


QUERY_GRAPH: dict[str, Any] = {"model": ScriptedChatModel(), "method": "query-graph"}


def requests(store: Any) -> int:
    """Requests that an endpoint was sent; 0 for other stores."""
    return store.client.requests if hasattr(store, "client") else 0


def askable(store: NetworkxStore) -> list[str]:
    """Nodes that every store can be asked about."""
    return [n for n in store.nodes() if not n.startswith("_:")]


def test_it_is_a_store(pair: tuple[Any, NetworkxStore]) -> None:
    assert isinstance(pair[0], KGStore) and pair[0].name and len(pair[0].content_hash) == 64


def test_nodes_and_relations(pair: tuple[Any, NetworkxStore]) -> None:
    store, memory = pair
    assert len(store) == len(memory)
    assert set(store.nodes()) == set(memory.nodes()) and set(store.entities()) == set(memory.entities())
    assert len(store.entities()) == len(memory.entities()) and len(store.entities()[:3]) == 3
    assert set(store.relation_ids()) == set(memory.relation_ids())
    assert all(store.has_entity(n) and store.is_literal(n) == memory.is_literal(n) for n in memory.nodes())
    assert not store.has_entity("http://ex.org/none") and not store.has_entity("")


def test_triples(pair: tuple[Any, NetworkxStore]) -> None:
    store, memory = pair
    triples = set(memory.triples())
    assert set(store.triples()) == triples
    for node in askable(memory):
        assert set(store.triples(head=node)) == set(memory.triples(head=node)), node
        assert set(store.triples(tail=node)) == set(memory.triples(tail=node)), node
    for head, relation, tail in triples:
        if not (head + tail).count("_:"):
            assert (head, relation, tail) in store.triples(head, relation, tail)
            assert set(store.triples(head, relation)) == set(memory.triples(head, relation))
            assert set(store.triples(None, relation, tail)) == set(memory.triples(None, relation, tail))
    assert not list(store.triples(head="nothing")) and not list(store.triples(relation="rdf:type"))


def test_names(pair: tuple[Any, NetworkxStore]) -> None:
    store, memory = pair
    for node in memory.nodes():
        assert store.label(node) == memory.label(node)
        assert set(store.aliases(node)) == set(memory.aliases(node))
        assert store.description(node) == memory.description(node)
    shown = {store.display(n): n for n in memory.nodes()}
    assert len(shown) == len(list(memory.nodes()))
    assert all(store.resolve_display(text) == node for text, node in shown.items())
    assert store.resolve_display("No such thing") is None
    for relation in memory.relation_ids():
        assert store.relation_label(relation) == memory.relation_label(relation)
    with pytest.raises(UnknownRelationError):
        store.relation_label("nothing")


def test_classes(pair: tuple[Any, NetworkxStore]) -> None:
    store, memory = pair
    assert store.roles == memory.roles
    classes = {t for n in memory.nodes() for t in memory.types(n)}
    for node in memory.nodes():
        assert set(store.types(node)) == set(memory.types(node))
    for node in classes:
        assert set(store.instances(node)) == set(memory.instances(node))
        assert len(store.instances(node)) == len(memory.instances(node))
        assert store.type_relations(node) == memory.type_relations(node)
        assert store.find_type(memory.label(node)) == node
    for node in [*askable(memory), *classes]:
        assert store.is_class(node) == memory.is_class(node)
        assert store.is_name(node) == memory.is_name(node)


def test_structure(pair: tuple[Any, NetworkxStore]) -> None:
    store, memory = pair
    for node in askable(memory):
        assert store.relations(node) == memory.relations(node)
        assert store.degree(node) == memory.degree(node)
        assert set(store.out_relations(node)) == set(memory.out_relations(node))
    seed = next(n for n in askable(memory) if not memory.is_literal(n))
    for hops in (1, 2, 3):
        if "_:" not in str(list(memory.nodes())):
            assert set(store.neighborhood([seed], hops)) == set(memory.neighborhood([seed], hops))
            assert store.relations_within(seed, hops) == memory.relations_within(seed, hops)
    assert len(store.neighborhood([seed], 2, 2)) == 2 and not store.neighborhood([seed], 2, 0)
    for call in (store.relations, store.degree, lambda n: store.neighborhood([n], 1)):
        with pytest.raises(UnknownEntityError):
            call("nothing here")


def test_search(pair: tuple[Any, NetworkxStore]) -> None:
    store, memory = pair
    for node in askable(memory):
        if memory.is_name(node) or "\t" in node:
            continue
        for text in (memory.label(node), memory.label(node).lower()):
            same = {h.id for h in memory.named(text) if not h.id.startswith("_:")}
            assert {h.id for h in store.named(text)} == same, text
            assert store.search(text, 5)[0].id in same
    for alias in ("The Red Lady", "Addy"):
        assert {(h.id, h.score) for h in store.named(alias)} == {(h.id, h.score) for h in memory.named(alias)}
    assert store.named("Nobody at all") == [] and store.search("  ") == []


def test_typing_errors(pair: tuple[Any, NetworkxStore]) -> None:
    store, memory = pair
    for text in ("Bergenn", "Norwayy", "Ada Holmm", "Rook Hal"):
        if best := memory.search(text, 1):
            assert best[0].score < 0.75 or store.search(text, 3)[0].id == best[0].id, text


def test_sentences(pair: tuple[Any, NetworkxStore]) -> None:
    store, memory = pair
    for sentence in (
        "Which port is Gull at home in?",
        "Where was the Rose built, and when did she leave Norway?",
        "Who trained Ada Holm?",
        "did addy beat big ben at rook hall",
    ):
        ours = [(m.text, {c.id for c in m.candidates}) for m in link_entities(store, sentence)]
        assert ours == [(m.text, {c.id for c in m.candidates}) for m in link_entities(memory, sentence)]


def test_query_graphs(pair: tuple[Any, NetworkxStore], request: pytest.FixtureRequest) -> None:
    store, memory = pair
    for data in QUERIES[memory.name]:
        query = QueryGraph.from_json(data)
        ours, theirs = execute(store, query), execute(memory, query)
        assert (set(ours.ids), ours.number, ours.holds) == (set(theirs.ids), theirs.number, theirs.holds), data
        assert not ours.truncated
        if not str(theirs.found).count("_:") and not query.order:
            assert {t for f in ours.found for t in f.proof} >= set() and bool(ours.found) == bool(theirs.found)
            graph = {*memory.triples(), *matching(memory, None, TYPE, None)}
            assert all(t in graph for f in ours.found for t in f.proof)


QUESTIONS = {
    "ships": ["Which ships have their home port in Norway?", "When was the Rose built?", "How many ships are there?"],
    "club": ["Who trained Ada Holm?", "Who plays at Rook Hall?", "Which member has the highest rating?"],
    "bridges": [
        "How many bridges are there?",
        "Which bridge did Tobias Renn build?",
        "Who is the architect of Ansel Gate?",
    ],
}
CLAIMS = {
    "ships": "The Rose has her home port in Bergen.",
    "club": "Ada Holm was trained by Dee Moss.",
    "bridges": "Ansel Gate is a bridge.",
}


@cache
def in_a_file(memory: NetworkxStore, task: Callable[..., Any], sentence: str) -> Any:
    """What the same graph in memory answers."""
    return task(memory, sentence, **QUERY_GRAPH)


@pytest.mark.parametrize(
    "number", [0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)]
)
def test_questions(pair: tuple[Any, NetworkxStore], number: int) -> None:
    """Query-graph gives the same answers, evidence and readings over each store, an endpoint in few requests."""
    store, memory = pair
    question = QUESTIONS[memory.name][number]
    before = requests(store)
    ours, theirs = ask(store, question, **QUERY_GRAPH), in_a_file(memory, ask, question)
    assert requests(store) - before <= 15
    assert [(a.id, a.label) for a in ours.answers] == [(a.id, a.label) for a in theirs.answers]
    assert {e.triple for e in ours.evidence} == {e.triple for e in theirs.evidence}
    assert [r.text for r in ours.other_readings] == [r.text for r in theirs.other_readings]
    assert ours.answers and ours.text == theirs.text


@pytest.mark.slow
def test_claims(pair: tuple[Any, NetworkxStore]) -> None:
    """The same for claims."""
    store, memory = pair
    before = requests(store)
    ours, theirs = verify(store, CLAIMS[memory.name], **QUERY_GRAPH), in_a_file(memory, verify, CLAIMS[memory.name])
    assert requests(store) - before <= 15
    assert (ours.verdict, ours.reason) == (theirs.verdict, theirs.reason)


def test_questions_over_a_part(pair: tuple[Any, NetworkxStore], monkeypatch: pytest.MonkeyPatch) -> None:
    """The same where the graph is too large to be copied."""
    store, memory = pair
    monkeypatch.setattr(store_views, "_copies", WeakKeyDictionary())
    monkeypatch.setattr(store_views, "WHOLE", 3)
    question = QUESTIONS[memory.name][1 if memory.name == "ships" else 0]
    before = requests(store)
    ours, theirs = ask(store, question, **QUERY_GRAPH), in_a_file(memory, ask, question)
    assert requests(store) - before <= 15
    assert {a.id for a in ours.answers} == {a.id for a in theirs.answers}
    assert {e.triple for e in ours.evidence} == {e.triple for e in theirs.evidence}
