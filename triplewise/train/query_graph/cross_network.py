"""The ranker's cross-encoder in torch: ``CrossEncoder``'s two layers over a ranker's encoder, which stays as it is."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from triplewise.backends.encoders.mini_bert import JOINT
from triplewise.train.query_graph.examples import Example
from triplewise.train.query_graph.network import RankerNetwork, filled, load_layer, packed_layer, run_layer
from triplewise.train.query_graph.steps import (
    RankerTraining,
    drawn,
    listwise_loss,
    mixed,
    parts,
    step,
    usable,
)

_TOGETHER = 32
"""Pairs that are run at once."""


class PairNetwork(nn.Module):
    """What scores a sentence and a text together, in training; ``none``: what "none of these" scores."""

    none: nn.Parameter

    def score(self, sentences: list[str], texts: list[str], sentence_of: list[int]) -> Tensor:
        """[texts] scores; ``sentence_of``: which sentence each text is held against."""
        raise NotImplementedError

    def slow(self) -> list[nn.Parameter]:
        """The weights that change by the slow rate."""
        raise NotImplementedError

    def quick(self) -> list[nn.Parameter]:
        """The others that are trained."""
        raise NotImplementedError


class CrossNetwork(PairNetwork):
    """Begins with the encoder's own last layers; ``none``: what "none of these" scores (questions, claims)."""

    def __init__(self, below: RankerNetwork) -> None:
        super().__init__()
        self._below = [below]  # in a list: no part of this network, its weights are not trained here
        own = below.encoder.encoder.layer
        self.at = len(own) - JOINT
        self.layers = nn.ModuleList(deepcopy(list(own[self.at :])))
        size = below.encoder.config.hidden_size
        self.kinds = nn.Parameter(torch.zeros(2, size))
        self.mix = nn.Parameter(below.mix.detach().clone())
        self.weight = nn.Parameter(torch.zeros(size))
        self.none = nn.Parameter(torch.zeros(2))

    def score(self, sentences: list[str], texts: list[str], sentence_of: list[int]) -> Tensor:
        """[texts] scores; ``sentence_of``: which sentence each text is held against. Pairs of like length together."""
        with torch.no_grad():
            asked, lengths = self._below[0].lower(sentences, self.at)
        order = sorted(range(len(texts)), key=lambda i: lengths[sentence_of[i]] * 4 + len(texts[i]))
        parts = [order[i : i + _TOGETHER] for i in range(0, len(order), _TOGETHER)]
        scored = [
            self._score([asked[sentence_of[i], : lengths[sentence_of[i]]] for i in part], [texts[i] for i in part])
            for part in parts
        ]
        return torch.cat(scored)[torch.tensor(order).argsort()]

    def _score(self, asked: list[Tensor], texts: list[str]) -> Tensor:
        with torch.no_grad():
            read, lengths = self._below[0].lower(texts, self.at)
        width = filled(max(len(first) + length for first, length in zip(asked, lengths, strict=True)))
        x = read.new_zeros(len(texts), width, read.shape[2])
        mask = torch.zeros(len(texts), width)
        kind = torch.zeros(len(texts), width, dtype=torch.long)
        for row, (first, length) in enumerate(zip(asked, lengths, strict=True)):
            end = len(first) + length
            x[row, : len(first)] = first
            x[row, len(first) : end] = read[row, :length]
            mask[row, :end] = 1
            kind[row, len(first) :] = 1
        x = x + self.kinds[kind]
        for layer in self.layers:
            x = run_layer(layer, x, mask)
        parts, means = compared(x.float(), torch.stack([mask * (kind == 0), mask * kind]))
        return parts @ self.mix + means @ self.weight

    def slow(self) -> list[nn.Parameter]:
        """The weights that change by the slow rate."""
        return list(self.layers.parameters())

    def quick(self) -> list[nn.Parameter]:
        """The others that are trained."""
        return [self.kinds, self.mix, self.weight, self.none]

    def arrays(self, *, half: bool) -> dict[str, Any]:
        """The weights as the ranker's file names them."""
        arrays: dict[str, Any] = {
            "cross.kind": self.kinds.detach().numpy().astype(np.float32),
            "cross.mix": self.mix.detach().numpy()[None, :].astype(np.float32),
            "cross.weight": self.weight.detach().numpy()[None, :].astype(np.float32),
        }
        for n, layer in enumerate(self.layers):
            arrays |= packed_layer(f"cross.layer.{n}.", layer, half=half)
        return arrays

    def load(self, w: Mapping[str, npt.NDArray[np.float32]]) -> None:
        """Go on from a ranker's file."""
        with torch.no_grad():
            self.kinds.copy_(torch.tensor(w["cross.kind"]))
            self.mix.copy_(torch.tensor(w["cross.mix"][0]))
            self.weight.copy_(torch.tensor(w["cross.weight"][0]))
        for n, layer in enumerate(self.layers):
            load_layer(layer, f"cross.layer.{n}.", w)


def compared(x: Tensor, sides: Tensor) -> tuple[Tensor, Tensor]:
    """([texts × 3] how alike two sides are, [texts × dimensions] the sum of their means), as in NumPy.

    ``x`` [texts × width × dimensions]; ``sides`` [2 × texts × width]: which tokens are of which side.
    """
    tokens = nn.functional.normalize(x, dim=-1)
    near = tokens @ tokens.transpose(1, 2)
    best = [near.masked_fill(sides[1 - side][:, None, :] == 0, -1).max(2).values for side in (0, 1)]
    means = [(x * side[:, :, None]).sum(1) / side.sum(1, keepdim=True) for side in sides]
    parts = (
        nn.functional.cosine_similarity(means[0], means[1]),
        (best[0] * sides[0]).sum(1) / sides[0].sum(1),
        (best[1] * sides[1]).sum(1) / sides[1].sum(1),
    )
    return torch.stack(parts, -1), means[0] + means[1]


def train_cross(
    cross: PairNetwork, examples: Sequence[Example], settings: RankerTraining, say: Callable[[str], None]
) -> None:
    """Stage 4: the right candidate among likely wrong ones, others each time, and "none of these"."""
    settings = replace(settings, hard=settings.wrong)
    shuffle = random.Random(settings.seed)
    batches = [
        batch for _ in range(settings.cross_epochs) for batch in parts(usable(examples), settings.cross_batch, shuffle)
    ]
    rates = [settings.cross_rate, settings.cross_rate * 5]
    optimiser = torch.optim.AdamW(
        [
            {"params": cross.slow(), "lr": rates[0], "weight_decay": 0.01},
            {"params": cross.quick(), "lr": rates[1], "weight_decay": 0.0},
        ]
    )
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, max_lr=rates, total_steps=max(2, len(batches)), pct_start=0.08
    )
    cross.train()
    running = 0.0
    for number, batch in enumerate(batches, 1):
        chosen, texts, owner = drawn(batch, settings, shuffle)
        with mixed():
            scores = cross.score([e.text for e in batch], texts, owner)
        loss = listwise_loss(scores.float(), cross.none, batch, chosen)
        step(loss, cross, optimiser, schedule)
        running += loss.item()
        if number % 50 == 0:
            say(f"sentence and reading together: step {number} of {len(batches)}, loss {running / 50:.3f}")
            running = 0.0
    cross.eval()
