"""Training of the text scorer: SimKGC (Wang et al., 2022) with MiniLM, shaped for minutes on a CPU.

A query (h, r, ?) or (?, r, t) and its answer are compared by their texts::

    φ(h, r, t) = cos(q(h, r), e(t))
    L = -log exp((φ⁺ - γ)/τ) / (exp((φ⁺ - γ)/τ) + Σ_i exp(φ_i/τ))

as there, with the negatives of there: the other entities of the batch; the given entity itself; and entities that
earlier batches encoded, here all of them, kept in a table. What differs is the price. An entity is encoded once for all
of its triples, and the relation, encoded by itself, joins it after the encoder (``QueryHead``) instead of within the
text; a batch is a neighbourhood of the graph, so that most answers are in it. Training has three parts: the heads on
MiniLM as it is, then its upper layers with them, then the heads again on what the encoder has become.

Known training answers are no negatives. Each part draws from a stream of its own, (seed, part, epoch).
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from triplewise.tools.links.kge_data import FactIndex, Ints, LinkPredictionData, directed
from triplewise.tools.links.text_scorer import TextScorer
from triplewise.train.links.encoder import EntityEncoder, MasterAdam, Text
from triplewise.train.links.settings import TextSettings
from triplewise.train.links.shapes import filled

Say = Callable[[str], None]
_MIN_BATCHES = 20
"""Into which an epoch is cut, also on a small graph."""
_MIN_STEPS = 60
"""Of the heads for each epoch that is asked for: a small graph is gone through more often."""


class Heads(nn.Module):
    """What turns entities' vectors into queries and answers; ``text.py`` has the formula.

    q = unit(u∘s_r + W2·gelu(W1·[u; r])) with u = W·x, and e = unit(V·x).
    """

    def __init__(self, width: int, relations: Tensor, settings: TextSettings) -> None:
        super().__init__()
        size, inner = relations.shape[1], settings.hidden
        self.given = nn.Linear(width, size, bias=False)
        self.answer = nn.Linear(width, size, bias=False)
        with torch.no_grad():  # both begin as the mean of the two means
            for layer in (self.given, self.answer):
                layer.weight.copy_(torch.cat([torch.eye(size)] * (width // size), dim=1) * size / width)
        self.relation = nn.Parameter(relations.clone())
        self.scale = nn.Parameter(torch.ones_like(relations))
        self.query_in, self.query_out = nn.Linear(2 * size, inner), nn.Linear(inner, size, bias=False)
        self.log_scale = nn.Parameter(torch.tensor(-math.log(settings.temperature)))
        self.drop = nn.Dropout(settings.dropout)

    def queries(self, vectors: Tensor, relations: Tensor) -> Tensor:
        """Unit vectors [batch × size] of the given entities' vectors and directed relations' positions."""
        u, r = self.given(vectors), self.relation[relations]
        inner = functional.gelu(self.query_in(torch.cat([u, r], dim=1)), approximate="tanh")
        return functional.normalize(u * self.scale[relations] + self.query_out(self.drop(inner)), dim=1)

    def answers(self, vectors: Tensor) -> Tensor:
        """Unit vectors [n × size] of entities as answers."""
        return functional.normalize(self.answer(vectors), dim=1)


class TextTrainer:
    """Encoder, heads and the table of vectors."""

    def __init__(
        self,
        data: LinkPredictionData,
        texts: Sequence[Text],
        relations: Sequence[str],
        minilm: Path,
        settings: TextSettings,
        say: Say = lambda line: None,
    ) -> None:
        self.data, self.settings, self.say = data, settings, say
        torch.manual_seed(settings.seed)
        self.encoder = EntityEncoder(minilm, texts, trained=settings.layers, max_tokens=settings.max_tokens)
        self.table = self.encoder.all()
        words = self.encoder.sentences([*relations, *(f"inverse of {r}" for r in relations)])
        self.heads = Heads(self.table.shape[1], words, settings)
        self.rows = directed(data.train, len(data.relations))
        self.facts = FactIndex(self.rows, 2 * len(data.relations))
        self._column = np.full(len(data.entities), -1, dtype=np.int64)

    def train(self) -> TextScorer:
        """All three parts; returns the scorer."""
        settings = self.settings
        self._train_heads("warm", 1, settings.warm, settings.head_rate)
        if settings.epochs:
            self._train_encoder()
            self.table = self.encoder.all()
            self._train_heads("final", 3, settings.final, settings.head_rate / 2)
        return self.scorer()

    def scorer(self) -> TextScorer:
        """The scorer of the state now."""
        heads = self.heads.eval()
        with torch.no_grad():
            arrays = {
                "given": heads.given(self.table), "answers": heads.answers(self.table),
                "relation": heads.relation, "scale": heads.scale, "query_in": heads.query_in.weight,
                "query_bias": heads.query_in.bias, "query_out": heads.query_out.weight,
                "sharpness": heads.log_scale.exp().reshape(1),
            }  # fmt: skip
            kept = {name: array.detach().float().numpy().astype(np.float16) for name, array in arrays.items()}
        heads.train()
        return TextScorer(self.data, kept)

    def _train_heads(self, name: str, part: int, epochs: int, rate: float) -> None:
        """The heads on the table as it is."""
        settings = self.settings
        size = min(settings.rows, -(-len(self.rows) // _MIN_BATCHES))
        batches = -(-len(self.rows) // size)
        epochs *= max(1, -(-_MIN_STEPS // batches))
        steps = epochs * batches
        adam = torch.optim.AdamW(self.heads.parameters(), lr=rate, weight_decay=1e-4)
        schedule = torch.optim.lr_scheduler.OneCycleLR(adam, max_lr=rate, total_steps=max(2, steps + 1), pct_start=0.1)
        for epoch in range(epochs):
            started, losses = time.process_time(), list[float]()
            rng = np.random.default_rng([settings.seed, part, epoch])
            order = rng.permutation(len(self.rows))
            for start in range(0, len(order), size):
                rows = self.rows[order[start : start + size]]
                columns = self._candidates(rows, np.empty(0, dtype=np.int64), rng)
                loss = self._loss(rows, columns, self.table)
                adam.zero_grad()
                loss.backward()
                adam.step()
                schedule.step()
                losses.append(loss.item())
            self.say(
                f"text, {name} {epoch + 1}/{epochs}  loss {np.mean(losses):.4f}  {time.process_time() - started:.0f} s"
            )

    def _train_encoder(self) -> None:
        """The encoder's upper layers and the heads, a neighbourhood of the graph a batch."""
        settings = self.settings
        by_given = np.argsort(self.rows[:, 0], kind="stable")
        starts = np.searchsorted(self.rows[by_given, 0], np.arange(len(self.data.entities) + 1))
        size = min(settings.entities, -(-len(self.data.entities) // _MIN_BATCHES))
        steps = settings.epochs * -(-len(self.data.entities) // size)
        encoder = MasterAdam(list(self.encoder.upper.parameters()), settings.rate)
        heads = torch.optim.AdamW(self.heads.parameters(), lr=settings.head_rate / 3, weight_decay=1e-4)
        schedules = [
            torch.optim.lr_scheduler.OneCycleLR(adam, max_lr=rate, total_steps=steps + 2, pct_start=0.1)
            for adam, rate in ((encoder.adam, settings.rate), (heads, settings.head_rate / 3))
        ]
        for epoch in range(settings.epochs):
            started, losses = time.process_time(), list[float]()
            rng = np.random.default_rng([settings.seed, 2, epoch])
            for batch in neighbourhoods(self.rows, len(self.data.entities), size, rng):
                own = np.concatenate([by_given[starts[e] : starts[e + 1]] for e in batch.tolist()])
                if not len(own):
                    continue
                rows = self.rows[rng.permutation(own)[: settings.rows]]
                columns = self._candidates(rows, batch, rng)
                fresh = self.encoder(batch)
                loss = self._loss(rows, columns, self.table, batch, fresh)
                heads.zero_grad()
                loss.backward()
                heads.step()
                encoder.step()
                for schedule in schedules:
                    schedule.step()
                self.table[torch.from_numpy(batch)] = fresh.detach()
                losses.append(loss.item())
                if len(losses) % 20 == 0:
                    self.say(f"text, batch {len(losses)}  loss {np.mean(losses[-20:]):.4f}")
            self.say(
                f"text, encoder {epoch + 1}/{settings.epochs}  loss {np.mean(losses):.4f}  "
                f"{time.process_time() - started:.0f} s"
            )

    def _candidates(self, rows: Ints, batch: NDArray[Any], rng: np.random.Generator) -> NDArray[np.int64]:
        """The entities that a batch is held against: its own, the answers, the given ones, and some of the table."""
        n = len(self.data.entities)
        drawn = rng.choice(n, min(self.settings.negatives, n), replace=False, shuffle=False)
        return filled(np.unique(np.concatenate([batch, rows[:, 2], rows[:, 0], drawn]).astype(np.int64)), n, rng)

    def _loss(
        self,
        rows: Ints,
        columns: NDArray[np.int64],
        table: Tensor,
        batch: NDArray[Any] | None = None,
        fresh: Tensor | None = None,
    ) -> Tensor:
        """The mean loss of directed triples against the entities ``columns``; of ``batch`` the ``fresh`` vectors."""
        given, vectors = torch.from_numpy(rows[:, 0].astype(np.int64)), table[torch.from_numpy(columns)]
        self._column[columns] = np.arange(len(columns))
        if batch is None or fresh is None:
            asked = table[given]
        else:
            vectors = vectors.index_copy(0, torch.from_numpy(self._column[batch]), fresh)
            asked = vectors[torch.from_numpy(self._column[rows[:, 0]])]
        with torch.autocast("cpu", torch.bfloat16, enabled=self.encoder.type == torch.bfloat16):
            queries = self.heads.queries(asked, torch.from_numpy(rows[:, 1].astype(np.int64)))
            scores = queries @ self.heads.answers(vectors).T
        scores = scores.float()
        truth = torch.from_numpy(self._column[rows[:, 2]])
        at = torch.arange(len(rows))
        known, answers = self.facts.hits("tail", rows[:, 0], rows[:, 1])
        places = self._column[answers]
        others = (places >= 0) & (places != truth.numpy()[known])
        true = scores[at, truth] - self.settings.margin
        masked = scores.index_put(
            (torch.from_numpy(known[others]), torch.from_numpy(places[others])), torch.tensor(-1e4)
        )
        masked = masked.index_put((at, truth), true)
        self._column[columns] = -1
        return functional.cross_entropy(masked * self.heads.log_scale.exp().clamp(max=100.0), truth)


def neighbourhoods(rows: Ints, n: int, size: int, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """All ``n`` entities in batches of ``size`` that are near each other in the graph, in random order."""
    order = np.argsort(rows[:, 0], kind="stable")
    ends, starts = rows[order, 2], np.searchsorted(rows[order, 0], np.arange(n + 1))
    seen = np.zeros(n, dtype=bool)
    line: list[int] = []
    for seed in rng.permutation(n).tolist():
        waiting = deque([seed])
        while waiting:
            entity = waiting.popleft()
            if seen[entity]:
                continue
            seen[entity] = True
            line.append(entity)
            if len(line) % size == 0:
                waiting.clear()
                break
            near = ends[starts[entity] : starts[entity + 1]]
            waiting.extend(near[~seen[near]][:20].tolist())
    batches = [line[start : start + size] for start in range(0, n, size)]
    for i in rng.permutation(len(batches)).tolist():
        yield np.array(batches[i], dtype=np.int64)
