"""What a run needs and a checkpoint does not keep: the graph, the model, optional resources.

``Context`` is what a caller writes, where strings name things; ``NodeContext`` is what nodes get, with all of them
loaded. ``JsonContext`` has JSON fields alone, for graphs that a server runs (``langgraph.json``).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from langchain_core.language_models import BaseChatModel
from langgraph.runtime import get_runtime

from triplewise.errors import ConfigError
from triplewise.kg.base import KGStore

if TYPE_CHECKING:
    from triplewise.tools.links.rotate_scorer import LinkScorer
    from triplewise.tools.retrieval.triple_retriever import TripleRetriever


@dataclass(frozen=True)
class Context:
    """LangGraph's run context, as callers write it. What a string names is loaded once per process."""

    kg: KGStore | str
    """A store, or the path of a graph file."""
    model: BaseChatModel | str = "llamacpp:embedded"
    """A chat model, or a model string such as "openai:gpt-4o-mini"."""
    retriever: TripleRetriever | None = None
    """cot-kg's retriever; None: the graph's index in the user's cache is opened."""
    scorer: LinkScorer | str | Path | None = None
    """kicgpt's scorer, or the folder or file of one; "" is the graph's own in the user's cache."""
    embedder: str = "minilm"
    """Ranks cot-kg's triples and helps a small model to choose relations; "" for none."""


@dataclass(frozen=True)
class JsonContext:
    """The run context of a served graph: plain JSON fields, with defaults."""

    kg: str = "films"
    """The path of a graph file; "films" is the bundled graph."""
    model: str = "llamacpp:embedded"
    """A model string such as "openai:gpt-4o-mini"."""
    embedder: str = "minilm"
    """Ranks cot-kg's triples and helps a small model to choose relations; "" for none."""


@dataclass(frozen=True)
class JsonLinkContext(JsonContext):
    """The run context of a served graph that predicts links."""

    scorer: str = ""
    """The folder or file of a scorer; "" is the graph's own in the user's cache."""


@dataclass(frozen=True)
class NodeContext:
    """What nodes get: the caller's context with everything loaded."""

    kg: KGStore
    model: BaseChatModel
    retriever: TripleRetriever | None = None
    scorer: LinkScorer | None = None
    embedder: str = "minilm"


def given_context() -> Context | JsonContext | NodeContext:
    """The running graph's context as the caller gave it; raises ConfigError where there is none."""
    context: Context | JsonContext | NodeContext | None = get_runtime(Context).context
    if context is None:
        raise ConfigError("the graph was run without a context.", "Pass context=Context(kg=..., model=...).")
    return context


def is_loaded(context: Context | JsonContext | NodeContext) -> bool:
    """Whether nothing of it is named by a string only: to resolve it then takes no time."""
    if isinstance(context, NodeContext):
        return True
    named = (context.kg, context.model, getattr(context, "scorer", None))
    return not any(isinstance(part, str | Path) for part in named)


def resolve(context: Context | JsonContext | NodeContext) -> NodeContext:
    """Load what the context names by a string; loaded graphs, models and scorers are kept."""
    if isinstance(context, NodeContext):
        return context
    from triplewise.backends import load_chat_model
    from triplewise.kg import load_kg

    kg = load_kg(context.kg) if isinstance(context.kg, str) else context.kg
    model = load_chat_model(context.model) if isinstance(context.model, str) else context.model
    scorer = context.scorer if isinstance(context, Context | JsonLinkContext) else None
    if isinstance(scorer, str | Path):
        scorer = _scorer(kg, str(scorer))
    return NodeContext(kg, model, context.retriever if isinstance(context, Context) else None, scorer, context.embedder)


@lru_cache(maxsize=8)
def _scorer(kg: KGStore, place: str) -> LinkScorer:
    from triplewise.tools.links.scorers import find_scorer

    return find_scorer(kg, place or None)
