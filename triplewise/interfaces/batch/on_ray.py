"""The engine on Ray: workers on one machine or many, each with graph and models of its own.

Items go to workers as JSON, at most ``in_flight`` to each; what comes back is written here, by one process. A worker
that dies is replaced, and what it had in hand is given to others, so that each item has one result. An item that was in
hand of ``MAX_DEATHS`` workers when they died ends in an error.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from triplewise.errors import ConfigError, MissingExtraError, TriplewiseError
from triplewise.interfaces.batch.engines import OnRecord
from triplewise.interfaces.batch.items import BatchItem
from triplewise.interfaces.batch.results import Results
from triplewise.interfaces.batch.worker import Job, Record, Worker

MAX_DEATHS = 5
"""Workers that an item may see die before it is given up."""
MAX_IN_A_ROW = 20
"""Deaths of workers without a result in between, from which on the run stops."""
OBJECTS = 128 * 2**20
"""Bytes of the object store of a cluster that is started here; items are small and pass beside it."""
START = 180
"""Seconds that a cluster which is started here may take to come up."""


class WorkersDiedError(TriplewiseError):
    """Workers die as fast as they are started."""


class RayWorker:
    """A worker as an actor: its methods take and give JSON."""

    def __init__(self, job: str) -> None:
        self._error: dict[str, str] | None = None
        raw = json.loads(job)
        try:
            self._worker = Worker(Job(**{**raw, "tasks": tuple(raw["tasks"])}))
        except TriplewiseError as error:
            self._error = {"message": error.message, "hint": error.hint}

    async def describe(self) -> str:
        """The graph's hash, or the error that opening it ended in."""
        return json.dumps({"error": self._error} if self._error else {"graph": self._worker.kg.content_hash})

    async def work(self, item: str) -> str:
        """An item's record."""
        raw = json.loads(item)
        return json.dumps(await self._worker.work(BatchItem(**{**raw, "entities": tuple(raw["entities"])})))


@dataclass(eq=False)
class _Hand:
    """A worker and the items that it has in hand."""

    actor: Any
    items: set[str] = field(default_factory=set)


class RayEngine:
    """The engine on Ray; ``workers``: how many, by default one a processor of the cluster. ``address``: a cluster's,
    by default RAY_ADDRESS, else one is started here and ended again.
    """

    def __init__(self, job: Job, in_flight: int, workers: int | None = None, address: str | None = None) -> None:
        self.job, self.in_flight, self.workers = job, in_flight, workers
        self.address = address or os.environ.get("RAY_ADDRESS")

    def __enter__(self) -> Self:
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # before the import: Ray reads it there
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        os.environ.setdefault("RAY_raylet_start_wait_time_s", str(START))
        os.environ.setdefault("RAY_worker_niceness", "0")  # the workers are the run: as this process, not at 15
        try:
            import ray  # pyright: ignore[reportMissingImports]
        except ImportError:
            raise MissingExtraError("The engine ray", "ray") from None
        self._ray = ray
        self._told = redirect_stdout(sys.stderr)  # Ray prints deaths of workers; stdout is the caller's JSON
        self._told.__enter__()
        local: dict[str, Any] = {} if self.address else {
            "num_cpus": max(self.workers or 0, os.cpu_count() or 1), "include_dashboard": False,
            "object_store_memory": OBJECTS, "_node_ip_address": "127.0.0.1",
        }  # fmt: skip
        try:
            ray.init(self.address, logging_level="error", log_to_driver=False, configure_logging=False, **local)
        except Exception as error:  # Ray raises this very class where a node does not come up in time
            self._told.__exit__(None, None, None)
            raise ConfigError(f"Ray does not start: {str(error)[:300]}", "Look at --address and RAY_ADDRESS.") from None
        try:
            self._actor = ray.remote(num_cpus=1, max_restarts=0, max_concurrency=self.in_flight)(RayWorker)
            count = self.workers or int(ray.cluster_resources().get("CPU", 1))
            self._hands = [self._hand() for _ in range(count)]
            self.graph_hash = self._same_graph()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ray.shutdown()
        self._told.__exit__(kind, error, trace)

    def _hand(self) -> _Hand:
        job = {
            **self.job.as_json(),
            "settings": {**self.job.settings, "kg": _whole(str(self.job.settings.get("kg", "films")))},
        }
        return _Hand(self._actor.remote(json.dumps(job)))

    def _same_graph(self) -> str:
        """The hash that all workers' graphs have."""
        try:
            told_by_all = self._ray.get([h.actor.describe.remote() for h in self._hands])
        except self._ray.exceptions.RayActorError as error:
            raise WorkersDiedError(f"a worker died as it was started: {str(error)[:300]}") from None
        found = [json.loads(text) for text in told_by_all]
        for told in found:
            if error := told.get("error"):
                raise ConfigError(error["message"], error["hint"])
        hashes = {told["graph"] for told in found}
        if len(hashes) != 1:
            raise ConfigError("the workers do not have the same graph.", "Put the same file on each machine.")
        return hashes.pop()

    def run(self, items: Iterator[BatchItem], results: Results, on_record: OnRecord) -> None:
        """Work on all items; raises what ``on_record`` raises."""
        ray, waiting = self._ray, deque[BatchItem]()
        sent: dict[Any, tuple[_Hand, BatchItem]] = {}
        deaths, in_a_row = Counter[str](), 0
        while True:
            self._fill(items, waiting, sent)
            if not sent:
                return
            ray.wait(list(sent), num_returns=1)
            ready, _ = ray.wait(list(sent), num_returns=len(sent), timeout=0)
            done: list[tuple[BatchItem, Record]] = []
            for ref in ready:
                hand, item = sent.pop(ref)
                hand.items.discard(item.id)
                try:
                    done.append((item, json.loads(ray.get(ref))))
                    in_a_row = 0
                except ray.exceptions.RayActorError:
                    deaths[item.id] += 1
                    if hand in self._hands:
                        in_a_row += 1
                        self._hands[self._hands.index(hand)] = self._hand()
                    if deaths[item.id] < MAX_DEATHS:
                        waiting.append(item)
                    else:
                        done.append((item, _given_up()))
                except ray.exceptions.RayTaskError as error:
                    if isinstance(error.cause, TriplewiseError):
                        raise error.cause from None
                    raise
            results.append(done)
            for _, record in done:
                on_record(record)
            if in_a_row >= MAX_IN_A_ROW:
                raise WorkersDiedError(
                    f"{in_a_row} workers died without a result.", "Look at the memory: each holds graph and model."
                )

    def _fill(
        self, items: Iterator[BatchItem], waiting: deque[BatchItem], sent: dict[Any, tuple[_Hand, BatchItem]]
    ) -> None:
        """Give items to the workers that have room, evenly."""
        for _ in range(self.in_flight):
            for hand in self._hands:
                if len(hand.items) >= self.in_flight:
                    continue
                item = waiting.popleft() if waiting else next(items, None)
                if item is None:
                    return
                hand.items.add(item.id)
                sent[hand.actor.work.remote(json.dumps(asdict(item)))] = (hand, item)


def _given_up() -> Record:
    error = {"type": "WorkersDiedError", "message": f"{MAX_DEATHS} workers died over this item.", "hint": ""}
    return {"status": "error", "error": error, "seconds": 0.0}


def _whole(kg: str) -> str:
    """A path from the root: workers have another working folder."""
    return str(Path(kg).expanduser().absolute()) if Path(kg).expanduser().exists() else kg
