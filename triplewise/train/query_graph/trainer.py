"""Training of query-graph's ranker, in three stages.

1. The encoder learns which relations a sentence asks for (a softmax over all relations of its graph), so that candidate
   generation knows which paths to go on from: first from wordings of many other fields, then from the domains. The
   second is done twice, each time without half of the domains, so that a domain's candidates are made by an encoder
   that never saw it.
2. The shortlist's network learns which candidates the encoder should read, in the same two halves.
3. One encoder learns both tasks: relations as in 1, and among a right candidate, hard wrong ones from the shortlist and
   "none of these" the right one (a listwise softmax; RnG-KBQA, Ye et al. 2022, ranks by the same contrast).
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from triplewise.backends.mini_bert import MiniBert
from triplewise.tools.query_graph.nearness import Nearness, RelationVectors
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.query_graph.verbaliser import Verbaliser
from triplewise.train.query_graph.examples import Example, Source, domain_examples, relations_in
from triplewise.train.query_graph.network import RankerNetwork
from triplewise.train.query_graph.shortlist import Shortlist, score_shortlist, train_shortlist
from triplewise.train.query_graph.wordings import Wordings

RELATION_SHARPNESS = 20.0
"""What a cosine is multiplied by before the softmax over relations."""


@dataclass(frozen=True, slots=True)
class RankerTraining:
    """Settings. ``wrong``: wrong candidates beside each right one, ``hard`` of them from the ten likeliest.

    ``shortlist``: how far down wrong candidates are drawn. ``relation_weight``: share of the relations' loss.
    ``wording_epochs``: over the wordings of relations, before the domains. ``wording_every``: in the last stage, a part
    of them is seen again after so many steps.
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
    seed: int = 0


OWN = RankerTraining(epochs=1, rate=1e-5)
"""For one's own graph: a little, so that what the corpus taught is kept."""


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A domain with the texts of its relations and the relations that each of its items asks for."""

    domain: Source
    schema: SchemaView
    verbaliser: Verbaliser
    relations: list[str]
    texts: list[str]
    asked: list[tuple[str, list[int]]]


def _prepare(domain: Source) -> _Prepared:
    schema = SchemaView(domain.store)
    verbaliser = Verbaliser(schema)
    relations = list(schema.relations)
    asked = []
    for item in domain.items():
        if item.query is not None and item.missing not in ("relation", "entity"):
            found = [relations.index(r) for r in relations_in(item.query) if r in relations]
            if found:
                asked.append((item.text, found))
    return _Prepared(domain, schema, verbaliser, relations, [verbaliser.step(r) for r in relations], asked)


def train_ranker(
    domains: Sequence[Source],
    minilm: Path,
    out: Path,
    settings: RankerTraining | None = None,
    *,
    wordings: Sequence[Wordings] = (),
    say: Callable[[str], None] = lambda line: None,
) -> MiniBert:
    """Train on these domains from MiniLM's folder and write ``out``; returns the ranker as it will be loaded."""
    settings = settings or RankerTraining()
    torch.manual_seed(settings.seed)
    prepared = [_prepare(d) for d in domains]
    halves = [prepared[0::2], prepared[1::2]] if len(prepared) > 1 else [prepared, prepared]
    examples: dict[str, list[Example]] = {}
    base = RankerNetwork(minilm)
    if wordings:
        train_relations(base, wordings, settings, settings.wording_epochs, say)
    for seen, unseen in (halves, halves[::-1]):
        net = deepcopy(base)
        train_relations(net, seen, settings, settings.relation_epochs, say)
        for one in unseen:
            examples[one.domain.name] = _candidates(net, one, say)
    for seen, unseen in (halves, halves[::-1]):
        short = train_shortlist([e for p in seen for e in examples[p.domain.name]], seed=settings.seed)
        score_shortlist(short, [e for p in unseen for e in examples[p.domain.name]])
    everything = [e for found in examples.values() for e in found]
    final = train_shortlist(everything, seed=settings.seed)
    ranker = Ranker(base)
    train_readings(ranker, everything, {p.domain.name: p for p in prepared}, settings, wordings=wordings, say=say)
    return ranker.save(out, final, settings)


def fit_ranker(
    own: Source,
    minilm: Path,
    ranker: Path,
    out: Path,
    settings: RankerTraining = OWN,
    *,
    say: Callable[[str], None] = lambda line: None,
) -> MiniBert:
    """Fit a ranker's file to one graph and write ``out``: its last stage goes on over the graph's own items.

    The shortlist's network stays, and so does what "none of these" scores.
    """
    torch.manual_seed(settings.seed)
    known, network = MiniBert.load(ranker), RankerNetwork(minilm)
    network.load(known)
    fitted, shortlist = Ranker(network), Shortlist.of(known.w)
    with torch.no_grad():
        fitted.weight.copy_(torch.tensor(known.w["shortlist.weight"][0, 0]))
        fitted.none.copy_(torch.tensor(known.w["none"][0]))
    fitted.weight.requires_grad = fitted.none.requires_grad = False
    prepared = _prepare(own)
    examples = _candidates(network, prepared, say)
    score_shortlist(shortlist, examples)
    train_readings(fitted, examples, {own.name: prepared}, settings, say=say)
    return fitted.save(out, shortlist, settings, sharpness=float(known.w["sharpness"][0, 0]), half=True)


def _candidates(net: RankerNetwork, one: _Prepared, say: Callable[[str], None]) -> list[Example]:
    found = list(domain_examples(one.domain, affinities(net, one.relations, one.texts), one.schema, one.verbaliser))
    right = [bool(e.right) for e in found if not e.unanswerable]
    say(f"candidates of {one.domain.name}: the right one among them in {np.mean(right):.1%} of {len(right)}")
    return found


def affinities(net: RankerNetwork, relations: list[str], texts: list[str]) -> Callable[[str], Nearness]:
    """sentence → how near it is to each relation, by a network in training."""
    read = RelationVectors(relations, net.read(texts))
    return lambda sentence: Nearness(read, net.read([sentence]), net.tokenise)


def train_relations(
    net: RankerNetwork,
    domains: Sequence[_Prepared | Wordings],
    settings: RankerTraining,
    epochs: int,
    say: Callable[[str], None],
) -> None:
    """Stage 1: a softmax over the relations of a sentence's graph, or of its field."""
    shuffle = random.Random(settings.seed)
    batches = []
    for _ in range(epochs):
        epoch = [(p, part) for p in domains for part in _parts(p.asked, 24, shuffle)]
        shuffle.shuffle(epoch)
        batches += epoch
    optimiser = torch.optim.AdamW(_trained(net), lr=settings.relation_rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, max_lr=settings.relation_rate, total_steps=max(2, len(batches)), pct_start=0.1
    )
    net.train()
    for number, (one, part) in enumerate(batches, 1):
        with torch.autocast("cpu", torch.bfloat16):
            vectors, sentences = net.embed(one.texts), net.embed([text for text, _ in part])
        loss = _relation_loss(sentences.float(), vectors.float(), [asked for _, asked in part])
        _step(loss, net, optimiser, schedule)
        if number % 50 == 0:
            say(f"relations: step {number} of {len(batches)}, loss {loss.item():.3f}")
    net.eval()


def _relation_loss(sentences: Tensor, vectors: Tensor, asked: Sequence[list[int]]) -> Tensor:
    shares = torch.log_softmax(sentences @ vectors.T * RELATION_SHARPNESS, -1)
    return -torch.stack([row[found].mean() for row, found in zip(shares, asked, strict=True)]).mean()


class Ranker(nn.Module):
    """The encoder with the weight of the shortlist's score and the score of "none of these" (questions, claims)."""

    def __init__(self, network: RankerNetwork) -> None:
        super().__init__()
        self.network = network
        self.weight = nn.Parameter(torch.tensor(0.5))
        self.none = nn.Parameter(torch.zeros(2))

    def save(
        self, path: Path, shortlist: Shortlist, settings: RankerTraining, *, sharpness: float = 1.0, half: bool = False
    ) -> MiniBert:
        """Write one file with everything that ranking needs, ``half`` as in the network; returns it, loaded again."""
        extra = {
            **shortlist.arrays(),
            "shortlist.weight": np.array([[self.weight.item()]], np.float32),
            "none": self.none.detach().numpy()[None, :].astype(np.float32),
            "sharpness": np.array([[sharpness]], np.float32),
            "settings": np.frombuffer(json.dumps(asdict(settings)).encode(), np.uint8),
        }
        return self.network.save(path, extra, half=half)


def train_readings(
    ranker: Ranker,
    examples: Sequence[Example],
    domains: dict[str, _Prepared],
    settings: RankerTraining,
    *,
    wordings: Sequence[Wordings] = (),
    say: Callable[[str], None],
) -> None:
    """Stage 3: the right candidate among wrong ones and "none of these", and the relations as in stage 1."""
    shuffle = random.Random(settings.seed)
    usable = [e for e in examples if e.texts and (e.right or e.unanswerable)]
    groups: dict[str, list[Example]] = defaultdict(list)
    for example in usable:
        groups[example.domain].append(example)
    batches: list[list[Example]] = []
    for _ in range(settings.epochs):
        epoch = [part for found in groups.values() for part in _parts(found, settings.batch, shuffle)]
        shuffle.shuffle(epoch)
        batches += epoch
    optimiser = torch.optim.AdamW(
        [
            {"params": _trained(ranker.network), "lr": settings.rate, "weight_decay": 0.01},
            {
                "params": [p for p in (ranker.weight, ranker.none, ranker.network.mix) if p.requires_grad],
                "lr": 0.02,
                "weight_decay": 0.0,
            },
        ]
    )
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, max_lr=[settings.rate, 0.02], total_steps=max(2, len(batches)), pct_start=0.08
    )
    ranker.train()
    running = 0.0
    for number, batch in enumerate(batches, 1):
        chosen = [_chosen(e, settings, shuffle) for e in batch]
        texts = [e.texts[i] for e, found in zip(batch, chosen, strict=True) for i in found]
        owner = [k for k, found in enumerate(chosen) for _ in found]
        with torch.autocast("cpu", torch.bfloat16):
            scores, sentences = ranker.network.score([e.text for e in batch], texts, owner)
            vectors = ranker.network.embed(domains[batch[0].domain].texts)
        loss = _reading_loss(ranker, scores.float(), batch, chosen)
        if asking := [k for k, e in enumerate(batch) if e.relations]:
            asked = [batch[k].relations for k in asking]
            loss = loss + settings.relation_weight * _relation_loss(sentences[asking].float(), vectors.float(), asked)
        if wordings and number % settings.wording_every == 0:
            loss = loss + settings.relation_weight * _wording_loss(ranker.network, shuffle.choice(wordings), shuffle)
        _step(loss, ranker, optimiser, schedule)
        running += loss.item()
        if number % 50 == 0:
            say(f"readings: step {number} of {len(batches)}, loss {running / 50:.3f}")
            running = 0.0
    ranker.eval()


def _wording_loss(net: RankerNetwork, field: Wordings, shuffle: random.Random) -> Tensor:
    part = shuffle.sample(field.asked, min(24, len(field.asked)))
    with torch.autocast("cpu", torch.bfloat16):
        vectors, sentences = net.embed(field.texts), net.embed([text for text, _ in part])
    return _relation_loss(sentences.float(), vectors.float(), [asked for _, asked in part])


def _chosen(example: Example, settings: RankerTraining, shuffle: random.Random) -> list[int]:
    """One right candidate, where there is one, then wrong ones."""
    apart = {*example.right, *example.alike}
    order = [int(i) for i in np.argsort(-example.shortlist) if int(i) not in apart][: settings.shortlist]
    near, far = order[:10], order[10:]
    wrong = shuffle.sample(near, min(settings.hard, len(near)))
    wrong += shuffle.sample(far, min(settings.wrong - settings.hard, len(far)))
    best = sorted(example.right, key=lambda i: -example.shortlist[i])[:3]
    return [shuffle.choice(best), *wrong] if best else wrong


def _reading_loss(ranker: Ranker, scores: Tensor, batch: Sequence[Example], chosen: Sequence[list[int]]) -> Tensor:
    losses, start = [], 0
    for example, found in zip(batch, chosen, strict=True):
        own = scores[start : start + len(found)] + ranker.weight * torch.tensor(example.shortlist[found])
        start += len(found)
        every = torch.cat([own, ranker.none[0 if example.task == "ask" else 1].view(1)])
        right = len(found) if example.unanswerable else 0
        losses.append(nn.functional.cross_entropy(every.view(1, -1), torch.tensor([right])))
    return torch.stack(losses).mean()


def _trained(net: nn.Module) -> list[nn.Parameter]:
    return [p for name, p in net.named_parameters() if p.requires_grad and not name.endswith("mix")]


def _parts(items: Sequence, size: int, shuffle: random.Random) -> list[list]:
    mixed = list(items)
    shuffle.shuffle(mixed)
    return [mixed[i : i + size] for i in range(0, len(mixed), size)]


def _step(loss: Tensor, module: nn.Module, optimiser: torch.optim.Optimizer, schedule: object) -> None:
    optimiser.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(_trained(module), 1.0)
    optimiser.step()
    schedule.step()  # pyright: ignore[reportAttributeAccessIssue]
