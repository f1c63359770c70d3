"""KICGPT's demonstrations (section 3.3): the two ordered pools of a query, or table 4's ablations of them."""

from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import dataclass
from typing import Any, Literal

from triplewise.agents.context import NodeContext
from triplewise.agents.kicgpt.state import LinkQuery, LinkState
from triplewise.agents.node import Node, node
from triplewise.errors import UserError
from triplewise.kg.base import KGStore
from triplewise.tools.links.demonstrations import DemonstrationPools, StoreTexts
from triplewise.tools.links.kge_data import LinkPredictionData, Part
from triplewise.tools.links.rotate_scorer import LinkScorer
from triplewise.types import Step, Triple


@dataclass(frozen=True, slots=True)
class DemonstrationOptions:
    """Which demonstrations a query gets."""

    order: Literal["ordered", "unordered", "random", "none"] = "ordered"
    """As the paper orders them, unordered, random triples of the graph, or none at all."""
    limit: int = 100
    """Triples taken from each pool; no prompt holds more."""
    parts: tuple[Part, ...] = ("train", "valid")
    """Where they come from; the test part is refused, and queries of the validation part need ("train",)."""
    seed: int = 0
    """Of what is drawn at random."""


def pools_of(kg: KGStore, scorer: LinkScorer | None, options: DemonstrationOptions) -> DemonstrationPools | None:
    """The pools over the scorer's triples, or over the graph where it has none; None without demonstrations."""
    if options.order == "none":
        return None
    data = getattr(scorer, "data", None) or LinkPredictionData.from_store(kg)
    return DemonstrationPools(data, StoreTexts(kg), order=options.order, parts=options.parts, seed=options.seed)


def make_demonstrations(options: DemonstrationOptions) -> Node[LinkState, LinkState]:
    """The node that takes the query's pools; they are indexed once per scorer."""
    made: dict[str, Any] = {}
    lock = threading.Lock()

    def take(query: LinkQuery, kg: KGStore, scorer: LinkScorer | None) -> tuple[list[Triple], list[Triple]]:
        with lock:  # queries that start together wait for one index instead of each making its own
            if made.get("for") is not scorer:
                made.update({"pools": pools_of(kg, scorer, options), "for": scorer})
            pools: DemonstrationPools | None = made["pools"]
        if pools is None:
            return [], []
        try:
            analogies = pools.analogies(query.relation, options.limit)
            return analogies, pools.supplements(query.entity, query.relation, options.limit)
        except UserError:  # a literal, or an entity that the scorer's graph lacks: nothing is known about it
            return [], []

    @node
    async def demonstrations(state: LinkState, context: NodeContext) -> LinkState:
        started = time.perf_counter()
        kg = context.kg
        analogies, supplements = await asyncio.to_thread(take, state["query"], kg, context.scorer)
        step = Step(
            "demonstrations",
            note=options.order,
            detail={"analogies": len(analogies), "supplements": len(supplements)},
            seconds=time.perf_counter() - started,
        )
        return {"analogies": tuple(analogies), "supplements": tuple(supplements), "steps": [step]}

    return demonstrations
