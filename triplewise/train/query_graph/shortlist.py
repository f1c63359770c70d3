"""The shortlist's network: a small one over cheap features, trained to put a right candidate before all wrong ones."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from triplewise.tools.query_graph.features import NAMES
from triplewise.train.query_graph.examples import Example

_HIDDEN = 48
_BATCH = 16


class Shortlist(nn.Module):
    """[candidates × features] → [candidates] scores; ``mean`` and ``spread`` are the features' own."""

    def __init__(self, mean: npt.NDArray[np.float32], spread: npt.NDArray[np.float32]) -> None:
        super().__init__()
        self.mean, self.spread = torch.tensor(mean), torch.tensor(spread)
        self.first = nn.Linear(len(NAMES), _HIDDEN)
        self.last = nn.Linear(_HIDDEN, 1)

    @classmethod
    def of(cls, arrays: Mapping[str, npt.NDArray[np.float32]]) -> Shortlist:
        """The network of a ranker's file."""
        net = cls(arrays["features.mean"][0], arrays["features.spread"][0])
        with torch.no_grad():
            net.first.weight.copy_(torch.tensor(arrays["features.in"]))
            net.first.bias.copy_(torch.tensor(arrays["features.in.bias"][0]))
            net.last.weight.copy_(torch.tensor(arrays["features.out"]))
            net.last.bias.copy_(torch.tensor(arrays["features.out.bias"][0]))
        return net

    def forward(self, features: npt.NDArray[np.float16]) -> Tensor:
        x = (torch.tensor(features.astype(np.float32)) - self.mean) / self.spread
        return self.last(torch.tanh(self.first(x))).squeeze(-1)

    def arrays(self) -> dict[str, npt.NDArray[np.float32]]:
        """The weights as the ranker's file names them."""
        found = {
            "features.mean": self.mean, "features.spread": self.spread, "features.in": self.first.weight,
            "features.in.bias": self.first.bias, "features.out": self.last.weight, "features.out.bias": self.last.bias,
        }  # fmt: skip
        return {name: np.atleast_2d(value.detach().numpy()) for name, value in found.items()}


def train_shortlist(examples: Sequence[Example], *, epochs: int = 20, rate: float = 3e-3, seed: int = 0) -> Shortlist:
    """Listwise softmax: the right candidates' share of all but those that answer alike."""
    together = np.concatenate([e.features for e in examples if len(e.features)]).astype(np.float32)
    torch.manual_seed(seed)
    net = Shortlist(together.mean(0), together.std(0) + 1e-3)
    items = [e for e in examples if e.right]
    shuffle = random.Random(seed)
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-2)
    steps = epochs * -(-len(items) // _BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, max_lr=rate, total_steps=max(2, steps))
    for _ in range(epochs):
        shuffle.shuffle(items)
        for start in range(0, len(items), _BATCH):
            loss = _loss(net, items[start : start + _BATCH])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
    return net


def _loss(net: Shortlist, batch: Sequence[Example]) -> Tensor:
    """The mean over some examples, all of whose candidates are scored at once."""
    width = max(len(e.features) for e in batch)
    features = np.zeros((len(batch), width, len(NAMES)), np.float16)
    compared, right = torch.full((2, len(batch), width), -torch.inf)
    for row, example in enumerate(batch):
        features[row, : len(example.features)] = example.features
        compared[row, : len(example.features)] = 0
        compared[row, example.alike] = -torch.inf
        compared[row, example.right] = right[row, example.right] = 0
    scores = net(features)
    return (torch.logsumexp(scores + compared, 1) - torch.logsumexp(scores + right, 1)).mean()


def score_shortlist(net: Shortlist, examples: Sequence[Example]) -> None:
    """Write each example's cheap scores."""
    with torch.no_grad():
        for example in examples:
            example.shortlist = net(example.features).numpy() if len(example.features) else np.zeros(0, np.float32)
