"""What a run needs and a checkpoint does not keep: the graph, the model, optional resources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from langchain_core.language_models import BaseChatModel
from langgraph.runtime import get_runtime

from triplewise.errors import ConfigError
from triplewise.kg.base import KGStore


@dataclass(frozen=True)
class Context:
    """LangGraph's run context.

    ``kg`` is a store or the path of a graph file, ``model`` a chat model or a model string
    ("llamacpp:embedded", "openai:gpt-4o-mini"); strings are loaded once per process, so that
    a graph can also be run from a JSON context. ``retriever`` (cot-kg) and ``scorer`` (kicgpt)
    are the resources these methods need; ``embedder`` names the one that ranks cot-kg's triples and helps a
    small model to choose kg-gpt's relations, "" for none.
    """

    kg: KGStore | str
    model: BaseChatModel | str = "llamacpp:embedded"
    retriever: Any = None
    scorer: Any = None
    embedder: str = "minilm"


def current_context() -> Context:
    """The running graph's context with strings replaced by what they name."""
    context = get_runtime(Context).context
    if context is None:
        raise ConfigError("the graph was run without a context.", "Pass context=Context(kg=..., model=...).")
    return resolve(context)


def resolve(context: Context) -> Context:
    """Load what the context names by a string; loaded graphs and models are kept."""
    if not isinstance(context.kg, str) and not isinstance(context.model, str):
        return context
    from dataclasses import replace

    from triplewise.backends import load_chat_model
    from triplewise.kg import load_kg

    kg = load_kg(context.kg) if isinstance(context.kg, str) else context.kg
    model = load_chat_model(context.model) if isinstance(context.model, str) else context.model
    return replace(context, kg=kg, model=model)
