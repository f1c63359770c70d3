"""Graph, model and method for questions and claims, opened as the settings and flags of a command say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from triplewise.errors import ConfigError

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from triplewise.config import Settings
    from triplewise.graphs.method import Method
    from triplewise.kg.base import KGStore, LoadedGraph
    from triplewise.types import Task

METHOD_OPTIONS = ("top_k", "shots", "knowledge", "retrieval", "subgraph", "closed_world", "reading", "ranker")
"""Flags that are options of methods; each method takes those that its record names."""


@dataclass(frozen=True)
class Answering:
    """What ``aask`` and ``averify`` are called with; ``options`` are their further keywords."""

    kg: LoadedGraph
    model: BaseChatModel
    method: Method
    options: Mapping[str, Any]


def open_answering(
    task: Literal["ask", "verify"],
    settings: Settings,
    flags: Mapping[str, Any],
    graph: Callable[[], LoadedGraph],
    *,
    others: bool = False,
) -> Answering:
    """Open what a task needs; ``flags``: the command's, None where not given; ``graph`` opens the graph.

    A flag that the method does not take is a ConfigError, told before anything is loaded; with ``others`` it is left
    to other tasks.
    """
    from triplewise.graphs.run import open_model

    name = flags.get("method") or _method_of_settings(settings, task)
    given = {k: v for k in METHOD_OPTIONS if (v := flags.get(k)) is not None}
    model, method = open_model(settings.model, task, name, settings.preset, {}, graph, **settings.model_options())
    if others:
        given = {k: v for k, v in given.items() if k in method.options}
    else:
        check_flags(task, method, [*given, *(["index"] if flags.get("index") else [])])
    of_settings = {k: getattr(settings, k, None) for k in METHOD_OPTIONS if k in method.options}
    options = {k: v for k, v in {**of_settings, **given}.items() if v is not None}
    method.check(settings.preset, **options)  # before anything is loaded, and before an index is built
    store = graph()
    if "retriever" in method.resources and settings.preset not in method.alone:
        options["retriever"] = _retriever(store, settings, options.get("subgraph"))
    return Answering(store, model, method, {"preset": settings.preset, "embedder": settings.embedder, **options})


def _method_of_settings(settings: Settings, task: Task) -> str | None:
    """The method that the settings name, unless it is one for another task."""
    from triplewise.graphs.method import method

    return settings.method if settings.method and task in method(settings.method).tasks else None


def check_flags(task: Task, method: Method, flags: list[str]) -> None:
    """Raise ConfigError, with the methods that take it, on a flag that the method does not take."""
    from triplewise.graphs.method import methods

    for flag in flags:
        if not takes(method, flag):
            takers = " or ".join(m.id for m in methods(task) if takes(m, flag)) or "no method"
            raise ConfigError(
                f"{shown_flag(flag)} is of the method {takers}.", f"Add --method {takers}, or leave it out."
            )


def shown_flag(name: str) -> str:
    """An option of a method as it is written on the command line."""
    return f"--{'no-' * (name == 'subgraph')}{name.replace('_', '-')}"


def takes(method: Method, flag: str) -> bool:
    """Whether a flag is one of a method's options, or tells where its index is."""
    return flag in method.options or (flag == "index" and "retriever" in method.resources)


def _retriever(kg: KGStore, settings: Settings, subgraph: bool | None) -> Any:
    from triplewise.interfaces.commands.retrieve import IndexBar
    from triplewise.tools.retrieval.subgraph_text import PLAIN
    from triplewise.tools.retrieval.triple_retriever import TripleRetriever, open_retriever

    if settings.retrieval == "bm25":
        return TripleRetriever(kg)
    with IndexBar() as bar:
        rule = PLAIN if subgraph is False else None
        return open_retriever(kg, settings.index or "", settings.embedder, rule, progress=bar.show)
