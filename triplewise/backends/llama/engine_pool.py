"""Calls in flight on one llama.cpp model: each runs in a context of its own, and the threads are shared out.

A context can do one call at a time. All contexts are of the same loaded model, so another one costs its cells and what
llama.cpp computes in. A lone call has all threads; of several, each has its share, since a small model gains little
from more threads for a token and much from more tokens at once.
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from triplewise.backends.llama.devices import supports_gpu
from triplewise.backends.llama.llama_engine import Engine, free_threads
from triplewise.errors import BackendError

MOST = 4
"""Contexts of one model."""


class EnginePool:
    """At most ``size`` engines of one model, made as calls need them."""

    def __init__(self, path: Path, lora: Path | None, n_ctx: int, n_threads: int | None, n_gpu_layers: int) -> None:
        self.threads = n_threads or free_threads()
        first = Engine(path, lora, n_ctx, n_threads, n_gpu_layers)
        first.threads = self.share
        self.engines = [first]
        self.size = 1 if n_gpu_layers and supports_gpu() else min(self.threads, MOST)
        self.executor = ThreadPoolExecutor(max_workers=self.size, thread_name_prefix="triplewise-llama")
        """Threads for the calls of event loops: as many as engines, so that what waits can still be given up."""
        self._busy: dict[int, int] = {}
        """Position of an engine → the thread that has it."""
        self._changed = threading.Condition()

    @staticmethod
    def of(path: Path, lora: Path | None, n_ctx: int, n_threads: int | None, n_gpu_layers: int) -> EnginePool:
        """The pool of a model, with its first engine loaded at the first call."""
        key = (path, lora, n_ctx, n_threads, n_gpu_layers)
        with _loading:
            if key not in _pools:
                _pools[key] = pool = EnginePool(*key)
                atexit.register(pool.close)
            return _pools[key]

    def share(self) -> int:
        """Threads that each running call may use now."""
        return max(1, self.threads // max(1, len(self._busy)))

    @contextmanager
    def engine_for(self, tokens: Sequence[int]) -> Iterator[Engine]:
        """An engine for one call, of the idle ones that which holds most of the prompt; waits where none is idle.

        A thread that has one already (it makes a call while another's reply is streamed) gets one beyond ``size``
        sooner than it would wait for itself. Raises BackendError where it has ``MOST``.
        """
        at = self._take(tokens)
        try:
            yield self.engines[at]
        finally:
            with self._changed:
                del self._busy[at]
                self._changed.notify_all()

    def _take(self, tokens: Sequence[int]) -> int:
        me = threading.get_ident()
        with self._changed:
            while True:
                idle = [i for i in range(len(self.engines)) if i not in self._busy]
                if idle:
                    at = max(idle, key=lambda i: (self.engines[i].evaluated(tokens), -i))
                    break
                mine = list(self._busy.values()).count(me)
                if mine >= MOST:
                    raise BackendError(
                        f"{mine} replies of one model are being streamed by this thread.", "Read one to its end first."
                    )
                if mine or len(self.engines) < self.size:
                    try:
                        self.engines.append(self.engines[0].another())
                    except BackendError:
                        if mine:
                            raise
                        self.size = len(self.engines)  # calls take turns in those that there are
                        continue
                    at = len(self.engines) - 1
                    break
                self._changed.wait()
            self._busy[at] = me
            return at

    def forget(self) -> None:
        """Drop all evaluated prompts."""
        for engine in self.engines:
            engine.forget()

    def close(self) -> None:
        """Free the model; using the pool afterwards is an error."""
        for engine in reversed(self.engines):
            engine.close()


_pools: dict[tuple[Path, Path | None, int, int | None, int], EnginePool] = {}
_loading = threading.Lock()
