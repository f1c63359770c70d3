"""Two retrievers vote, and cot-kg's reasoner answers from what both found first."""

from typing import Any

from langgraph.graph import START, StateGraph

from triplewise import nodes
from triplewise.nodes import AskState, Evidence, NodeContext


class Ballots(AskState, total=False):
    by_words: tuple[Evidence, ...]
    near: tuple[Evidence, ...]


@nodes.node
async def by_words(state: Ballots, context: NodeContext) -> Ballots:
    words = nodes.RetrievalOptions(mode="bm25", k=30)
    found = nodes.TripleRetriever(context.kg).retrieve(state["question"], (), state["entities"], words)
    return {"by_words": tuple(Evidence(t.triple, score=t.score) for t in found.triples)}


@nodes.node
async def near(state: Ballots, context: NodeContext) -> Ballots:
    return {"near": tuple(Evidence(t) for e in state["entities"] for t in context.kg.triples(head=e))}


@nodes.node
async def vote(state: Ballots, context: NodeContext) -> Ballots:
    both = {e.triple for e in state["near"]}
    return {"evidence": tuple(sorted(state["by_words"], key=lambda e: e.triple not in both)[:20])}


def build() -> Any:
    format, reason = nodes.make_knowledge_formatter(), nodes.make_hint_reasoner()
    graph = StateGraph(Ballots, context_schema=nodes.Context, input_schema=nodes.AskInput).add_node("near", near)
    graph.add_sequence([("link", nodes.link), ("by_words", by_words)]).add_edge(START, "link").add_edge("link", "near")
    graph.add_sequence([("vote", vote), ("format", format), ("reason", reason)]).add_edge(["by_words", "near"], "vote")
    return graph.compile(name="two-retrievers")
