"""Which relation each planned step goes by: the plan in the graph's own words (beyond Retrieval and Reasoning on KGs).

A step names what is looked for, the graph has relations. The relation selector's call is made for every step over the
relations within its reach, all in flight together, and retrieval along the plan is given the scores.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from triplewise.agents.context import NodeContext
from triplewise.agents.kg_gpt.relation_selector import SelectorOptions, offered_relations, rank_relations
from triplewise.agents.node import Node, node
from triplewise.agents.state import AskState, SubSentence
from triplewise.backends.calling import ParsedReply
from triplewise.tools.retrieval.pattern_join import Term
from triplewise.types import Step

TRAINED = SelectorOptions(style="short", shots=0, top_k=1)
"""The options for models that were trained to select relations."""


def make_plan_grounder(options: SelectorOptions = TRAINED) -> Node[AskState, AskState]:
    """The grounder node: plan, entities → ``plan_relations``, per step label → score (the best is the likeliest)."""

    @node
    async def ground_plan(state: AskState, context: NodeContext) -> AskState:
        plan, entities = state.get("plan", ()), state.get("entities", ())
        calls = (_ground(context, options, plan[i], entities, i + 1) for i in range(len(plan)))
        done = await asyncio.gather(*calls)
        return {"plan_relations": tuple(called.value for called in done), "steps": [called.step for called in done]}

    return ground_plan


async def _ground(
    context: NodeContext, options: SelectorOptions, step: str, entities: Sequence[str], hops: int
) -> ParsedReply[dict[str, float]]:
    kg = context.kg
    sub = SubSentence(step, tuple(Term(entity=e) for e in entities))
    found = set[str]().union(*(kg.relations_within(e, hops) for e in entities))
    labels = await offered_relations(context, sub, found, options.style)
    name = f"ground_plan[{hops}]"
    detail: dict[str, Any] = {"step": step, "candidates": list(labels)}
    if len(labels) < 2:
        return ParsedReply(dict.fromkeys(labels, 0.0), Step(name, "skipped", "nothing to choose", detail=detail))
    called = await rank_relations(context, sub, labels, "ask", options, name, detail)
    scores = called.value
    if not isinstance(scores, dict):  # a model that writes names instead of ranking them: the first is the best
        scores = {kg.relation_label(relation): -float(place) for place, relation in enumerate(scores)}
    scores = {label: score for label, score in scores.items() if label in labels}
    called.step.detail["chosen"] = sorted(scores, key=lambda label: -scores[label])[:1]
    return ParsedReply(scores, called.step)
