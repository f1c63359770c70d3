"""BM25 of triples' texts against a query's words: KICGPT's supplement ordering (Algorithm 3), plain retrieval.

A triple's text is its head's name, its relation in words and its tail's name; the pool at hand is the corpus.
The scores order a pool as rank-bm25's ``BM25Plus`` does (a test holds them to it; its idf stays positive
for words that most of a pool's texts contain, as the given entity's name is in all of them)::

    score(s) = Σ_{w in q} ln((N + 1) / n_w) · f_w(s)·(k1 + 1) / (f_w(s) + k1·(1 - b + b·|s| / mean|s|))

The texts are never made: f_w of a triple is the sum over its three parts, looked up per query word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from triplewise.tools.links.kge_data import Ints

K1, B = 1.5, 0.75
_WORD = re.compile(r"\w+")


def words_of(text: str) -> list[str]:
    """The words of a text, casefolded; an underscore parts words."""
    return _WORD.findall(text.replace("_", " ").casefold())


class _Counts:
    """How often each word occurs in each of n texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.n = len(texts)
        self.words = [words_of(text) for text in texts]
        self.lengths = np.array([len(w) for w in self.words], dtype=np.int32)
        self._postings: dict[str, list[tuple[int, int]]] = {}
        for i, words in enumerate(self.words):
            for word, count in Counter(words).items():
                self._postings.setdefault(word, []).append((i, count))
        self.of = lru_cache(maxsize=256)(self._of)

    def _of(self, word: str) -> NDArray[np.float32]:
        """Occurrences of a word in each text [n]."""
        counts = np.zeros(self.n, dtype=np.float32)
        if found := self._postings.get(word):
            at, times = zip(*found, strict=True)
            counts[list(at)] = times
        return counts


class TripleBM25:
    """Scores for any pool of triples, whose parts are positions in ``entities`` and ``relations`` (texts)."""

    def __init__(self, entities: Sequence[str], relations: Sequence[str]) -> None:
        self.entities = _Counts(entities)
        self.relations = _Counts(relations)

    def scores(self, pool: Ints, query: Sequence[str]) -> NDArray[np.float64]:
        """Scores [n] of a pool [n, 3] (head, relation, tail) for the query's words, by position."""
        entities, relations = self.entities, self.relations
        head, rel, tail = pool.T
        lengths = entities.lengths[head] + relations.lengths[rel] + entities.lengths[tail]
        scores = np.zeros(len(pool))
        if not lengths.any():
            return scores
        norm = K1 * (1 - B + B * lengths / lengths.mean())
        for word, times in Counter(query).items():
            of_entity = entities.of(word)
            counts = of_entity[head] + relations.of(word)[rel] + of_entity[tail]
            if containing := np.count_nonzero(counts):
                scores += times * np.log((len(pool) + 1) / containing) * (K1 + 1) * counts / (counts + norm)
        return scores
