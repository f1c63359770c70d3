"""``triplewise batch``: many questions, claims and links in one run that can be stopped at any time."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from triplewise.errors import ConfigError, TriplewiseError
from triplewise.files import expand
from triplewise.interfaces.options import (
    Cache,
    ClosedWorld,
    Embedder,
    Format,
    Index,
    Json,
    Kg,
    MaxCalls,
    MaxCost,
    MaxTokens,
    Model,
    NoSubgraph,
    Preset,
    Ranker,
    ReadingNumber,
    Retrieval,
    SkipBad,
    Timeout,
    counted,
    print_json,
    settings_of,
)

if TYPE_CHECKING:
    from triplewise.interfaces.batch.engines import Engine as BatchEngine
    from triplewise.interfaces.batch.results import Results
    from triplewise.interfaces.batch.worker import Job, Record
    from triplewise.types import Task

Source = Annotated[Path, typer.Argument(help="Items: JSON lines, or .parquet (see docs/batch.md).")]
Out = Annotated[Path, typer.Option("--out", help="File of the results, a JSON line an item; begun, or gone on with.")]
TaskName = Annotated[str | None, typer.Option("--task", help="ask, verify or complete, where the items do not say it.")]
InFlight = Annotated[int, typer.Option("--in-flight", min=1, help="Items at a time, of each worker.")]
EngineName = Annotated[str, typer.Option("--engine", help="local (this machine) or ray.")]
Workers = Annotated[
    int | None,
    typer.Option("--workers", min=1, help="Processes, each with graph and models; default: 1, on Ray one a processor."),
]
Address = Annotated[
    str | None, typer.Option("--address", help="ray: a cluster's address; default: RAY_ADDRESS, else one here.")
]
RetryErrors = Annotated[bool, typer.Option("--retry-errors", help="Work again on items that ended in an error.")]
MaxErrors = Annotated[int | None, typer.Option("--max-errors", min=0, help="Stop once more items end in an error.")]
Force = Annotated[bool, typer.Option("--force", help="Begin anew: replace what stands at --out.")]


class TooManyErrorsError(TriplewiseError):
    """More items ended in an error than the run allows."""


def register(app: typer.Typer) -> None:
    """Add ``batch`` to the command line."""

    @app.command(no_args_is_help=True)
    def batch(
        items: Source,
        out: Out,
        task: TaskName = None,
        kg: Kg = None,
        model: Model = None,
        method: Annotated[str | None, typer.Option("--method", help="A method for questions and claims.")] = None,
        engine: EngineName = "local",
        workers: Workers = None,
        address: Address = None,
        in_flight: InFlight = 16,
        retry_errors: RetryErrors = False,
        max_errors: MaxErrors = None,
        preset: Preset = None,
        top_k: Annotated[int | None, typer.Option("--top-k", help="As for ask.")] = None,
        shots: Annotated[int | None, typer.Option("--shots", help="Worked examples in the prompts, 0 to 12.")] = None,
        knowledge: Annotated[str | None, typer.Option("--knowledge", help="triples or yaml.")] = None,
        closed_world: ClosedWorld = False,
        reading: ReadingNumber = None,
        ranker: Ranker = None,
        retrieval: Retrieval = None,
        no_subgraph: NoSubgraph = False,
        index: Index = None,
        embedder: Embedder = None,
        scorer: Annotated[str | None, typer.Option("--scorer", help="Links: as for complete.")] = None,
        top: Annotated[int, typer.Option("--top", min=1, help="Links: predictions of each.")] = 10,
        cache: Cache = None,
        timeout: Timeout = None,
        max_calls: MaxCalls = None,
        max_tokens: MaxTokens = None,
        max_cost: MaxCost = None,
        format: Format = None,
        skip_bad_lines: SkipBad = False,
        force: Force = False,
        trace: Annotated[bool, typer.Option("--trace", help="Keep each node's prompt and reply.")] = False,
        as_json: Json = False,
    ) -> None:
        """Ask, verify and complete all items of a file; the same command goes on after an interruption."""
        settings = settings_of(
            kg=kg, model=model, method=method, preset=preset, top_k=top_k, shots=shots, knowledge=knowledge,
            retrieval=retrieval, index=index, embedder=embedder, cache=cache, timeout=timeout,
            max_calls=max_calls, max_tokens=max_tokens, max_cost=max_cost,
        )  # fmt: skip
        flags = {
            "method": method, "top_k": top_k, "shots": shots, "knowledge": knowledge, "retrieval": retrieval,
            "index": index, "closed_world": closed_world or None, "subgraph": False if no_subgraph else None,
            "reading": reading, "ranker": ranker and str(expand(ranker).absolute()),  # Ray's workers start elsewhere
        }  # fmt: skip
        if engine not in ("local", "ray"):
            raise ConfigError(f"no engine {engine!r}.", "Known: local, ray.")
        if engine == "local" and address:
            raise ConfigError("--address is of the engine ray.", "Add --engine ray, or leave it out.")
        several = engine == "ray" or (workers or 1) > 1
        if several and any(v is not None for v in (settings.max_calls, settings.max_tokens, settings.max_cost)):
            raise ConfigError(
                "caps on calls, tokens and money hold within one process.", "Use --engine local without --workers."
            )
        from triplewise.interfaces.batch.worker import Job

        known, tasks = _scan(items, task)
        job = Job(
            settings.model_dump(mode="json", exclude_defaults=True), tasks,
            {name: value for name, value in flags.items() if value is not None}, {"scorer": scorer, "top": top},
            format, skip_bad_lines, trace,
        )  # fmt: skip
        run = _Run(items, task, known, max_errors, quiet=as_json)
        figures = run.go(out, _engine(engine, job, in_flight, workers, address), job, retry_errors, force)
        if as_json:
            print_json(figures)
        else:
            typer.echo(
                f"{counted(figures['items'], 'item')}, {counted(figures['errors'], 'error')} in {figures['out']}"
            )


def _engine(name: str, job: Job, in_flight: int, workers: int | None, address: str | None) -> BatchEngine:
    if name == "ray":
        from triplewise.interfaces.batch.on_ray import RayEngine

        return RayEngine(job, in_flight, workers, address)
    if workers and workers > 1:
        from triplewise.interfaces.batch.processes import ProcessEngine

        return ProcessEngine(job, in_flight, workers)
    from triplewise.interfaces.batch.engines import LocalEngine

    return LocalEngine(job, in_flight)


def _scan(path: Path, task: str | None) -> tuple[int, tuple[Task, ...]]:
    """How many items there are, and of which tasks; raises on a bad line and on an id that comes twice."""
    from triplewise.interfaces.batch.items import BatchFileError, read_items

    if task not in (None, "ask", "verify", "complete"):
        raise ConfigError(f"no task {task!r}.", "Known: ask, verify, complete.")
    seen, tasks = set[str](), set["Task"]()
    for item in read_items(path, cast("Task | None", task)):
        if item.id in seen:
            raise BatchFileError(f"{path}: the id {item.id!r} comes twice.", "Each item has an id of its own.")
        seen.add(item.id)
        tasks.add(item.task)
    if not seen:
        raise BatchFileError(f"{path} holds no item.", "An item is a line of JSON, or a row of a .parquet file.")
    return len(seen), tuple(sorted(tasks))


class _Run:
    """One run over the items that have no result yet."""

    def __init__(self, path: Path, task: str | None, known: int, max_errors: int | None, *, quiet: bool) -> None:
        self.path, self.task, self.known = path, task, known
        self.max_errors, self.quiet = max_errors, quiet
        self.errors = 0

    def go(self, out: Path, engine: BatchEngine, job: Job, retry_errors: bool, force: bool) -> dict[str, Any]:
        """Work on what is left; gives the figures of the whole."""
        from triplewise.evals.runs.stale import code_hash
        from triplewise.files import check_output
        from triplewise.interfaces.batch.results import Results

        check_output(out, inputs=[self.path], force=True)
        with engine:  # what is wrong with the job is told before a file is made
            basis = {**job.basis, "graph": engine.graph_hash, "code": code_hash()}
            with Results(out, basis, retry_errors=retry_errors, force=force) as results:
                before, started = len(results), time.perf_counter()
                try:
                    self._work(engine, results)
                except KeyboardInterrupt:
                    print(f"triplewise: {len(results):,} of {self.known:,} items are in {out}; "
                          "the same command goes on.", file=sys.stderr)  # fmt: skip
                    raise
                seconds, done = time.perf_counter() - started, len(results) - before
                return {
                    "out": str(out), "items": len(results), "errors": results.errors, "done_now": done,
                    "seconds": round(seconds, 3), "items_per_second": round(done / seconds, 3) if done else 0.0,
                }  # fmt: skip

    def _work(self, engine: BatchEngine, results: Results) -> None:
        from triplewise.interfaces.batch.items import read_items
        from triplewise.interfaces.batch.progress import shown_progress

        items = read_items(self.path, cast("Task | None", self.task))
        with shown_progress(self.known, len(results), quiet=self.quiet) as show:

            def on_record(record: Record) -> None:
                self.errors += record["status"] == "error"
                show(self.errors)
                if self.max_errors is not None and self.errors > self.max_errors:
                    raise TooManyErrorsError(
                        f"{counted(self.errors, 'item')} ended in an error.",
                        f"See them in {results.path}; go on with --retry-errors.",
                    )

            engine.run((item for item in items if not results.has(item)), results, on_record)
