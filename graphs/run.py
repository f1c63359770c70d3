"""Ask and verify in one call, by any method: what ``triplewise.ask`` and the command line use."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel
from langgraph.graph.state import CompiledStateGraph

from triplewise.agents.context import Context, NodeContext, resolve
from triplewise.agents.node import run_sync
from triplewise.checks import expect, expect_option
from triplewise.errors import ConfigError
from triplewise.graphs.method import Method, MethodSettings, default_method, method
from triplewise.kg.base import KGStore
from triplewise.tools.retrieval.triple_retriever import TripleRetriever
from triplewise.tracing import span
from triplewise.types import Result, Task

OnStep = Callable[[str], None]
"""Hears the name of each node that is done."""


@cache
def _built(record: Method, settings: MethodSettings) -> CompiledStateGraph[Any, Any, Any, Any]:
    graph = record.build(settings)
    gc.freeze()  # as below: what the first run imports would have all that is loaded by now walked again
    return graph


@cache
def _settle(graph: CompiledStateGraph[Any, Any, Any, Any]) -> None:
    """After a graph's first run, take what lives as long as the process out of the collector's rounds.

    Libraries, knowledge graph and indexes are millions of objects: walking them again and again costs a
    tenth of the throughput with 64 questions in flight, and pauses of 0.15 s.
    """
    gc.freeze()


@dataclass(frozen=True)
class Prepared:
    """A method ready to run."""

    method: Method
    settings: MethodSettings
    model: BaseChatModel

    async def run(self, inputs: Mapping[str, Any], context: NodeContext, on_step: OnStep | None) -> dict[str, Any]:
        """The graph's final state."""
        graph = _built(self.method, self.settings)
        state: Any = {}
        with span("invoke_workflow", self.method.id):
            if on_step is None:
                state = await graph.ainvoke(inputs, context=context)
            else:
                async for kind, chunk in graph.astream(inputs, context=context, stream_mode=["updates", "values"]):
                    if kind == "values":
                        state = chunk
                        continue
                    for name in chunk:
                        on_step(str(name))
        _settle(graph)
        return {**state, "warnings": [*self.method.warnings(self.settings, context.kg), *state.get("warnings", ())]}


def open_model(
    model: BaseChatModel | str,
    task: Task,
    name: str | None,
    preset: str,
    options: Mapping[str, Any],
    kg: Callable[[], KGStore] | None = None,
    **loading: Any,
) -> tuple[BaseChatModel, Method]:
    """The model and the method: the one named, else the model's default. A model string is loaded with the sampling
    that the method's preset prescribes; ``kg`` opens the graph that the default is for; ``loading`` are further options
    of ``load_chat_model``.

    Raises ConfigError, before anything is loaded, on an unknown method, preset or option.
    """
    from triplewise.backends import load_chat_model

    def load(**sampling: Any) -> BaseChatModel:
        return load_chat_model(model, **sampling, **loading) if isinstance(model, str) else model

    record = method(name, task) if name else default_method(task, load, kg)
    prescribed = dict(record.check(preset, **options).sampling)
    return load(**prescribed), record


def prepare(
    task: Task,
    model: BaseChatModel | str,
    name: str | None,
    preset: str,
    options: Mapping[str, Any],
    kg: Callable[[], KGStore] | None = None,
) -> Prepared:
    """A method for a task with its settings; options that are None count as not given.

    Raises ConfigError on an unknown method, preset or option.
    """
    given = {key: value for key, value in options.items() if value is not None}
    chat, record = open_model(model, task, name, preset, given, kg)
    return Prepared(record, record.check(record.preset_for(chat, preset, given), **given), chat)


def _opened(kg: KGStore | str) -> KGStore:
    from triplewise.kg import load_kg

    return load_kg(kg) if isinstance(kg, str) else kg


async def _run(
    task: Task,
    kg: KGStore | str | Path,
    question: str,
    *,
    model: BaseChatModel | str = "llamacpp:embedded",
    method: str | None = None,
    entities: Sequence[str] | str = (),
    preset: str = "default",
    on_step: OnStep | None = None,
    retriever: TripleRetriever | None = None,
    embedder: str = "minilm",
    **options: Any,
) -> Result:
    expect("kg", kg, str, Path, KGStore, what="a store or the path of a graph file")
    expect("claim" if task == "verify" else "question", question, str, what="a text")
    expect("model", model, str, BaseChatModel, what="a chat model or a string such as 'openai:gpt-4o-mini'")
    expect("entities", entities, str, list, tuple, set, frozenset, None, what="a name or a list of names")
    for name in (entities,) if isinstance(entities, str) else tuple(entities or ()):
        expect("each of entities", name, str, what="an id or a name")
    for name, value in {**options, "method": method, "preset": preset, "embedder": embedder}.items():
        expect_option(name, value)
    if on_step is not None and not callable(on_step):
        raise ConfigError(f"on_step is a function that hears each node's name, not {type(on_step).__name__}.")
    kg = str(kg) if isinstance(kg, Path) else kg
    prepared = prepare(task, model, method, preset, options, lambda: _opened(kg))
    context = resolve(Context(kg=kg, model=prepared.model, retriever=retriever, embedder=embedder))
    named = (entities,) if isinstance(entities, str) else tuple(entities or ())
    state = await prepared.run({"question": question, "task": task, "entities": named}, context, on_step)
    return Result.from_state(state, method=prepared.method.id, question=question)


async def aask(kg: KGStore | str | Path, question: str, **options: Any) -> Result:
    """Answer a question over a graph (a store or a path); see ``ask``."""
    return await _run("ask", kg, question, **options)


async def averify(kg: KGStore | str | Path, claim: str, **options: Any) -> Result:
    """Verify a claim against a graph; see ``verify``."""
    return await _run("verify", kg, claim, **options)


def ask(kg: KGStore | str | Path, question: str, **options: Any) -> Result:
    """Answer a question over a graph.

    Options: ``model`` (a chat model or a string such as "openai:gpt-4o-mini"; default the embedded
    model), ``method`` ("kg-gpt", "cot-kg"; default: the model's), ``entities`` (ids or names, or one of them;
    default: found in the question), ``preset`` ("default", "short", "paper", "reference"), ``shots``, ``top_k``,
    ``knowledge``, ``embedder`` (which ranks cot-kg's triples and helps a small model to choose relations; "" for
    none), cot-kg's ``retriever`` and ``retrieval`` ("follow", "dense", "bm25", "fusion"), ``on_step`` (hears each
    node). Raises UserError for what the caller can mend and BackendError where the model fails.
    """
    return run_sync(aask(kg, question, **options))


def verify(kg: KGStore | str | Path, claim: str, **options: Any) -> Result:
    """Verify a claim against a graph: ``result.verdict`` is "supported", "refuted" or
    "not_enough_evidence". Options as for ``ask``."""
    return run_sync(averify(kg, claim, **options))
