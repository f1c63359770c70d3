"""KG-GPT (Kim, Kwon, Jo and Choi, 2023) as a state machine.

::

    link → segment → select_relations (one branch per sub-sentence) → retrieve_evidence → reason

Presets: ``default`` mends the published flaws (numbered, repaired and constrained replies, the whole
joined sub-graph, all answers with their proofs); ``paper`` is what the text says (its prompts' form,
candidates as printed in appendix B, True or False); ``reference`` is what the published code does (its own
candidates, selection skipped below k of them, sampled paths, thinned evidence), so that its numbers can be compared.
``sentence`` is the papers' baseline without a graph: the sentence alone, with the same worked examples.
``short`` is the default of models that were trained on these nodes' skills: no examples in the prompts,
answers and verdicts are read from the executed join.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from langgraph.graph import END, START, StateGraph

from triplewise.agents.context import Context, JsonContext
from triplewise.agents.entity_linker import link
from triplewise.agents.kg_gpt import reasoner, relation_selector, segmenter
from triplewise.agents.kg_gpt.evidence_retriever import RetrieverOptions, make_evidence_retriever
from triplewise.agents.kg_gpt.reasoner import ReasonerOptions, make_reasoner
from triplewise.agents.kg_gpt.relation_selector import SelectorOptions, fan_out, make_relation_selector
from triplewise.agents.kg_gpt.segmenter import SegmenterOptions, make_segmenter
from triplewise.agents.kg_gpt.sentence_only import make_sentence_reasoner
from triplewise.agents.state import AskInput, AskState
from triplewise.errors import ConfigError
from triplewise.graphs.method import CompiledAskGraph, Method


@dataclass(frozen=True, slots=True)
class KgGptSettings:
    """Options of the four nodes."""

    segmenter: SegmenterOptions = field(default_factory=SegmenterOptions)
    """Of ``segment``."""
    selector: SelectorOptions = field(default_factory=SelectorOptions)
    """Of ``select_relations``."""
    retriever: RetrieverOptions = field(default_factory=RetrieverOptions)
    """Of ``retrieve_evidence``."""
    reasoner: ReasonerOptions = field(default_factory=ReasonerOptions)
    """Of ``reason``."""
    sampling: tuple[tuple[str, float], ...] = (("temperature", 0.0),)
    """The model's, where the preset prescribes it."""
    with_graph: bool = True
    """False: only the last node is there, and it is given the sentence alone."""


_PAPER = KgGptSettings(
    SegmenterOptions(style="paper"),
    SelectorOptions(style="paper", skip=0, candidates="paper"),
    RetrieverOptions(contrast=False),
    ReasonerOptions(style="paper", expand=False),
    (("temperature", 0.2), ("top_p", 0.1)),  # appendix C
)
PRESETS: dict[str, KgGptSettings] = {
    "default": KgGptSettings(),
    "short": KgGptSettings(
        segmenter.TRAINED,
        relation_selector.TRAINED,
        RetrieverOptions(),
        reasoner.TRAINED,
    ),
    "paper": _PAPER,
    "reference": replace(
        _PAPER,
        selector=SelectorOptions(style="paper", skip=-1, candidates="published"),
        retriever=RetrieverOptions(contrast=False, sampled=True),
    ),
    "sentence": replace(_PAPER, with_graph=False),
}


def settings(
    preset: str = "default",
    *,
    shots: int | None = None,
    top_k: int | None = None,
    knowledge: str | None = None,
    closed_world: bool = False,
    hops: int | None = None,
) -> KgGptSettings:
    """A preset with single options changed; raises ConfigError on a value out of range.

    ``closed_world``: what the graph does not say counts as false; else it leaves a claim open. ``hops``: the hop count
    of the questions, where it is known as it is in MetaQA: the reach of the paper's candidates, and which of its
    examples are shown.
    """
    if preset not in PRESETS:
        raise ConfigError(f"no preset {preset!r}.", f"Known: {', '.join(PRESETS)}.")
    if top_k is not None and top_k < 1:
        raise ConfigError(f"top_k is {top_k}; it must be at least 1.")
    if shots is not None and not 0 <= shots <= 12:
        raise ConfigError(f"shots is {shots}; there are 0 to 12 examples.")
    if knowledge not in (None, "triples", "yaml"):
        raise ConfigError(f"knowledge format {knowledge!r} is unknown.", "Known: triples, yaml.")
    if hops is not None and not 1 <= hops <= 3:
        raise ConfigError(f"hops is {hops}; questions have 1 to 3.")
    base = PRESETS[preset]
    far = hops or 0
    n = base.segmenter.shots if shots is None else shots
    return replace(
        base,
        segmenter=replace(base.segmenter, shots=n, hops=far),
        selector=replace(base.selector, shots=n, hops=far, top_k=top_k or base.selector.top_k),
        reasoner=replace(
            base.reasoner, shots=n, hops=far, knowledge=knowledge or base.reasoner.knowledge, closed_world=closed_world
        ),
    )


def build(options: KgGptSettings | None = None, *, context_schema: type[Any] = Context) -> CompiledAskGraph:
    """The compiled graph; run it with ``context=Context(kg=…, model=…)``."""
    options = options or PRESETS["default"]
    graph = StateGraph(AskState, context_schema=context_schema, input_schema=AskInput)
    graph.add_node("link", link)
    if not options.with_graph:
        graph.add_node("reason", make_sentence_reasoner(options.reasoner))
        graph.add_edge(START, "link")
        graph.add_edge("link", "reason")
        graph.add_edge("reason", END)
        return graph.compile(name="kg-gpt")
    graph.add_node("segment", make_segmenter(options.segmenter))
    graph.add_node("select_relations", make_relation_selector(options.selector))
    graph.add_node("retrieve_evidence", make_evidence_retriever(options.retriever))
    graph.add_node("reason", make_reasoner(options.reasoner))
    graph.add_edge(START, "link")
    graph.add_edge("link", "segment")
    graph.add_conditional_edges("segment", fan_out, ["select_relations"])
    graph.add_edge("select_relations", "retrieve_evidence")
    graph.add_edge("retrieve_evidence", "reason")
    graph.add_edge("reason", END)
    return graph.compile(name="kg-gpt")


def make_graph() -> CompiledAskGraph:
    """Entry point for ``langgraph.json``."""
    return build(context_schema=JsonContext)


METHOD = Method(
    "kg-gpt",
    tasks=("ask", "verify"),
    presets=PRESETS,
    settings=settings,
    build=build,
    resources=frozenset({"embedder"}),
    alone=frozenset({"sentence"}),
    default_for="any model",
)
