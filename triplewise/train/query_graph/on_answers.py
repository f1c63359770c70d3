"""Training over questions whose answers alone are known: the re-ranker's adapter, and the ranker's upper part."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from pathlib import Path

import numpy as np
import torch

from triplewise.backends.encoders.reranker import mpnet
from triplewise.errors import ConfigError
from triplewise.tools.query_graph.ranker import Reader
from triplewise.train.query_graph.asked import AskedGraph, asked_candidates, asked_examples
from triplewise.train.query_graph.cross_network import CrossNetwork, train_cross
from triplewise.train.query_graph.examples import Example, Source
from triplewise.train.query_graph.reranker_network import RerankerNetwork
from triplewise.train.query_graph.shortlist import Shortlist, score_shortlist, train_shortlist
from triplewise.train.query_graph.steps import (
    ASKED,
    UPPER,
    RankerTraining,
    drawn,
    listwise_loss,
    mixed,
    parts,
    step,
    usable,
)
from triplewise.train.query_graph.trainer import Ranker, domain_candidates, known_ranker, prepared

KNOWN_LAYERS = 0.5
"""Share of the layers' known weights in those that are written (Wortsman et al. 2022, "Robust fine-tuning of zero-shot
models"): on what no training saw they are as good as the new ones, and on the corpus better (decision 25)."""
KNOWN_SHARE = 0.3
"""Share of the shortlist's known network in the scores; the other one has learnt from answers (decision 25)."""


def train_reranker_on_answers(
    graphs: Sequence[AskedGraph],
    adapter: Path,
    out: Path,
    settings: RankerTraining = ASKED,
    *,
    say: Callable[[str], None] = lambda line: None,
) -> int:
    """Go on with a re-ranker's adapter over questions whose answers are known, among the readings that the program
    itself ranks first, and write ``out``; returns how many questions taught something.

    Raises MissingExtraError without the encoder's packages, ConfigError where no question teaches anything.
    """
    torch.manual_seed(settings.seed)
    network = RerankerNetwork(*mpnet())
    network.load(adapter)
    examples = _taught(graphs, lambda graph: asked_examples(graph, Reader(graph.store)), say)
    train_cross(network, examples, settings, say)
    network.save(out)
    return len(examples)


def train_ranker_on_answers(
    graphs: Sequence[AskedGraph],
    domains: Sequence[Source],
    minilm: Path,
    ranker: Path,
    out: Path,
    settings: RankerTraining = UPPER,
    *,
    say: Callable[[str], None] = lambda line: None,
) -> int:
    """Go on with a ranker's shortlist, its cross-encoder and the upper layers of its encoder over questions whose
    answers are known, and over the items of ``domains``, so that what the corpus taught is kept; write ``out``. The
    encoder's lower layers stay, and what weighs its scores.

    Returns how many questions taught something. Raises ConfigError where none does.
    """
    torch.manual_seed(settings.seed)
    known, kept, cross = known_ranker(minilm, ranker)
    cross.load(known.w)
    examples = _taught(graphs, lambda graph: asked_candidates(graph, ranker), say)
    taught = len(examples)
    examples += [e for d in domains for e in domain_candidates(kept.network, prepared(d), say)]
    first = Shortlist.of(known.w)
    second = train_shortlist(examples, epochs=16, rate=1e-3, seed=settings.seed, known=first)
    shortlist = first.beside(second, KNOWN_SHARE)
    score_shortlist(shortlist, examples)
    known_layers = deepcopy([*kept.parameters(), *cross.parameters()])
    train_upper_layers(kept, cross, examples, settings, say)
    with torch.no_grad():
        for learnt, before in zip([*kept.parameters(), *cross.parameters()], known_layers, strict=True):
            learnt.lerp_(before, KNOWN_LAYERS)
    kept.save(out, shortlist, cross, settings, known=known)
    return taught


def _taught(
    graphs: Sequence[AskedGraph],
    examples_of: Callable[[AskedGraph], Iterable[Example]],
    say: Callable[[str], None],
) -> list[Example]:
    examples = list[Example]()
    for graph in graphs:
        found = list(examples_of(graph))
        say(f"{graph.name}: {len(found)} of {len(graph.asked)} questions teach something")
        examples += found
    if not examples:
        raise ConfigError("no question teaches anything: each is answered surely, or by no reading.")
    return examples


def train_upper_layers(
    kept: Ranker,
    cross: CrossNetwork,
    examples: Sequence[Example],
    settings: RankerTraining,
    say: Callable[[str], None],
) -> None:
    """The cross-encoder and the encoder's own layers of that height, each with a listwise softmax of its own, among the
    same candidates."""
    shuffle = random.Random(settings.seed)
    layers = kept.network.encoder.encoder.layer[cross.at :]
    kept.requires_grad_(requires_grad=False)
    layers.requires_grad_(requires_grad=True)
    kept.none.requires_grad = True
    batches = [
        part for _ in range(settings.cross_epochs) for part in parts(usable(examples), settings.cross_batch, shuffle)
    ]
    none = [kept.none, cross.none]
    rates = [settings.cross_rate, settings.cross_rate * 5, settings.rate, 0.03]
    groups = (cross.slow(), [p for p in cross.quick() if p is not cross.none], list(layers.parameters()), none)
    optimiser = torch.optim.AdamW([{"params": g, "lr": rate} for g, rate in zip(groups, rates, strict=True)])
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, max_lr=rates, total_steps=max(2, len(batches)), pct_start=0.08
    )
    kept.train()
    cross.train()
    running = 0.0
    for number, batch in enumerate(batches, 1):
        chosen, texts, owner = drawn(batch, settings, shuffle)
        sentences = [e.text for e in batch]
        with mixed():
            together = cross.score(sentences, texts, owner)
            apart, _ = kept.network.score(sentences, texts, owner)
        cheap = np.concatenate([e.shortlist[found] for e, found in zip(batch, chosen, strict=True)])
        apart = apart.float() + kept.weight * torch.tensor(cheap)
        loss = listwise_loss(together.float(), cross.none, batch, chosen)
        loss = loss + listwise_loss(apart, kept.none, batch, chosen)
        step(loss, torch.nn.ModuleList([kept, cross]), optimiser, schedule)
        running += loss.item()
        if number % 50 == 0:
            say(f"upper layers: step {number} of {len(batches)}, loss {running / 50:.3f}")
            running = 0.0
    kept.eval()
    cross.eval()
