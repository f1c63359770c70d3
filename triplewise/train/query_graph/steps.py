"""What the stages of the ranker's training share: settings, batches, the listwise loss, a step."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from triplewise.train.query_graph.examples import Example


@dataclass(frozen=True, slots=True)
class RankerTraining:
    """Settings. ``wrong``: wrong candidates beside each right one, ``hard`` of them from the ten likeliest.

    ``shortlist``: how far down wrong candidates are drawn. ``relation_weight``: share of the relations' loss.
    ``wording_epochs``: over the wordings of relations, before the domains. ``wording_every``: in the last stage, a part
    of them is seen again after so many steps. ``cross_…``: of the last stage.
    """

    wording_epochs: int = 2
    wording_every: int = 4
    relation_epochs: int = 4
    relation_rate: float = 3e-5
    epochs: int = 2
    rate: float = 5e-5
    wrong: int = 7
    hard: int = 5
    shortlist: int = 40
    relation_weight: float = 0.3
    batch: int = 8
    cross_epochs: int = 2
    cross_rate: float = 2e-4
    cross_batch: int = 12
    seed: int = 0


OWN = RankerTraining(epochs=1, rate=1e-5, cross_epochs=1, cross_rate=1e-5)
"""For one's own graph: a little, so that what the corpus taught is kept."""
FURTHER = RankerTraining(cross_epochs=1, cross_rate=6e-5, wrong=6)
"""For going on over sentences in other words."""
RERANKER = RankerTraining(cross_epochs=1, cross_rate=4e-4, cross_batch=8, wrong=4)
"""For the adapter of a re-ranker."""
ASKED = RankerTraining(cross_epochs=2, cross_rate=2e-4, cross_batch=8, wrong=3)
"""For going on with it over questions whose answers are known."""
UPPER = RankerTraining(rate=1.5e-5, cross_epochs=2, cross_rate=8e-5, wrong=6, hard=6, shortlist=24)
"""For the ranker's upper layers over such."""


def mixed() -> torch.autocast:
    """Large products in bfloat16 where the processor computes it; where it does not, that takes longer."""
    return torch.autocast("cpu", torch.bfloat16, enabled=torch.ops.mkldnn._is_mkldnn_bf16_supported())


def _chosen(example: Example, settings: RankerTraining, shuffle: random.Random) -> list[int]:
    """One right candidate, where there is one, then wrong ones."""
    apart = {*example.right, *example.alike}
    order = [int(i) for i in np.argsort(-example.shortlist) if int(i) not in apart][: settings.shortlist]
    near, far = order[:10], order[10:]
    wrong = shuffle.sample(near, min(settings.hard, len(near)))
    wrong += shuffle.sample(far, min(settings.wrong - settings.hard, len(far)))
    best = sorted(example.right, key=lambda i: -example.shortlist[i])[:3]
    return [shuffle.choice(best), *wrong] if best else wrong


def drawn(
    batch: Sequence[Example], settings: RankerTraining, shuffle: random.Random
) -> tuple[list[list[int]], list[str], list[int]]:
    """(chosen candidates of each example, their texts, which example each text belongs to)."""
    chosen = [_chosen(e, settings, shuffle) for e in batch]
    texts = [e.texts[i] for e, found in zip(batch, chosen, strict=True) for i in found]
    return chosen, texts, [k for k, found in enumerate(chosen) for _ in found]


def listwise_loss(scores: Tensor, none: Tensor, batch: Sequence[Example], chosen: Sequence[list[int]]) -> Tensor:
    """A softmax over an example's chosen candidates and "none of these", [2] scores of questions and of claims.

    The first of the chosen is right; where nothing is, "none of these" is.
    """
    losses, start = [], 0
    for example, found in zip(batch, chosen, strict=True):
        own = scores[start : start + len(found)]
        start += len(found)
        every = torch.cat([own, none[0 if example.task == "ask" else 1].view(1)])
        right = len(found) if example.unanswerable else 0
        losses.append(nn.functional.cross_entropy(every.view(1, -1), torch.tensor([right])))
    return torch.stack(losses).mean()


def usable(examples: Sequence[Example]) -> list[Example]:
    """Those that teach something: with candidates, one of them right or none of them."""
    return [e for e in examples if e.texts and (e.right or e.unanswerable)]


def trained(net: nn.Module) -> list[nn.Parameter]:
    """The weights that a step changes by the slow rate."""
    return [p for name, p in net.named_parameters() if p.requires_grad and not name.endswith("mix")]


def parts(items: Sequence, size: int, shuffle: random.Random) -> list[list]:
    """The items, mixed, in batches."""
    mixed = list(items)
    shuffle.shuffle(mixed)
    return [mixed[i : i + size] for i in range(0, len(mixed), size)]


def step(loss: Tensor, module: nn.Module, optimiser: torch.optim.Optimizer, schedule: object) -> None:
    """One step of the optimiser and of its schedule."""
    optimiser.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(trained(module), 1.0)
    optimiser.step()
    schedule.step()  # pyright: ignore[reportAttributeAccessIssue]
