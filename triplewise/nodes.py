"""What a composer of agent graphs needs: states, nodes and the call to a model (docs/compose.md).

Everything here is public and stays; where it lives inside is not.
"""

from __future__ import annotations

from triplewise.agents.context import Context, JsonContext, NodeContext
from triplewise.agents.cot_kg.knowledge_formatter import make_knowledge_formatter
from triplewise.agents.cot_kg.plan_grounder import make_plan_grounder
from triplewise.agents.cot_kg.planner import PlannerOptions, make_planner
from triplewise.agents.cot_kg.reasoner import HintReasonerOptions, make_hint_reasoner
from triplewise.agents.cot_kg.subgraph_retriever import make_subgraph_retriever
from triplewise.agents.entity_linker import link
from triplewise.agents.kg_gpt.evidence_retriever import RetrieverOptions, make_evidence_retriever
from triplewise.agents.kg_gpt.reasoner import ReasonerOptions, make_reasoner
from triplewise.agents.kg_gpt.relation_selector import SelectorOptions, fan_out, make_relation_selector
from triplewise.agents.kg_gpt.segmenter import SegmenterOptions, make_segmenter
from triplewise.agents.node import Node, node
from triplewise.agents.state import AskInput, AskState, ProvidedBy, SubSentence
from triplewise.backends.calling import ParsedReply, ReplyFormat, call_model
from triplewise.tools.retrieval.pattern_join import Match, Term
from triplewise.tools.retrieval.triple_retriever import RetrievalOptions, TripleRetriever
from triplewise.types import Answer, Evidence, Result, Step, Triple

__all__ = [
    "Answer",
    "AskInput",
    "AskState",
    "Context",
    "Evidence",
    "HintReasonerOptions",
    "JsonContext",
    "Match",
    "Node",
    "NodeContext",
    "ParsedReply",
    "PlannerOptions",
    "ProvidedBy",
    "ReasonerOptions",
    "ReplyFormat",
    "Result",
    "RetrievalOptions",
    "RetrieverOptions",
    "SegmenterOptions",
    "SelectorOptions",
    "Step",
    "SubSentence",
    "Term",
    "Triple",
    "TripleRetriever",
    "call_model",
    "fan_out",
    "link",
    "make_evidence_retriever",
    "make_hint_reasoner",
    "make_knowledge_formatter",
    "make_plan_grounder",
    "make_planner",
    "make_reasoner",
    "make_relation_selector",
    "make_segmenter",
    "make_subgraph_retriever",
    "node",
]
