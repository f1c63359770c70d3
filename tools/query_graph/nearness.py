"""How near a sentence is to the words of each relation of a graph: as a whole, and token by token.

Both come from one reading of each text by the encoder, so that candidates can be held against the sentence before any
of them is read itself: of a path, what its relations leave unsaid of the sentence, and what they say beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import numpy.typing as npt

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
        self._sentence_side = np.zeros((len(relations.position), len(own)))
        self._relation_side = np.zeros(len(relations.position))
        if len(own) and len(relations.tokens):
            near = relations.tokens @ own.T
            self._sentence_side += np.maximum.reduceat(near, relations.starts, axis=0)
            self._relation_side += np.add.reduceat(near.max(1), relations.starts) / relations.counts
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
        return float(self._sentence_side[:, said].max(initial=0.0))

    def may_paraphrase(self, word: str) -> bool:
        """Whether a word of the sentence may say in another way what a relation or its ends are called."""
        return self.of_word(word) >= _PARAPHRASES

    def cover(
        self, asked: Sequence[tuple[frozenset[str], int]], named: Sequence[Sequence[bool]]
    ) -> npt.NDArray[np.float64]:
        """[asked × 5] what relations say of the sentence, of each a set of these and which tokens are said already, by
        their place among ``named``.

        (mean best cosine of the sentence's tokens; how much more that is than with the best of the relations alone;
        the mean over the tokens that are not named; the mean and the least of how well the relations' own words are
        matched)
        """
        size, found = len(self._ids), np.zeros((len(asked), 5))
        if not size or not asked:
            return found
        left = ~np.array(named, bool)  # [named × tokens]
        among = np.array([number for _, number in asked])
        found[:, 0] = (size - left.sum(1))[among] / size
        rows = [[self._position[r] for r in sorted(relations) if r in self._position] for relations, _ in asked]
        some = np.array([i for i, own in enumerate(rows) if own], np.int64)
        if not len(some):
            return found
        among, flat = among[some], np.array([row for own in rows for row in own])
        starts = np.cumsum([0, *(len(rows[i]) for i in some[:-1])])
        best = np.maximum.reduceat(self._sentence_side[flat], starts, axis=0)
        together = (best * left[among]).sum(1)
        counts = np.diff([*starts, len(flat)])
        each = (self._sentence_side @ left.T)[flat, np.repeat(among, counts)]
        alone = np.maximum.reduceat(each, starts)
        matched = self._relation_side[flat]
        unsaid = left.sum(1)[among]
        found[some, 0] += together / size
        found[some, 1] = (together - alone) / size
        found[some, 2] = np.where(unsaid, together / np.maximum(unsaid, 1), 0.0)
        found[some, 3] = np.add.reduceat(matched, starts) / counts
        found[some, 4] = np.minimum.reduceat(matched, starts)
        return found
