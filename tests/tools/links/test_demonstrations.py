"""Demonstration pools: the paper's definitions executed naively as oracles, leaks, ablations, speed."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from triplewise.errors import ConfigError, UnknownEntityError, UnknownRelationError
from triplewise.kg import NetworkxStore, load_kg
from triplewise.tools.links.demonstrations import DemonstrationPools, StoreTexts, diversity_order
from triplewise.tools.links.kge_data import LinkPredictionData
from triplewise.types import Triple

rows = st.lists(st.tuples(st.integers(0, 6), st.just(0), st.integers(0, 6)), max_size=40)


def random_data(seed: int, n: int = 120) -> LinkPredictionData:
    rng = np.random.default_rng(seed)
    names = [f"{a} {b}" for a in ("red", "blue", "old") for b in ("house", "river", "red town")]
    drawn = [(names[h], f"near_{r}_of", names[t]) for h, r, t in rng.integers([9, 3, 9], size=(n, 3))]
    triples = list(dict.fromkeys(drawn))
    cut = len(triples) // 6
    return LinkPredictionData.from_triples(
        "random", triples[2 * cut :], triples[:cut], triples[cut : 2 * cut], graph_hash="", benchmark=True
    )


class Names:
    def entity(self, entity: str) -> str:
        return entity

    def relation(self, relation: str) -> str:
        return relation


@settings(deadline=None)
@given(rows, st.integers(0, 5))
def test_diversity_order_is_algorithm_2(pool: list[tuple[int, int, int]], seed: int) -> None:
    order = diversity_order(np.array(pool, dtype=np.int32).reshape(-1, 3), seed=seed).tolist()
    assert sorted(order) == list(range(len(pool)))
    counts: Counter[int] = Counter()
    left = set(order)
    for taken in order:  # each step: one of the triples with the least c_h + c_t
        sums = {i: counts[pool[i][0]] + counts[pool[i][2]] for i in left}
        assert sums[taken] == min(sums.values())
        counts.update((pool[taken][0], pool[taken][2]))
        left.remove(taken)


@given(rows, st.integers(0, 40))
def test_a_part_of_the_order_is_its_beginning(pool: list[tuple[int, int, int]], n: int) -> None:
    triples = np.array(pool, dtype=np.int32).reshape(-1, 3)
    assert diversity_order(triples, n).tolist() == diversity_order(triples).tolist()[:n]


def test_ties_are_random_by_seed() -> None:
    pool = np.array([[2 * i, 0, 2 * i + 1] for i in range(50)], dtype=np.int32)
    orders = {tuple(diversity_order(pool, seed=s).tolist()) for s in range(5)}
    assert len(orders) == 5
    assert diversity_order(pool, seed=1).tolist() == diversity_order(pool, seed=1).tolist()


@pytest.mark.parametrize("seed", range(20))
def test_pools_are_those_of_algorithm_1(seed: int) -> None:
    data = random_data(seed)
    pools = DemonstrationPools(data, Names())
    allowed = data.triples("train") + data.triples("valid")
    for relation in data.relations:
        assert sorted(pools.analogies(relation)) == sorted(t for t in allowed if t.relation == relation)
        for entity in data.entities:
            expected = [t for t in allowed if entity in (t.head, t.tail)]
            assert sorted(pools.supplements(entity, relation)) == sorted(expected)


@pytest.mark.parametrize("order", ["ordered", "unordered", "random"])
def test_no_test_triple_leaks_into_any_pool(order: str) -> None:
    for seed in range(10):
        data = random_data(seed)
        pools = DemonstrationPools(data, Names(), order=order, seed=seed)  # pyright: ignore[reportArgumentType]
        shown = {t for r in data.relations for t in pools.analogies(r)}
        shown |= {t for r in data.relations for e in data.entities for t in pools.supplements(e, r)}
        assert shown and not shown & set(data.triples("test"))
        assert shown == set(data.triples("train")) | set(data.triples("valid"))


@pytest.mark.slow
def test_no_test_triple_leaks_on_a_benchmark(data_dir: Callable[[str], Path]) -> None:
    data = LinkPredictionData.from_folder(data_dir("fb15k-237"))
    pools = DemonstrationPools(data, Names())
    test = {tuple(row) for row in data.test.tolist()}
    for relation in range(len(data.relations)):
        assert not test & {tuple(row) for row in pools.analogy_rows(relation).tolist()}
    for head, _, tail in data.test[:500].tolist():
        for entity in (head, tail):
            assert not test & {tuple(row) for row in pools.supplement_pool(entity).tolist()}


def test_the_test_part_is_refused_and_valid_can_be_left_out() -> None:
    data = random_data(3)
    with pytest.raises(ConfigError):
        DemonstrationPools(data, Names(), parts=("train", "test"))
    pools = DemonstrationPools(data, Names(), parts=("train",))
    valid = set(data.triples("valid"))
    assert valid and not valid & {t for r in data.relations for t in pools.analogies(r)}


@pytest.mark.parametrize("seed", range(10))
def test_supplements_are_ordered_as_rank_bm25_orders_them(seed: int) -> None:
    from rank_bm25 import BM25Plus

    data = random_data(seed)
    pools = DemonstrationPools(data, Names())

    def words(*parts: str) -> list[str]:
        return " ".join(parts).replace("_", " ").split()

    for entity in data.entities:
        for relation in data.relations:
            ordered = pools.supplements(entity, relation)
            oracle = BM25Plus([words(*t) for t in ordered], k1=1.5, b=0.75)
            scores = oracle.get_scores(words(entity, relation))
            assert (np.diff(scores) <= 1e-9).all()


def test_parallel_edges_and_loops_are_kept_once() -> None:
    kg = NetworkxStore.from_triples([("a", "r", "b"), ("a", "s", "b"), ("b", "r", "a"), ("a", "r", "a")])
    pools = DemonstrationPools(LinkPredictionData.from_store(kg), StoreTexts(kg))
    assert sorted(pools.supplements("a", "r")) == sorted(kg.triples())
    assert len(pools.supplements("b", "r")) == 3


def test_unordered_and_random_are_seeded_and_different() -> None:
    data = random_data(5)
    for order in ("unordered", "random"):
        first, again, other = (DemonstrationPools(data, Names(), order=order, seed=s) for s in (1, 1, 2))
        assert first.analogies("near_1_of") == again.analogies("near_1_of") != other.analogies("near_1_of")
        entity = data.entities[0]
        assert first.supplements(entity, "near_0_of", 5) == again.supplements(entity, "near_0_of", 5)
    random = DemonstrationPools(data, Names(), order="random").analogies("near_1_of", 60)
    assert {t.relation for t in random} == {"near_0_of", "near_1_of", "near_2_of"}


def test_unknown_names_and_empty_pools() -> None:
    kg = NetworkxStore.from_triples([("a", "r", "b")], labels={"c": "alone"})
    pools = DemonstrationPools(LinkPredictionData.from_store(kg), StoreTexts(kg))
    assert pools.supplements("c", "r") == []
    assert pools.analogies("r", 0) == []
    with pytest.raises(UnknownEntityError):
        pools.supplements("nobody", "r")
    with pytest.raises(UnknownRelationError):
        pools.analogies("none")


def test_the_bundled_graph() -> None:
    kg = load_kg("films")
    pools = DemonstrationPools(LinkPredictionData.from_store(kg), StoreTexts(kg))
    first = pools.analogies("directed_by", 30)
    assert len({t.tail for t in first}) == len({t.head for t in first}) == 30  # no director twice
    best = pools.supplements("The Godfather", "directed_by", 1)
    assert best == [Triple("The Godfather", "directed_by", "Francis Ford Coppola")]


def test_fb15k_237_in_seconds(data_dir: Callable[[str], Path]) -> None:
    data = LinkPredictionData.from_folder(data_dir("fb15k-237"))
    started = time.perf_counter()
    pools = DemonstrationPools(data, Names())
    total = sum(len(pools.analogy_rows(r)) for r in range(len(data.relations)))
    assert total == len(data.train) + len(data.valid)
    assert time.perf_counter() - started < 15  # about 1.5 s on an idle machine
