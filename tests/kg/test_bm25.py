"""BM25+: the formula for pools is rank-bm25's to the last bit, since the order of texts that score alike hangs on it."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np

from triplewise.kg.bm25 import BM25Index, WordCounts, idf, length_norm, word_scores

WORDS = ["film", "drama", "noir", "vienna", "wall", "street", "man", "shot", "told", "by", "in", "the", "of"]


def test_the_formula_is_rank_bm25s() -> None:
    rng = random.Random(7)
    for _ in range(200):
        texts = [rng.choices(WORDS, k=rng.randint(1, 6)) for _ in range(rng.randint(1, 30))]
        query = rng.choices([*WORDS, "unknown"], k=rng.randint(1, 5))
        index, counts = BM25Index(texts), WordCounts(texts)
        norm, having = length_norm(counts.lengths), Counter(word for text in texts for word in set(text))
        total = np.zeros(len(texts))
        for word in query:
            if having[word]:
                assert index.idf(word) == idf(len(texts), having[word])
                assert len(index.positions(word)) == having[word] == np.count_nonzero(counts.of(word))
                total += word_scores(counts.of(word), norm, index.idf(word))
        assert np.array_equal(index.scores(query), total)
        some = sorted(rng.sample(range(len(texts)), rng.randint(1, len(texts))))
        assert np.array_equal(index.scores(query, some), total[some])
        assert index.idf("unknown") == idf(len(texts), min(having.values())) and not index.positions("unknown")


def test_texts_without_words_score_nothing() -> None:
    assert BM25Index([[], []]).scores(["film"]).tolist() == [0.0, 0.0]
    assert BM25Index([]).scores(["film"]).tolist() == [] and BM25Index([]).idf("film") == 0
