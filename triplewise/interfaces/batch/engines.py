"""What an engine is, and the engine of one process: some items in flight, on one event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Protocol, Self

from triplewise.agents.node import run_sync
from triplewise.backends.usage import use_budget
from triplewise.interfaces.batch.items import BatchItem
from triplewise.interfaces.batch.results import Results
from triplewise.interfaces.batch.worker import Job, Record, Worker

OnRecord = Callable[[Record], None]
"""Hears each record once it is on disk; what it raises ends the run."""


class Engine(Protocol):
    """Works on items; a context manager that opens graph and models, and raises what is wrong with the job."""

    @property
    def graph_hash(self) -> str:
        """The content hash of the graph that is asked."""
        ...

    def run(self, items: Iterator[BatchItem], results: Results, on_record: OnRecord) -> None:
        """Work on all items; the next is read only where there is room for it."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class LocalEngine:
    """The engine of one process, ``in_flight`` items at a time."""

    def __init__(self, job: Job, in_flight: int) -> None:
        self.job, self.in_flight = job, in_flight

    def __enter__(self) -> Self:
        self._worker = Worker(self.job)
        self.graph_hash = self._worker.kg.content_hash
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def run(self, items: Iterator[BatchItem], results: Results, on_record: OnRecord) -> None:
        """Work on all items; raises what ``work`` and ``on_record`` raise, after the items in flight have ended."""
        with use_budget(self._worker.settings.budget()):
            run_sync(self._run(items, results, on_record))

    async def _run(self, items: Iterator[BatchItem], results: Results, on_record: OnRecord) -> None:
        stopped: list[BaseException] = []

        async def take() -> None:
            while not stopped:
                try:
                    if (item := next(items, None)) is None:
                        return
                    record = await self._worker.work(item)
                    await asyncio.to_thread(results.append, [(item, record)])
                    on_record(record)
                except Exception as error:
                    stopped.append(error)

        await asyncio.gather(*(take() for _ in range(self.in_flight)))
        if stopped:
            raise stopped[0]
