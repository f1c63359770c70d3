"""BM25+ is rank-bm25's, to the last bit: the order of texts that score alike hangs on it."""

from __future__ import annotations

import random

import numpy as np
from rank_bm25 import BM25Plus

from triplewise.kg.bm25 import BM25Index

WORDS = ["film", "drama", "noir", "vienna", "wall", "street", "man", "shot", "told", "by", "in", "the", "of"]


def test_scores_are_rank_bm25s() -> None:
    rng = random.Random(7)
    for _ in range(200):
        texts = [rng.choices(WORDS, k=rng.randint(1, 6)) for _ in range(rng.randint(1, 30))]
        query = rng.choices([*WORDS, "unknown"], k=rng.randint(1, 5))
        index, oracle = BM25Index(texts), BM25Plus(texts)
        assert np.array_equal(index.scores(query), oracle.get_scores(query))
        some = sorted(rng.sample(range(len(texts)), rng.randint(1, len(texts))))
        assert index.scores(query, some).tolist() == oracle.get_batch_scores(query, some)
        assert all(index.idf(word) == oracle.idf[word] for word in oracle.idf)
        assert index.idf("unknown") == max(oracle.idf.values())


def test_texts_without_words_score_nothing() -> None:
    assert BM25Index([[], []]).scores(["film"]).tolist() == [0.0, 0.0]
    assert BM25Index([]).scores(["film"]).tolist() == []
