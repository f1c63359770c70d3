"""BM25+ (Lv and Zhai, Lower-Bounding Term Frequency Normalization, 2011): an index of texts, and the formula for pools.

::

    score(text) = Σ_{w in query} ln((N + 1) / n_w) · (δ + f_w·(k1 + 1) / (k1·(1 - b + b·|text| / mean |text|) + f_w))

N texts, n_w of them with the word w, f_w times in this one; words that no text has count for nothing. The idf stays
positive for words that most texts have. ``BM25Index`` is rank-bm25's ``BM25Plus``; the formula stands here again for
pools whose texts are never made (``tools/retrieval/triple_bm25.py``), and a test holds it to the library's scores.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

K1, B, DELTA = 1.5, 0.75, 1.0
"""The usual constants, as in rank-bm25."""


def idf(texts: int, having: int) -> float:
    """Inverse document frequency of a word that ``having`` of so many texts have."""
    return math.log((texts + 1) / having)


def length_norm(lengths: NDArray[np.integer]) -> NDArray[np.float64]:
    """k1·(1 - b + b·|text| / mean |text|) of texts [n] of so many words, not all without any."""
    return K1 * (1 - B + B * lengths / lengths.mean())


def word_scores(
    counts: NDArray[np.integer], norm: NDArray[np.float64], weight: float, delta: float = DELTA
) -> NDArray[np.float64]:
    """What one word of idf ``weight`` adds to the scores of texts [n] that have it so many times.

    Where two texts score alike, the last bit decides their order: the factors are multiplied in the order of the runs
    that were recorded, which is another one without δ.
    """
    if not delta:
        return weight * (K1 + 1) * counts / (counts + norm)
    return weight * (delta + counts * (K1 + 1) / (norm + counts))


class WordCounts:
    """How often each word occurs in each of n texts, given as lists of words."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        self.n = len(texts)
        self.lengths = np.array([len(words) for words in texts], dtype=np.int64)
        postings: dict[str, tuple[list[int], list[int]]] = {}
        for i, words in enumerate(texts):
            for word, count in Counter(words).items():
                positions, counts = postings.setdefault(word, ([], []))
                positions.append(i)
                counts.append(count)
        self._postings = postings
        self.of = lru_cache(maxsize=256)(self._of)
        """``of(word)``: its occurrences in each text [n]."""

    def _of(self, word: str) -> NDArray[np.int32]:
        dense = np.zeros(self.n, dtype=np.int32)
        if found := self._postings.get(word):
            dense[found[0]] = found[1]
        return dense


class BM25Index:
    """rank-bm25's scores of n texts, given as lists of words, for queries; and which texts have a word."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        from rank_bm25 import BM25Plus

        self.n = len(texts)
        self._model = BM25Plus(texts) if any(texts) else None  # it divides by the mean length
        self._positions: dict[str, list[int]] = defaultdict(list)
        for i, words in enumerate(texts):
            for word in set(words):
                self._positions[word].append(i)

    def positions(self, word: str) -> Sequence[int]:
        """The texts that have a word, ascending."""
        return self._positions.get(word, ())

    def idf(self, word: str) -> float:
        """The weight of a word; that of the rarest word where no text has it, 0 where there are no words."""
        if self._model is None:
            return 0.0
        weights = self._model.idf
        return weights[word] if word in weights else max(weights.values())

    def scores(self, query: Sequence[str], positions: Sequence[int] | None = None) -> NDArray[np.float64]:
        """The scores of the texts at ``positions`` (None: of all) for the query's words, a repeated one repeatedly."""
        if self._model is None:
            return np.zeros(self.n if positions is None else len(positions))
        if positions is None:
            return np.asarray(self._model.get_scores(query))
        return np.asarray(self._model.get_batch_scores(query, positions))
