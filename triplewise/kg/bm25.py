"""BM25+ (Lv and Zhai, Lower-Bounding Term Frequency Normalization, 2011): the formula, and an index of texts.

::

    score(text) = Σ_{w in query} ln((N + 1) / n_w) · (δ + f_w·(k1 + 1) / (k1·(1 - b + b·|text| / mean |text|) + f_w))

N texts, n_w of them with the word w, f_w times in this one; words that no text has count for nothing. The idf stays
positive for words that most texts have. A test holds the scores to those of rank-bm25's ``BM25Plus``.
"""

from __future__ import annotations

import math
from collections import Counter
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

    def __contains__(self, word: str) -> bool:
        return word in self._postings

    def positions(self, word: str) -> Sequence[int]:
        """The texts that have a word, ascending."""
        return self._postings[word][0] if word in self._postings else ()

    def smallest(self) -> int:
        """How many texts have the rarest word; 0 where there is none."""
        return min((len(positions) for positions, _ in self._postings.values()), default=0)

    def at(self, word: str, positions: NDArray[np.int64]) -> NDArray[np.int32]:
        """Occurrences of a word in each of the texts at some positions."""
        having, counts = (np.asarray(part, dtype=np.int64) for part in self._postings[word])
        place = np.minimum(np.searchsorted(having, positions), len(having) - 1)
        return np.where(having[place] == positions, counts[place], 0).astype(np.int32)

    def _of(self, word: str) -> NDArray[np.int32]:
        dense = np.zeros(self.n, dtype=np.int32)
        if found := self._postings.get(word):
            dense[found[0]] = found[1]
        return dense


class BM25Index:
    """Scores of n texts, given as lists of words, for queries."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        self.counts = WordCounts(texts)
        self._norm = length_norm(self.counts.lengths) if self.counts.lengths.any() else np.ones(self.counts.n)
        self._rarest = self.counts.smallest()

    def idf(self, word: str) -> float:
        """The weight of a word; that of the rarest word where no text has it."""
        return idf(self.counts.n, len(self.counts.positions(word)) or self._rarest)

    def scores(self, query: Sequence[str], positions: Sequence[int] | None = None) -> NDArray[np.float64]:
        """The scores of the texts at ``positions`` (None: of all) for the query's words, a repeated one repeatedly."""
        at = np.arange(self.counts.n) if positions is None else np.asarray(positions, dtype=np.int64)
        total, norm = np.zeros(len(at)), self._norm[at]
        for word in query:
            if word in self.counts:
                total += word_scores(self.counts.at(word, at), norm, self.idf(word))
        return total
