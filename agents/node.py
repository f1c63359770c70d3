"""Turning an async function into a LangGraph node that runs in sync and async graphs alike.

LangGraph refuses ``invoke`` on async nodes, and over sync nodes ``abatch`` is bounded by a thread
pool. So a node is written once, as a coroutine; ``invoke`` runs it on one event loop that lives
in a thread of its own for the whole process (HTTP clients are bound to their loop).
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

from langchain_core.runnables import Runnable, RunnableConfig

from triplewise.agents.context import Context, current_context

T = TypeVar("T")
NodeFunction = Callable[[Any, Context], Awaitable[dict[str, Any]]]

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


def _background_loop() -> asyncio.AbstractEventLoop:
    global _loop
    with _lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="triplewise-loop", daemon=True).start()
        return _loop


def run_sync(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine from sync code, also where this thread already runs an event loop."""
    done: Future[T] = Future()
    loop = _background_loop()
    tasks: list[asyncio.Task[T]] = []
    variables = contextvars.copy_context()

    def finish(task: asyncio.Task[T]) -> None:
        if task.cancelled():
            done.cancel()
        elif (error := task.exception()) is not None:
            done.set_exception(error)
        else:
            done.set_result(task.result())

    def start() -> None:
        tasks.append(loop.create_task(coroutine, context=variables))
        tasks[0].add_done_callback(finish)

    loop.call_soon_threadsafe(start)
    try:
        return done.result()
    except KeyboardInterrupt:
        loop.call_soon_threadsafe(lambda: [task.cancel() for task in tasks])
        raise


class _Node(Runnable[Any, dict[str, Any]]):
    """A node without RunnableLambda's look at signatures on every call: LangGraph traces the node itself."""

    def __init__(self, function: NodeFunction) -> None:
        self.function = function
        self.name = getattr(function, "__name__", "node")

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> dict[str, Any]:
        context = current_context()

        async def call() -> dict[str, Any]:
            return await self.function(input, context)

        return run_sync(call())

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> dict[str, Any]:
        return await self.function(input, current_context())


def node(function: NodeFunction) -> Runnable[Any, dict[str, Any]]:
    """Make ``async def f(state, context) -> partial state`` a node for ``StateGraph.add_node``."""
    return _Node(function)
