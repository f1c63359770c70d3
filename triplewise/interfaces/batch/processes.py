"""The engine of several processes on this machine, each with graph and models of its own.

What reads a sentence holds Python's lock half of the time, so that one process uses little more than one processor.
Lines of JSON go to a process and come back. A process that dies loses nothing (``ManyWorkers``).
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from concurrent.futures import Future
from dataclasses import asdict, dataclass, field
from queue import SimpleQueue
from threading import Thread
from types import TracebackType
from typing import Any, BinaryIO, Self

from triplewise.errors import BudgetExceededError, MissingExtraError, TriplewiseError
from triplewise.interfaces.batch.items import BatchItem, item_of_json
from triplewise.interfaces.batch.many_workers import MAX_IN_A_ROW, Hand, ManyWorkers, WorkersDiedError, same_graph
from triplewise.interfaces.batch.worker import Job, Record, Worker
from triplewise.interfaces.memory import collect_seldom

_THREADS = ("TRIPLEWISE_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
"""Environment variables that say how many threads compute in a process."""
_LEAVE = 5.0
"""Seconds that a process has to end."""


@dataclass(eq=False)
class _Process:
    running: subprocess.Popen[bytes]
    described: Future[dict[str, Any]] = field(default_factory=Future)

    def say(self, told: object) -> None:
        """Write a line to it; nothing where it has died, which is heard from it."""
        assert self.running.stdin is not None
        try:
            self.running.stdin.write(json.dumps(told).encode() + b"\n")
            self.running.stdin.flush()
        except BrokenPipeError:
            pass


class ProcessEngine(ManyWorkers):
    """The engine of ``workers`` processes; each has ``in_flight`` items at a time."""

    def __init__(self, job: Job, in_flight: int, workers: int) -> None:
        super().__init__(job, in_flight)
        self.workers = workers
        self._heard = SimpleQueue[tuple[Hand, dict[str, Any] | None]]()
        self._died_idle, self.graph_hash = 0, ""

    def __enter__(self) -> Self:
        self.hands = []
        try:
            for _ in range(self.workers):
                self.hands.append(self.start())
            self.graph_hash = same_graph([hand.worker.described.result() for hand in self.hands])
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for hand in self.hands:
            hand.worker.running.terminate()
        for hand in self.hands:
            try:
                hand.worker.running.wait(_LEAVE)
            except subprocess.TimeoutExpired:
                hand.worker.running.kill()
                hand.worker.running.wait()

    def start(self) -> Hand:
        """A new process."""
        each = str(max(1, (os.cpu_count() or 1) // self.workers))
        running = subprocess.Popen(
            [sys.executable, "-P", "-m", __spec__.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**dict.fromkeys(_THREADS, each), **os.environ},
        )  # fmt: skip
        hand = Hand(_Process(running))
        hand.worker.say(self.job.as_json())
        Thread(target=self._listen, args=(hand,), daemon=True).start()
        return hand

    def _listen(self, hand: Hand) -> None:
        lines: BinaryIO = hand.worker.running.stdout
        described = _json(lines.readline())
        if described and self.graph_hash not in ("", described.get("graph")):  # one that replaces another
            told = described.get("error") or {"message": "the graph has changed since the run began.", "hint": ""}
            self._heard.put((hand, {"raised": told}))
        died = {"error": {"message": "a worker died as it was started.", "hint": "Try without --workers."}}
        hand.worker.described.set_result(described or died)
        while told := _json(lines.readline()):
            self._heard.put((hand, told))
        hand.worker.running.kill()  # it has ended, or says what is no record
        self._heard.put((hand, None))

    def send(self, hand: Hand, item: BatchItem) -> None:
        """Give an item to a worker."""
        hand.worker.say(asdict(item))

    def receive(self) -> list[tuple[Hand, BatchItem, Record | None]]:
        """What has been done since; None for an item whose worker died over it."""
        heard = [self._heard.get()]
        while not self._heard.empty():
            heard.append(self._heard.get())
        found: list[tuple[Hand, BatchItem, Record | None]] = []
        for hand, told in heard:
            if told is None:
                done = {item.id for whose, item, _ in found if whose is hand}
                found += [(hand, item, None) for item in hand.items.values() if item.id not in done]
                if not hand.items.keys() - done and hand in self.hands:
                    self._died_idle += 1
                    if self._died_idle > MAX_IN_A_ROW:
                        raise WorkersDiedError(f"{self._died_idle} workers died without an item in hand.")
                    self.hands[self.hands.index(hand)] = self.start()
            elif raised := told.get("raised"):
                if not found:
                    raise TriplewiseError(raised["message"], raised["hint"])
                self._heard.put((hand, told))  # once what is done is written
            else:
                found.append((hand, hand.items[told["id"]], told["record"]))
        return found


def _json(line: bytes) -> dict[str, Any] | None:
    """An object of a line; None at the end, and where it is none."""
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def serve() -> None:
    """Be a worker: the job is the first line that comes in, each further one an item; end when no more can come."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the run's to answer
    collect_seldom()
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what else is printed is no record

    def tell(told: object) -> None:
        out.write(json.dumps(told).encode() + b"\n")
        out.flush()

    worker, described = Worker.of_json(sys.stdin.buffer.readline())
    tell(described)
    if worker is not None:
        asyncio.run(_serve(worker, tell))


async def _serve(worker: Worker, tell: Any) -> None:
    async def work(line: bytes) -> None:
        item = item_of_json(line)
        try:
            tell({"id": item.id, "record": await worker.work(item)})
        except (BudgetExceededError, MissingExtraError) as error:
            tell({"raised": {"message": error.message, "hint": error.hint}})

    def ended(task: asyncio.Task[None]) -> None:
        at_work.discard(task)
        if task.cancelled() or task.exception():
            os._exit(1)  # its item has no record; the run gives it to another worker

    at_work = set[asyncio.Task[None]]()
    while line := await asyncio.to_thread(sys.stdin.buffer.readline):
        at_work.add(task := asyncio.create_task(work(line)))
        task.add_done_callback(ended)


if __name__ == "__main__":
    serve()
