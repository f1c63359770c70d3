"""Retrieval is equation 2, exactly; BM25, fusion, scopes and what cannot be."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from word_embedder import WordEmbedder

from triplewise.errors import ConfigError, IndexMismatchError
from triplewise.kg import NetworkxStore, load_kg
from triplewise.tools.retrieval.subgraph_index import SubgraphIndex
from triplewise.tools.retrieval.subgraph_text import PLAIN, SubgraphRule, SubgraphTexts
from triplewise.tools.retrieval.triple_retriever import (
    RetrievalOptions,
    TripleRetriever,
    growing_queries,
    open_retriever,
)

pytest.importorskip("chromadb", reason="needs the extra 'vector'")


@pytest.fixture(scope="module")
def retriever(tmp_path_factory: pytest.TempPathFactory) -> TripleRetriever:
    kg = load_kg("films")
    index = SubgraphIndex(kg, WordEmbedder(), tmp_path_factory.mktemp("films-index"))
    index.build()
    return TripleRetriever(kg, index)


def test_queries_grow_by_the_steps() -> None:
    assert growing_queries("q", ["a", "b"]) == ["q", "q a", "q a b"]
    assert growing_queries("q", ["a", " "], use_plan=True) == ["q", "q a"]
    assert growing_queries("q", ["a"], use_plan=False) == ["q"]


def test_a_thousand_questions_equal_equation_2(retriever: TripleRetriever) -> None:
    """Σ_j f(R(qʲ), R(t ⊕ G_t)), query by query and triple by triple, against the one product."""
    assert retriever.index is not None
    embedder, table = WordEmbedder(), retriever.table
    matrix = embedder.documents(SubgraphTexts(table, SubgraphRule()).texts(range(len(table)))).astype(np.float64)
    rng = random.Random(3)
    for n in range(1000):
        triple = rng.choice(table.triples)
        topic = triple.head if rng.random() < 0.5 else triple.tail
        question = f"what about {table.kg.label(triple.head)} and {triple.relation}"
        plan = [f"find {table.kg.label(t.tail)}" for t in rng.sample(table.triples, rng.randrange(4))]
        options = RetrievalOptions(mode="dense", hops=1 if n % 2 else 2, plan=n % 5 > 0)
        queries = [" ".join([question, *plan[:j]]) for j in range(len(plan) + 1)] if options.plan else [question]
        vectors = [embedder.queries([q])[0].astype(np.float64) for q in queries]
        rows = table.near([topic], options.hops)
        direct = np.array([sum(float(v @ matrix[r]) for v in vectors) for r in rows])
        found = retriever.retrieve(question, plan, [topic], options)
        best = np.sort(direct)[::-1][: options.k]
        assert [t.similarity for t in found.triples] == pytest.approx(best, abs=1e-5)
        by_triple = {table.triples[r]: s for r, s in zip(rows, direct, strict=True)}
        assert all(t.similarity == pytest.approx(by_triple[t.triple], abs=1e-5) for t in found.triples)
        assert (found.candidates, found.scope) == (len(rows), "neighborhood")


def test_the_whole_graph_where_there_is_no_topic(retriever: TripleRetriever) -> None:
    found = retriever.retrieve("The Third Man directed by Carol Reed", (), (), RetrievalOptions(mode="dense"))
    assert found.scope == "graph" and found.candidates == len(retriever.table)
    assert ("The Third Man", "directed_by", "Carol Reed") in [tuple(t.triple) for t in found.triples]
    for mode in ("bm25", "fusion"):
        found = retriever.retrieve("who directed The Third Man", (), (), RetrievalOptions(k=3, mode=mode))
        assert tuple(found.triples[0].triple) == ("The Third Man", "directed_by", "Carol Reed")


def test_bm25_needs_no_index_and_the_rest_does() -> None:
    plain = TripleRetriever(load_kg("films"), None, "nobody made one.")
    found = plain.retrieve("who directed The Third Man", (), ["The Third Man"], RetrievalOptions(k=1, mode="bm25"))
    assert found.triples[0].triple.tail == "Carol Reed"
    assert found.triples[0].similarity is None
    with pytest.raises(ConfigError, match="needs an index"):
        plain.retrieve("who", (), (), RetrievalOptions(mode="dense"))
    options, warnings = plain.fitting(RetrievalOptions())
    assert options.mode == "bm25" and "nobody made one" in warnings[0]


def test_fusion_is_reciprocal_ranks(retriever: TripleRetriever) -> None:
    question, topic = "who composed the score of Vertigo", ["Vertigo"]
    rows = len(retriever.table.near(topic, 1))
    dense, bm25, both = (
        {
            t.triple: t
            for t in retriever.retrieve(question, (), topic, RetrievalOptions(k=rows, mode=mode, hops=1)).triples
        }
        for mode in ("dense", "bm25", "fusion")
    )
    for triple, scored in both.items():
        ranks = [1 + sum(o.score > way[triple].score for o in way.values()) for way in (dense, bm25)]
        assert scored.score == pytest.approx(sum(1 / (60 + r) for r in ranks))


@pytest.mark.parametrize("options", [{"k": 0}, {"mode": "magic"}, {"hops": -1}, {"limit": 0}])
def test_options_out_of_range(retriever: TripleRetriever, options: dict) -> None:
    with pytest.raises(ConfigError):
        retriever.retrieve("who", (), (), RetrievalOptions(**options))


def test_fewer_triples_than_k(retriever: TripleRetriever) -> None:
    found = retriever.retrieve("born", (), ["Carol Reed"], RetrievalOptions(k=50, hops=1, mode="dense"))
    assert len(found.triples) == found.candidates < 50


def test_a_place_without_an_index_is_refused_and_a_large_graph_is_not_indexed_unasked(tmp_path: Path) -> None:
    kg = NetworkxStore([(f"a{i}", "r", f"b{i}") for i in range(20_001)], name="large")
    with pytest.raises(IndexMismatchError, match="there is no index"):
        open_retriever(kg, str(tmp_path / "none"))
    opened = open_retriever(kg)
    assert opened.index is None and "triplewise index" in opened.note


def test_two_graphs_of_one_name_have_an_index_each() -> None:
    graphs = [NetworkxStore([(f"{w}{i}", "r", f"{w}{i + 1}") for i in range(8)], name="kg") for w in ("one", "two")]
    opened = [open_retriever(kg) for kg in graphs]
    for kg, retriever, word in zip(graphs, opened, ("one", "two"), strict=True):
        found = retriever.retrieve("r", (), [f"{word}1"], RetrievalOptions(k=3, mode="dense"))
        assert len(found.triples) == 3 and all(kg.has_entity(t.triple.head) for t in found.triples)
    assert opened[0].index and opened[1].index and opened[0].index.place != opened[1].index.place


@pytest.mark.slow
def test_minilm_finds_by_meaning(tmp_path: Path) -> None:
    """The real embedder: words that the triple does not have."""
    kg = NetworkxStore(
        [("Carla", "profession", "physician"), ("Carla", "place_of_birth", "Turin"), ("Carla", "spouse", "Ugo")]
    )
    from triplewise.backends.embedders import load_embedder

    for rule in (PLAIN, SubgraphRule()):
        index = SubgraphIndex(kg, load_embedder("minilm"), tmp_path / rule.id, rule)
        index.build()
        options = RetrievalOptions(k=1, mode="dense")
        asked = {"who is she married to": "spouse", "where does she come from": "place_of_birth"}
        for question, relation in asked.items():
            found = TripleRetriever(kg, index).retrieve(question, (), ["Carla"], options)
            assert found.triples[0].triple.relation == relation
