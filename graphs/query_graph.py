"""Query graphs proposed by the graph and ranked against the sentence, as a state machine.

::

    find_readings → choose_reading → execute_reading

``find_readings`` links names, values and classes, lists the query graphs that this graph allows about them, and ranks
them by a small trained encoder (STAGG, Yih et al. 2015; RnG-KBQA, Ye et al. 2022). ``choose_reading`` lets a chat model
choose among the best few, where it was not left to the ranker. ``execute_reading`` answers with proofs, tells how the
sentence was read, and what the runners-up would answer.

Presets: ``default`` leaves the choice to the ranker and calls no chat model; ``choose`` asks the chat model once.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from langgraph.graph import END, START, StateGraph

from triplewise.agents.context import Context, JsonContext
from triplewise.agents.query_graph.executor import ExecutorOptions, make_reading_executor
from triplewise.agents.query_graph.reading_chooser import ChooserOptions, make_reading_chooser
from triplewise.agents.query_graph.reading_finder import FinderOptions, make_reading_finder
from triplewise.agents.query_graph.state import QueryGraphState
from triplewise.agents.state import AskInput
from triplewise.backends.encoders.mini_bert import MiniBert
from triplewise.errors import ConfigError
from triplewise.files import expand
from triplewise.graphs.method import CompiledAskGraph, Method
from triplewise.tools.query_graph.ranker import WEIGHTS


@dataclass(frozen=True, slots=True)
class QueryGraphSettings:
    """Options of the nodes."""

    finder: FinderOptions = field(default_factory=FinderOptions)
    """Of ``find_readings``."""
    chooser: ChooserOptions = field(default_factory=ChooserOptions)
    """Of ``choose_reading``."""
    executor: ExecutorOptions = field(default_factory=ExecutorOptions)
    """Of ``execute_reading``."""
    sampling: tuple[tuple[str, float], ...] = (("temperature", 0.0),)
    """Parameters of the chat model that chooses."""


PRESETS: dict[str, QueryGraphSettings] = {
    "default": QueryGraphSettings(),
    "short": QueryGraphSettings(),
    "choose": QueryGraphSettings(chooser=ChooserOptions(shown=10)),
}


def settings(
    preset: str = "default",
    *,
    reading: int | None = None,
    top_k: int | None = None,
    closed_world: bool = False,
    ranker: str | Path = "",
) -> QueryGraphSettings:
    """A preset with single options changed; raises ConfigError on a value out of range.

    ``reading``: which reading is executed, from 1. ``top_k``: readings that the chat model chooses from (preset
    ``choose``). ``closed_world``: what the graph does not say counts as false; else it leaves a claim open. ``ranker``:
    FILE.npz of ``train ranker``; default: the one that ships. It is read here, so that a wrong one is told at once.
    """
    if preset not in PRESETS:
        raise ConfigError(f"no preset {preset!r} of query-graph.", f"Known: {', '.join(PRESETS)}.")
    if reading is not None and reading < 1:
        raise ConfigError(f"reading is {reading}; readings are counted from 1.")
    if top_k is not None and not 2 <= top_k <= 12:
        raise ConfigError(f"top_k is {top_k}; the model chooses from 2 to 12 readings.")
    base = PRESETS[preset]
    weights = expand(ranker) if ranker else WEIGHTS
    if ranker:
        MiniBert.load(weights)
    return replace(
        base,
        finder=replace(base.finder, ranker=weights, closed_world=closed_world),
        chooser=replace(base.chooser, shown=top_k or base.chooser.shown),
        executor=replace(base.executor, reading=reading or 1, closed_world=closed_world, ranker=weights),
    )


def build(options: QueryGraphSettings | None = None, *, context_schema: type[Any] = Context) -> CompiledAskGraph:
    """The compiled graph; run it with ``context=Context(kg=…, model=…)``."""
    options = options or PRESETS["default"]
    graph = StateGraph(QueryGraphState, context_schema=context_schema, input_schema=AskInput)
    graph.add_node("find_readings", make_reading_finder(options.finder))
    graph.add_node("choose_reading", make_reading_chooser(options.chooser))
    graph.add_node("execute_reading", make_reading_executor(options.executor))
    graph.add_edge(START, "find_readings")
    graph.add_edge("find_readings", "choose_reading")
    graph.add_edge("choose_reading", "execute_reading")
    graph.add_edge("execute_reading", END)
    return graph.compile(name="query-graph")


def make_graph() -> CompiledAskGraph:
    """Entry point for ``langgraph.json``."""
    return build(context_schema=JsonContext)


METHOD = Method(
    "query-graph",
    tasks=("ask", "verify"),
    presets=PRESETS,
    settings=settings,
    build=build,
    default_for="trained models",
)
