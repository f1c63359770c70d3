"""The assistant's state and contexts, and how its nodes report when they begin and end."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import cache, wraps
from operator import add
from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol, TypeVar
from uuid import uuid4

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AnyMessage
from langgraph.errors import GraphInterrupt
from langgraph.graph.message import add_messages
from langgraph.runtime import Runtime
from langgraph.types import Command
from pydantic import TypeAdapter
from typing_extensions import TypedDict

from triplewise.agents.assistant.completions.interpretation import Kind
from triplewise.agents.assistant.events import StepFinished, StepStarted
from triplewise.agents.assistant.intents.intent import Intent
from triplewise.agents.context import Context, NodeContext, resolve
from triplewise.backends.traits import traits_of
from triplewise.kg.base import KGStore
from triplewise.types import Result

if TYPE_CHECKING:
    from triplewise.tools.links.rotate_scorer import LinkScorer
    from triplewise.tools.retrieval.triple_retriever import TripleRetriever


@dataclass(frozen=True)
class AssistantContext:
    """The run context of a turn as callers write it; a checkpoint does not keep it."""

    kg: KGStore | str
    """A store, or the path of a graph file."""
    model: BaseChatModel | str = "llamacpp:embedded"
    """A chat model, or a model string such as "openai:gpt-4o-mini"."""
    method: str = "query-graph"
    """The id of the method that answers questions and verifies claims."""
    can_ask: bool = False
    """Whether the client can answer a choice."""
    agent: bool | None = None
    """Whether the model calls the tools itself; None: by its traits."""
    scorer: LinkScorer | None = None
    """A link predictor, for what the graph does not state."""
    retriever: TripleRetriever | None = None
    """The retriever of the agent's tools; None: BM25."""


@dataclass(frozen=True)
class AssistantOptions:
    """The run context of a served assistant: plain JSON fields, with defaults."""

    kg: str = "films"
    """The path of a graph file; "films" is the bundled graph."""
    model: str = "llamacpp:embedded"
    """A model string such as "openai:gpt-4o-mini"."""
    method: str = "query-graph"
    """The id of the method that answers questions and verifies claims."""
    can_ask: bool = True
    """Whether the client can answer a choice."""
    agent: bool | None = None
    """Whether the model calls the tools itself; null: by its traits."""


@dataclass(frozen=True)
class TurnContext(NodeContext):
    """What the assistant's nodes get: the caller's context with everything loaded."""

    method: str = "query-graph"
    can_ask: bool = False
    agent: bool | None = None


class InterpretationRecord(TypedDict):
    """An ``Interpretation`` as plain JSON, and the task that the completed sentence is for."""

    text: str
    how: str
    kind: Kind
    given: list[str]
    named: list[str]
    """What the completed sentence is about: what was put in, else what it names."""
    task: Literal["ask", "verify"]


class AssistantInput(TypedDict, total=False):
    """What starts a turn: ``messages`` is needed, and its last one is the user's."""

    messages: Annotated[list[AnyMessage], add_messages]
    memory: Annotated[list[dict[str, Any]], add]
    """The turns so far that asked the graph: ``Remembered.to_json`` of each (``agents.assistant.memory``)."""
    message: str
    """Id of the answer."""
    reading: int
    """Which reading of the sentence is executed, counted from 1, where that is not left to the ranker."""
    entities: list[str]
    """Ids or names of the things that the sentence is about, where they are not left to the linker."""


class AssistantState(AssistantInput, total=False):
    """The state of a turn: plain JSON beside the messages, so that a checkpoint holds nothing that must be trusted."""

    intent: Intent
    """What the user wants, by ``route``."""
    interpretation: InterpretationRecord
    """The completed sentence, by ``interpret``."""
    result: dict[str, Any] | None
    """The answer to it: ``to_json`` of a ``Result``."""
    ambiguous: list[str]
    """Ids of namesakes, all of which a name of the sentence can mean."""
    chosen: list[str]
    """The id that the user chose among them."""
    asked: list[str]
    """The questions of the sentence that are not answered yet, where it asks more than one."""
    told: list[Any]
    """The answer to those before them, by ``in_turn.to_json``."""
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


def loaded(runtime: Runtime[AssistantContext]) -> TurnContext:
    """The turn's context, strings replaced by what they name."""
    given: AssistantContext | AssistantOptions = runtime.context
    plain = Context(given.kg, given.model)
    if isinstance(given, AssistantContext):
        plain = Context(given.kg, given.model, given.retriever, given.scorer)
    context = resolve(plain)
    return TurnContext(
        context.kg, context.model, context.retriever, context.scorer, context.embedder,
        given.method, given.can_ask, given.agent,
    )  # fmt: skip


Update = TypeVar("Update", bound=AssistantState | Command[Any], covariant=True)
"""What a node returns: the keys that it brings, or where to go with them."""


class TurnNode(Protocol[Update]):
    """A node of the assistant."""

    __name__: str

    def __call__(self, state: AssistantState, runtime: Runtime[AssistantContext]) -> Coroutine[Any, Any, Update]: ...


def reports_steps(label: str) -> Callable[[TurnNode[Update]], TurnNode[Update]]:
    """Let a node send ``StepStarted``, with a label for people, and ``StepFinished``."""

    def wrap(node: TurnNode[Update]) -> TurnNode[Update]:
        name = node.__name__

        @wraps(node)
        async def run(state: AssistantState, runtime: Runtime[AssistantContext]) -> Update:
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
