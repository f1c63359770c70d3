"""An embedder for tests that needs no model: words hashed into a vector; counts what it was given."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


class WordEmbedder:
    """Unit vectors of 64 numbers; texts that share words are alike."""

    dimension = 64

    def __init__(self, name: str = "words") -> None:
        self.id = f"{name}@1"
        self.encoded: list[str] = []

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._vectors(texts)

    def documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.encoded += texts
        return self._vectors(texts)

    def _vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        made = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(made, texts, strict=True):
            for word in text.casefold().split():
                digest = hashlib.sha256(word.encode()).digest()
                row += np.frombuffer(digest * 2, dtype=np.int8).astype(np.float32)
        return made / np.maximum(np.linalg.norm(made, axis=1, keepdims=True), 1e-9)
