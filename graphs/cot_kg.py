"""Retrieval and Reasoning on KGs (anonymous ACL submission, 2024) as a state machine.

::

    link → plan → retrieve_triples → format_knowledge → reason

Presets: ``default`` follows the plan hop by hop over the sub-graph-enriched index and writes YAML by whichever
side is shorter; ``paper`` is what the text says (dense retrieval alone, Figure 2's YAML, answers by the
model's word, temperature 0.85 and top-p 0.9); ``sentence`` is the same without a graph, the paper's baseline of the
model alone; ``short`` is the default of models that were trained on these nodes' skills.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from langgraph.graph import END, START, StateGraph

from triplewise.agents.context import Context, JsonContext
from triplewise.agents.cot_kg import plan_grounder, planner, reasoner
from triplewise.agents.cot_kg.few_shot import MAX_SHOTS
from triplewise.agents.cot_kg.knowledge_formatter import make_knowledge_formatter
from triplewise.agents.cot_kg.plan_grounder import make_plan_grounder
from triplewise.agents.cot_kg.planner import PlannerOptions, make_planner
from triplewise.agents.cot_kg.reasoner import HintReasonerOptions, make_hint_reasoner
from triplewise.agents.cot_kg.subgraph_retriever import make_subgraph_retriever
from triplewise.agents.entity_linker import link
from triplewise.agents.kg_gpt.relation_selector import SelectorOptions
from triplewise.agents.state import AskInput, AskState
from triplewise.errors import ConfigError
from triplewise.graphs.method import CompiledAskGraph, Method
from triplewise.tools.retrieval.triple_retriever import MODES, RetrievalOptions
from triplewise.tools.text.knowledge_format import STYLES


@dataclass(frozen=True, slots=True)
class CotKgSettings:
    """Options of the nodes."""

    planner: PlannerOptions = field(default_factory=PlannerOptions)
    """Of ``plan``."""
    grounder: SelectorOptions | None = None
    """With a trained model, the relation of each planned step is chosen before retrieval along the plan."""
    retrieval: RetrievalOptions = field(default_factory=RetrievalOptions)
    """Of ``retrieve_triples``."""
    reasoner: HintReasonerOptions = field(default_factory=HintReasonerOptions)
    """Of ``reason``; its ``knowledge`` is also the format of ``format_knowledge``."""
    sampling: tuple[tuple[str, float], ...] = (("temperature", 0.0),)
    """The model's, where the preset prescribes it."""
    with_graph: bool = True
    """False: only the last node is there, and it is given the question alone."""


_FOLLOW = RetrievalOptions(mode="follow")
_PAPER = CotKgSettings(
    retrieval=RetrievalOptions(mode="dense"),
    reasoner=HintReasonerOptions(knowledge="yaml-head", grounded=False),
    sampling=(("temperature", 0.85), ("top_p", 0.9)),  # section 4.1
)
PRESETS: dict[str, CotKgSettings] = {
    "default": CotKgSettings(retrieval=_FOLLOW),
    "short": CotKgSettings(
        planner.TRAINED,
        plan_grounder.TRAINED,
        _FOLLOW,
        reasoner.TRAINED,
    ),
    "paper": _PAPER,
    "sentence": replace(_PAPER, with_graph=False),
}


def settings(
    preset: str = "default",
    *,
    shots: int | None = None,
    top_k: int | None = None,
    knowledge: str | None = None,
    retrieval: str | None = None,
    use_plan: bool | None = None,
    subgraph: bool | None = None,
) -> CotKgSettings:
    """A preset with single options changed; raises ConfigError on a value out of range.

    ``top_k``: triples retrieved; ``retrieval``: "follow", "dense", "bm25" or "fusion"; ``use_plan`` False is the
    ablation "without CoT" of retrieval, ``subgraph`` False the one without sub-graphs, over an index of triples alone.
    """
    if preset not in PRESETS:
        raise ConfigError(f"no preset {preset!r} of cot-kg.", f"Known: {', '.join(PRESETS)}.")
    if top_k is not None and top_k < 1:
        raise ConfigError(f"top_k is {top_k}; it must be at least 1.")
    if shots is not None and not 0 <= shots <= MAX_SHOTS:
        raise ConfigError(f"shots is {shots}; cot-kg has 0 to {MAX_SHOTS} demonstrations.")
    if knowledge not in (None, *STYLES):
        raise ConfigError(f"knowledge format {knowledge!r} is unknown.", f"Known: {', '.join(STYLES)}.")
    if retrieval is not None and retrieval not in MODES:
        raise ConfigError(f"retrieval {retrieval!r} is unknown.", f"Known: {', '.join(MODES)}.")
    base = PRESETS[preset]
    found, plan = base.retrieval, base.retrieval.plan if use_plan is None else use_plan
    mode = retrieval or found.mode
    return replace(
        base,
        grounder=base.grounder if plan and mode == "follow" else None,
        planner=replace(base.planner, shots=base.planner.shots if shots is None else shots),
        retrieval=replace(
            found,
            k=top_k or found.k,
            mode=mode,
            plan=plan,
            subgraph=found.subgraph if subgraph is None else subgraph,
        ),
        reasoner=replace(
            base.reasoner,
            shots=base.reasoner.shots if shots is None else shots,
            knowledge=knowledge or base.reasoner.knowledge,
        ),
    )


def build(options: CotKgSettings | None = None, *, context_schema: type[Any] = Context) -> CompiledAskGraph:
    """The compiled graph; run it with ``context=Context(kg=…, model=…, retriever=…)``."""
    options = options or PRESETS["default"]
    graph = StateGraph(AskState, context_schema=context_schema, input_schema=AskInput)
    graph.add_node("link", link)
    if not options.with_graph:
        graph.add_node("reason", make_hint_reasoner(options.reasoner))
        graph.add_edge(START, "link")
        graph.add_edge("link", "reason")
        graph.add_edge("reason", END)
        return graph.compile(name="cot-kg")
    graph.add_node("plan", make_planner(options.planner))
    graph.add_node("retrieve_triples", make_subgraph_retriever(options.retrieval))
    graph.add_node("format_knowledge", make_knowledge_formatter(options.reasoner.knowledge))
    graph.add_node("reason", make_hint_reasoner(options.reasoner))
    graph.add_edge(START, "link")
    graph.add_edge("link", "plan")
    if options.grounder:
        graph.add_node("ground_plan", make_plan_grounder(options.grounder))
        graph.add_edge("plan", "ground_plan")
    graph.add_edge("ground_plan" if options.grounder else "plan", "retrieve_triples")
    graph.add_edge("retrieve_triples", "format_knowledge")
    graph.add_edge("format_knowledge", "reason")
    graph.add_edge("reason", END)
    return graph.compile(name="cot-kg")


def make_graph() -> CompiledAskGraph:
    """Entry point for ``langgraph.json``."""
    return build(context_schema=JsonContext)


METHOD = Method(
    "cot-kg",
    tasks=("ask",),
    presets=PRESETS,
    settings=settings,
    build=build,
    resources=frozenset({"embedder", "retriever"}),
    alone=frozenset({"sentence"}),
    dry_run="no plan is known, so the hints counted are those of the question alone",
)
