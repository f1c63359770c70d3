"""Triples as rows: neighbourhoods equal the store's, texts follow their rule, BM25 is rank-bm25's."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from triplewise.kg import NetworkxStore
from triplewise.tools.retrieval.subgraph_text import PLAIN, SubgraphRule, SubgraphTexts
from triplewise.tools.retrieval.triple_table import TripleTable
from triplewise.types import Triple

names = st.sampled_from("abcdefgh")
graphs = st.lists(st.tuples(names, st.sampled_from(["r", "s"]), names), min_size=1, max_size=30)


@settings(max_examples=200, deadline=None)
@given(graphs, names, st.integers(1, 4))
def test_rows_near_are_the_stores_neighbourhood(triples: list[tuple[str, str, str]], seed: str, hops: int) -> None:
    kg = NetworkxStore(triples)
    table = TripleTable(kg)
    rows = table.near([seed], hops)
    expected = kg.neighborhood([seed], hops) if kg.has_entity(seed) else []
    assert len(set(rows.tolist())) == len(rows)
    assert {table.triples[i] for i in rows} == set(expected)
    limited = table.near([seed], hops, 3)
    assert limited.tolist() == rows.tolist()[:3]


def test_nearer_rows_come_first() -> None:
    kg = NetworkxStore([("c", "r", "d"), ("b", "r", "c"), ("a", "r", "b")])
    table = TripleTable(kg)
    assert [table.triples[i].head for i in table.near(["a"], 3)] == ["a", "b", "c"]
    assert len(table.near(["nobody"], 3)) == 0
    assert len(table.near(["a"], 0)) == 0


def test_a_text_holds_the_triple_and_both_sides_of_its_subgraph() -> None:
    kg = NetworkxStore(
        [("Alien", "directed_by", "Scott"), ("Alien", "starring", "Weaver"), ("Alien", "starring", "Hurt"),
         ("Alien", "release_year", "1979"), ("Gladiator", "directed_by", "Scott"), ("Legend", "directed_by", "Scott")]
    )  # fmt: skip
    table = TripleTable(kg)
    texts = SubgraphTexts(table, SubgraphRule(2, 1))
    assert texts.text(0) == (
        "Alien directed by Scott. Alien: starring Weaver, release year 1979. Scott: Gladiator directed by"
    )
    assert SubgraphTexts(table, PLAIN).text(0) == "Alien directed by Scott"
    # its own relation takes its turn after the others'
    assert SubgraphTexts(table, SubgraphRule(3, 0)).text(1) == (
        "Alien starring Weaver. Alien: directed by Scott, release year 1979, starring Hurt"
    )


def test_a_hub_and_a_loop_keep_texts_short() -> None:
    triples = [("hub", "r", f"e{i}") for i in range(5000)] + [("hub", "self", "hub")]
    table = TripleTable(NetworkxStore(triples))
    texts = SubgraphTexts(table, SubgraphRule(4, 2))
    assert texts.text(7).count(",") == 3
    assert texts.text(5000).startswith("hub self hub. hub: r e0")


def test_bm25_is_rank_bm25s() -> None:
    from rank_bm25 import BM25Plus

    rng = random.Random(1)
    words = ["film", "drama", "the man", "vienna", "wall street", "noir"]
    kg = NetworkxStore(
        [(rng.choice(words) + f" {i}", rng.choice(["shot_in", "told_by"]), rng.choice(words)) for i in range(200)]
    )
    table = TripleTable(kg)
    plain = SubgraphTexts(table, PLAIN)
    corpus = [plain.text(i).casefold().split() for i in range(len(table))]
    for query in ("the drama shot in vienna", "noir noir film 17", "nothing known"):
        ours = table.bm25.scores(table.codes, query.split())
        assert ours == pytest.approx(
            BM25Plus(corpus).get_scores(query.split()) - _floor(corpus, query.split()), abs=1e-4
        )


def _floor(corpus: Sequence[Sequence[str]], query: Sequence[str]) -> float:
    """BM25Plus adds δ·idf for every query word of the corpus to every text: a constant that orders nothing."""
    n = len(corpus)
    return sum(np.log((n + 1) / f) for w in query if (f := sum(w in set(d) for d in corpus)))


def test_triples_keep_the_graphs_order() -> None:
    kg = NetworkxStore([("b", "r", "a"), ("a", "r", "c")])
    assert TripleTable(kg).triples == [Triple("b", "r", "a"), Triple("a", "r", "c")]
