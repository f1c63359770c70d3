"""The engine on Ray: workers on one machine or many, each with graph and models of its own; items go there as JSON."""

from __future__ import annotations

import json
import os
import sys
from contextlib import redirect_stdout
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from triplewise.errors import ConfigError, MissingExtraError, TriplewiseError
from triplewise.interfaces.batch.items import BatchItem, item_of_json
from triplewise.interfaces.batch.many_workers import Hand, ManyWorkers, WorkersDiedError, same_graph
from triplewise.interfaces.batch.worker import Job, Record, Worker

OBJECTS = 128 * 2**20
"""Bytes of the object store of a cluster that is started here; items are small and pass beside it."""
START = 180
"""Seconds that a cluster which is started here may take to come up."""


class RayWorker:
    """A worker as an actor: its methods take and give JSON."""

    def __init__(self, job: str) -> None:
        self._worker, self._described = Worker.of_json(job)

    async def describe(self) -> str:
        """The graph's hash, or the error that opening it ended in."""
        return json.dumps(self._described)

    async def work(self, item: str) -> str:
        """An item's record."""
        assert self._worker is not None
        return json.dumps(await self._worker.work(item_of_json(item)))


class RayEngine(ManyWorkers):
    """The engine on Ray; ``workers``: how many, by default one a processor of the cluster. ``address``: a cluster's,
    by default RAY_ADDRESS, else one is started here and ended again.
    """

    def __init__(self, job: Job, in_flight: int, workers: int | None = None, address: str | None = None) -> None:
        super().__init__(job, in_flight)
        self.workers = workers
        self._sent: dict[Any, tuple[Hand, BatchItem]] = {}
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
            self.hands = [self.start() for _ in range(count)]
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

    def start(self) -> Hand:
        """A new worker."""
        job, kg = self.job.as_json(), str(self.job.settings.get("kg", ""))
        if kg and (whole := Path(kg).expanduser()).exists():  # workers have another working folder
            job["settings"] = {**self.job.settings, "kg": str(whole.absolute())}
        return Hand(self._actor.remote(json.dumps(job)))

    def _same_graph(self) -> str:
        """The hash that all workers' graphs have."""
        try:
            described = self._ray.get([h.worker.describe.remote() for h in self.hands])
        except self._ray.exceptions.RayActorError as error:
            raise WorkersDiedError(f"a worker died as it was started: {str(error)[:300]}") from None
        return same_graph(map(json.loads, described))

    def send(self, hand: Hand, item: BatchItem) -> None:
        """Give an item to a worker."""
        self._sent[hand.worker.work.remote(json.dumps(asdict(item)))] = (hand, item)

    def receive(self) -> list[tuple[Hand, BatchItem, Record | None]]:
        """What has been done since, at least one item; None for one whose worker died over it."""
        ray, found = self._ray, list[tuple[Hand, BatchItem, Record | None]]()
        ray.wait(list(self._sent), num_returns=1)
        ready, _ = ray.wait(list(self._sent), num_returns=len(self._sent), timeout=0)
        for ref in ready:
            hand, item = self._sent.pop(ref)
            try:
                found.append((hand, item, json.loads(ray.get(ref))))
            except ray.exceptions.RayActorError:
                found.append((hand, item, None))
            except ray.exceptions.RayTaskError as error:
                if isinstance(error.cause, TriplewiseError):
                    raise error.cause from None
                raise
        return found
