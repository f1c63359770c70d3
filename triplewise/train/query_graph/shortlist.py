"""The shortlist's network: a small one over cheap features, trained to put a right candidate before all wrong ones."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from copy import deepcopy

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

    def __init__(self, mean: npt.NDArray[np.float32], spread: npt.NDArray[np.float32], hidden: int = _HIDDEN) -> None:
        super().__init__()
        self.mean, self.spread = torch.tensor(mean), torch.tensor(spread)
        self.first = nn.Linear(len(NAMES), hidden)
        self.last = nn.Linear(hidden, 1)

    @classmethod
    def of(cls, arrays: Mapping[str, npt.NDArray[np.float32]]) -> Shortlist:
        """The network of a ranker's file."""
        net = cls(arrays["features.mean"][0], arrays["features.spread"][0], len(arrays["features.in"]))
        with torch.no_grad():
            net.first.weight.copy_(torch.tensor(arrays["features.in"]))
            net.first.bias.copy_(torch.tensor(arrays["features.in.bias"][0]))
            net.last.weight.copy_(torch.tensor(arrays["features.out"]))
            net.last.bias.copy_(torch.tensor(arrays["features.out.bias"][0]))
        return net

    def forward(self, features: npt.NDArray[np.float16]) -> Tensor:
        x = (torch.tensor(features.astype(np.float32)) - self.mean) / self.spread
        return self.last(torch.tanh(self.first(x))).squeeze(-1)

    def beside(self, other: Shortlist, share: float) -> Shortlist:
        """One network that scores as the mean of both, which take the features alike: ``share`` of this one's."""
        net = Shortlist(self.mean.numpy(), self.spread.numpy(), self.first.out_features + other.first.out_features)
        with torch.no_grad():
            net.first.weight.copy_(torch.cat([self.first.weight, other.first.weight]))
            net.first.bias.copy_(torch.cat([self.first.bias, other.first.bias]))
            net.last.weight.copy_(torch.cat([share * self.last.weight, (1 - share) * other.last.weight], 1))
            net.last.bias.copy_(share * self.last.bias + (1 - share) * other.last.bias)
        return net

    def arrays(self) -> dict[str, npt.NDArray[np.float32]]:
        """The weights as the ranker's file names them."""
        found = {
            "features.mean": self.mean, "features.spread": self.spread, "features.in": self.first.weight,
            "features.in.bias": self.first.bias, "features.out": self.last.weight, "features.out.bias": self.last.bias,
        }  # fmt: skip
        return {name: np.atleast_2d(value.detach().numpy()) for name, value in found.items()}


def train_shortlist(
    examples: Sequence[Example],
    *,
    epochs: int = 20,
    rate: float = 3e-3,
    seed: int = 0,
    known: Shortlist | None = None,
) -> Shortlist:
    """Listwise softmax: the right candidates' share of all but those that answer alike. ``known``: the network to go on
    from, which stays as it is."""
    torch.manual_seed(seed)
    if known is None:
        together = np.concatenate([e.features for e in examples if len(e.features)]).astype(np.float32)
        net = Shortlist(together.mean(0), together.std(0) + 1e-3)
    else:
        net = deepcopy(known)
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
