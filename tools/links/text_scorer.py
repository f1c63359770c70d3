"""Scores of all entities for a link query by their texts: a bi-encoder (SimKGC, Wang et al., 2022) as arrays.

The encoder has done its work when a scorer is saved: what is kept are the vectors of all entities, as what is given
and as what is answered, and the small network that joins a given entity with a relation::

    φ(h, r, t) = cos(q(h, r), e(t)) / τ        q(h, r) = u_h∘s_r + W2·gelu(W1·[u_h; r])

Both directions of a relation have vectors of their own. Scoring is NumPy; neither PyTorch nor MiniLM is loaded.
``triplewise/train/links/text.py`` trains it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from triplewise.backends.encoders.layers import gelu
from triplewise.tools.links.kge_data import Ints, LinkPredictionData
from triplewise.tools.links.rotate_scorer import Floats, PositionScorer, unit

ARRAYS = ("given", "answers", "relation", "scale", "query_in", "query_bias", "query_out", "sharpness")


class TextScorer(PositionScorer):
    """A trained text scorer.

    ``given`` u and ``answers`` e: [n_entities, size]; ``relation`` and ``scale``: [2·n_relations, size], the inverse
    directions last; ``query_in`` W1 [hidden, 2·size] with ``query_bias``; ``query_out`` W2 [size, hidden];
    ``sharpness``: 1/τ.
    """

    def __init__(self, data: LinkPredictionData, arrays: dict[str, NDArray[Any]]) -> None:
        self.data = data
        self.arrays = {name: arrays[name] for name in ARRAYS}
        self._w: dict[str, Floats] = {name: np.asarray(arrays[name], np.float32) for name in ARRAYS}

    def score_tails(self, heads: Ints, relations: Ints) -> Floats:
        """φ(h, r, t) for all entities t: [batch, n_entities]; heads and relations are positions [batch]."""
        return self._scores(heads, relations)

    def score_heads(self, relations: Ints, tails: Ints) -> Floats:
        """φ(t, r⁻¹, h) for all entities h: [batch, n_entities]; relations and tails are positions [batch]."""
        return self._scores(tails, relations + len(self.data.relations))

    def vectors(self, entities: Ints) -> Floats:
        """What is given to a query, at length 1."""
        return unit(self._w["given"][entities])

    def _scores(self, given: Ints, relations: Ints) -> Floats:
        w = self._w
        u, r = w["given"][given], w["relation"][relations]
        inner = gelu(np.concatenate([u, r], axis=1) @ w["query_in"].T + w["query_bias"])
        queries = u * w["scale"][relations] + inner @ w["query_out"].T
        queries *= w["sharpness"] / np.maximum(np.linalg.norm(queries, axis=1, keepdims=True), 1e-12)
        return queries @ w["answers"].T
