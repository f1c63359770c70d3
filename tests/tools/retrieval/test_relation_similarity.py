"""Similarities of relations to a sentence: cosines, each text encoded once."""

from __future__ import annotations

import numpy as np
import pytest
from word_embedder import WordEmbedder

from triplewise.tools.retrieval import relation_similarity
from triplewise.tools.retrieval.relation_similarity import RelationSimilarity


class Counting(WordEmbedder):
    """Notes the queries, too."""

    def queries(self, texts: list[str]) -> np.ndarray:  # pyright: ignore[reportIncompatibleMethodOverride]
        self.encoded += texts
        return self._vectors(texts)


def test_scores_are_cosines_in_the_labels_order() -> None:
    labels = ["directed by", "born in", "directed by"]
    got = RelationSimilarity(Counting()).scores("who directed it", labels)
    vectors = WordEmbedder().queries([*labels, "who directed it"])
    assert got == pytest.approx(vectors[:-1] @ vectors[-1], abs=1e-6) and got[0] == got[2]


def test_nothing_is_encoded_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = Counting()
    similarity = RelationSimilarity(embedder)
    first = similarity.scores("who directed it", ["directed by", "born in"])
    assert similarity.scores("who directed it", ["born in", "directed by"]) == pytest.approx(first[::-1])
    more = similarity.scores("who directed it", ["directed by", "starring"])
    assert more[0] == pytest.approx(first[0])
    assert sorted(embedder.encoded) == ["born in", "directed by", "starring", "who directed it"]
    monkeypatch.setattr(relation_similarity, "SENTENCES", 2)
    for sentence in ("a", "b", "who directed it"):
        similarity.scores(sentence, ["born in"])
    assert embedder.encoded.count("who directed it") == 2  # only the latest sentences are kept
