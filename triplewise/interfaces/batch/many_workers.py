"""Many workers at once, each with graph and models of its own: what the engines of processes and of Ray share.

Items go to workers evenly, at most ``in_flight`` to each; what comes back is written here, by one process. A worker
that dies is replaced, and what it had in hand is given to others, so that each item has one result. An item that was in
hand of ``MAX_DEATHS`` workers when they died ends in an error.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from triplewise.errors import ConfigError, TriplewiseError
from triplewise.interfaces.batch.engines import OnRecord
from triplewise.interfaces.batch.items import BatchItem
from triplewise.interfaces.batch.results import Results
from triplewise.interfaces.batch.worker import Job, Record

MAX_DEATHS = 5
"""Workers that an item may see die before it is given up."""
MAX_IN_A_ROW = 20
"""Deaths of workers without a result in between, from which on the run stops."""


class WorkersDiedError(TriplewiseError):
    """Workers die as fast as they are started."""


@dataclass(eq=False)
class Hand:
    """A worker, as its engine reaches it, and the items that it has in hand, by id."""

    worker: Any
    items: dict[str, BatchItem] = field(default_factory=dict)
    suspect: bool = False
    """Whether it has an item in hand over which another died, and nothing else."""


class ManyWorkers(ABC):
    """The run over workers that an engine starts and reaches."""

    hands: list[Hand]

    def __init__(self, job: Job, in_flight: int) -> None:
        self.job, self.in_flight = job, in_flight

    @abstractmethod
    def start(self) -> Hand:
        """A new worker."""

    @abstractmethod
    def send(self, hand: Hand, item: BatchItem) -> None:
        """Give an item to a worker."""

    @abstractmethod
    def receive(self) -> list[tuple[Hand, BatchItem, Record | None]]:
        """What has been done since, at least one item; None for one whose worker died over it."""

    def run(self, items: Iterator[BatchItem], results: Results, on_record: OnRecord) -> None:
        """Work on all items; raises what ``on_record`` raises."""
        waiting = deque[BatchItem]()
        deaths, in_a_row = Counter[str](), 0
        while True:
            self._fill(items, waiting)
            if not any(hand.items for hand in self.hands):
                return
            done: list[tuple[BatchItem, Record]] = []
            for hand, item, record in self.receive():
                hand.items.pop(item.id, None)
                if record is not None:
                    done.append((item, record))
                    in_a_row = 0
                    continue
                deaths[item.id] += 1
                if hand in self.hands:
                    in_a_row += 1
                    self.hands[self.hands.index(hand)] = self.start()
                if deaths[item.id] < MAX_DEATHS:
                    waiting.append(item)
                else:
                    done.append((item, _given_up()))
            results.append(done)
            for _, record in done:
                on_record(record)
            if in_a_row >= MAX_IN_A_ROW:
                raise WorkersDiedError(
                    f"{in_a_row} workers died without a result.", "Look at the memory: each holds graph and model."
                )

    def _fill(self, items: Iterator[BatchItem], waiting: deque[BatchItem]) -> None:
        """Give items to who has room. What a worker died over is given to one that has nothing else, which tells
        which item it was."""
        for _ in range(self.in_flight):
            for hand in self.hands:
                if len(hand.items) >= self.in_flight or (hand.items and (waiting or hand.suspect)):
                    continue
                hand.suspect = bool(waiting)
                if item := waiting.popleft() if waiting else next(items, None):
                    hand.items[item.id] = item
                    self.send(hand, item)


def same_graph(described: Iterable[Mapping[str, Any]]) -> str:
    """The hash that all workers' graphs have, of what each tells of itself; raises ConfigError with what is wrong."""
    hashes = set[str]()
    for told in described:
        if error := told.get("error"):
            raise ConfigError(error["message"], error["hint"])
        hashes.add(told["graph"])
    if len(hashes) != 1:
        raise ConfigError("the workers do not have the same graph.", "Put the same file on each machine.")
    return hashes.pop()


def _given_up() -> Record:
    error = {"type": "WorkersDiedError", "message": f"{MAX_DEATHS} workers died over this item.", "hint": ""}
    return {"status": "error", "error": error, "seconds": 0.0}
