"""KICGPT (Wei, Huang, Zhang and Kwok, 2023) as a state machine.

::

    retrieve → demonstrations → compose ───────────────────────────────────→ final_query → splice
                             ↘ responsibility → question → demonstrate (repeated) ↗

Presets: ``default`` asks once, with numbered candidates and the same demonstrations within 3,700 prompt
tokens; ``paper`` is what the text says (the four stages as a conversation, 4 + 4 demonstrations a round,
as many rounds as fit, candidates by name); ``reference`` is what the published code does (at most ten
rounds, the round that passes the budget held and taken back, pools unordered, replies cut at 300 tokens).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from triplewise.agents.context import Context, JsonLinkContext
from triplewise.agents.kicgpt.candidates import CandidateOptions, enough, make_retriever, splice_ranking
from triplewise.agents.kicgpt.conversation import (
    make_compose,
    make_demonstrate,
    make_final_query,
    make_question,
    make_responsibility,
    more_rounds,
)
from triplewise.agents.kicgpt.demonstrations import DemonstrationOptions, make_demonstrations
from triplewise.agents.kicgpt.link_reader import LinkText, read_link
from triplewise.agents.kicgpt.prompts import ConversationOptions
from triplewise.agents.kicgpt.state import LinkInput, LinkState
from triplewise.errors import ConfigError
from triplewise.graphs.method import Method
from triplewise.kg.base import KGStore
from triplewise.tools.links.kge_data import Part

CompiledLinkGraph = CompiledStateGraph[LinkState, Any, Any, LinkState]


@dataclass(frozen=True, slots=True)
class KicgptSettings:
    """Options of the nodes."""

    candidates: CandidateOptions = field(default_factory=CandidateOptions)
    """Of ``retrieve``."""
    demonstrations: DemonstrationOptions = field(default_factory=DemonstrationOptions)
    """Of ``demonstrations``."""
    conversation: ConversationOptions = field(default_factory=ConversationOptions)
    """Of the other nodes, which ask the model."""
    sampling: tuple[tuple[str, float], ...] = (("temperature", 0.0),)
    """The model's (section 4.1)."""


PRESETS: dict[str, KicgptSettings] = {
    "default": KicgptSettings(),
    "paper": KicgptSettings(
        CandidateOptions(m=50),
        DemonstrationOptions(),
        ConversationOptions(mode="multi-round", reply="names", budget=3700, score_batch=1, describe="none"),
        (("temperature", 0.0), ("top_p", 1.0)),
    ),
    "reference": KicgptSettings(
        CandidateOptions(m=50),
        DemonstrationOptions(order="unordered"),
        ConversationOptions(
            mode="multi-round",
            reply="names",
            budget=3750,
            max_rounds=10,
            pop_last=True,
            score_batch=1,
            describe="none",
            max_reply_tokens=300,
        ),
        (("temperature", 0.0), ("top_p", 1.0)),
    ),
}

ABLATIONS = ("shuffle-candidates", "no-ordering", "random-demonstrations", "no-icl", "no-prompt-engineering")
"""Table 4's rows below the full model."""


def settings(
    preset: str = "default",
    *,
    mode: str | None = None,
    reply: str | None = None,
    m: int | None = None,
    per_round: int | None = None,
    describe: str | None = None,
    ablation: str | None = None,
    alignment: str | Path | None = None,
    keep_known: bool | None = None,
    parts: Sequence[Part] | None = None,
    seed: int | None = None,
) -> KicgptSettings:
    """A preset with single options changed; raises ConfigError on a value out of range.

    ``mode``: compact or multi-round. ``reply``: numbers, names or scores. ``m``: candidates that the model
    re-ranks, 2 to 50. ``per_round``: demonstrations of each kind in a round of the conversation. ``describe``: which
    candidates get a description beside their name: none, those whose name another entity has too (clashing), or all
    (where they are scored). ``ablation``: one of ABLATIONS; those of the list of candidates have no meaning with
    scores. ``alignment``: a file of ``triplewise align``.
    ``keep_known``: whether answers that the graph already asserts stay among the candidates. ``parts``: where
    demonstrations come from; queries of the validation part need ("train",).
    """
    if preset not in PRESETS:
        raise ConfigError(f"no preset {preset!r}.", f"Known: {', '.join(PRESETS)}.")
    for what, value, known in (
        ("mode", mode, ("compact", "multi-round")),
        ("reply", reply, ("numbers", "names", "scores")),
        ("describe", describe, ("none", "clashing", "all")),
        ("ablation", ablation, ABLATIONS),
    ):
        if value is not None and value not in known:
            raise ConfigError(f"no {what} {value!r}.", f"Known: {', '.join(known)}.")
    if m is not None and not 2 <= m <= 50:
        raise ConfigError(f"m is {m}; 2 to 50 candidates can be re-ranked.")
    if per_round is not None and not 1 <= per_round <= 50:
        raise ConfigError(f"per_round is {per_round}; 1 to 50 demonstrations of each kind fit a round.")
    base = PRESETS[preset]
    if ablation in OF_ORDERS and (reply or base.conversation.reply) == "scores":
        raise ConfigError(
            f"{ablation} has no meaning with scores, for which no list of candidates is shown.",
            "Leave out the ablation, or give --reply numbers or names.",
        )
    given = (("mode", mode), ("reply", reply), ("per_round", per_round))
    talk: dict[str, Any] = {k: v for k, v in given if v is not None}
    if describe is not None or reply == "scores":
        talk["describe"] = describe or "all"  # table 8 describes both ends
    if alignment is not None:
        from triplewise.tools.text.relation_text import read_alignment

        talk["alignment"] = tuple((r, s.sentence) for r, s in read_alignment(alignment).items())
    chosen = replace(
        base,
        candidates=replace(
            base.candidates,
            m=m or base.candidates.m,
            keep_known=base.candidates.keep_known if keep_known is None else keep_known,
        ),
        conversation=replace(base.conversation, **talk),
    )
    if parts is not None:
        chosen = replace(chosen, demonstrations=replace(chosen.demonstrations, parts=tuple(parts)))
    if seed is not None:
        chosen = replace(
            chosen,
            demonstrations=replace(chosen.demonstrations, seed=seed),
            conversation=replace(chosen.conversation, seed=seed),
        )
    return _ablate(chosen, ablation) if ablation else chosen


OF_ORDERS = ("shuffle-candidates", "no-prompt-engineering")
"""Those of the list of candidates and of its wording."""


def _ablate(full: KicgptSettings, ablation: str) -> KicgptSettings:
    orders = {"no-ordering": "unordered", "random-demonstrations": "random", "no-icl": "none"}
    if ablation in orders:
        return replace(full, demonstrations=replace(full.demonstrations, order=orders[ablation]))
    if ablation == "shuffle-candidates":
        return replace(full, conversation=replace(full.conversation, shuffle=True))
    talk = full.conversation
    if talk.mode == "multi-round":  # the trivial prompt is one message, with all that the rounds would have shown
        rounds = 2 * talk.per_round * talk.max_rounds or 2 * full.demonstrations.limit
        talk = replace(talk, mode="compact", demonstrations=rounds)
    return replace(full, conversation=replace(talk, engineered=False))


def unused_texts(options: KicgptSettings, kg: KGStore) -> list[str]:
    """A warning where sentences were given for relations that the graph lacks: a slip of the pen, perhaps."""
    known = set(kg.relation_ids())
    unknown = [r for r, _ in options.conversation.alignment if r not in known]
    shown = ", ".join(repr(r[:60]) for r in unknown[:5]) + (", …" if len(unknown) > 5 else "")
    return [f"relation texts that are not used, since the graph has no such relation: {shown}"] if unknown else []


def build(options: KicgptSettings | None = None) -> CompiledLinkGraph:
    """The compiled graph; run it with ``context=Context(kg=…, model=…, scorer=…)`` and ``{"query": LinkQuery(…)}``."""
    graph = StateGraph(LinkState, context_schema=Context, input_schema=LinkInput)
    graph.add_edge(START, "retrieve")
    return _compiled(graph, options or PRESETS["default"])


def make_graph() -> CompiledLinkGraph:
    """Entry point for ``langgraph.json``: the link comes as text, ids or names, with one end missing."""
    graph = StateGraph(LinkState, context_schema=JsonLinkContext, input_schema=LinkText)
    graph.add_node("read_link", read_link, input_schema=LinkText)
    graph.add_edge(START, "read_link")
    graph.add_edge("read_link", "retrieve")
    return _compiled(graph, PRESETS["default"])


def _compiled(graph: StateGraph[LinkState, Any, Any], options: KicgptSettings) -> CompiledLinkGraph:
    """The graph with all nodes after the query is known."""
    talk = options.conversation
    graph.add_node("retrieve", make_retriever(options.candidates))
    graph.add_node("demonstrations", make_demonstrations(options.demonstrations))
    graph.add_node("final_query", make_final_query(talk))
    graph.add_node("splice", splice_ranking)
    graph.add_conditional_edges("retrieve", enough)
    if talk.mode == "compact":
        graph.add_node("compose", make_compose(talk))
        graph.add_edge("demonstrations", "compose")
        graph.add_edge("compose", "final_query")
    else:
        graph.add_node("responsibility", make_responsibility(talk))
        graph.add_node("question", make_question(talk))
        graph.add_node("demonstrate", make_demonstrate(talk))
        graph.add_edge("demonstrations", "responsibility")
        if options.demonstrations.order == "none":
            graph.add_edge("responsibility", "final_query")
        else:
            graph.add_edge("responsibility", "question")
            graph.add_edge("question", "demonstrate")
            graph.add_conditional_edges("demonstrate", more_rounds)
    graph.add_edge("final_query", "splice")
    graph.add_edge("splice", END)
    return graph.compile(name="kicgpt")


METHOD = Method(
    "kicgpt",
    tasks=("complete",),
    presets=PRESETS,
    settings=settings,
    build=build,
    resources=frozenset({"scorer"}),
    default_for="any model",
    warnings=unused_texts,
    dry_run="the model is taken to agree to every example it is shown",
)
