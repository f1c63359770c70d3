"""What works on the items of a batch: graph and models opened once, then any number of items at a time."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from triplewise.config import Settings
from triplewise.errors import BudgetExceededError, ConfigError, MissingExtraError, TriplewiseError
from triplewise.interfaces.answering import METHOD_OPTIONS, open_answering, shown_flag, takes
from triplewise.interfaces.batch.items import BatchItem
from triplewise.interfaces.rendering import completion_json, result_json
from triplewise.kg import load_kg
from triplewise.redaction import redact
from triplewise.types import Task

Record = dict[str, Any]
"""What is written of an item: ``status`` ("ok" or "error"), ``seconds``, and the result or the ``error``."""

_OF_RESULTS = ("model", "method", "preset", "top_k", "shots", "knowledge", "index", "embedder", "retrieval")


@dataclass(frozen=True)
class Job:
    """How a batch is worked on; all of it is JSON.

    ``settings``: of ``Settings``. ``flags``: options of methods, those not given left out. ``link_options``: of
    ``acomplete``.
    """

    settings: Mapping[str, Any]
    tasks: tuple[Task, ...]
    flags: Mapping[str, Any]
    link_options: Mapping[str, Any]
    format: str | None = None
    skip_bad_lines: bool = False
    trace: bool = False

    @property
    def basis(self) -> dict[str, Any]:
        """What a result depends on beside graph and code: nothing of caps, waits and caches."""
        settings = {name: self.settings[name] for name in _OF_RESULTS if name in self.settings}
        links = {name: value for name, value in self.link_options.items() if value is not None}
        return {"settings": settings, "flags": dict(self.flags), "links": links, "trace": self.trace}

    def as_json(self) -> dict[str, Any]:
        """The job as a JSON object; ``Job(**…)`` of it is the job again."""
        return asdict(self)


class Worker:
    """Opens what the job's tasks need; raises as ``ask`` and ``complete`` do."""

    def __init__(self, job: Job) -> None:
        self.job, self.settings = job, Settings(**job.settings)
        graph = partial(load_kg, self.settings.kg, format=job.format, skip_bad_lines=job.skip_bad_lines)
        self._answering = {
            task: open_answering(task, self.settings, job.flags, graph, others=True)
            for task in job.tasks
            if task != "complete"
        }
        _check_all_taken(job, [opened.method for opened in self._answering.values()])
        self.kg = graph()
        self._link = self._open_link() if "complete" in job.tasks else {}
        self.methods = {task: opened.method.id for task, opened in self._answering.items()}

    def _open_link(self) -> dict[str, Any]:
        from triplewise.backends import load_chat_model
        from triplewise.graphs.method import default_method
        from triplewise.graphs.run import open_model
        from triplewise.tools.links.scorers import find_scorer

        options = {name: value for name, value in self.job.link_options.items() if value is not None}
        scorer, top = options.pop("scorer", None), options.pop("top", 10)
        loading, preset = self.settings.model_options(), self.settings.preset
        method = default_method("complete", lambda: load_chat_model(self.settings.model, **loading))
        method.check(preset, **options)
        ranker = find_scorer(self.kg, scorer)
        model, _ = open_model(self.settings.model, "complete", method.id, preset, options, **loading)
        return {"scorer": ranker, "model": model, "method": method.id, "preset": preset, "top": top, **options}

    @classmethod
    def of_json(cls, job: str | bytes) -> tuple[Worker | None, dict[str, Any]]:
        """(the worker of a job, what it tells of itself: the hash of its graph); (None, the error that opening it ended
        in) where it cannot be opened."""
        raw = json.loads(job)
        try:
            worker = cls(Job(**{**raw, "tasks": tuple(raw["tasks"])}))
        except TriplewiseError as error:
            return None, {"error": {"message": error.message, "hint": error.hint}}
        return worker, {"graph": worker.kg.content_hash}

    async def work(self, item: BatchItem) -> Record:
        """An item's record; an error of the item is one, too. Raises BudgetExceededError where a cap is reached."""
        started = time.perf_counter()
        try:
            found = await self._result(item)
        except (BudgetExceededError, MissingExtraError):
            raise
        except TriplewiseError as error:
            found = _error(error, error.message, error.hint)
        except Exception as error:  # one item's failure is not the run's
            found = _error(error, redact(" ".join(str(error)[:1_000].split()))[:300])
        else:
            found = {"status": "ok", **found}
        return {**found, "seconds": round(time.perf_counter() - started, 4)}

    async def _result(self, item: BatchItem) -> Record:
        from triplewise.agents.entity_linker import check_question
        from triplewise.graphs.complete import acomplete
        from triplewise.graphs.run import aask, averify

        if item.task == "complete":
            done = await acomplete(self.kg, item.head or None, item.relation, item.tail or None, **self._link)
            return completion_json(self.kg, done, self.job.trace)
        check_question(item.text, item.task)
        opened = self._answering[item.task]
        run = averify if item.task == "verify" else aask
        result = await run(
            self.kg, item.text, model=opened.model, method=opened.method.id, entities=item.entities, **opened.options
        )
        return result_json(self.kg, result, trace=self.job.trace)


def _error(error: Exception, message: str, hint: str = "") -> Record:
    return {"status": "error", "error": {"type": type(error).__name__, "message": message, "hint": hint}}


def _check_all_taken(job: Job, methods: Iterable[Any]) -> None:
    """Raise ConfigError on a flag that no task of the batch takes."""
    for flag in (*METHOD_OPTIONS, "index"):
        if job.flags.get(flag) is not None and not any(takes(method, flag) for method in methods):
            used = ", ".join(sorted({m.id for m in methods})) or "kicgpt"
            raise ConfigError(
                f"{shown_flag(flag)} is not of the methods that these items take ({used}).", "Leave it out."
            )
