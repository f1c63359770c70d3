"""Ask and verify in one call, by any method: what ``triplewise.ask`` and the command line use."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from inspect import signature
from typing import Any

from langchain_core.language_models import BaseChatModel

from triplewise.agents.context import Context, resolve
from triplewise.agents.node import run_sync
from triplewise.errors import ConfigError
from triplewise.kg.base import KGStore
from triplewise.types import Result, Usage

METHODS: dict[str, tuple[str, frozenset[str]]] = {
    "kg-gpt": ("triplewise.graphs.kg_gpt", frozenset({"ask", "verify"})),
    "cot-kg": ("triplewise.graphs.cot_kg", frozenset({"ask"})),
    "query-graph": ("triplewise.graphs.query_graph", frozenset({"ask", "verify"})),
}
"""Method id → module with ``settings(preset, **options)`` and ``build(settings)``, and its tasks."""


def sampling(method: str, preset: str = "default") -> dict[str, Any]:
    """The sampling parameters that a method's preset prescribes, for ``load_chat_model``."""
    return dict(_module(method).settings(preset).sampling)


def check_options(task: str, method: str, preset: str = "default", **options: Any) -> None:
    """Raise ConfigError unless the method can do the task ("ask", "verify") with this preset and these options."""
    module = _module(method, task)
    known = signature(module.settings).parameters
    if unknown := sorted(name for name in options if name not in known):
        raise ConfigError(f"{method} has no option {unknown[0]!r}.", f"Its options: {', '.join(known)}.")
    module.settings(preset, **options)


def _module(method: str, task: str = "") -> Any:
    name, tasks = METHODS.get(method, ("", frozenset[str]()))
    if not name or (task and task not in tasks):
        known = ", ".join(m for m, (_, t) in METHODS.items() if not task or task in t)
        raise ConfigError(f"no method {method!r}{f' for {task}' if task else ''}.", f"Known: {known}.")
    return import_module(name)


@cache
def _built(module: Any, settings: Any) -> Any:
    graph = module.build(settings)
    gc.freeze()  # as below: what the first run imports would have all that is loaded by now walked again
    return graph


@cache
def _settle(graph: Any) -> None:
    """After a graph's first run, take what lives as long as the process out of the collector's rounds.

    Libraries, knowledge graph and indexes are millions of objects: walking them again and again costs a
    tenth of the throughput with 64 questions in flight, and pauses of 0.15 s.
    """
    gc.freeze()


async def _run(
    task: str,
    kg: KGStore | str,
    question: str,
    *,
    model: BaseChatModel | str = "llamacpp:embedded",
    method: str = "kg-gpt",
    entities: Sequence[str] | str = (),
    preset: str = "default",
    on_step: Callable[[str], None] | None = None,
    retriever: Any = None,
    embedder: str = "minilm",
    **options: Any,
) -> Result:
    module = _module(method, task)
    given = {k: v for k, v in options.items() if v is not None}
    if isinstance(model, str):
        from triplewise.backends import load_chat_model

        model = load_chat_model(model, **sampling(method, preset))
    if method != "query-graph" and preset == "default" and not given.get("shots") and getattr(model, "trained_for_nodes", False):
        preset = "short"
    settings = module.settings(preset, **given)
    context = resolve(Context(kg=kg, model=model, retriever=retriever, embedder=embedder))
    graph = _built(module, settings)
    named = (entities,) if isinstance(entities, str) else tuple(entities or ())
    inputs = {"question": question, "task": task, "entities": named, "steps": [], "warnings": []}
    state: dict[str, Any] = {}
    if on_step is None:
        state = await graph.ainvoke(inputs, context=context)
    else:
        async for kind, chunk in graph.astream(inputs, context=context, stream_mode=["updates", "values"]):
            if kind == "updates":
                for name in chunk:
                    on_step(name)
            else:
                state = chunk
    _settle(graph)
    steps = tuple(state.get("steps", ()))
    return Result(
        question=question,
        method=method,
        text=state.get("text", ""),
        answers=tuple(state.get("answers", ())),
        evidence=tuple(state.get("evidence", ())),
        citations=tuple(state.get("citations", ())),
        verdict=state.get("verdict"),
        reason=state.get("reason", ""),
        steps=steps,
        usage=sum((s.usage for s in steps), Usage()),
        warnings=tuple(state.get("warnings", ())),
        reading=state.get("reading"),
        other_readings=tuple(state.get("other_readings", ())),
        margin=state.get("margin"),
    )


async def aask(kg: KGStore | str, question: str, **options: Any) -> Result:
    """Answer a question over a graph (a store or a path); see ``ask``."""
    return await _run("ask", kg, question, **options)


async def averify(kg: KGStore | str, claim: str, **options: Any) -> Result:
    """Verify a claim against a graph; see ``verify``."""
    return await _run("verify", kg, claim, **options)


def ask(kg: KGStore | str, question: str, **options: Any) -> Result:
    """Answer a question over a graph.

    Options: ``model`` (a chat model or a string such as "openai:gpt-4o-mini"; default the embedded
    model), ``method`` ("kg-gpt", "cot-kg"), ``entities`` (ids or names, or one of them; default: found in the
    question), ``preset`` ("default", "short", "paper", "reference"), ``shots``, ``top_k``, ``knowledge``,
    ``embedder`` (which ranks cot-kg's triples and helps a small model to choose relations; "" for none),
    cot-kg's ``retriever`` and ``retrieval`` ("follow", "dense", "bm25", "fusion"), ``on_step`` (hears each node).
    Raises UserError for what the caller can mend and BackendError where the model fails.
    """
    return run_sync(aask(kg, question, **options))


def verify(kg: KGStore | str, claim: str, **options: Any) -> Result:
    """Verify a claim against a graph: ``result.verdict`` is "supported", "refuted" or
    "not_enough_evidence". Options as for ``ask``."""
    return run_sync(averify(kg, claim, **options))
