"""KG-GPT's segmenter and reasoner around a look-up of one's own."""

from __future__ import annotations

from typing import Any

from langgraph.graph import END, START, StateGraph

from triplewise import nodes
from triplewise.nodes import AskState, NodeContext


@nodes.node
async def look_up(state: AskState, context: NodeContext) -> AskState:
    """All that the graph says of the entities that the parts of the question name."""
    named = {end.entity for part in state["sub_sentences"] for end in part.ends if end.entity}
    found = {t for e in named for t in (*context.kg.triples(head=e), *context.kg.triples(tail=e))}
    return {"evidence": tuple(nodes.Evidence(t, origin="own look-up") for t in sorted(found))}


def build() -> Any:
    graph = StateGraph(AskState, context_schema=nodes.Context, input_schema=nodes.AskInput)
    graph.add_node("link", nodes.link)
    graph.add_node("segment", nodes.make_segmenter())
    graph.add_node("look_up", look_up)
    graph.add_node("reason", nodes.make_reasoner())
    graph.add_edge(START, "link")
    graph.add_edge("link", "segment")
    graph.add_edge("segment", "look_up")
    graph.add_edge("look_up", "reason")
    graph.add_edge("reason", END)
    return graph.compile(name="own-lookup")
