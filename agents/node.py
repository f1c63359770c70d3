"""Turning an async function into a LangGraph node that runs in sync and async graphs alike.

LangGraph refuses ``invoke`` on async nodes, and over sync nodes ``abatch`` is bounded by a thread
pool. So a node is written once, as a coroutine; ``invoke`` runs it on one event loop that lives
in a thread of its own for the whole process (HTTP clients are bound to their loop).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Generic, TypeVar, cast, get_type_hints

from langchain_core.runnables import Runnable, RunnableConfig

from triplewise.agents.context import NodeContext, given_context, is_loaded, resolve
from triplewise.agents.state import ProvidedBy
from triplewise.background import BackgroundLoop
from triplewise.errors import MissingKeyError
from triplewise.tracing import span

T = TypeVar("T")
State = TypeVar("State", bound=Mapping[str, Any])
"""What a node reads: a TypedDict."""
Update = TypeVar("Update", bound=Mapping[str, Any])
"""What a node returns: the keys that it brings."""
NodeFunction = Callable[[State, NodeContext], Coroutine[Any, Any, Update]]

_calls = BackgroundLoop("triplewise-loop")


def run_sync(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine from sync code, also where this thread already runs an event loop.

    Raises NestedCallError inside the run of another such call.
    """
    return _calls.run(coroutine)


class _View(dict[str, Any]):
    """A state as a node reads it: a missing key raises MissingKeyError, which names the node that provides the key."""

    def __init__(self, state: Mapping[str, Any], function: Callable[..., Any]) -> None:
        super().__init__(state)
        self._function = function

    def __missing__(self, key: str) -> Any:
        declared = get_type_hints(get_type_hints(self._function)["state"], include_extras=True).get(key)
        provided = (m.node for m in getattr(declared, "__metadata__", ()) if isinstance(m, ProvidedBy))
        raise MissingKeyError(self._function.__name__, key, next(provided, ""))


class Node(Runnable[State, Update], Generic[State, Update]):
    """A node without RunnableLambda's look at signatures on every call: LangGraph traces the node itself."""

    def __init__(self, function: NodeFunction[State, Update]) -> None:
        self.function = function
        self.name = function.__name__

    def invoke(self, input: State, config: RunnableConfig | None = None, **kwargs: Any) -> Update:
        context = resolve(given_context())

        async def call() -> Update:
            return await self._call(input, context)

        return run_sync(call())

    async def ainvoke(self, input: State, config: RunnableConfig | None = None, **kwargs: Any) -> Update:
        given = given_context()
        loaded = resolve(given) if is_loaded(given) else await asyncio.to_thread(resolve, given)
        return await self._call(input, loaded)

    async def _call(self, state: State, context: NodeContext) -> Update:
        with span("node", self.function.__name__):
            return await self.function(cast(State, _View(state, self.function)), context)


def node(function: NodeFunction[State, Update]) -> Node[State, Update]:
    """Make ``async def f(state, context) -> partial state`` a node for ``StateGraph.add_node``."""
    return Node(function)
