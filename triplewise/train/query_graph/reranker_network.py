"""The re-ranker in torch: all-mpnet-base-v2, which stays as it is, with matrices of low rank that are trained.

The adapters (LoRA, Hu et al. 2021) are in the upper layers: what the lower ones give needs no way back.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from torch import Tensor, nn

from triplewise.backends.encoders.layers import packed, unpacked
from triplewise.backends.encoders.mini_bert import MAX_TOKENS, WordPiece
from triplewise.backends.encoders.reranker import EPSILON, LAYER, MARKS
from triplewise.train.query_graph.cross_network import PairNetwork, compared
from triplewise.train.query_graph.network import filled

RANK, SCALE = 16, 2.0
"""Of the adapters, and what their product is multiplied by."""
ADAPTED_FROM = 5
"""The first layer with an adapter."""
SHARE, SHARPNESS, NONE = (0.7, 0.25), (1.0, 0.7), (1.0, 0.0)
"""Of a re-ranker for questions and for claims, and what is added to its score of "none of these": about the best on
domains and graphs put aside (decisions 21 and 24)."""
_TOGETHER = 24
"""Pairs that are run at once."""


class _Adapted(nn.Module):
    """A product that stays, with one of low rank beside it, which is nothing at first."""

    def __init__(self, whole: nn.Module) -> None:
        super().__init__()
        assert isinstance(whole, nn.Linear)
        self.whole = whole
        self.a = nn.Parameter(torch.randn(RANK, whole.in_features) / whole.in_features**0.5)
        self.b = nn.Parameter(torch.zeros(whole.out_features, RANK))

    def forward(self, x: Tensor) -> Tensor:
        return self.whole(x) + (x @ self.a.to(x.dtype).T) @ self.b.to(x.dtype).T * SCALE


class RerankerNetwork(PairNetwork):
    """``none``: what "none of these" scores (questions, claims). Scores as ``Reranker`` does."""

    def __init__(self, state: dict[str, Any], vocabulary: Sequence[str]) -> None:
        """``state``: the encoder's weights by Hugging Face's names."""
        from transformers import MPNetConfig, MPNetModel

        super().__init__()
        inner = 1 + max(int(name.split(".")[2]) for name in state if name.startswith("encoder.layer."))
        words, size = state["embeddings.word_embeddings.weight"].shape
        config = MPNetConfig(
            vocab_size=words,
            num_hidden_layers=inner,
            hidden_size=size,
            max_position_embeddings=len(state["embeddings.position_embeddings.weight"]),
            layer_norm_eps=EPSILON,
        )
        self.encoder = MPNetModel(config, add_pooling_layer=False).eval()
        self.encoder.load_state_dict(
            {name: torch.tensor(array) for name, array in state.items() if not name.startswith("pooler.")}, strict=False
        )
        for parameter in self.encoder.parameters():
            parameter.requires_grad = False
            parameter.data = parameter.data.to(_number_type())
        for layer in self.encoder.encoder.layer[ADAPTED_FROM:]:
            for name in LAYER:
                if not name.endswith("LayerNorm"):
                    above, _, last = name.rpartition(".")
                    setattr(layer.get_submodule(above), last, _Adapted(layer.get_submodule(name)))
        self.tokenise = WordPiece(vocabulary, *MARKS)
        self.mix = nn.Parameter(torch.full((3,), 4.0))
        self.weight = nn.Parameter(torch.zeros(size))
        self.first = nn.Parameter(torch.zeros(size))
        self.none = nn.Parameter(torch.zeros(2))

    def score(self, sentences: list[str], texts: list[str], sentence_of: list[int]) -> Tensor:
        """[texts] scores; ``sentence_of``: which sentence each text is held against. Pairs of like length together."""
        start, end = self.tokenise.start, self.tokenise.end
        asked = [[start, *self.tokenise(s)[: MAX_TOKENS - 2], end] for s in sentences]
        pairs = [
            (asked[k], [end, *self.tokenise(t)[: MAX_TOKENS - 2], end])
            for k, t in zip(sentence_of, texts, strict=True)
        ]  # fmt: skip
        order = sorted(range(len(pairs)), key=lambda i: len(pairs[i][0]) + len(pairs[i][1]))
        parts = [order[i : i + _TOGETHER] for i in range(0, len(order), _TOGETHER)]
        return torch.cat([self._score([pairs[i] for i in part]) for part in parts])[torch.tensor(order).argsort()]

    def _score(self, pairs: Sequence[tuple[list[int], list[int]]]) -> Tensor:
        width = filled(max(len(first) + len(second) for first, second in pairs))
        ids = torch.ones(len(pairs), width, dtype=torch.long)
        sides = torch.zeros(2, len(pairs), width)
        for row, (first, second) in enumerate(pairs):
            whole = len(first) + len(second)
            ids[row, :whole] = torch.tensor([*first, *second])
            sides[0, row, : len(first)] = 1
            sides[1, row, len(first) : whole] = 1
        x = self._hidden(ids, sides.sum(0))
        parts, means = compared(x, sides)
        return parts @ self.mix + means @ self.weight + x[:, 0] @ self.first

    def _hidden(self, ids: Tensor, mask: Tensor) -> Tensor:
        x = self.encoder.embeddings(input_ids=ids)
        away = (1 - mask)[:, None, None, :].to(x.dtype) * -1e4
        distance = self.encoder.encoder.compute_position_bias(x)
        for number, layer in enumerate(self.encoder.encoder.layer):
            with torch.set_grad_enabled(torch.is_grad_enabled() and number >= ADAPTED_FROM):
                x = layer(x, away, position_bias=distance)[0]
        return x.float()

    def train(self, mode: bool = True) -> Self:
        """What stays of the encoder is read as it will be: without dropout."""
        super().train(mode)
        self.encoder.eval()
        return self

    def slow(self) -> list[nn.Parameter]:
        """The weights that change by the slow rate: the adapters."""
        return [p for part in self.encoder.modules() if isinstance(part, _Adapted) for p in (part.a, part.b)]

    def quick(self) -> list[nn.Parameter]:
        """The others that are trained."""
        return [self.mix, self.weight, self.first, self.none]

    def load(self, adapter: Path) -> None:
        """Go on from an adapter's file."""
        with np.load(adapter, allow_pickle=False) as given:
            packed_arrays = {name: given[name] for name in given.files}
        w = {n: torch.tensor(unpacked(packed_arrays, n)) for n in packed_arrays if not n.endswith(".scale")}
        with torch.no_grad():
            for name in ("mix", "weight", "first", "none"):
                getattr(self, name).copy_(w[name][0])
            self.none.sub_(torch.tensor(NONE))
            for number, layer in enumerate(self.encoder.encoder.layer):
                for theirs, ours in LAYER.items():
                    if isinstance(part := layer.get_submodule(theirs), _Adapted):
                        part.a.copy_(w[f"layer.{number}.{ours}.a"])
                        part.b.copy_(w[f"layer.{number}.{ours}.b"] / SCALE)

    def save(self, path: Path) -> None:
        """Write the adapter's file."""
        arrays: dict[str, Any] = {
            "share": np.array([SHARE], np.float32),
            "sharpness": np.array([SHARPNESS], np.float32),
        }
        for name in ("mix", "weight", "first", "none"):
            arrays[name] = getattr(self, name).detach().numpy()[None, :].astype(np.float32)
        arrays["none"] += np.array(NONE, np.float32)
        for number, layer in enumerate(self.encoder.encoder.layer):
            for theirs, ours in LAYER.items():
                if isinstance(part := layer.get_submodule(theirs), _Adapted):
                    arrays |= packed(f"layer.{number}.{ours}.a", part.a.detach().numpy())
                    arrays |= packed(f"layer.{number}.{ours}.b", (part.b * SCALE).detach().numpy())
        partial = path.with_suffix(".partial.npz")
        np.savez_compressed(partial, **arrays)
        partial.replace(path)


def _number_type() -> torch.dtype:
    return torch.bfloat16 if torch.ops.mkldnn._is_mkldnn_bf16_supported() else torch.float32
