"""A BERT encoder of MiniLM's size in NumPy, so that ranking needs neither torch nor a download.

``weights.npz`` holds each matrix as int8 with a scale per row, and the vocabulary. Where ONNX Runtime is installed its
layers run there, which gives the same in less time. The same
network embeds a text (mean of its last layer, normalised) and compares two texts: by their embeddings, and by
how well each token of either is matched by the best of the other's (late interaction: ColBERT, Khattab and Zaharia
2020, here in both directions). Source of the architecture: Devlin et al. 2019; Wang et al. 2020 (MiniLM).
"""

from __future__ import annotations

import hashlib
import threading
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipInfo

import numpy as np

from triplewise.backends.encoders.int8_layers import FORMAT, Int8Layers, find_layers
from triplewise.backends.encoders.layers import Floats, Weights, layer, norm, unit
from triplewise.errors import ConfigError
from triplewise.places import cache_folder

MAX_TOKENS = 96
"""Tokens of a text or a pair; more are cut off."""
JOINT = 2
"""The last layers, in place of which a cross-encoder has its own."""
KEPT_TEXTS = 4_000
"""Texts whose vectors ``read_once`` keeps, some 10 KB each."""
LOWER, UPPER, CROSS = "lower", "upper", "cross"
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
    """The encoder; thread-safe, and loaded once per file by ``load``.

    ``size``: of a token's vector; ``layers``: how many it has; ``parts``: how the arrays of each layer begin, of
    ``LOWER``, ``UPPER`` and ``CROSS``.
    """

    def __init__(self, arrays: dict[str, Any], place: Path | None = None) -> None:
        """``place``: how the files begin that keep its layers for ONNX Runtime; without one they run in NumPy."""
        vocabulary = bytes(arrays.pop("vocabulary")).decode("utf-8").split("\n")
        self.tokenise = WordPiece(vocabulary)
        self.w = Weights({name: array for name, array in arrays.items() if name != "settings"})
        self._kept: dict[str, tuple[Floats, Floats, Sequence[int]]] = {}
        self._keeping = threading.Lock()
        self.layers = 1 + max(int(n.split(".")[1]) for n in arrays if n.startswith("layer."))
        names = [f"layer.{n}." for n in range(self.layers)]
        self.parts: Mapping[str, Sequence[str]] = {
            UPPER: names[-JOINT:], LOWER: names[:-JOINT], CROSS: [f"cross.{name}" for name in names[:JOINT]],
        }  # fmt: skip
        self.size = arrays["word"].shape[1]
        self._quick: dict[str, Int8Layers | None] = {}
        for part, own in self.parts.items():
            if place is not None and own and f"{own[0]}query.scale" in arrays:  # not as float16
                self._quick[part] = find_layers(Path(f"{place}.{part}.onnx"), arrays, own, _EPSILON)

    @staticmethod
    def load(path: Path) -> MiniBert:
        """The encoder of a weights file; raises ConfigError where it is none."""
        with _lock:
            return _load(path)

    def read(self, texts: Sequence[str]) -> TokenVectors:
        """The vectors of texts and of their tokens."""
        tokens = [self._with_special_tokens(t) for t in texts]
        whole = np.zeros((len(texts), self.size), np.float32)
        inner = [whole[:0]] * len(texts)
        for rows, below, mask in self._batches(tokens):
            hidden = self.run(UPPER, below, mask)
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
        return self.score_and_lower(sentence, texts)[0]

    def score_and_lower(self, sentence: TokenVectors, texts: Sequence[str]) -> tuple[Floats, list[Floats]]:
        """``score``, and of the same reading what ``lower`` gives of each text."""
        vector, inside = sentence.whole[0], sentence.tokens[0]
        out = np.zeros(len(texts), np.float32)
        lower: list[Floats] = [np.zeros((0, 0), np.float32)] * len(texts)
        weights = self.w["mix"][0]
        tokens = [self._with_special_tokens(t) for t in texts]
        for rows, below, mask in self._batches(tokens):
            for i, row in enumerate(rows):
                lower[row] = below[i, : len(tokens[row])]
            if not len(inside):
                continue
            hidden = self.run(UPPER, below, mask)
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

    def lower(self, texts: Sequence[str]) -> list[Floats]:
        """[texts] of [tokens × dimensions]: each text read alone, marks included, by the lower layers."""
        tokens = [self._with_special_tokens(t) for t in texts]
        out: list[Floats] = [np.zeros((0, 0), np.float32)] * len(texts)
        for rows, hidden, _ in self._batches(tokens):
            for i, row in enumerate(rows):
                out[row] = hidden[i, : len(tokens[row])]
        return out

    def _with_special_tokens(self, text: str) -> list[int]:
        return [self.tokenise.start, *self.tokenise(text)[: MAX_TOKENS - 2], self.tokenise.end]

    def _batches(self, tokens: list[list[int]]) -> Iterator[tuple[list[int], Floats, Floats]]:
        """(row numbers, what the lower layers give [rows × width × dimensions], mask [rows × width]).

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
            x = norm(w, "norm", w.rows("word", ids) + w["position"][:width] + w["kind"][0], _EPSILON)
            yield rows, self.run(LOWER, x, mask), mask
            start = end

    def run(self, part: str, x: Floats, mask: Floats) -> Floats:
        """A part's layers over [texts × width × dimensions]; ``mask`` [texts × width]."""
        if quick := self._quick.get(part):
            return quick.run(x, mask)
        for name in self.parts[part]:
            x = layer(self.w, name, x, mask, epsilon=_EPSILON)
        return x


def _mean(hidden: Floats, mask: Floats) -> Floats:
    return unit((hidden * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True))


_lock = threading.Lock()


@lru_cache(maxsize=4)
def _load(path: Path) -> MiniBert:
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
            return MiniBert(arrays, _place(archive.zip.infolist()))
    except OSError as error:
        reason = error.strerror or "it cannot be read"
    except (EOFError, ValueError, KeyError, TypeError, BadZipFile):  # NumPy's words are of pickles and of no help
        reason = "it is another file, or damaged"
    raise ConfigError(f"{path} holds no ranker: {reason}.", "Train one with: triplewise train ranker")


def _place(members: Sequence[ZipInfo]) -> Path | None:
    """How the files begin that keep the layers of a weights file for ONNX Runtime; None where there is no cache."""
    told = "\n".join(f"{member.filename} {member.CRC:x}" for member in members)
    with suppress(ConfigError):
        return cache_folder() / f"encoder-{FORMAT}-{hashlib.sha256(told.encode()).hexdigest()[:16]}"
    return None
