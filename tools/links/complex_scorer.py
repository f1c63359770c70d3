"""Scores of all entities for a link query by ComplEx with reciprocal relations (Trouillon et al., 2016; Lacroix et al.,
2018)::

    φ(h, r, t) = Re⟨h∘r, t̄⟩        for heads: Re⟨t∘r', h̄⟩ with a vector r' of its own

which for all entities at once is one matrix product of real and imaginary parts side by side. Scoring is NumPy;
``triplewise/train/links/complex.py`` trains it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from triplewise.tools.links.kge_data import Ints, LinkPredictionData
from triplewise.tools.links.rotate_scorer import Floats, PositionScorer, unit


class ComplExScorer(PositionScorer):
    """A trained ComplEx: ``entity`` [n_entities, 2d] and ``relation`` [2·n_relations, 2d], the reciprocal ones last;
    d real parts, then d imaginary ones."""

    def __init__(self, data: LinkPredictionData, arrays: dict[str, NDArray[Any]]) -> None:
        self.data = data
        self.arrays = {name: arrays[name] for name in ("entity", "relation")}
        self._entity: Floats = np.asarray(arrays["entity"], np.float32)
        self._relation: Floats = np.asarray(arrays["relation"], np.float32)

    def score_tails(self, heads: Ints, relations: Ints) -> Floats:
        """φ(h, r, t) for all entities t: [batch, n_entities]; heads and relations are positions [batch]."""
        return self._scores(heads, relations)

    def score_heads(self, relations: Ints, tails: Ints) -> Floats:
        """φ(t, r', h) for all entities h: [batch, n_entities]; relations and tails are positions [batch]."""
        return self._scores(tails, relations + len(self.data.relations))

    def vectors(self, entities: Ints) -> Floats:
        """The embeddings, at length 1."""
        return unit(self._entity[entities])

    def _scores(self, given: Ints, relations: Ints) -> Floats:
        size = self._entity.shape[1] // 2
        e, r = self._entity[given], self._relation[relations]
        a, b, c, d = e[:, :size], e[:, size:], r[:, :size], r[:, size:]
        queries = np.concatenate([a * c - b * d, a * d + b * c], axis=1)
        return (queries @ self._entity.T).astype(np.float32, copy=False)
