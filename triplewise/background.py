"""Coroutines run from sync code, on event loops that live in threads of their own for the whole process.

HTTP clients are bound to their event loop, so there is one loop for all sync calls, not one each. What would
end in a deadlock raises at once: a sync call from inside the loop, or a loop whose thread a fork left behind.
"""

from __future__ import annotations

import asyncio
import contextvars
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

from triplewise.errors import UserError

T = TypeVar("T")


class NestedCallError(UserError):
    """A sync call was made from inside another's run."""


class BackgroundLoop:
    """An event loop in a daemon thread, made at the first use and anew in a forked process."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forget)

    def _forget(self) -> None:
        """In a forked child: the thread stayed behind, and the lock may be held by it for ever."""
        self._lock = threading.Lock()
        self._loop = self._thread = None

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=_serve, args=(loop,), name=self.name, daemon=True)
                self._thread.start()
            return self._loop

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """The coroutine's result, also where the calling thread runs an event loop of its own.

        Raises NestedCallError where the caller is inside this very loop: it would wait for itself.
        """
        loop = self._running()
        if threading.current_thread() is self._thread:
            coroutine.close()
            raise NestedCallError(
                "a sync call (ask, verify, complete, graph.invoke) was made inside the run of another, "
                "by on_step, a node or a model.",
                "Await aask, averify, acomplete or graph.ainvoke there, or make the call in a thread of its own.",
            )
        done: Future[T] = Future()
        tasks: list[asyncio.Task[None]] = []
        variables = contextvars.copy_context()

        async def finish() -> None:
            try:
                done.set_result(await coroutine)
            except asyncio.CancelledError:
                done.cancel()
                raise
            except BaseException as error:  # SystemExit and KeyboardInterrupt belong to the caller, not to the loop
                done.set_exception(error)

        def start() -> None:
            tasks.append(loop.create_task(finish(), context=variables))

        loop.call_soon_threadsafe(start)
        try:
            return done.result()
        except BaseException:
            if not done.done():  # Ctrl-C in the waiting thread
                loop.call_soon_threadsafe(lambda: [task.cancel() for task in tasks])
            raise


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    """Run the loop for ever: asyncio lets SystemExit and KeyboardInterrupt of any task stop it."""
    while True:
        try:
            loop.run_forever()
        except (SystemExit, KeyboardInterrupt):
            continue  # the task has kept it, and whoever awaits the task gets it
        return
