"""What retrieval is measured by: the recall of answer-bearing triples (Retrieval and Reasoning on KGs, Figure 3).

A triple bears an answer where it is the last step of a path from a question's entities to it: a path of the
gold relations where they are known, else a shortest path of at most 5 edges, in either direction. Recall@k is
the share of a question's answers that some triple among the first k bears, averaged over the questions of
which at least one answer is in reach; answers count, not triples, since parallel edges (Freebase has most
relations in both directions) bear the same answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from triplewise.kg.base import KGStore
from triplewise.tools.retrieval.triple_table import TripleTable
from triplewise.train.trainers.retriever import follow, shortest_paths
from triplewise.types import Triple

KS = (5, 10, 15, 20, 25, 30)
MAX_HOPS = 5
"""The paper's longest path (section 4.1)."""


@dataclass(frozen=True, slots=True)
class RetrievalQuestion:
    """A question, its topic entities, the answers in reach, and the answers that each triple bears."""

    text: str
    topics: tuple[str, ...]
    answers: frozenset[str]
    bearing: Mapping[Triple, frozenset[str]]
    kind: str = ""


def entities_of(kg: KGStore, names: Iterable[str]) -> tuple[str, ...]:
    """Ids of those names (ids or display names) that the graph has."""
    found = (name if kg.has_entity(name) else kg.resolve_display(name) for name in names)
    return tuple(dict.fromkeys(e for e in found if e is not None))


def answer_bearing(
    table: TripleTable, topics: Sequence[str], answers: Iterable[str], path: Sequence[str] = ()
) -> dict[Triple, frozenset[str]]:
    """The triples that bear an answer, with the answers they bear; {} where none is in reach."""
    code = table.entity_code
    wanted = {code[a] for a in answers if a in code} - {code[t] for t in topics if t in code}
    if path:
        steps = follow(table, topics, path)
        rows = steps[-1] if steps else np.empty(0, dtype=np.int64)
    else:
        rows = shortest_paths(table, topics, [table.entities[a] for a in sorted(wanted)], MAX_HOPS)
    found: dict[Triple, frozenset[str]] = {}
    for row, (head, _, tail) in zip(rows.tolist(), table.codes[rows].tolist(), strict=True):
        if borne := {head, tail} & wanted:
            found[table.triples[row]] = frozenset(table.entities[e] for e in borne)
    return found


def retrieval_question(
    table: TripleTable,
    text: str,
    topics: Sequence[str],
    answers: Sequence[str],
    path: Sequence[str] = (),
    kind: str = "",
) -> RetrievalQuestion | None:
    """The question, names resolved in the graph; None where no answer is in reach."""
    kg = table.kg
    ids = entities_of(kg, topics)
    bearing = answer_bearing(table, ids, entities_of(kg, answers), path)
    reached = frozenset[str]().union(*bearing.values())
    return RetrievalQuestion(text, ids, reached, bearing, kind) if reached else None


def recall_at(question: RetrievalQuestion, ranked: Sequence[Triple], ks: Sequence[int] = KS) -> NDArray[np.float64]:
    """Recall@k of one ranking, for each k."""
    found: set[str] = set()
    curve = [0.0]
    for triple in ranked[: max(ks)]:
        found |= question.bearing.get(triple, frozenset())
        curve.append(len(found) / len(question.answers))
    return np.array([curve[min(k, len(curve) - 1)] for k in ks])
