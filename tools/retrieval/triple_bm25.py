"""BM25 of triples' texts against a query's words: KICGPT's supplement ordering (Algorithm 3), plain retrieval.

A triple's text is its head's name, its relation in words and its tail's name; the pool at hand is the corpus, and the
formula that of ``kg/bm25.py`` with δ = 0: another δ adds the same to all texts of a pool, and orders nothing. The texts
are never made: f_w of a triple is the sum over its three parts, looked up per query word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from triplewise.kg.bm25 import WordCounts, idf, length_norm, word_scores
from triplewise.tools.links.kge_data import Ints

_WORD = re.compile(r"\w+")


def words_of(text: str) -> list[str]:
    """The words of a text, casefolded; an underscore parts words."""
    return _WORD.findall(text.replace("_", " ").casefold())


class TripleBM25:
    """Scores for any pool of triples, whose parts are positions in ``entities`` and ``relations`` (texts)."""

    def __init__(self, entities: Sequence[str], relations: Sequence[str]) -> None:
        self.entity_words = [words_of(text) for text in entities]
        self.relation_words = [words_of(text) for text in relations]
        self._entities, self._relations = WordCounts(self.entity_words), WordCounts(self.relation_words)

    def scores(self, pool: Ints, query: Sequence[str]) -> NDArray[np.float64]:
        """Scores [n] of a pool [n, 3] (head, relation, tail) for the query's words, by position."""
        entities, relations = self._entities, self._relations
        head, rel, tail = pool.T
        lengths = entities.lengths[head] + relations.lengths[rel] + entities.lengths[tail]
        scores = np.zeros(len(pool))
        if not lengths.any():
            return scores
        norm = length_norm(lengths)
        for word, times in Counter(query).items():
            of_entity = entities.of(word)
            counts = of_entity[head] + relations.of(word)[rel] + of_entity[tail]
            if containing := int(np.count_nonzero(counts)):
                scores += word_scores(counts, norm, times * idf(len(pool), containing), delta=0)
        return scores
