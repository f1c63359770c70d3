"""How near a sentence is to the words of each relation of a graph: as a whole, and token by token.

Both come from one reading of each text by the encoder, so that candidates can be held against the sentence before any
of them is read itself: of a path, what its relations leave unsaid of the sentence, and what they say beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from triplewise.backends.encoders.mini_bert import TokenVectors
from triplewise.tools.query_graph.schema_view import Step

_PARAPHRASES = 0.42
"""Cosine from which on a noun may paraphrase a word of the graph. Of the training domains' 6,637 sentences that can be
answered three have the object of a verb below it, none of which is left out of the right reading."""


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
        self._ids = list(sentence.ids[0])
        own = sentence.tokens[0]
        # lists, not arrays: rows of a dozen tokens are gone through thousands of times a sentence
        if len(own) and len(relations.tokens):
            near = relations.tokens @ own.T
            self._sentence_side: list[list[float]] = np.maximum.reduceat(near, relations.starts, axis=0).tolist()
            self._relation_side: list[float] = (
                np.add.reduceat(near.max(1), relations.starts) / relations.counts
            ).tolist()
        else:
            self._sentence_side = [[0.0] * len(own)] * len(relations.position)
            self._relation_side = [0.0] * len(relations.position)
        self._pieces: dict[str, Sequence[int]] = {}

    def __call__(self, step: Step) -> float:
        found = self._position.get(step.relation)
        return 0.0 if found is None else self._cosines[found]

    def named(self, texts: Iterable[str]) -> list[bool]:
        """Which tokens of the sentence stand in one of the texts."""
        pieces: set[int] = set()
        for text in texts:
            found = self._pieces.get(text)
            if found is None:
                found = self._pieces[text] = self._tokenise(text)
            pieces.update(found)
        return [i in pieces for i in self._ids]

    def of_word(self, word: str) -> float:
        """The greatest cosine of a word, where it stands in the sentence, and any word of a relation or its ends; 0
        where the word is not there."""
        said = self.named((word,))
        return max((near for row in self._sentence_side for near, own in zip(row, said, strict=True) if own), default=0)

    def may_paraphrase(self, word: str) -> bool:
        """Whether a word of the sentence may say in another way what a relation or its ends are called."""
        return self.of_word(word) >= _PARAPHRASES

    def cover(self, relations: Iterable[str], named: Sequence[bool]) -> tuple[float, float, float, float, float]:
        """What relations say of a sentence whose ``named`` tokens are said already.

        (mean best cosine of the sentence's tokens; how much more that is than with the best of the relations alone;
        the mean over the tokens that are not named; the mean and the least of how well the relations' own words are
        matched)
        """
        rows = [self._position[r] for r in relations if r in self._position]
        size = len(self._ids)
        if not size:
            return 0.0, 0.0, 0.0, 0.0, 0.0
        said = sum(named)
        if not rows:
            return said / size, 0.0, 0.0, 0.0, 0.0
        left = [[near for near, known in zip(self._sentence_side[r], named, strict=True) if not known] for r in rows]
        alone = max(map(sum, left))
        together = sum(map(max, zip(*left, strict=True)))
        matched = [self._relation_side[r] for r in rows]
        return (
            (said + together) / size, (together - alone) / size, together / (size - said) if size > said else 0.0,
            sum(matched) / len(matched), min(matched),
        )  # fmt: skip
