"""A BERT encoder of MiniLM's size in NumPy, so that ranking needs neither torch nor a download.

``weights.npz`` holds each matrix as int8 with a scale per row, and the vocabulary; loading multiplies it out. The same
network embeds a text (mean of its last layer, normalised) and compares two texts: by their embeddings, and by
how well each token of either is matched by the best of the other's (late interaction: ColBERT, Khattab and Zaharia
2020, here in both directions). Source of the architecture: Devlin et al. 2019; Wang et al. 2020 (MiniLM).
"""

from __future__ import annotations

import threading
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from triplewise.backends.encoders.layers import Floats, layer, norm, unit, unpacked
from triplewise.errors import ConfigError

MAX_TOKENS = 96
"""Tokens of a text or a pair; more are cut off."""
KEPT_TEXTS = 4_000
"""Texts whose vectors ``read_once`` keeps, some 10 KB each."""
_BATCH_TOKENS = 2_048
_EPSILON = 1e-12


class WordPiece:
    """BERT's uncased tokeniser: words and punctuation, accents dropped, the longest known piece first.

    ``start`` and ``end``: the marks around a text.
    """

    def __init__(self, vocabulary: Sequence[str], start: str = "[CLS]", end: str = "[SEP]") -> None:
        self.ids = {piece: i for i, piece in enumerate(vocabulary)}
        self.unknown, self.start, self.end = (self.ids[t] for t in ("[UNK]", start, end))
        self._word = lru_cache(maxsize=100_000)(self._pieces)

    def __call__(self, text: str) -> list[int]:
        """Token ids of a text, without [CLS] and [SEP]."""
        return [piece for word in _basic_words(text) for piece in self._word(word)]

    def _pieces(self, word: str) -> tuple[int, ...]:
        if len(word) > 100:
            return (self.unknown,)
        found, start = [], 0
        while start < len(word):
            for end in range(len(word), start, -1):
                if (piece := self.ids.get(("##" if start else "") + word[start:end])) is not None:
                    found.append(piece)
                    start = end
                    break
            else:
                return (self.unknown,)
        return tuple(found)


def _basic_words(text: str) -> list[str]:
    words: list[str] = []
    current: list[str] = []
    for char in unicodedata.normalize("NFD", text.lower()):
        kind = unicodedata.category(char)
        if kind == "Mn" or char in ("\0", "\ufffd") or (kind in ("Cc", "Cf") and char not in "\t\n\r"):
            continue
        ascii_symbol = char.isascii() and char.isprintable() and not char.isalnum() and char != " "
        if char.isspace() or kind.startswith("P") or ascii_symbol or "\u4e00" <= char <= "\u9fff":
            if current:
                words.append("".join(current))
                current = []
            if not char.isspace():
                words.append(char)
        else:
            current.append(char)
    return [*words, "".join(current)] if current else words


@dataclass(frozen=True, slots=True)
class TokenVectors:
    """Texts as the encoder reads them, all vectors of length 1.

    ``whole`` [texts × dimensions], the means of all tokens; ``tokens``: of each text [tokens × dimensions] without the
    marks at its ends; ``ids``: the pieces that these are.
    """

    whole: Floats
    tokens: Sequence[Floats]
    ids: Sequence[Sequence[int]]


class MiniBert:
    """The encoder; thread-safe, and loaded once per file by ``load``."""

    def __init__(self, arrays: dict[str, Any]) -> None:
        vocabulary = bytes(arrays.pop("vocabulary")).decode("utf-8").split("\n")
        self.tokenise = WordPiece(vocabulary)
        self.w: dict[str, Floats] = {}
        for name in arrays:
            if not name.endswith(".scale") and name != "settings":
                self.w[name] = unpacked(arrays, name)
        self._kept: dict[str, tuple[Floats, Floats, Sequence[int]]] = {}
        self._keeping = threading.Lock()
        self.layers = 1 + max(int(n.split(".")[1]) for n in self.w if n.startswith("layer."))

    @staticmethod
    def load(path: Path) -> MiniBert:
        """The encoder of a weights file; raises ConfigError where it is none."""
        with _lock:
            return _load(path)

    def read(self, texts: Sequence[str]) -> TokenVectors:
        """The vectors of texts and of their tokens."""
        tokens = [self._with_special_tokens(t) for t in texts]
        whole = np.zeros((len(texts), self.w["word"].shape[1]), np.float32)
        inner = [whole[:0]] * len(texts)
        for rows, hidden, mask in self._batches(tokens, self.layers):
            whole[rows] = _mean(hidden, mask)
            for i, row in enumerate(rows):
                inner[row] = unit(hidden[i, 1 : len(tokens[row]) - 1])
        return TokenVectors(whole, inner, [row[1:-1] for row in tokens])

    def read_once(self, texts: Sequence[str]) -> TokenVectors:
        """As ``read``, for texts that come again (a graph's relations and kinds).

        The vectors of ``KEPT_TEXTS`` texts are kept in memory, for as long as this encoder lives; of more, those of the
        texts that were read first are dropped.
        """
        with self._keeping:
            new = [text for text in dict.fromkeys(texts) if text not in self._kept]
            read = self.read(new)
            found = dict(zip(new, zip(read.whole, read.tokens, read.ids, strict=True), strict=True))
            rows = [found.get(text) or self._kept[text] for text in texts]
            self._kept.update(found)
            while len(self._kept) > KEPT_TEXTS:
                self._kept.pop(next(iter(self._kept)))
        whole = np.stack([row[0] for row in rows]) if rows else read.whole
        return TokenVectors(whole, [row[1] for row in rows], [row[2] for row in rows])

    def score(self, sentence: TokenVectors, texts: Sequence[str]) -> Floats:
        """[texts] how well each fits a sentence, which was read alone.

        A weighted sum of the cosine of the two vectors, and of the mean best cosine of the sentence's tokens among
        the text's, and of the text's among the sentence's.
        """
        return self.score_and_lower(sentence, texts, 0)[0]

    def score_and_lower(self, sentence: TokenVectors, texts: Sequence[str], layers: int) -> tuple[Floats, list[Floats]]:
        """``score``, and of the same reading what ``lower`` gives of each text."""
        vector, inside = sentence.whole[0], sentence.tokens[0]
        out = np.zeros(len(texts), np.float32)
        lower: list[Floats] = [np.zeros((0, 0), np.float32)] * len(texts)
        weights = self.w["mix"][0]
        tokens = [self._with_special_tokens(t) for t in texts]
        for rows, below, mask in self._batches(tokens, layers):
            for i, row in enumerate(rows):
                lower[row] = below[i, : len(tokens[row])]
            if not len(inside):
                continue
            hidden = self._forward(below, mask, range(layers, self.layers))
            inner = mask.copy()  # without [CLS] and [SEP]
            inner[:, 0] = 0
            inner[np.arange(len(rows)), mask.sum(1).astype(int) - 1] = 0
            near = unit(hidden) @ inside.T
            sentence_side = np.where(inner[:, :, None] > 0, near, -1).max(1).mean(1)
            text_side = (near.max(2) * inner).sum(1) / np.maximum(inner.sum(1), 1)
            out[rows] = (
                weights[0] * (_mean(hidden, mask) @ vector) + weights[1] * sentence_side + weights[2] * text_side
            )
        return out, lower

    def lower(self, texts: Sequence[str], layers: int) -> list[Floats]:
        """[texts] of [tokens × dimensions]: each text read alone, marks included, by the first ``layers`` layers."""
        tokens = [self._with_special_tokens(t) for t in texts]
        out: list[Floats] = [np.zeros((0, 0), np.float32)] * len(texts)
        for rows, hidden, _ in self._batches(tokens, layers):
            for i, row in enumerate(rows):
                out[row] = hidden[i, : len(tokens[row])]
        return out

    def _with_special_tokens(self, text: str) -> list[int]:
        return [self.tokenise.start, *self.tokenise(text)[: MAX_TOKENS - 2], self.tokenise.end]

    def _batches(self, tokens: list[list[int]], layers: int) -> Iterator[tuple[list[int], Floats, Floats]]:
        """(row numbers, what the first ``layers`` layers give [rows × width × dimensions], mask [rows × width]).

        Texts of like length are read together.
        """
        order = sorted(range(len(tokens)), key=lambda i: len(tokens[i]))
        start = 0
        while start < len(order):
            end = start + 1
            while end < len(order) and len(tokens[order[end]]) * (end - start + 1) <= _BATCH_TOKENS:
                end += 1
            rows = order[start:end]
            width = len(tokens[rows[-1]])
            ids = np.zeros((len(rows), width), np.int64)
            mask = np.zeros((len(rows), width), np.float32)
            for i, row in enumerate(rows):
                ids[i, : len(tokens[row])] = tokens[row]
                mask[i, : len(tokens[row])] = 1
            w = self.w
            x = norm(w, "norm", w["word"][ids] + w["position"][:width] + w["kind"][0], _EPSILON)
            yield rows, self._forward(x, mask, range(layers)), mask
            start = end

    def _forward(self, x: Floats, mask: Floats, layers: range) -> Floats:
        for n in layers:
            x = self.layer(f"layer.{n}.", x, mask)
        return x

    def layer(self, name: str, x: Floats, mask: Floats) -> Floats:
        """One layer over [texts × width × dimensions]; ``mask`` [texts × width]; ``name``: how its arrays begin."""
        return layer(self.w, name, x, mask, epsilon=_EPSILON)


def _mean(hidden: Floats, mask: Floats) -> Floats:
    return unit((hidden * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True))


_lock = threading.Lock()


@lru_cache(maxsize=4)
def _load(path: Path) -> MiniBert:
    try:
        with np.load(path, allow_pickle=False) as archive:
            return MiniBert({name: archive[name] for name in archive.files})
    except OSError as error:
        reason = error.strerror or "it cannot be read"
    except (EOFError, ValueError, KeyError, TypeError, BadZipFile):  # NumPy's words are of pickles and of no help
        reason = "it is another file, or damaged"
    raise ConfigError(f"{path} holds no ranker: {reason}.", "Train one with: triplewise train ranker")
