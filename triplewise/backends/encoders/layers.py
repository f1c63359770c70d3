"""A layer of an encoder of BERT's kind in NumPy (Vaswani et al. 2017; Devlin et al. 2019)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
HEADS = 12
"""Of MiniLM and of MPNet."""


class Weights(Mapping[str, Floats]):
    """A file's arrays, each unpacked when it is first asked for."""

    def __init__(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        self.arrays = dict(arrays)
        """As they are packed."""
        self._unpacked: dict[str, Floats] = {}

    def __getitem__(self, name: str) -> Floats:
        if (found := self._unpacked.get(name)) is None:
            found = self._unpacked[name] = unpacked(self.arrays, name)
        return found

    def __iter__(self) -> Iterator[str]:
        return (name for name in self.arrays if not name.endswith(".scale"))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def rows(self, name: str, numbers: npt.NDArray[np.int64]) -> Floats:
        """Some rows of a matrix, of which the others are not unpacked."""
        whole, scale = self.arrays[name][numbers].astype(np.float32), self.arrays.get(f"{name}.scale")
        return whole if scale is None else whole * scale[numbers][..., None]


def layer(
    w: Mapping[str, Floats], name: str, x: Floats, mask: Floats, *, epsilon: float, bias: Floats | None = None
) -> Floats:
    """One layer over [texts × width × dimensions]; ``mask`` [texts × width]; ``name``: how its arrays begin.

    ``bias`` [heads × width × width]: what attention gains by how far two tokens stand from each other.
    Only attention works on texts filled up to one width: what multiplies each token alone skips the filling, which
    is near to half of readings of unlike length. There the result is zero.
    """
    batch, width, size = x.shape
    there = np.flatnonzero(mask)
    full = len(there) == batch * width
    packed = x.reshape(batch * width, size)
    packed = packed if full else packed[there]

    def filled(part: Floats) -> Floats:
        if full:
            return part
        out = np.zeros((batch * width, part.shape[1]), np.float32)
        out[there] = part
        return out

    q, k, v = (
        filled(packed @ w[f"{name}{part}"].T + w[f"{name}{part}.bias"][0])
        .reshape(batch, width, HEADS, -1)
        .transpose(0, 2, 1, 3)
        for part in ("query", "key", "value")
    )
    weights = q @ k.transpose(0, 1, 3, 2) / np.float32(np.sqrt(size // HEADS))
    weights += (1 - mask)[:, None, None, :] * np.float32(-1e9)
    if bias is not None:
        weights += bias
    weights = np.exp(weights - weights.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    seen = (weights @ v).transpose(0, 2, 1, 3).reshape(batch * width, size)
    seen = seen if full else seen[there]
    packed = norm(w, f"{name}out.norm", packed + seen @ w[f"{name}out"].T + w[f"{name}out.bias"][0], epsilon)
    up = packed @ w[f"{name}up"].T + w[f"{name}up.bias"][0]
    down = gelu(up) @ w[f"{name}down"].T + w[f"{name}down.bias"][0]
    return filled(norm(w, f"{name}down.norm", packed + down, epsilon)).reshape(batch, width, size)


def norm(w: Mapping[str, Floats], name: str, x: Floats, epsilon: float) -> Floats:
    """Each vector with mean 0 and spread 1, then weighed and moved."""
    centred = x - x.mean(-1, keepdims=True)
    spread = np.sqrt((centred * centred).mean(-1, keepdims=True) + np.float32(epsilon))
    return centred / spread * w[f"{name}.weight"][0] + w[f"{name}.bias"][0]


def packed(name: str, array: npt.NDArray[np.float32], *, half: bool = False) -> dict[str, npt.NDArray[Any]]:
    """A matrix as int8 with a scale per row, or as float16."""
    if half:
        return {name: array.astype(np.float16)}
    scale = np.maximum(np.abs(array).max(1), 1e-8) / 127
    return {name: np.round(array / scale[:, None]).astype(np.int8), f"{name}.scale": scale.astype(np.float32)}


def unpacked(arrays: Mapping[str, npt.NDArray[Any]], name: str) -> Floats:
    """What ``packed`` was given, or any array."""
    whole, scale = np.asarray(arrays[name], np.float32), arrays.get(f"{name}.scale")
    return whole if scale is None else whole * np.asarray(scale, np.float32)[:, None]


def unit(x: Floats) -> Floats:
    """Vectors of length 1."""
    return x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-12)


def gelu(x: Floats) -> Floats:
    """The tanh form, which the ranker's weights are trained with, and which is within 1e-3 of the other."""
    inner = x * x
    inner *= np.float32(0.044715)
    inner += 1
    inner *= x
    inner *= np.float32(0.7978845608)
    np.tanh(inner, out=inner)
    inner += 1
    inner *= x
    inner *= np.float32(0.5)
    return inner
