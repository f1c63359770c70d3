"""How near relations are to a sentence by an embedder; labels are encoded once per process, sentences once in a row."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from triplewise.errors import MissingExtraError

if TYPE_CHECKING:
    from triplewise.backends.embedders import Embedder

SENTENCES = 256
"""Sentences whose vectors are kept: a node asks twice for one, a walk along a plan once for each of its beams."""


class RelationSimilarity:
    """Cosine similarities of a sentence and relation labels."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self._sentences: dict[str, NDArray[np.float32]] = {}
        self._lock = threading.Lock()

    def scores(self, sentence: str, labels: Sequence[str]) -> NDArray[np.float32]:
        """Similarity of each label [labels], in -1 to 1."""
        with self._lock:
            new = [label for label in dict.fromkeys(labels) if label not in self._vectors]
            known = self._sentences.pop(sentence, None)
            if new or known is None:
                vectors = self.embedder.queries([*new, *([sentence] if known is None else [])])
                self._vectors.update(zip(new, vectors, strict=False))
                known = vectors[-1] if known is None else known
            self._sentences[sentence] = known  # the latest stands last
            if len(self._sentences) > SENTENCES:
                del self._sentences[next(iter(self._sentences))]
            return np.stack([self._vectors[label] for label in labels]) @ known


_loading = threading.Lock()


def relation_similarity(embedder: str) -> RelationSimilarity | None:
    """Similarities by the embedder of this name; None where the extra ``vector`` is not installed."""
    with _loading:  # many questions in flight load it once
        return _load(embedder)


@lru_cache(maxsize=4)
def _load(embedder: str) -> RelationSimilarity | None:
    from triplewise.backends.embedders import load_embedder

    try:
        found = RelationSimilarity(load_embedder(embedder))
        found.scores("relation", ["relation"])
    except MissingExtraError:
        return None
    return found
