"""Entity search by name: exact, alias, folded, then fuzzy (rapidfuzz) and BM25.

Scores: 1.0 exact label or id, 0.99 alias, 0.98 folded, 0.9 for a label without its closing bracket
("Seabiscuit" for "Seabiscuit (horse)"); fuzzy is rapidfuzz's ratio times 0.95. BM25's best hit has 0.8 times
the share of the query's words, weighted by rarity, that it holds; it is computed only over entities that
share a word with the query, by an inverted index.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

from triplewise.kg.base import EntityHit
from triplewise.kg.names import fold, words_of

if TYPE_CHECKING:
    from triplewise.kg.bm25 import BM25Index
    from triplewise.kg.store import NetworkxStore

FUZZY_CUTOFF = 70
MAX_QUERY = 500
"""Characters of a query that are looked at."""
_BRACKET = re.compile(r"\s*\([^()]*\)$")
MAX_BM25_CANDIDATES = 2_000


class EntityIndex:
    """Names of all entities of a store, folded once."""

    def __init__(self, store: NetworkxStore) -> None:
        self.store = store
        self.exact: dict[str, list[str]] = defaultdict(list)
        self.alias: dict[str, list[str]] = defaultdict(list)
        self.folded: dict[str, list[str]] = defaultdict(list)
        self.bare: dict[str, list[str]] = defaultdict(list)
        for entity in store.nodes():
            if store.is_name(entity):  # a nickname is a name, not a thing
                continue
            label = store.label(entity)
            if label.endswith(")") and (bare := _BRACKET.sub("", label)):
                self.bare[fold(bare)].append(entity)
            self.exact[label].append(entity)
            self.folded[fold(label)].append(entity)
            for alias in store.aliases(entity):
                self.alias[alias].append(entity)
                key = self.folded[fold(alias)]
                if entity not in key:
                    key.append(entity)
        self.names = list(self.folded)

    @cached_property
    def _bm25(self) -> BM25Index:
        from triplewise.kg.bm25 import BM25Index

        return BM25Index([words_of(name) or ["?"] for name in self.names])

    def candidates(self, text: str) -> list[EntityHit]:
        """Entities that are named exactly ``text``, up to case and accents, best reason first."""
        hits: dict[str, EntityHit] = {}
        key = fold(text)
        stages = (
            (self.exact.get(text, ()), 1.0, "exact label"),
            ((text,) if self.store.has_entity(text) and not self.store.is_name(text) else (), 1.0, "id"),
            (self.alias.get(text, ()), 0.99, "alias"),
            (self.folded.get(key, ()), 0.98, "case- and accent-folded"),
            (self.bare.get(key, ()), 0.9, "label without its bracket"),
        )
        for entities, score, reason in stages:
            for entity in entities:
                hits.setdefault(entity, EntityHit(entity, score, reason))
        return list(hits.values())

    def fuzzy(self, text: str, limit: int, cutoff: float = FUZZY_CUTOFF) -> list[EntityHit]:
        """Entities with a name like ``text``."""
        from rapidfuzz import fuzz, process

        limit = min(limit, len(self.names))  # what is larger than C's integers would raise
        found = process.extract(fold(text[:MAX_QUERY]), self.names, scorer=fuzz.ratio, limit=limit, score_cutoff=cutoff)
        return [
            EntityHit(entity, score / 100 * 0.95, f"fuzzy {score / 100:.2f}")
            for name, score, _ in found
            for entity in self.folded[name]
        ]

    def bm25(self, text: str, limit: int) -> list[EntityHit]:
        """Entities that share words with ``text``; the rarest words choose the candidates."""
        index = self._bm25
        asked = set(words_of(text[:MAX_QUERY]))
        having = {word: index.positions(word) for word in asked if index.positions(word)}
        words = sorted(having, key=lambda w: (len(having[w]), w))
        chosen: set[int] = set()
        for word in words:
            if chosen and len(chosen) + len(having[word]) > MAX_BM25_CANDIDATES:
                break
            chosen.update(having[word][:MAX_BM25_CANDIDATES])
        if not chosen:
            return []
        ids = sorted(chosen)
        scores = index.scores(words, ids).tolist()
        best = sorted(range(len(ids)), key=lambda i: -scores[i])[:limit]
        held = set(words_of(self.names[ids[best[0]]]))
        weight = {w: index.idf(w) for w in asked}
        share = sum(weight[w] for w in asked & held) / sum(weight.values())
        unit = 0.8 * share / scores[best[0]]
        return [
            EntityHit(entity, unit * scores[i], f"bm25 {scores[i]:.1f}")
            for i in best
            for entity in self.folded[self.names[ids[i]]]
        ]

    def search(self, text: str, limit: int = 10) -> list[EntityHit]:
        """The best ``limit`` hits over all ways to match, each entity once."""
        text = text.strip()
        if not text:
            return []
        hits: dict[str, EntityHit] = {}
        for hit in [*self.candidates(text), *self.fuzzy(text, limit), *self.bm25(text, limit)]:
            if hit.id not in hits or hits[hit.id].score < hit.score:
                hits[hit.id] = hit
        return sorted(hits.values(), key=lambda h: -h.score)[:limit]
