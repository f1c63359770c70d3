"""Retrieval of the triples that a question needs (Retrieval and Reasoning on KGs, section 3.2).

With the planned steps c¹ … cʲ the queries are q⁰ = q and qʲ = q ⊕ c¹ ⊕ … ⊕ cʲ, and equation 2 is

    T = Top_k Σ_j f(R(qʲ), R(t ⊕ G_t))

with f the cosine similarity. For unit vectors Σ_j f(qʲ, t) = (Σ_j qʲ) · t: one product ranks the triples for all
queries together. BM25 ranks the triples' own texts by the words of all queries; ``fusion`` adds the reciprocal ranks
of both (Cormack, Clarke and Büttcher, 2009). ``follow`` goes along the plan hop by hop
(``tools.retrieval.beam_search``) where it has more than one step or the relations of its steps were ranked by a
model, and is ``dense`` elsewhere.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from triplewise.errors import ConfigError, IndexMismatchError, MissingExtraError
from triplewise.kg.base import KGStore
from triplewise.tools.retrieval.beam_search import BEST_SHARE, follow
from triplewise.tools.retrieval.index_health import IndexDamagedError
from triplewise.tools.retrieval.relation_similarity import RelationSimilarity
from triplewise.tools.retrieval.subgraph_index import Progress, SubgraphIndex, default_place
from triplewise.tools.retrieval.subgraph_text import PLAIN, SubgraphRule
from triplewise.tools.retrieval.triple_bm25 import words_of
from triplewise.tools.retrieval.triple_table import Rows, TripleTable
from triplewise.tracing import span
from triplewise.types import Triple

Mode = Literal["dense", "bm25", "fusion", "follow"]
Scope = Literal["neighborhood", "graph"]
MODES: tuple[Mode, ...] = ("dense", "bm25", "fusion", "follow")
RRF = 60
"""The constant of reciprocal rank fusion."""
SMALL = 20_000
"""A graph of at most so many triples is indexed when it is first needed (about a minute on a laptop)."""
RANKED_WEIGHT = 0.05
"""What a log-probability counts beside the similarity of a relation's label."""
RANKED_FLOOR = 8.0
"""How far behind the best a log-probability counts: what is less probable counts as this much less."""
SURE_AHEAD = 8.0
"""A relation that is so far ahead of the others is not doubted: what equation 2 would add is noise."""
RANKED_BEST_SHARE = 0.8
"""Share of the triples that the best sequence of relations may take where a model ranked them."""
_POOL = 10
"""Without topic entities, this many times k nearest triples are scored exactly."""


@dataclass(frozen=True, slots=True)
class RetrievalOptions:
    """Which triples are candidates, how they are ranked, and how many are kept."""

    k: int = 20
    """Triples kept, the best first; recall by k is in docs/cot-kg.md."""
    mode: Mode = "fusion"
    """"dense" is equation 2, "bm25" ranks by words, "fusion" by both, "follow" goes along the plan hop by hop."""
    plan: bool = True
    """Whether the planned steps are part of the queries; False is the paper's ablation "without CoT"."""
    subgraph: bool | None = None
    """Whether the index's triples carry their sub-graphs; False is the ablation "without SubKG-R", None: either."""
    hops: int = 3
    """Candidates are the triples within this many edges of the topic entities (MetaQA's questions have up to 3); 0, or
    no topic entities: all triples of the graph."""
    limit: int = 50_000
    """Most candidates, the nearest ones first: a bound on time and memory."""


@dataclass(frozen=True, slots=True)
class ScoredTriple:
    """A retrieved triple: ``score`` ranks it; ``similarity`` is equation 2's sum, ``bm25`` BM25's score."""

    triple: Triple
    score: float
    similarity: float | None = None
    bm25: float | None = None


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The triples, best first; how many candidates they were chosen from, and from where."""

    triples: tuple[ScoredTriple, ...]
    candidates: int
    scope: Scope


def growing_queries(question: str, plan: Sequence[str], *, use_plan: bool = True) -> list[str]:
    """q⁰ … qʲ (section 3.1)."""
    steps = [step for step in plan if step.strip()] if use_plan else []
    return [" ".join([question, *steps[:j]]) for j in range(len(steps) + 1)]


class TripleRetriever:
    """Ranks a graph's triples for a question. Without an index only BM25 is there; ``note`` says why."""

    def __init__(self, kg: KGStore, index: SubgraphIndex | None = None, note: str = "") -> None:
        self.index, self.note = index, note
        self.table = index.table if index is not None else TripleTable(kg)

    def fitting(self, options: RetrievalOptions) -> tuple[RetrievalOptions, list[str]]:
        """The options that this retriever can serve, and a warning where they had to change."""
        asked = None if options.mode == "bm25" or self.index is None else options.subgraph
        if self.index is not None and asked is not None and asked == (self.index.rule == PLAIN):
            raise ConfigError(
                f"the index holds triples {'without' if asked else 'with'} their sub-graphs.",
                "Name the other one with --index, or make it with: triplewise index [--no-subgraph]",
            )
        if self.index is not None or options.mode == "bm25":
            return options, []
        return replace(options, mode="bm25"), [f"Triples are ranked by BM25 alone: {self.note or 'there is no index.'}"]

    def retrieve(
        self,
        question: str,
        plan: Sequence[str],
        entities: Sequence[str],
        options: RetrievalOptions,
        ranked: Sequence[Mapping[str, float]] = (),
    ) -> Retrieved:
        """The best ``options.k`` triples; ties keep the graph's order.

        ``ranked``: per planned step relation label → log-probability, which "follow" takes into account.
        Raises ConfigError on a mode that needs an index where there is none, or an option out of range.
        """
        if options.mode not in MODES or options.k < 1 or options.hops < 0 or options.limit < 1:
            raise ConfigError(f"retrieval cannot work with {options}.")
        if options.mode != "bm25" and self.index is None:
            raise ConfigError(f"retrieval by {options.mode} needs an index.", "Make one with: triplewise index")
        with span("retrieval", self.table.kg.name, {"triplewise.retrieval.mode": options.mode}) as seen:
            if options.mode == "follow":
                found = self._follow(question, plan, entities, options, ranked)
            else:
                found = self._by_score(question, plan, entities, options)
            seen.set({"triplewise.retrieval.triples": len(found.triples)})
            return found

    def _by_score(
        self, question: str, plan: Sequence[str], entities: Sequence[str], options: RetrievalOptions
    ) -> Retrieved:
        """The best triples by the sum of their similarities to the growing query, by BM25, or by both."""
        queries = growing_queries(question, plan, use_plan=options.plan)
        rows, candidates, scope = self._reach(entities, options)
        near = scope == "neighborhood"
        vector = None
        if self.index is not None and options.mode != "bm25":
            vector = self.index.embedder.queries(queries).sum(axis=0)
        words = [word for query in queries for word in words_of(query)]
        bm25 = None
        if options.mode != "dense":  # over the whole graph, a word is as rare as it is in the whole graph
            bm25 = self.table.bm25.scores(self.table.codes[rows] if near else self.table.codes, words)
        if not near:
            rows = self._pool(vector, bm25, options.k * _POOL)
            bm25 = None if bm25 is None else bm25[rows]
        similarity = None if self.index is None or vector is None else self.index.vectors(rows) @ vector
        score = _combine(similarity, bm25)
        best = _top(score, rows, options.k)
        chosen = tuple(
            ScoredTriple(
                self.table.triples[rows[i]],
                float(score[i]),
                None if similarity is None else float(similarity[i]),
                None if bm25 is None else float(bm25[i]),
            )
            for i in best
        )
        return Retrieved(chosen, candidates, scope)

    def _reach(self, entities: Sequence[str], options: RetrievalOptions) -> tuple[Rows, int, Scope]:
        """(rows of the candidates, their number, from where); no rows where the whole graph is meant."""
        rows = self.table.near(entities, options.hops, options.limit) if options.hops else np.empty(0, dtype=np.int64)
        return (rows, len(rows), "neighborhood") if len(rows) else (rows, len(self.table), "graph")

    def _follow(
        self,
        question: str,
        plan: Sequence[str],
        entities: Sequence[str],
        options: RetrievalOptions,
        ranked: Sequence[Mapping[str, float]],
    ) -> Retrieved:
        """Along the plan; what room is left is filled by equation 2, unless the relations are beyond doubt."""
        steps = [step for step in plan if step.strip()] if options.plan else []
        if len(steps) < (1 if ranked else 2) or self.index is None:
            return self.retrieve(question, plan, entities, replace(options, mode="dense"))
        index = self.index
        vectors = index.embedder.queries([*steps, question])
        scores = dict(zip(plan, ranked, strict=False))

        def label_similarity(step: str, labels: Sequence[str]) -> NDArray[np.float32]:
            near = self._labels.scores(step, labels)
            if by_model := scores.get(step):
                best = max(by_model.values())
                behind = [max(by_model.get(label, -np.inf) - best, -RANKED_FLOOR) for label in labels]
                near += RANKED_WEIGHT * np.array(behind, dtype=np.float32)
            return near

        walked = follow(
            self.table, steps, entities, vectors[:-1], vectors[-1],
            lambda rows, query: index.vectors(rows) @ query, label_similarity, options.k,
            RANKED_BEST_SHARE if ranked else BEST_SHARE,
        )  # fmt: skip
        chosen = {self.table.triples[row]: ScoredTriple(self.table.triples[row], score) for row, score in walked}
        if len(chosen) >= options.k or (chosen and _sure(ranked)):
            _, candidates, scope = self._reach(entities, options)
            return Retrieved(tuple(chosen.values())[: options.k], candidates, scope)
        plain = self.retrieve(question, plan, entities, replace(options, mode="dense"))
        for scored in plain.triples:
            chosen.setdefault(scored.triple, scored)
        return replace(plain, triples=tuple(chosen.values())[: options.k])

    @cached_property
    def _labels(self) -> RelationSimilarity:
        assert self.index is not None
        return RelationSimilarity(self.index.embedder)

    def _pool(self, vector: NDArray[np.float32] | None, bm25: NDArray[np.float64] | None, n: int) -> Rows:
        """Candidates from the whole graph, the n best by each score, in the graph's order."""
        pools = [] if vector is None or self.index is None else [self.index.nearest(vector, n)]
        if bm25 is not None:
            pools.append(_top(bm25, np.arange(len(bm25)), n))
        return np.unique(np.concatenate(pools))


_opening = threading.Lock()


def open_retriever(
    kg: KGStore,
    place: str = "",
    embedder: str = "minilm",
    rule: SubgraphRule | None = None,
    progress: Progress | None = None,
) -> TripleRetriever:
    """A graph's retriever, opened once: with the index at ``place`` (default: in the user's cache).

    Where no place was given, an index that is missing or out of date is made for a graph of at most
    20,000 triples; for a larger one, or without the extra ``vector``, BM25 alone ranks, and says so.
    Raises IndexMismatchError where ``place`` holds no index of exactly this graph.
    """
    with _opening:  # many questions in flight wait for one index
        return _open(kg, place, embedder, rule, progress)


@lru_cache(maxsize=8)
def _open(
    kg: KGStore, place: str, embedder: str, rule: SubgraphRule | None, progress: Progress | None
) -> TripleRetriever:
    from triplewise.backends.embedders import load_embedder

    try:
        model = load_embedder(embedder)
        index = SubgraphIndex(kg, model, place or default_place(kg, model.id, rule or SubgraphRule()), rule)
        current = _sound(index, mend=not place, progress=progress)
    except MissingExtraError as error:
        if place or embedder != "minilm":
            raise
        return TripleRetriever(kg, None, str(error))
    if place:
        index.check()
    elif not current and len(kg) > SMALL:
        return TripleRetriever(kg, None, "the graph has no index; make one with: triplewise index")
    elif not current:
        try:
            index.build(progress)
        except IndexMismatchError:  # another graph of the same name has the place
            index = SubgraphIndex(kg, model, f"{index.place}-{kg.content_hash[:8]}", rule)
            index.build(progress)
    return TripleRetriever(kg, index)


def _sound(index: SubgraphIndex, *, mend: bool, progress: Progress | None) -> bool:
    """Whether a finished index is there; a damaged one in the user's cache is made anew where that is quick."""
    try:
        return index.is_current()
    except IndexDamagedError:
        if not mend or len(index.kg) > SMALL:
            raise
        index.repair(progress)
        return True


def _sure(ranked: Sequence[Mapping[str, float]]) -> bool:
    """Whether a model was sure of the relation of every step."""
    ordered = [sorted(scores.values(), reverse=True) for scores in ranked]
    return bool(ordered) and all(scores and scores[0] - sum(scores[1:2]) >= SURE_AHEAD for scores in ordered)


def _top(scores: NDArray[np.floating], rows: Rows, k: int) -> Rows:
    """Positions of the k best scores, best first; of equal ones the earlier row first."""
    if k < len(scores):
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        kept = np.flatnonzero(scores >= least)
    else:
        kept = np.arange(len(scores))
    return kept[np.lexsort((rows[kept], -scores[kept]))][:k]


def _combine(similarity: NDArray[np.float32] | None, bm25: NDArray[np.float64] | None) -> NDArray[np.floating]:
    parts = [part for part in (similarity, bm25) if part is not None]
    if len(parts) == 1:
        return parts[0]
    return sum((1 / (RRF + _ranks(part)) for part in parts), np.zeros(len(parts[0])))


def _ranks(scores: NDArray[np.floating]) -> Rows:
    """Rank of each score, 1 for the best; equal scores share the better rank."""
    descending = np.sort(-scores)
    return np.searchsorted(descending, -scores, side="left") + 1
