"""Training of ComplEx with reciprocal relations, the N3 norm and relations predicted too, for minutes on a CPU.

Every distinct query (e, ρ) of the training part, ρ a relation or its reciprocal, is one row of a batch with all of
its answers, which makes rows a third of the triples on FB15k-237. With s the scores and Z the sum of exp s over
all entities, estimated from the answers and ``negatives`` others, an answer costs (Lacroix et al., 2018)::

    L = log Z - s_t + λ/3·(|e|³ + |ρ|³ + |t|³)

and a triple costs w times the cross-entropy of its relation among all relations (Chen et al., 2021). Adagrad updates
the rows that a batch used, and no others. The large products are in bfloat16 where the processor computes it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from triplewise.tools.links.complex_scorer import ComplExScorer
from triplewise.tools.links.kge_data import Ints, LinkPredictionData, directed
from triplewise.tools.links.link_ranks import Ranks, filtered_ranks
from triplewise.train.links.settings import ComplExSettings
from triplewise.train.links.shapes import filled, product

Say = Callable[[str], None]


class _Table:
    """A table of rows under Adagrad that is updated where it was used."""

    def __init__(self, rows: int, width: int, spread: float, rate: float) -> None:
        self.values = torch.randn(rows, width) * spread
        self._squares = torch.zeros(rows, width)
        self._rate = rate

    def take(self, rows: Tensor) -> Tensor:
        """These rows, as a leaf that gathers a gradient."""
        return self.values[rows].requires_grad_()

    def update(self, rows: Tensor, taken: Tensor) -> None:
        """One step for the rows that were taken."""
        if (gradient := taken.grad) is not None:
            squares = self._squares[rows] + gradient * gradient
            self._squares[rows] = squares
            self.values[rows] -= self._rate * gradient / (squares.sqrt() + 1e-10)


class ComplExTrainer:
    """The two tables and the training rows."""

    def __init__(self, data: LinkPredictionData, settings: ComplExSettings, say: Say = lambda line: None) -> None:
        self.data, self.settings, self.say = data, settings, say
        torch.manual_seed(settings.seed)
        width = 2 * settings.dim
        self.entity = _Table(len(data.entities), width, settings.spread, settings.rate)
        self.relation = _Table(2 * len(data.relations), width, settings.spread, settings.rate)
        self.type = torch.bfloat16 if torch.ops.mkldnn._is_mkldnn_bf16_supported() else torch.float32
        rows = directed(data.train, len(data.relations))
        self.rows = rows[np.lexsort((rows[:, 1], rows[:, 0]))]
        new = np.ones(len(rows), dtype=bool)
        new[1:] = (self.rows[1:, :2] != self.rows[:-1, :2]).any(axis=1)
        self.starts = np.append(np.flatnonzero(new), len(rows))
        self._place = np.full(len(data.entities), -1, dtype=np.int64)

    def train(self) -> ComplExScorer:
        """All epochs; returns the scorer of the best validated state, of the last where nothing can be validated."""
        settings = self.settings
        drawn = np.random.default_rng(settings.seed).permutation(len(self.data.valid))[: settings.valid_triples]
        best, kept, stale, started = -1.0, None, 0, time.process_time()
        for epoch in range(settings.epochs):
            loss = self._epoch(epoch)
            line = f"ComplEx {epoch + 1}/{settings.epochs}  loss {loss:.4f}  {time.process_time() - started:.0f} s"
            if len(drawn) and ((epoch + 1) % settings.evaluate_every == 0 or epoch + 1 == settings.epochs):
                scorer = self.scorer()
                valid = self.data.valid[drawn]
                sides = [filtered_ranks(scorer, valid, self.data.known, side) for side in ("head", "tail")]
                mrr = Ranks.join(*sides).mrr()
                line += f"  validation MRR {mrr:.4f}"
                stale = 0 if mrr > best else stale + 1
                if mrr > best:
                    best, kept = mrr, scorer
            self.say(line)
            if stale >= settings.patience:
                break
        return kept or self.scorer()

    def scorer(self) -> ComplExScorer:
        """The scorer of the state now."""
        tables = {"entity": self.entity, "relation": self.relation}
        return ComplExScorer(self.data, {name: t.values.numpy().astype(np.float16) for name, t in tables.items()})

    def _epoch(self, epoch: int) -> float:
        rng = np.random.default_rng([self.settings.seed, epoch])
        queries = rng.permutation(len(self.starts) - 1)
        size = min(self.settings.queries, -(-len(queries) // 20))
        losses = [self._step(queries[at : at + size], rng) for at in range(0, len(queries), size)]
        return float(np.mean(losses))

    def _step(self, queries: NDArray[Any], rng: np.random.Generator) -> float:
        settings, n = self.settings, len(self.data.entities)
        counts = self.starts[queries + 1] - self.starts[queries]
        row = np.repeat(np.arange(len(queries)), counts)
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        triples = self.rows[self.starts[queries][row] + within]
        first = self.rows[self.starts[queries]]
        drawn = rng.choice(n, min(settings.negatives, n), replace=False, shuffle=False)
        used = filled(np.unique(np.concatenate([triples[:, 0], triples[:, 2], drawn]).astype(np.int64)), n, rng)
        self._place[used] = np.arange(len(used))
        rows, answers = torch.from_numpy(row), torch.from_numpy(self._place[triples[:, 2]])
        places = torch.from_numpy(used)
        entity, relation = self.entity.take(places), self.relation.take(torch.arange(2 * len(self.data.relations)))
        given = entity[torch.from_numpy(self._place[first[:, 0]])]
        asked = relation[torch.from_numpy(first[:, 1].astype(np.int64))]
        loss = AnswersLoss.apply(_times(given, asked), entity, rows, answers, n / len(used), self.type)
        loss = loss + settings.relation_weight * self._relations(triples, entity, relation)
        norms = (torch.from_numpy(counts)[:, None] * (_cubes(given) + _cubes(asked))).sum()
        norms = norms + (torch.bincount(answers, minlength=len(used))[:, None] * _cubes(entity)).sum()
        (loss + settings.norm / 3 * norms / len(rows)).backward()
        self.entity.update(places, entity)
        self.relation.update(torch.arange(2 * len(self.data.relations)), relation)
        self._place[used] = -1
        return loss.item()

    def _relations(self, triples: Ints, entity: Tensor, relation: Tensor) -> Tensor | float:
        """The cross-entropy of each triple's directed relation: Re⟨h∘t̄, r̄⟩ is the score."""
        if not self.settings.relation_weight or len(self.data.relations) < 2:
            return 0.0
        head, tail = (entity[torch.from_numpy(self._place[triples[:, i]])] for i in (0, 2))
        a, b = tail.chunk(2, dim=1)
        product = _times(torch.cat([a, -b], dim=1), head)
        c, d = product.chunk(2, dim=1)
        scores = self._product(torch.cat([c, -d], dim=1), relation)
        return functional.cross_entropy(scores, torch.from_numpy(triples[:, 1].astype(np.int64)))

    def _product(self, left: Tensor, right: Tensor) -> Tensor:
        return product(left.to(self.type), right.to(self.type)).float()


class AnswersLoss(torch.autograd.Function):
    """The mean of log Z - s_t over ``answers``, entities of ``table`` [n × d], of ``queries[rows]`` [q × d].

    Both gradients are reckoned with the loss, in place: of the scores [q × n] there is one copy in float32, where
    PyTorch's own steps keep five.
    """

    @staticmethod
    def forward(
        ctx: Any, queries: Tensor, table: Tensor, rows: Tensor, answers: Tensor, share: float, kind: torch.dtype
    ) -> Tensor:
        """``share``: how many entities one that is no answer stands for; ``kind``: of the products."""
        left, right = queries.to(kind), table.to(kind)
        scores = (left @ right.T).float()
        true, most = scores[rows, answers], scores.amax(dim=1, keepdim=True)
        scores.sub_(most).exp_()
        right_ones = scores[rows, answers]
        scores[rows, answers] = 0
        total = share * scores.sum(dim=1)
        total = total.index_add_(0, rows, right_ones)
        each = torch.bincount(rows, minlength=len(queries)) / total / len(rows)
        scores.mul_(share * each[:, None])
        scores[rows, answers] = right_ones * each[rows] - 1 / len(rows)
        slopes = scores.to(kind)
        ctx.save_for_backward((slopes @ right).float(), (slopes.T @ left).float())
        return ((total.log() + most[:, 0])[rows] - true).mean()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        """The gradients of queries and table."""
        of_queries, of_table = ctx.saved_tensors
        return gradients[0] * of_queries, gradients[0] * of_table, None, None, None, None


def _times(x: Tensor, y: Tensor) -> Tensor:
    """The product of complex vectors, real parts beside imaginary ones."""
    a, b = x.chunk(2, dim=1)
    c, d = y.chunk(2, dim=1)
    return torch.cat([a * c - b * d, a * d + b * c], dim=1)


def _cubes(x: Tensor) -> Tensor:
    """|x_i|³ of complex vectors."""
    a, b = x.chunk(2, dim=1)
    return (a * a + b * b + 1e-12) ** 1.5
