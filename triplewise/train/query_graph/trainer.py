"""Training of query-graph's ranker, in four stages.

1. The encoder learns which relations a sentence asks for (a softmax over all relations of its graph), so that candidate
   generation knows which paths to go on from: first from wordings of many other fields, then from the domains. The
   second is done twice, each time without half of the domains, so that a domain's candidates are made by an encoder
   that never saw it.
2. The shortlist's network learns which candidates the encoder should read, in the same two halves.
3. One encoder learns both tasks: relations as in 1, and among a right candidate, hard wrong ones from the shortlist and
   "none of these" the right one (a listwise softmax; RnG-KBQA, Ye et al. 2022, ranks by the same contrast).
4. A cross-encoder over that encoder's lower layers learns the same of sentence and candidate read together.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from triplewise.backends.encoders.mini_bert import MiniBert
from triplewise.backends.encoders.reranker import mpnet
from triplewise.tools.query_graph.nearness import Nearness, RelationVectors
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.query_graph.verbaliser import Verbaliser
from triplewise.train.query_graph.cross_network import CrossNetwork, train_cross
from triplewise.train.query_graph.examples import Example, Source, domain_examples, relations_in
from triplewise.train.query_graph.network import RankerNetwork
from triplewise.train.query_graph.reranker_network import RerankerNetwork
from triplewise.train.query_graph.shortlist import Shortlist, score_shortlist, train_shortlist
from triplewise.train.query_graph.steps import (
    FURTHER,
    OWN,
    RERANKER,
    RankerTraining,
    drawn,
    listwise_loss,
    mixed,
    parts,
    step,
    trained,
    usable,
)
from triplewise.train.query_graph.wordings import Wordings

RELATION_SHARPNESS = 20.0
"""What a cosine is multiplied by before the softmax over relations."""
CROSS_WEIGHT = (0.65, 0.4)
"""Share of the cross-encoder in the score of a question's and of a claim's reading; of 0 to 0.8 about the best on
eighteen domains put aside (decision 16)."""

SEEN_AGAIN = 0.25
"""Share of the sentences that are reworded which are seen again themselves."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A domain with the texts of its relations and the relations that each of its items asks for."""

    domain: Source
    schema: SchemaView
    verbaliser: Verbaliser
    relations: list[str]
    texts: list[str]
    asked: list[tuple[str, list[int]]]


def prepared(domain: Source) -> Prepared:
    """A domain as the stages take it."""
    schema = SchemaView(domain.store)
    verbaliser = Verbaliser(schema)
    relations = list(schema.relations)
    asked = []
    for item in domain.items():
        if item.query is not None and item.missing not in ("relation", "entity"):
            found = [relations.index(r) for r in relations_in(item.query) if r in relations]
            if found:
                asked.append((item.text, found))
    return Prepared(domain, schema, verbaliser, relations, [verbaliser.step(r) for r in relations], asked)


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
    every = [prepared(d) for d in domains]
    halves = [every[0::2], every[1::2]] if len(every) > 1 else [every, every]
    examples: dict[str, list[Example]] = {}
    base = RankerNetwork(minilm)
    if wordings:
        train_relations(base, wordings, settings, settings.wording_epochs, say)
    for seen, unseen in (halves, halves[::-1]):
        net = deepcopy(base)
        train_relations(net, seen, settings, settings.relation_epochs, say)
        for one in unseen:
            examples[one.domain.name] = domain_candidates(net, one, say)
    for seen, unseen in (halves, halves[::-1]):
        short = train_shortlist([e for p in seen for e in examples[p.domain.name]], seed=settings.seed)
        score_shortlist(short, [e for p in unseen for e in examples[p.domain.name]])
    everything = [e for found in examples.values() for e in found]
    final = train_shortlist(everything, seed=settings.seed)
    ranker = Ranker(base)
    train_readings(ranker, everything, {p.domain.name: p for p in every}, settings, wordings=wordings, say=say)
    cross = CrossNetwork(base)
    train_cross(cross, everything, settings, say)
    return ranker.save(out, final, cross, settings)


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
    known, fitted, cross = known_ranker(minilm, ranker)
    network, shortlist = fitted.network, Shortlist.of(known.w)
    cross.load(known.w)
    one = prepared(own)
    examples = domain_candidates(network, one, say)
    score_shortlist(shortlist, examples)
    train_readings(fitted, examples, {own.name: one}, settings, say=say)
    train_cross(cross, examples, settings, say)
    return fitted.save(out, shortlist, cross, settings, known=known, half=True)


def train_upper(
    domains: Sequence[Source],
    minilm: Path,
    ranker: Path,
    out: Path,
    settings: RankerTraining | None = None,
    *,
    say: Callable[[str], None] = lambda line: None,
) -> MiniBert:
    """Train stages 2 and 4 anew over a ranker's encoder, which stays, as does what weighs its scores; write ``out``.

    For domains that the encoder has not seen, best: of those that it has it thinks too well.
    """
    settings = settings or RankerTraining()
    torch.manual_seed(settings.seed)
    known, kept, cross = known_ranker(minilm, ranker)
    examples = [e for d in domains for e in domain_candidates(kept.network, prepared(d), say)]
    shortlist = train_shortlist(examples, seed=settings.seed)
    score_shortlist(shortlist, examples)
    train_cross(cross, examples, settings, say)
    return kept.save(out, shortlist, cross, settings, known=known)


def train_further(
    domains: Sequence[Source],
    reworded: Mapping[str, Sequence[str]],
    minilm: Path,
    ranker: Path,
    out: Path,
    settings: RankerTraining = FURTHER,
    *,
    say: Callable[[str], None] = lambda line: None,
) -> MiniBert:
    """Go on with a ranker's cross-encoder over sentences in other words, and over some of those that they reword; all
    else stays; write ``out``.

    ``reworded``: id of an item → its sentence in other words, each held against the candidates of the item itself.
    """
    torch.manual_seed(settings.seed)
    known, kept, cross = known_ranker(minilm, ranker)
    cross.load(known.w)
    shortlist = Shortlist.of(known.w)
    examples = _in_other_words(domains, reworded, kept, shortlist, settings, say)
    train_cross(cross, examples, settings, say)
    return kept.save(out, shortlist, cross, settings, known=known)


def train_reranker(
    domains: Sequence[Source],
    reworded: Mapping[str, Sequence[str]],
    minilm: Path,
    ranker: Path,
    out: Path,
    settings: RankerTraining = RERANKER,
    *,
    say: Callable[[str], None] = lambda line: None,
) -> None:
    """Train the re-ranker's adapter among the likeliest candidates of a ranker, over the sentences and over all that
    say them in other words; write ``out``. Raises MissingExtraError without the encoder's packages."""
    torch.manual_seed(settings.seed)
    network = RerankerNetwork(*mpnet())
    known, kept, _ = known_ranker(minilm, ranker)
    examples = _in_other_words(domains, reworded, kept, Shortlist.of(known.w), settings, say, again=1)
    train_cross(network, examples, settings, say)
    network.save(out)


def _in_other_words(
    domains: Sequence[Source],
    reworded: Mapping[str, Sequence[str]],
    kept: Ranker,
    shortlist: Shortlist,
    settings: RankerTraining,
    say: Callable[[str], None],
    again: float = SEEN_AGAIN,
) -> list[Example]:
    """The examples in other words, with the share ``again`` of those that these reword, and all others."""
    examples = [e for d in domains for e in domain_candidates(kept.network, prepared(d), say)]
    score_shortlist(shortlist, examples)
    shuffle = random.Random(settings.seed)
    own = [e for e in examples if e.id not in reworded or shuffle.random() < again]
    more = [
        replace(e, id=f"{e.id}~{n}", text=text) for e in examples for n, text in enumerate(reworded.get(e.id, ()), 1)
    ]
    return [*own, *more]


def known_ranker(minilm: Path, ranker: Path) -> tuple[MiniBert, Ranker, CrossNetwork]:
    """A ranker's file, its encoder with what weighs its scores, and a new cross-encoder over that encoder."""
    known, network = MiniBert.load(ranker), RankerNetwork(minilm)
    network.load(known)
    kept = Ranker(network)
    with torch.no_grad():
        kept.weight.copy_(torch.tensor(known.w["shortlist.weight"][0, 0]))
        kept.none.copy_(torch.tensor(known.w["none"][0]))
    kept.weight.requires_grad = kept.none.requires_grad = False
    return known, kept, CrossNetwork(network)


def domain_candidates(net: RankerNetwork, one: Prepared, say: Callable[[str], None]) -> list[Example]:
    """The examples of a domain, its candidates made by the encoder of ``net``."""
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
    domains: Sequence[Prepared | Wordings],
    settings: RankerTraining,
    epochs: int,
    say: Callable[[str], None],
) -> None:
    """Stage 1: a softmax over the relations of a sentence's graph, or of its field."""
    shuffle = random.Random(settings.seed)
    batches = []
    for _ in range(epochs):
        epoch = [(p, part) for p in domains for part in parts(p.asked, 24, shuffle)]
        shuffle.shuffle(epoch)
        batches += epoch
    optimiser = torch.optim.AdamW(trained(net), lr=settings.relation_rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, max_lr=settings.relation_rate, total_steps=max(2, len(batches)), pct_start=0.1
    )
    net.train()
    for number, (one, part) in enumerate(batches, 1):
        with mixed():
            vectors, sentences = net.embed(one.texts), net.embed([text for text, _ in part])
        loss = _relation_loss(sentences.float(), vectors.float(), [asked for _, asked in part])
        step(loss, net, optimiser, schedule)
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
        self,
        path: Path,
        shortlist: Shortlist,
        cross: CrossNetwork,
        settings: RankerTraining,
        *,
        known: MiniBert | None = None,
        half: bool = False,
    ) -> MiniBert:
        """Write one file with everything that ranking needs, ``half`` as in the network; returns it, loaded again.

        ``known``: the ranker that this one was fitted from, whose calibration stays.
        """
        share = torch.tensor(CROSS_WEIGHT)
        none = (1 - share) * self.none + share * cross.none
        calibration = {
            "none": none.detach().numpy()[None, :].astype(np.float32),
            "sharpness": np.ones((1, 1), np.float32),
            "cross.share": np.array([CROSS_WEIGHT], np.float32),
        }
        if known is not None:
            calibration = {name: known.w[name] for name in calibration}
        extra = {
            **shortlist.arrays(),
            **cross.arrays(half=half),
            **calibration,
            "shortlist.weight": np.array([[self.weight.item()]], np.float32),
            "settings": np.frombuffer(json.dumps(asdict(settings)).encode(), np.uint8),
        }
        return self.network.save(path, extra, half=half)


def train_readings(
    ranker: Ranker,
    examples: Sequence[Example],
    domains: dict[str, Prepared],
    settings: RankerTraining,
    *,
    wordings: Sequence[Wordings] = (),
    say: Callable[[str], None],
) -> None:
    """Stage 3: the right candidate among wrong ones and "none of these", and the relations as in stage 1."""
    shuffle = random.Random(settings.seed)
    groups: dict[str, list[Example]] = defaultdict(list)
    for example in usable(examples):
        groups[example.domain].append(example)
    batches: list[list[Example]] = []
    for _ in range(settings.epochs):
        epoch = [part for found in groups.values() for part in parts(found, settings.batch, shuffle)]
        shuffle.shuffle(epoch)
        batches += epoch
    optimiser = torch.optim.AdamW(
        [
            {"params": trained(ranker.network), "lr": settings.rate, "weight_decay": 0.01},
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
        chosen, texts, owner = drawn(batch, settings, shuffle)
        with mixed():
            scores, sentences = ranker.network.score([e.text for e in batch], texts, owner)
            vectors = ranker.network.embed(domains[batch[0].domain].texts)
        loss = _reading_loss(ranker, scores.float(), batch, chosen)
        if asking := [k for k, e in enumerate(batch) if e.relations]:
            asked = [batch[k].relations for k in asking]
            loss = loss + settings.relation_weight * _relation_loss(sentences[asking].float(), vectors.float(), asked)
        if wordings and number % settings.wording_every == 0:
            loss = loss + settings.relation_weight * _wording_loss(ranker.network, shuffle.choice(wordings), shuffle)
        step(loss, ranker, optimiser, schedule)
        running += loss.item()
        if number % 50 == 0:
            say(f"readings: step {number} of {len(batches)}, loss {running / 50:.3f}")
            running = 0.0
    ranker.eval()


def _wording_loss(net: RankerNetwork, field: Wordings, shuffle: random.Random) -> Tensor:
    part = shuffle.sample(field.asked, min(24, len(field.asked)))
    with mixed():
        vectors, sentences = net.embed(field.texts), net.embed([text for text, _ in part])
    return _relation_loss(sentences.float(), vectors.float(), [asked for _, asked in part])


def _reading_loss(ranker: Ranker, scores: Tensor, batch: Sequence[Example], chosen: Sequence[list[int]]) -> Tensor:
    cheap = np.concatenate([e.shortlist[found] for e, found in zip(batch, chosen, strict=True)])
    return listwise_loss(scores + ranker.weight * torch.tensor(cheap), ranker.none, batch, chosen)
