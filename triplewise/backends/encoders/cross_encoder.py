"""A cross-encoder: a sentence and a text read together, by ``JOINT`` layers over what ``MiniBert`` has read of each.

The lower layers of the encoder read either alone, so that the sentence is read once for all texts; only the last
layers see both (PreTTR, MacAvaney et al. 2020). What they give is compared as ``MiniBert`` compares, and weighed. Its
arrays, named ``cross.…``, lie in the encoder's file.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from triplewise.backends.encoders.layers import Floats, unit
from triplewise.backends.encoders.mini_bert import CROSS, MiniBert


class CrossEncoder:
    """How well texts fit a sentence, over the encoder of a file that has one; raises KeyError where it has none."""

    def __init__(self, bert: MiniBert) -> None:
        self.bert = bert
        self.kinds, self.mix, self.weight = bert.w["cross.kind"], bert.w["cross.mix"][0], bert.w["cross.weight"][0]

    def score(self, sentence: str, texts: Sequence[str]) -> Floats:
        """[texts] scores, in no scale but each other's."""
        return self.score_read(sentence, self.bert.lower(texts))

    def score_read(self, sentence: str, read: Sequence[Floats]) -> Floats:
        """``score`` of texts that the encoder's lower layers have read."""
        if not read:
            return np.zeros(0, np.float32)
        (first,) = self.bert.lower([sentence])
        width = max(len(r) for r in read)
        x = np.zeros((len(read), len(first) + width, first.shape[1]), np.float32)
        mask = np.zeros(x.shape[:2], np.float32)
        x[:, : len(first)] = first + self.kinds[0]
        for row, text in enumerate(read):
            end = len(first) + len(text)
            x[row, len(first) : end] = text + self.kinds[1]
            mask[row, :end] = 1
        x = self.bert.run(CROSS, x, mask)
        parts, means = compared(x[:, : len(first)], x[:, len(first) :], mask[:, len(first) :])
        return parts @ self.mix + means @ self.weight


def compared(asked: Floats, answer: Floats, there: Floats) -> tuple[Floats, Floats]:
    """([texts × 3] how alike two sides are, [texts × dimensions] the sum of their means), of their tokens' vectors.

    ``there`` [texts × width]: which of ``answer``'s tokens are of the text. Alike: the cosine of the means, the mean
    best cosine of a token of ``asked`` among the other's, and of one of ``answer``.
    """
    mean = asked.mean(1), (answer * there[:, :, None]).sum(1) / there.sum(1, keepdims=True)
    near = np.where(there[:, None, :] > 0, unit(asked) @ unit(answer).transpose(0, 2, 1), -1)
    parts = (
        (unit(mean[0]) * unit(mean[1])).sum(1),
        near.max(2).mean(1),
        (near.max(1) * there).sum(1) / there.sum(1),
    )
    return np.stack(parts, -1), mean[0] + mean[1]
