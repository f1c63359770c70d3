"""Retrieval that follows a plan hop by hop from the topic entities (beyond Retrieval and Reasoning on KGs).

Equation 2 ranks all triples within reach at once, and those of a second or third hop name nothing that the question
names. Here a beam search follows the plan: each step expands a hypothesis (a sequence of relations) by one relation in
one direction, from all entities that the hypothesis has reached (its frontier). An expansion's score is

    mean of the five best sim(step + 0.3 question, triple) + 2 sim(step, relation)

and a hypothesis's the sum of its expansions' scores; the four best are kept after each step. The triples are given out
as whole chains from a topic entity to a last hop's end: half of them from the best hypothesis, the rest from the others
in their order. The weights and the beam's width were chosen on questions composed over the bundled films
(docs/decisions/0012-follow-the-plan.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from triplewise.tools.retrieval.triple_table import Rows, TripleTable

BEAM = 4
"""Hypotheses that are kept after each step."""
BEST_SHARE = 0.5
"""Share of the triples that the best hypothesis may take."""
QUESTION_WEIGHT = 0.3
"""Of the question's vector where it is added to a step's."""
LABEL_WEIGHT = 2.0
"""Of the similarity between a step and a relation's label."""
TRIPLES_SCORED = 5
"""Similarities that the first term of an expansion's score is the mean of: its best ones."""
TRIPLES_KEPT = 300
"""Most triples of an expansion, in the graph's order."""

Similarity = Callable[[Rows, NDArray[np.float32]], NDArray[np.float32]]
"""Similarities of rows to a query vector."""
LabelSimilarity = Callable[[str, Sequence[str]], NDArray[np.float32]]
"""Similarities of relation labels to a step."""


@dataclass(frozen=True, slots=True)
class _Hypothesis:
    """A sequence of relations: its score, the entities that it reached, and for each of these the row and the entity
    that led there."""

    score: float
    frontier: tuple[int, ...]
    backpointers: dict[int, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class _Expansion:
    """All triples of one relation in one direction from a frontier: rows, their near ends and their far ends."""

    score: float
    rows: list[int]
    here: list[int]
    there: list[int]


def follow(
    table: TripleTable,
    plan: Sequence[str],
    topics: Sequence[str],
    step_vectors: NDArray[np.float32],
    question: NDArray[np.float32],
    similarity: Similarity,
    label_similarity: LabelSimilarity,
    k: int,
    best_share: float = BEST_SHARE,
) -> list[tuple[int, float]]:
    """(row, its hypothesis's score), at most ``k``, chain after chain; [] where no step leads anywhere.

    ``step_vectors`` [steps, dimension] and ``question`` [dimension] are unit vectors.
    """
    start = tuple(table.entity_code[t] for t in dict.fromkeys(topics) if t in table.entity_code)
    beam = [_Hypothesis(0.0, start, {})] if start else []
    for step, vector in zip(plan, step_vectors, strict=True):
        query = vector + QUESTION_WEIGHT * question
        grown = [
            _extended(hypothesis, expansion, start)
            for hypothesis in beam
            for expansion in _expansions(table, hypothesis, step, query, similarity, label_similarity)
        ]
        grown = sorted((w for w in grown if w.frontier), key=lambda w: -w.score)[:BEAM]
        if not grown:
            break
        beam = grown
    return _chains(beam, k, best_share)


def _expansions(
    table: TripleTable,
    hypothesis: _Hypothesis,
    step: str,
    query: NDArray[np.float32],
    similarity: Similarity,
    label_similarity: LabelSimilarity,
) -> list[_Expansion]:
    """The best expansions of a hypothesis: by triples at its frontier that it has not used."""
    used = [row for row, _ in hypothesis.backpointers.values()]
    rows = np.unique(np.concatenate([table.at(e) for e in hypothesis.frontier]))
    rows = rows[~np.isin(rows, used)]
    here = np.zeros(len(table.entities), dtype=bool)
    here[list(hypothesis.frontier)] = True
    heads, relations, tails = table.codes[rows].T
    parts: list[tuple[int, Rows, Rows, Rows]] = []
    for near, far, at in ((heads, tails, here[heads]), (tails, heads, here[tails])):
        for relation in np.unique(relations[at]):
            chosen = np.flatnonzero(at & (relations == relation))[:TRIPLES_KEPT]
            parts.append((int(relation), rows[chosen], near[chosen], far[chosen]))
    if not parts:
        return []
    labels = label_similarity(step, [table.kg.relation_label(table.relations[relation]) for relation, *_ in parts])
    similarities = np.split(
        similarity(np.concatenate([r for _, r, _, _ in parts]), query), np.cumsum([len(r) for _, r, _, _ in parts])[:-1]
    )
    found = []
    for (_, group, near, far), label, close in zip(parts, labels, similarities, strict=True):
        order = np.argsort(-close, kind="stable")
        score = float(close[order[:TRIPLES_SCORED]].mean()) + LABEL_WEIGHT * float(label)
        found.append(_Expansion(score, group[order].tolist(), near[order].tolist(), far[order].tolist()))
    return sorted(found, key=lambda g: -g.score)[:BEAM]


def _extended(hypothesis: _Hypothesis, expansion: _Expansion, topics: tuple[int, ...]) -> _Hypothesis:
    backpointers = dict(hypothesis.backpointers)
    for row, near, far in zip(expansion.rows, expansion.here, expansion.there, strict=True):
        if far not in topics:
            backpointers.setdefault(far, (row, near))
    frontier = tuple(far for far in dict.fromkeys(expansion.there) if far not in topics)
    return _Hypothesis(hypothesis.score + expansion.score, frontier, backpointers)


def _chains(beam: Sequence[_Hypothesis], k: int, best_share: float) -> list[tuple[int, float]]:
    found: dict[int, float] = {}
    for i, hypothesis in enumerate(beam):
        room = max(1, round(k * best_share)) if i == 0 and len(beam) > 1 else k
        for end in hypothesis.frontier:
            chain: list[int] = []
            while end in hypothesis.backpointers and len(chain) < len(hypothesis.backpointers):
                row, end = hypothesis.backpointers[end]
                chain.insert(0, row)
            new = [row for row in chain if row not in found]
            if len(found) + len(new) > room:
                break
            found.update(dict.fromkeys(new, hypothesis.score))
    return list(found.items())
