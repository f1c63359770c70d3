"""Retrieval that follows a plan hop by hop from the topic entities (beyond Retrieval and Reasoning on KGs).

Equation 2 ranks all triples within reach at once, and those of a second or third hop name nothing that the question
names. Here each planned step chooses among the relations at the entities that the steps before it reached: a group is
all triples of one relation in one direction, its score

    mean of the five best sim(step + 0.3 question, triple) + 2 sim(step, relation)

A beam of four sequences of groups is kept. The triples are given out as whole chains from a topic entity to a last
hop's end: half of them from the best sequence, the rest from the others in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from triplewise.tools.retrieval.triple_table import Rows, TripleTable

BEAM = 4
BEST_SHARE = 0.5
"""Share of the triples that the best sequence of relations may take."""
QUESTION_WEIGHT = 0.3
LABEL_WEIGHT = 2.0
GROUP_MEAN = 5
"""Similarities that a group's score is the mean of."""
GROUP_LIMIT = 300
"""Most triples of a group, in the graph's order."""

Similarity = Callable[[Rows, NDArray[np.float32]], NDArray[np.float32]]
"""Similarities of rows to a query vector."""
LabelSimilarity = Callable[[str, Sequence[str]], NDArray[np.float32]]
"""Similarities of relation labels to a step."""


@dataclass(frozen=True, slots=True)
class _Walk:
    """A sequence of relations: its score, the entities it reached, and by which row from which entity."""

    score: float
    ends: tuple[int, ...]
    came: dict[int, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class _Group:
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
    """(row, its sequence's score), at most ``k``, chain after chain; [] where no step leads anywhere.

    ``step_vectors`` [steps, dimension] and ``question`` [dimension] are unit vectors.
    """
    start = tuple(table.entity_code[t] for t in dict.fromkeys(topics) if t in table.entity_code)
    beam = [_Walk(0.0, start, {})] if start else []
    for step, vector in zip(plan, step_vectors, strict=True):
        query = vector + QUESTION_WEIGHT * question
        grown = [
            _extended(walk, group, start)
            for walk in beam
            for group in _groups(table, walk, step, query, similarity, label_similarity)
        ]
        grown = sorted((w for w in grown if w.ends), key=lambda w: -w.score)[:BEAM]
        if not grown:
            break
        beam = grown
    return _chains(beam, k, best_share)


def _groups(
    table: TripleTable,
    walk: _Walk,
    step: str,
    query: NDArray[np.float32],
    similarity: Similarity,
    label_similarity: LabelSimilarity,
) -> list[_Group]:
    """The best groups of triples at the walk's ends, without those it came by."""
    used = [row for row, _ in walk.came.values()]
    rows = np.unique(np.concatenate([table.at(e) for e in walk.ends]))
    rows = rows[~np.isin(rows, used)]
    here = np.zeros(len(table.entities), dtype=bool)
    here[list(walk.ends)] = True
    heads, relations, tails = table.codes[rows].T
    parts: list[tuple[int, Rows, Rows, Rows]] = []
    for near, far, at in ((heads, tails, here[heads]), (tails, heads, here[tails])):
        for relation in np.unique(relations[at]):
            chosen = np.flatnonzero(at & (relations == relation))[:GROUP_LIMIT]
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
        score = float(close[order[:GROUP_MEAN]].mean()) + LABEL_WEIGHT * float(label)
        found.append(_Group(score, group[order].tolist(), near[order].tolist(), far[order].tolist()))
    return sorted(found, key=lambda g: -g.score)[:BEAM]


def _extended(walk: _Walk, group: _Group, topics: tuple[int, ...]) -> _Walk:
    came = dict(walk.came)
    for row, near, far in zip(group.rows, group.here, group.there, strict=True):
        if far not in topics:
            came.setdefault(far, (row, near))
    ends = tuple(far for far in dict.fromkeys(group.there) if far not in topics)
    return _Walk(walk.score + group.score, ends, came)


def _chains(beam: Sequence[_Walk], k: int, best_share: float) -> list[tuple[int, float]]:
    found: dict[int, float] = {}
    for i, walk in enumerate(beam):
        room = max(1, round(k * best_share)) if i == 0 and len(beam) > 1 else k
        for end in walk.ends:
            chain: list[int] = []
            while end in walk.came and len(chain) < len(walk.came):
                row, end = walk.came[end]
                chain.insert(0, row)
            new = [row for row in chain if row not in found]
            if len(found) + len(new) > room:
                break
            found.update(dict.fromkeys(new, walk.score))
    return list(found.items())
