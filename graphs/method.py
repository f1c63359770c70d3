"""One record per method: what ``ask`` and ``complete``, the command line and the evaluations read.

A method is one file in this folder that holds its settings, its state machine and ``METHOD``, the record of it;
its nodes are in ``agents/<method>/``, its prompts in ``prompts/<method>/``. Nothing else names it but
``langgraph.json``, which lists the graphs that a server offers.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from typing import Any, Literal, Protocol

from langchain_core.language_models import BaseChatModel
from langgraph.graph.state import CompiledStateGraph

import triplewise.graphs
from triplewise.agents.state import AskInput
from triplewise.backends.traits import traits_of
from triplewise.errors import ConfigError
from triplewise.kg.base import KGStore
from triplewise.types import Task

CompiledAskGraph = CompiledStateGraph[Any, Any, AskInput, Any]
"""A method's graph for questions and claims, with any run context."""
Resource = Literal["embedder", "retriever", "scorer"]
"""What a method may work with beside graph and model: fields of ``Context``."""


class MethodSettings(Protocol):
    """The settings of any method: options of its nodes, and how its model samples."""

    @property
    def sampling(self) -> tuple[tuple[str, float], ...]:
        """Parameters for ``load_chat_model``."""
        ...


@dataclass(frozen=True, eq=False)
class Method:
    """A method, and all that others need to know of it."""

    id: str
    """Its name on the command line; its module is named alike."""
    tasks: tuple[Task, ...]
    """What it can do."""
    presets: Mapping[str, MethodSettings]
    """Its settings by name; "default" is one, "short" suits models that were trained for it."""
    settings: Callable[..., MethodSettings]
    """``settings(preset, **options)``: a preset with single options changed; raises ConfigError on a bad value."""
    build: Callable[[Any], CompiledStateGraph[Any, Any, Any, Any]]
    """The compiled graph of some settings."""
    resources: frozenset[Resource] = frozenset()
    """What it works with beside graph and model."""
    default_for: Literal["nothing", "any model", "trained models"] = "nothing"
    """Which models use it for its tasks where no method is named; "trained models": those trained for it."""
    warnings: Callable[[Any, KGStore], list[str]] = lambda settings, kg: []
    """What a caller should know of these settings over this graph."""
    alone: frozenset[str] = frozenset()
    """Presets that ask the model alone: the papers' baselines, which need none of the resources."""
    dry_run: str = ""
    """What an estimate without the model takes for replies that gold relation paths do not tell, in words."""

    @property
    def options(self) -> tuple[str, ...]:
        """Names of the options that ``settings`` takes."""
        return tuple(name for name in signature(self.settings).parameters if name != "preset")

    def sampling(self, preset: str = "default") -> dict[str, Any]:
        """The sampling parameters that a preset prescribes, for ``load_chat_model``."""
        return dict(self.settings(preset).sampling)

    def check(self, preset: str = "default", **options: Any) -> MethodSettings:
        """The settings of a preset and options; raises ConfigError on an unknown option or a bad value."""
        if unknown := sorted(set(options) - set(self.options)):
            raise ConfigError(f"{self.id} has no option {unknown[0]!r}.", f"Its options: {', '.join(self.options)}.")
        return self.settings(preset, **options)

    def preset_for(self, model: BaseChatModel, preset: str, options: Mapping[str, Any]) -> str:
        """The preset in force: "short" instead of "default" for a model of that reply style, unless examples are
        asked for."""
        plain = preset == "default" and "short" in self.presets and not options.get("shots")
        return "short" if plain and traits_of(model).reply_style == "short" else preset


@cache
def _methods() -> tuple[Method, ...]:
    # The assistant's graphs are no methods, and take a second to import.
    names = [m.name for m in pkgutil.iter_modules(triplewise.graphs.__path__) if not m.name.startswith("assistant")]
    modules = (import_module(f"triplewise.graphs.{name}") for name in names)
    found = [module.METHOD for module in modules if hasattr(module, "METHOD")]
    return tuple(sorted(found, key=lambda m: (m.default_for != "any model", m.id)))


@cache
def _named(name: str) -> Method | None:
    """The record of one method, without importing the others."""
    module = f"triplewise.graphs.{name.replace('-', '_')}"
    if not name.replace("-", "_").isidentifier() or find_spec(module) is None:
        return None
    found = getattr(import_module(module), "METHOD", None)
    return found if isinstance(found, Method) and found.id == name else None


def methods(task: Task | None = None) -> tuple[Method, ...]:
    """All methods, or those for a task; the default of most models first."""
    return tuple(m for m in _methods() if task is None or task in m.tasks)


def method(name: str, task: Task | None = None) -> Method:
    """A method by id; raises ConfigError, with the ids there are, where none of that name does the task."""
    if (found := _named(name)) and (task is None or task in found.tasks):
        return found
    known = ", ".join(m.id for m in methods(task))
    raise ConfigError(f"no method {name!r}{f' for {task}' if task else ''}.", f"Known: {known}.")


AT_HOME = 0.9
"""Share of a graph's relations that a model must have been trained on to be asked by them, and not by the graph."""


def default_method(task: Task, model: Callable[[], BaseChatModel], kg: Callable[[], KGStore] | None = None) -> Method:
    """The method for a task where none is named: one for trained models where the model is one, else that of any model.

    A trained model that knows nearly all relations of the graph is asked by the method of any model, whose nodes it was
    trained for; so is any where no graph is given. ``model`` and ``kg`` are called only where there is a choice.
    """
    able = methods(task)
    trained = [m for m in able if m.default_for == "trained models"]
    if kg and trained:
        traits = traits_of(model())
        suited = [m for m in trained if m.id in traits.trained_for]
        if suited and not _at_home(traits.known_relations, kg()):
            return suited[0]
    return next(m for m in able if m.default_for == "any model")


def _at_home(known: frozenset[str], kg: KGStore) -> bool:
    relations = kg.relation_ids()
    return bool(known) and sum(kg.relation_label(r) in known for r in relations) >= AT_HOME * len(relations)
