"""One turn of the assistant: the run of its state machine, its events, what it may spend, and what is kept of it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from triplewise import postgres, sqlite
from triplewise.agents.assistant.events import Choices, Event, Failed, Option, Spent, StepFinished, StepStarted, Token
from triplewise.agents.assistant.memory import Remembered
from triplewise.agents.assistant.state import AssistantContext
from triplewise.agents.assistant.threads import Message, Status
from triplewise.backends.usage import Budget, use_budget
from triplewise.errors import BackendError, BudgetExceededError, MissingExtraError, TriplewiseError, UserError
from triplewise.types import Caps, Usage

log = logging.getLogger(__name__)
HISTORY = 12
"""Earlier messages that a tool-calling model is shown."""
_NOT_KEPT = (Token, StepStarted, StepFinished)


@dataclass
class Turn:
    """What one run starts from and what comes of it."""

    message: str
    inputs: Any
    context: AssistantContext
    caps: Caps
    tell: Callable[[Event], None]
    status: Status = "running"
    text: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    """The JSON of the events that are kept, by type."""


class Checkpoints:
    """Checkpoints of turns that wait for a choice: where the threads are, strict about what they unpack."""

    def __init__(self, path: str | Path | None) -> None:
        self._path, self._saver, self._connection = path, None, None
        self._lock = asyncio.Lock()

    async def saver(self) -> Any:
        """The saver, opened at the first call."""
        async with self._lock:
            if self._saver is None:
                serde = JsonPlusSerializer(allowed_msgpack_modules=None)
                if self._path is None:
                    self._saver = InMemorySaver(serde=serde)
                elif postgres.is_postgres(self._path):
                    self._saver, self._connection = await postgres.saver(self._path, serde)
                else:
                    self._saver = await self._open(serde)
            return self._saver

    async def _open(self, serde: JsonPlusSerializer) -> Any:
        try:
            import aiosqlite
            from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
        except ImportError:
            raise MissingExtraError("keeping threads in a file", "chat") from None
        self._connection = await aiosqlite.connect(
            str(self._path), timeout=10, isolation_level=None, factory=sqlite.AtOnce
        )
        saver = AsyncSqliteSaver(self._connection, serde=serde)
        await saver.setup()
        return saver

    async def forget(self, message: str) -> None:
        """Delete a turn's checkpoints."""
        if self._saver is not None:
            await self._saver.adelete_thread(message)

    async def close(self) -> None:
        """Close the file or the connections."""
        if self._connection is not None:
            await self._connection.close()


async def run_turn(graph: Any, turn: Turn, checkpoints: Checkpoints, *, resumed: bool = False) -> None:
    """Run a turn to its end, a choice, or its failure; tells events, and leaves what is to be kept in ``turn``."""
    started = time.perf_counter()
    budget = Budget(turn.caps.max_calls, turn.caps.max_tokens, turn.caps.max_cost)
    config: dict[str, Any] = {"configurable": {"thread_id": turn.message}, "recursion_limit": 100}
    try:
        asks = turn.context.can_ask or resumed
        compiled = graph(await checkpoints.saver()) if asks else graph(None)
        with use_budget(budget):
            stream = compiled.astream(
                turn.inputs, config, context=turn.context, stream_mode=["custom", "updates"],
                **({"durability": "exit"} if asks else {}),
            )  # fmt: skip
            async for kind, chunk in stream:
                if kind == "custom":
                    _take(turn, chunk)
                elif "__interrupt__" in chunk:
                    _wait(turn, chunk["__interrupt__"][0].value)
                else:
                    _remember(turn, chunk)
        if turn.status == "running":
            turn.status = "done"
    except asyncio.CancelledError:
        turn.status = "stopped"
        raise
    except Exception as error:
        turn.status = "failed"
        _take(turn, failure(error))
    finally:
        _take(turn, Spent(budget.meter.total, round(time.perf_counter() - started, 3)))


def _take(turn: Turn, event: Event) -> None:
    if not isinstance(event, _NOT_KEPT):
        data = event.to_json()
        if event.type == "warning":
            turn.data.setdefault("warnings", []).append(data["text"])
        else:
            turn.data[event.type] = data
        if event.type == "answer":
            turn.text = data["text"]
    turn.tell(event)


def _wait(turn: Turn, value: Mapping[str, Any]) -> None:
    options = tuple(Option(**o) for o in value["options"])
    turn.status, turn.text = "waiting", value["question"]
    _take(turn, Choices(turn.message, value["question"], options, value.get("about", "entity")))


def _remember(turn: Turn, chunk: Mapping[str, Any]) -> None:
    for update in chunk.values():
        if isinstance(update, Mapping) and update.get("memory"):
            turn.data["memory"] = [*turn.data.get("memory", ()), *update["memory"]]


def failure(error: Exception) -> Failed:
    """An error as the event that tells it; what is not ours is logged and told without its text."""
    if isinstance(error, BudgetExceededError):
        return Failed(error.message, error.hint, "budget")
    if isinstance(error, UserError):
        return Failed(error.message, error.hint, "user")
    if isinstance(error, TriplewiseError):
        return Failed(error.message, error.hint, "backend" if isinstance(error, BackendError) else "internal")
    log.exception("a turn failed")
    return Failed(f"Something went wrong inside: {type(error).__name__}.", "The log of this process tells more.")


def said_before(messages: Sequence[Message]) -> list[BaseMessage]:
    """The last messages as LangChain's."""
    made: list[BaseMessage] = []
    for message in messages[-HISTORY:]:
        if message.text and message.status == "done":
            made.append(HumanMessage(message.text) if message.role == "user" else AIMessage(message.text))
    return made


def memory_of(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """What is remembered of these messages, as the state holds it."""
    return [m for message in messages for m in message.data.get("memory", ())]


def spent(messages: Sequence[Message]) -> Usage:
    """What these messages cost."""
    total = Usage()
    for message in messages:
        if usage := message.data.get("usage", {}).get("usage"):
            total += Usage(**usage)
    return total


def remaining(caps: Caps, thread: Caps, used: Usage) -> Caps:
    """A turn's caps, under what is left of the thread's."""

    def least(turn: float | None, whole: float | None, so_far: float) -> float | None:
        left = None if whole is None else max(whole - so_far, 0)
        found = [c for c in (turn, left) if c is not None]
        return min(found) if found else None

    calls = least(caps.max_calls, thread.max_calls, used.calls)
    tokens = least(caps.max_tokens, thread.max_tokens, used.prompt_tokens + used.completion_tokens)
    return Caps(
        None if calls is None else int(calls),
        None if tokens is None else int(tokens),
        least(caps.max_cost, thread.max_cost, used.cost or 0.0),
    )


def remembered_texts(history: Sequence[tuple[str, str]], links: Callable[[str], list[str]]) -> list[dict[str, Any]]:
    """What can be remembered of a conversation that only its texts are known of: the things that they name."""
    turns: list[dict[str, Any]] = []
    for number, (role, text) in enumerate(history):
        if role == "user":
            reply = history[number + 1][1] if number + 1 < len(history) and history[number + 1][0] != "user" else ""
            topics = links(text)
            answers = [n for n in links(reply.split(" I looked for")[0]) if n not in topics]
            if topics or answers:
                turns.append(Remembered(text, text, "ask", tuple(answers), tuple(topics)).to_json())
    return turns
