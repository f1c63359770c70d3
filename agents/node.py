"""Turning an async function into a LangGraph node that runs in sync and async graphs alike.

LangGraph refuses ``invoke`` on async nodes, and over sync nodes ``abatch`` is bounded by a thread
pool. So a node is written once, as a coroutine; ``invoke`` runs it on one event loop that lives
in a thread of its own for the whole process (HTTP clients are bound to their loop).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from langchain_core.runnables import Runnable, RunnableConfig

from triplewise.agents.context import Context, current_context
from triplewise.background import BackgroundLoop

T = TypeVar("T")
NodeFunction = Callable[[Any, Context], Awaitable[dict[str, Any]]]

_calls = BackgroundLoop("triplewise-loop")


def run_sync(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine from sync code, also where this thread already runs an event loop.

    Raises NestedCallError inside the run of another such call.
    """
    return _calls.run(coroutine)


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
