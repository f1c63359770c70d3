"""The assistant's state and context, and how its nodes tell what they do."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, wraps
from operator import add
from typing import Annotated, Any, NotRequired
from uuid import uuid4

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AnyMessage
from langgraph.errors import GraphInterrupt
from langgraph.graph.message import add_messages
from langgraph.runtime import Runtime
from pydantic import TypeAdapter
from typing_extensions import TypedDict

from triplewise.agents.assistant.events import StepFinished, StepStarted
from triplewise.agents.context import Context, resolve
from triplewise.backends.traits import traits_of
from triplewise.kg.base import KGStore
from triplewise.types import Result


@dataclass(frozen=True)
class AssistantContext:
    """What a turn needs and a checkpoint does not keep.

    ``kg`` and ``model`` are loaded where they are strings. ``can_ask``: whether the client can answer a choice.
    ``agent``: whether the model calls the tools itself, None by its traits. ``scorer``: a link predictor, for what the
    graph does not state.
    """

    kg: Any
    model: Any = "llamacpp:embedded"
    method: str = "query-graph"
    can_ask: bool = False
    agent: bool | None = None
    scorer: Any = None
    retriever: Any = None


@dataclass(frozen=True)
class AssistantOptions:
    """The same as plain JSON, for servers that run the graph: paths and model strings."""

    kg: str = "films"
    model: str = "llamacpp:embedded"
    method: str = "query-graph"
    can_ask: bool = True
    agent: bool | None = None


class AssistantInput(TypedDict):
    """What starts a turn: the user's message, last in ``messages``."""

    messages: Annotated[list[AnyMessage], add_messages]
    memory: NotRequired[Annotated[list[dict[str, Any]], add]]
    """The turns so far that asked the graph (``agents.assistant.memory``)."""
    message: NotRequired[str]
    """Id of the answer."""


class AssistantState(AssistantInput, total=False):
    """Plain JSON beside the messages."""

    intent: str
    interpretation: dict[str, Any]
    """The completed sentence: text, how, kind, task, given."""
    result: dict[str, Any] | None
    ambiguous: list[str]
    """Ids of namesakes, all of which a name of the sentence can mean."""
    chosen: list[str]
    said: list[dict[str, Any]]
    """The events of the answer as JSON."""


@cache
def _results() -> TypeAdapter[Result]:
    return TypeAdapter(Result)


def to_json(result: Result) -> dict[str, Any]:
    """A result as plain JSON."""
    return _results().dump_python(result, mode="json")


def from_json(data: dict[str, Any]) -> Result:
    """The result of ``to_json``."""
    return _results().validate_python(data)


def loaded(runtime: Runtime[Any]) -> tuple[KGStore, BaseChatModel, AssistantContext]:
    """The turn's graph, model and context, strings replaced by what they name."""
    given = runtime.context
    context = resolve(Context(kg=given.kg, model=given.model))
    whole = AssistantContext(
        context.kg, context.model, given.method, given.can_ask, given.agent,
        getattr(given, "scorer", None), getattr(given, "retriever", None),
    )  # fmt: skip
    return context.kg, context.model, whole  # pyright: ignore[reportReturnType]


Node = Any
"""``async def node(state, runtime)``."""


def reports_steps(label: str) -> Callable[[Node], Node]:
    """Let a node tell, in words, when it begins and ends."""

    def wrap(node: Node) -> Node:
        name = node.__name__.strip("_")

        @wraps(node)
        async def run(state: Any, runtime: Runtime[Any]) -> Any:
            step, started = uuid4().hex[:12], time.perf_counter()
            runtime.stream_writer(StepStarted(step, name, label))
            note, detail = "", None
            try:
                update = await node(state, runtime)
                detail = {"intent": update["intent"]} if isinstance(update, dict) and "intent" in update else None
                return update
            except GraphInterrupt:
                note = "asked back"
                raise
            finally:
                seconds = round(time.perf_counter() - started, 4)
                runtime.stream_writer(StepFinished(step, name, note=note, seconds=seconds, detail=detail))

        return run

    return wrap


def can_call_tools(model: BaseChatModel) -> bool:
    """Whether a model chooses tools reliably: all but small ones in this process, which decode under a grammar."""
    return not traits_of(model).supports_grammar and type(model).bind_tools is not BaseChatModel.bind_tools
