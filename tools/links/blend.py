"""A blend of link scorers: the weighted sum of what they give, and of what the graph around a query says.

    s(h, r, t) = Σ_i w_i·s_i(h, r, t) + Σ_j v_j·sign_j(h, r, t)

The parts are trained by softmax, so that their scores are logarithms but for a constant a query, and a sum of them is
a product of what they hold likely. Weights are chosen on validation queries only (``choose_weights``). A folder of
``triplewise train links`` holds ``links.safetensors`` (all arrays and the triples) and ``links.json``; nothing is
pickled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from triplewise.kg.base import KGStore
from triplewise.tools.links.complex_scorer import ComplExScorer
from triplewise.tools.links.graph_signs import SIGNS, GraphSigns
from triplewise.tools.links.kge_data import Ints, LinkPredictionData
from triplewise.tools.links.rotate_scorer import Floats, PositionScorer, check_graph, read_model, unit, write_model
from triplewise.tools.links.rule_scorer import RuleScorer
from triplewise.tools.links.text_scorer import TextScorer

STEM = "links"
_RANGE = 0.3
"""What a candidate's ``range`` counts for when candidates are gathered."""
Part = TextScorer | ComplExScorer | RuleScorer
PARTS: dict[str, type[TextScorer] | type[ComplExScorer] | type[RuleScorer]] = {
    "text": TextScorer,
    "complex": ComplExScorer,
    "rules": RuleScorer,
}

SURE = 1.65
"""Standard errors that a step of the weights must gain: 95 %, one-sided."""
_DOUBT = 0.05
"""Of a query's gain, besides what is seen: the spread of two queries is none."""


class BlendScorer(PositionScorer):
    """A blend of trained ``parts`` by name; ``weights``: of the parts and of ``SIGNS``, 0 for what is not named.

    ``by_relation`` [2·n_relations, parts and signs]: the weights of each relation, and of each asked the other way;
    without it ``weights`` are those of all.
    """

    def __init__(
        self,
        data: LinkPredictionData,
        parts: Mapping[str, Part],
        weights: Mapping[str, float],
        signs: GraphSigns | None = None,
        by_relation: NDArray[Any] | None = None,
    ) -> None:
        self.data, self.parts, self.weights = data, dict(parts), dict(weights)
        self.signs = signs or GraphSigns(data)
        self.by_relation = by_relation
        alike = [self.weights.get(name, 0.0) for name in (*self.parts, *SIGNS)]
        rows = 2 * len(data.relations)
        self._weights: Floats = np.asarray(
            np.tile(alike, (rows, 1)) if by_relation is None else by_relation, np.float32
        )

    @classmethod
    def load(cls, folder: str | Path, kg: KGStore | None = None) -> BlendScorer:
        """A scorer saved by ``triplewise train links``.

        Raises ConfigError where the folder holds none or is damaged, IndexMismatchError where it was trained on
        another graph than ``kg``.
        """
        description, tensors = read_model(folder, STEM)
        check_graph(folder, description, kg, STEM)
        data = LinkPredictionData.described(description, tensors)
        parts = {
            name: kind(data, {k.removeprefix(f"{name}."): t for k, t in tensors.items() if k.startswith(f"{name}.")})
            for name, kind in PARTS.items()
            if name in description["parts"]
        }
        return cls(data, parts, description["weights"], by_relation=tensors.get("by_relation"))

    def save(self, folder: str | Path, description: dict[str, Any]) -> None:
        """Write the model's two files; ``description``: what else is to be kept."""
        tensors = {f"{name}.{k}": array for name, part in self.parts.items() for k, array in part.arrays.items()}
        tensors |= {"train": self.data.train, "valid": self.data.valid, "test": self.data.test}
        if self.by_relation is not None:
            tensors["by_relation"] = self.by_relation
        kept = {"model": "blend", "parts": list(self.parts), "weights": self.weights, **self.data.description()}
        write_model(folder, {**description, **kept}, tensors, STEM)

    def score_tails(self, heads: Ints, relations: Ints) -> Floats:
        """Scores of all entities as tails [batch, n_entities]; heads and relations are positions [batch]."""
        return self._with_signs(self._parts("tail", heads, relations, relations), heads, relations)

    def score_heads(self, relations: Ints, tails: Ints) -> Floats:
        """Scores of all entities as heads [batch, n_entities]; relations and tails are positions [batch]."""
        asked = relations + len(self.data.relations)
        return self._with_signs(self._parts("head", tails, relations, asked), tails, asked)

    def vectors(self, entities: Ints) -> Floats:
        """Those of the parts side by side, at length 1."""
        return unit(np.concatenate([part.vectors(entities) for part in self.parts.values()], axis=1))

    def _parts(self, side: Literal["head", "tail"], given: Ints, relations: Ints, asked: Ints) -> Floats:
        total = np.zeros((len(given), len(self.data.entities)), dtype=np.float32)
        for at, part in enumerate(self.parts.values()):
            weights = self._weights[asked, at]
            if weights.any():
                total += weights[:, None] * part_scores(part, side, given, relations)
        return total

    def _with_signs(self, scores: Floats, given: Ints, asked: Ints) -> Floats:
        weights = self._weights[:, len(self.parts) :]
        if weights.any():
            for row, entity, relation in zip(scores, given.tolist(), asked.tolist(), strict=True):
                said = self.signs.of(entity, relation)
                for weight, (entities, values) in zip(weights[relation], (said[sign] for sign in SIGNS), strict=True):
                    if weight:
                        row[entities] += weight * values
        return scores


def part_scores(part: PositionScorer, side: Literal["head", "tail"], given: Ints, relations: Ints) -> Floats:
    """A part's scores of all entities on ``side``: [batch, n_entities]."""
    return part.score_tails(given, relations) if side == "tail" else part.score_heads(relations, given)


@dataclass(frozen=True, slots=True)
class Choices:
    """Validation queries as the features of their leading candidates: float32 [queries, candidates, names], the true
    answer first; ``empty`` [queries, candidates] marks places without a candidate and true answers that do not lead.
    ``relations`` [queries]: what is asked, a relation's position, asked for heads after all of them for tails."""

    names: tuple[str, ...]
    features: Floats
    empty: NDArray[np.bool_]
    relations: NDArray[np.int64]

    def reciprocal_ranks(self, weights: Sequence[float] | Floats) -> NDArray[np.float64]:
        """Of each query one over the filtered rank of its true answer among the candidates, ties averaged.

        ``weights`` [names], or of each relation as it is asked [2·n_relations, names].
        """
        table = np.asarray(weights, np.float32)
        if table.ndim == 1:
            scores = self.features @ table
        else:
            scores = np.einsum("qcn,qn->qc", self.features, table[self.relations])
        scores[self.empty] = -np.inf
        true = scores[:, :1]
        return 1 / (1 + (scores[:, 1:] > true).sum(axis=1) + (scores[:, 1:] == true).sum(axis=1) / 2)

    def mrr(self, weights: Sequence[float]) -> float:
        """The mean of ``reciprocal_ranks``."""
        return float(np.mean(self.reciprocal_ranks(weights)))


def candidates_of(
    data: LinkPredictionData,
    parts: Mapping[str, PositionScorer],
    signs: GraphSigns,
    triples: Ints,
    *,
    leading: int = 64,
    batch: int = 64,
) -> Choices:
    """The leading candidates for both directions of these triples, known answers left out.

    These are what is one step away and, by each part, the ``leading`` entities of all, of those two steps away, and
    with some of what ``range`` adds: whatever the weights, what is not among them has as many before it.
    """
    names = (*parts, *SIGNS)
    found: list[tuple[Floats, bool]] = []
    column = np.full(len(data.entities), -1)
    for side in ("tail", "head"):
        shift = 0 if side == "tail" else len(data.relations)
        for start in range(0, len(triples), batch):
            rows = triples[start : start + batch]
            given, truth = (rows[:, 0], rows[:, 2]) if side == "tail" else (rows[:, 2], rows[:, 0])
            scores = [part_scores(part, side, given, rows[:, 1]) for part in parts.values()]
            for i in range(len(rows)):
                said = signs.of(int(given[i]), int(rows[i, 1]) + shift)
                known = data.known.answers(side, int(given[i]), int(rows[i, 1]))
                best = [_leading(s[i], said, leading) for s in scores]
                pool = np.unique(np.concatenate([*best, said["near"][0], [given[i]]]))
                leads = truth[i] in pool
                pool = np.append(truth[i], np.setdiff1d(pool, known)).astype(np.int64)
                column[pool] = np.arange(len(pool))
                table = np.zeros((len(pool), len(names)), dtype=np.float32)
                for at, part in enumerate(scores):
                    table[:, at] = part[i][pool]
                for at, sign in enumerate(SIGNS, len(scores)):
                    entities, values = said[sign]
                    inside = column[entities] >= 0
                    table[column[entities[inside]], at] = values[inside]
                column[pool] = -1
                found.append((table, leads))
    widest = max((len(t) for t, _ in found), default=1)
    features = np.zeros((len(found), widest, len(names)), dtype=np.float32)
    empty = np.ones((len(found), widest), dtype=bool)
    for i, (table, leads) in enumerate(found):
        features[i, : len(table)] = table
        empty[i, : len(table)] = False
        empty[i, 0] = not leads
    asked = [triples[:, 1], triples[:, 1] + len(data.relations)]
    return Choices(names, features, empty, np.concatenate(asked).astype(np.int64))


def _leading(scores: Floats, said: Mapping[str, tuple[Ints, Floats]], most: int) -> NDArray[np.integer]:
    """Positions of one part's leading entities, as ``candidates_of`` wants them."""

    def first(values: Floats) -> NDArray[np.intp]:
        return np.argpartition(-values, most)[:most] if len(values) > most else np.arange(len(values))

    two, (answers, logs) = said["two"][0], said["range"]
    ranged = scores.copy()
    ranged[answers] += _RANGE * logs
    return np.concatenate([first(scores), two[first(scores[two])], first(ranged)])


def choose_weights(choices: Choices, rounds: int = 4) -> tuple[dict[str, float], float]:
    """The weights of the best mean reciprocal rank, and it: one weight at a time, from the best part alone.

    A step is taken where it gains ``SURE`` times the standard error of its gain over these queries: a few queries
    choose little, many queries choose finely.
    """
    parts = len(choices.names) - len(SIGNS)
    alone = [[float(i == at) for i in range(len(choices.names))] for at in range(parts)]
    weights = max(alone, key=choices.mrr)
    ranks = choices.reciprocal_ranks(weights)
    for turn in range(rounds):
        before, step = weights, 0.5**turn
        for at in range(len(weights)):
            best: tuple[float, list[float], NDArray[np.float64]] = (0.0, weights, ranks)
            for value in _tried(weights[at], step, at < parts):
                other = [*weights[:at], value, *weights[at + 1 :]]
                found = choices.reciprocal_ranks(other)
                gain = found - ranks
                if gain.mean() > best[0] and gain.mean() > SURE * np.hypot(gain.std(), _DOUBT) / len(gain) ** 0.5:
                    best = float(gain.mean()), other, found
            _, weights, ranks = best
        if weights == before and turn:
            break
    named = {name: round(w, 4) for name, w in zip(choices.names, weights, strict=True)}
    return named, float(ranks.mean())


def _tried(weight: float, step: float, is_part: bool) -> list[float]:
    """Values of one weight to try: a part's by factors, a sign's by differences."""
    if not is_part:
        return [weight + step * k for k in (-8, -4, -2, -1, -0.5, 0.5, 1, 2, 4, 8)]
    if not weight:
        return [0.05, 0.1, 0.2, 0.4, 0.8, 1.6]
    return [0.0, *(weight * 2.0 ** (step * k) for k in (-3, -2, -1, 1, 2, 3))]
