"""The evidence retriever of Retrieval and Reasoning on KGs: the top k sub-graph-enriched triples (section 3.2)."""

from __future__ import annotations

import asyncio
import time

from triplewise.agents.context import NodeContext
from triplewise.agents.node import Node, node
from triplewise.agents.state import AskState
from triplewise.kg.base import KGStore
from triplewise.tools.retrieval.subgraph_text import PLAIN
from triplewise.tools.retrieval.triple_retriever import RetrievalOptions, TripleRetriever, open_retriever
from triplewise.types import Evidence, Step


def _open(kg: KGStore, embedder: str, subgraph: bool | None) -> TripleRetriever:
    rule = PLAIN if subgraph is False else None
    return (
        open_retriever(kg, embedder=embedder, rule=rule)
        if embedder
        else TripleRetriever(kg, note="no embedder is named.")
    )


def make_subgraph_retriever(options: RetrievalOptions | None = None) -> Node[AskState, AskState]:
    """The retriever node: question, plan, entities → evidence with scores, best first.

    ``context.retriever`` is a TripleRetriever; without one the graph's index by ``context.embedder`` in the user's
    cache is opened, and without an embedder BM25 ranks.
    """

    options = options or RetrievalOptions(mode="follow")

    @node
    async def retrieve_triples(state: AskState, context: NodeContext) -> AskState:
        started = time.perf_counter()
        kg = context.kg
        retriever = context.retriever or await asyncio.to_thread(_open, kg, context.embedder, options.subgraph)
        plan, entities = state.get("plan", ()), state.get("entities", ())
        used, warnings = retriever.fitting(options)
        ranked = state.get("plan_relations", ())
        found = await asyncio.to_thread(retriever.retrieve, state["question"], plan, entities, used, ranked)
        evidence = tuple(Evidence(t.triple, score=t.score, origin=f"retrieved by {used.mode}") for t in found.triples)
        place = "within reach of the entities" if found.scope == "neighborhood" else "of the whole graph"
        step = Step(
            "retrieve_triples",
            note=f"{len(evidence)} of {found.candidates} triples {place}, by {used.mode}",
            detail={
                "triples": [
                    [kg.display(h), kg.relation_label(r), kg.display(t), round(e.score or 0.0, 4)]
                    for e in evidence
                    for h, r, t in [e.triple]
                ]
            },
            seconds=time.perf_counter() - started,
        )
        return {"evidence": evidence, "steps": [step], "warnings": warnings}

    return retrieve_triples
