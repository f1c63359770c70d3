"""KG-GPT's verifier behind somebody's own RAG answer, which is a sentence that a model wrote from texts."""

from typing import Any

from langchain_core.messages import HumanMessage
from langgraph.graph import START, StateGraph

from triplewise import nodes
from triplewise.nodes import AskState, NodeContext

TEXTS = ["Alien is a film of 1979 by Ridley Scott.", "Heat is a film of 1995 by Michael Mann."]


class Draft(AskState, total=False):
    draft: str


@nodes.node
async def draft(state: AskState, context: NodeContext) -> Draft:
    """The answer is the claim that the next nodes verify."""
    asked = HumanMessage("\n".join([*TEXTS, f"Answer in one sentence: {state['question']}"]))
    reply = await nodes.call_model(context.model, [asked], nodes.ReplyFormat(parse=str.strip), node="draft")
    return {"draft": reply.value, "question": reply.value, "task": "verify", "steps": [reply.step]}


def build() -> Any:
    graph = StateGraph(Draft, context_schema=nodes.Context, input_schema=nodes.AskInput)
    graph.add_sequence([("write", draft), ("link", nodes.link), ("segment", nodes.make_segmenter())])
    graph.add_node("select_relations", nodes.make_relation_selector())
    graph.add_node("retrieve_evidence", nodes.make_evidence_retriever())
    graph.add_node("reason", nodes.make_reasoner())
    graph.add_edge(START, "write")
    graph.add_conditional_edges("segment", nodes.fan_out, ["select_relations"])
    graph.add_edge("select_relations", "retrieve_evidence")
    graph.add_edge("retrieve_evidence", "reason")
    return graph.compile(name="verified-rag")
