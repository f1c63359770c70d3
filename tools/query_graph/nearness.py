"""How near a sentence is to the words of each relation of a graph: as a whole, and token by token.

Both come from one reading of each text by the encoder, so that candidates can be held against the sentence before any
of them is read itself: of a path, what its relations leave unsaid of the sentence, and what they say beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import numpy.typing as npt

from triplewise.backends.mini_bert import TokenVectors
from triplewise.tools.query_graph.schema_view import Step


class RelationVectors:
    """The relations of a graph, read once.

    ``position``: relation → its row; ``whole`` [relations × dimensions]; ``tokens`` of all of them one after the other
    [tokens × dimensions], of which those of a relation begin at ``starts`` and are ``counts`` many.
    """

    def __init__(self, relations: Sequence[str], read: TokenVectors) -> None:
        self.position = {relation: i for i, relation in enumerate(relations)}
        self.whole = read.whole
        counts = np.array([max(1, len(t)) for t in read.tokens], np.int64)
        width = read.whole.shape[1]
        filled = [t if len(t) else np.zeros((1, width), np.float32) for t in read.tokens]
        self.tokens = np.concatenate(filled) if filled else np.zeros((0, width), np.float32)
        self.starts, self.counts = np.cumsum(counts) - counts, counts


class Nearness:
    """One sentence beside the relations of a graph; called with a step, the cosine of its relation and the sentence.

    ``sentence`` is the only text that was read; ``tokenise`` turns a text into the ids of its pieces.
    """

    def __init__(
        self, relations: RelationVectors, sentence: TokenVectors, tokenise: Callable[[str], Sequence[int]]
    ) -> None:
        self.sentence, self._position, self._tokenise = sentence, relations.position, tokenise
        self._cosines = (relations.whole @ sentence.whole[0]).tolist()
        self.ids = np.asarray(sentence.ids[0], np.int64)
        own = sentence.tokens[0]
        if len(own) and len(relations.tokens):
            near = relations.tokens @ own.T
            self.sentence_side = np.maximum.reduceat(near, relations.starts, axis=0)
            self.relation_side = np.add.reduceat(near.max(1), relations.starts) / relations.counts
        else:
            self.sentence_side = np.zeros((len(relations.position), len(own)), np.float32)
            self.relation_side = np.zeros(len(relations.position), np.float32)

    def __call__(self, step: Step) -> float:
        found = self._position.get(step.relation)
        return 0.0 if found is None else self._cosines[found]

    def named(self, texts: Iterable[str]) -> npt.NDArray[np.bool_]:
        """Which tokens of the sentence stand in one of the texts: [tokens]."""
        pieces = {piece for text in texts for piece in self._tokenise(text)}
        return np.isin(self.ids, list(pieces))

    def cover(self, relations: Iterable[str], named: npt.NDArray[np.bool_]) -> tuple[float, float, float, float, float]:
        """What relations say of a sentence whose ``named`` tokens are said already.

        (mean best cosine of the sentence's tokens; how much more that is than with the best of the relations alone;
        the mean over the tokens that are not named; the mean and the least of how well the relations' own words are
        matched)
        """
        rows = [self._position[r] for r in relations if r in self._position]
        if not len(self.ids):
            return 0.0, 0.0, 0.0, 0.0, 0.0
        if not rows:
            return float(named.mean()), 0.0, 0.0, 0.0, 0.0
        own = self.sentence_side[rows]
        best = own.max(0)
        alone = np.where(named, 1, own).mean(1).max()
        together = np.where(named, 1, best).mean()
        unnamed = best[~named]
        matched = self.relation_side[rows]
        return (
            float(together), float(together - alone), float(unnamed.mean()) if len(unnamed) else 0.0,
            float(matched.mean()), float(matched.min()),
        )  # fmt: skip
