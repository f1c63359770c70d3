"""KICGPT's ends: the retriever's ranking of all entities before the conversation, the splice after it.

Section 3.2: the retriever ranks all entities for (h, r, ?) or (?, r, t); the model re-orders the m leading
ones; the rest keeps its place.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import Literal

from triplewise.agents.context import NodeContext
from triplewise.agents.kicgpt.ranking import splice
from triplewise.agents.kicgpt.state import Candidate, LinkQuery, LinkState
from triplewise.agents.node import Node, node
from triplewise.errors import ConfigError
from triplewise.kg.base import KGStore
from triplewise.tools.text.entity_text import EntityTexts
from triplewise.types import Step


@dataclass(frozen=True, slots=True)
class CandidateOptions:
    """Which entities the model orders."""

    m: int = 20
    """How many candidates the model orders (10 to 50 in the paper)."""
    keep_known: bool = True
    """Whether answers that the graph already asserts stay in the ranking. Without them all m places go to new links;
    this is the filtered setting of the evaluation."""


def known_answers(kg: KGStore, query: LinkQuery) -> set[str]:
    """The answers that the graph already asserts for a query."""
    found = kg.triples(query.head, query.relation, query.tail)
    return {t.tail if query.side == "tail" else t.head for t in found}


def make_retriever(options: CandidateOptions) -> Node[LinkState, LinkState]:
    """The node that ranks all entities with ``context.scorer`` and takes the top m as candidates."""

    @node
    async def retrieve(state: LinkState, context: NodeContext) -> LinkState:
        started, query = time.perf_counter(), state["query"]
        if context.scorer is None:
            raise ConfigError("link prediction needs a scorer.", "Train one with: triplewise train rotate --kg PATH")
        kg = context.kg
        ids, scores = await asyncio.to_thread(context.scorer.rank, query.head, query.relation, query.tail)
        if not options.keep_known:
            known = known_answers(kg, query)
            kept = [i for i, e in enumerate(ids) if e not in known]
            ids, scores = [ids[i] for i in kept], [scores[i] for i in kept]
        # An entity without a score is nobody's guess; such entities end the ranking, in no order that means anything.
        pairs = [(e, s) for e, s in zip(ids[: options.m], scores, strict=False) if s == s]
        names = EntityTexts(kg)
        candidates = tuple(Candidate(e, float(s), n) for n, (e, s) in enumerate(pairs, 1))
        step = Step(
            "retrieve",
            note=f"top {len(candidates)} of {len(ids)} entities",
            detail={"candidates": [[names.disambiguated(c.id), round(c.score, 4)] for c in candidates]},
            seconds=time.perf_counter() - started,
        )
        return {"ranking": tuple(ids), "scores": tuple(scores), "candidates": candidates, "steps": [step]}

    return retrieve


def enough(state: LinkState) -> Literal["demonstrations", "final_query"]:
    """Whether there is anything to order; the final query does without a call where there is not."""
    return "demonstrations" if len(state["candidates"]) > 1 else "final_query"


@node
async def splice_ranking(state: LinkState, context: NodeContext) -> LinkState:
    """R_KICGPT: the re-ranked candidates in place of the ranking's m leading entities."""
    reranked = [state["candidates"][i].id for i in state["order"]]
    return {"ranking": tuple(splice(state["ranking"], reranked))}
