"""Runs of an evaluation: start, resume after a kill, and the limits on what they spend.

A run is a folder: ``run.json`` (its settings and hashes, written once), ``logs/`` (Inspect's), ``spend.jsonl`` (the
ledger of all that was paid, see ``evals.accounting.spend``) and ``llm.sqlite`` (the LLM cache, from which calls that
a kill interrupted are answered again without being paid again). One process at a time. Runs of link prediction are
those of ``evals.runs.kicgpt_run``.
"""

from __future__ import annotations

import gc
import io
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from triplewise.errors import ConfigError, MissingExtraError
from triplewise.evals.runs.stale import check_hashes
from triplewise.evals.scores.metrics import Outcome
from triplewise.evals.scores.results import HASHES, set_damaged_aside
from triplewise.types import Caps

__all__ = ["RunSettings", "read_settings", "resume", "start"]

GENERATE: dict[str, Any] = {"max_retries": 6, "timeout": 600}
OnItem = Callable[[str, Outcome], None]


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What is evaluated: the task's arguments, the model with its settings, and the limits.

    ``task``: arguments of ``triplewise_eval``; ``model_args``: of ``load_chat_model`` (no keys: they stay in the
    environment; ``price`` as a dict). ``token_limit`` and ``time_limit`` (seconds) are per item. ``caps`` are on
    the whole run, its earlier parts included. ``max_errors``: the run stops once more items than this ended in
    an error, below 1 a share of all; None: it goes on to the end, and counts as failed above 1%.
    """

    task: dict[str, Any]
    model: str
    model_args: dict[str, Any] = field(default_factory=dict)
    max_samples: int = 16
    token_limit: int | None = None
    time_limit: int | None = None
    caps: Caps = field(default_factory=Caps)
    max_errors: float | None = None


def start(settings: RunSettings, out: str | Path, *, display: str = "none", on_item: OnItem | None = None) -> str:
    """Begin a run in a new folder and give its status: "success", or "error" where items are missing.

    ``on_item`` hears each item that is finished. Raises ConfigError where there is a run already.
    """
    out = Path(out)
    refuse_taken(out)
    made = not out.exists()
    out.mkdir(parents=True, exist_ok=True)
    try:
        return _go(settings, out, display, on_item, fresh=True)
    except BaseException:
        if made and not (out / "run.json").exists():  # nothing has begun: no model, no graph, or Ctrl-C
            shutil.rmtree(out, ignore_errors=True)
        raise


def refuse_taken(out: Path) -> None:
    """Raise ConfigError where a folder holds a run already."""
    if (out / "run.json").exists():
        raise ConfigError(
            f"{out} already holds a run.", f"Go on with: triplewise eval resume {out}; or give another --out."
        )


def resume(out: str | Path, *, display: str = "none", on_item: OnItem | None = None, caps: Caps | None = None) -> str:
    """Go on with a run that was stopped; finished items are kept. ``caps`` replace the run's own.

    A log that is damaged is set aside: its items are asked again, which the run's cache answers.

    Raises ConfigError where there is no run, StaleRunError where data, graph, code, weights,
    embedder or index are no longer what the run began with.
    """
    settings = read_settings(out)
    return _go(replace(settings, caps=caps or settings.caps), Path(out), display, on_item, fresh=False)


def read_settings(out: str | Path) -> RunSettings:
    """The settings that a run began with; raises ConfigError where there is no run, or its file is damaged."""
    path = Path(out) / "run.json"
    if not path.is_file():
        raise ConfigError(f"{out} holds no run.", "Start one with: triplewise eval run.")
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        return RunSettings(**{**raw, "caps": Caps(**raw["caps"])})
    except (ValueError, TypeError, KeyError) as error:
        raise ConfigError(f"{path} is damaged: {error}.", "Begin the run anew in another folder.") from None


def _go(settings: RunSettings, out: Path, display: str, on_item: OnItem | None, *, fresh: bool) -> str:
    with _owned(out):
        set_damaged_aside(out / "logs")
        return _inspect(settings, out, display, on_item, fresh)


def _inspect(settings: RunSettings, out: Path, display: str, on_item: OnItem | None, fresh: bool) -> str:
    try:
        from inspect_ai import eval_set
        from inspect_ai.model import get_model
    except ImportError:
        raise MissingExtraError("Evaluation", "evals") from None
    from triplewise.evals.runs.inspect_model import kept_in
    from triplewise.evals.runs.inspect_tasks import hashes, listening, triplewise_eval

    with kept_in(out, settings.caps):
        model = get_model(
            f"triplewise/{settings.model}",
            memoize=False,  # a kept model would ask an old server
            task={k: v for k, v in settings.task.items() if k not in HASHES},
            **settings.model_args,
        )
    from inspect_ai._util.error import PrerequisiteError

    try:
        settings = _fix(settings, hashes(settings.task, model), out, fresh)
        stop = settings.max_errors
        with listening(on_item), _quiet(display), _fewer_collections():
            _, logs = eval_set(
                triplewise_eval(**settings.task),
                str(out / "logs"),
                model=model,
                display=display,  # type: ignore[arg-type]
                retry_attempts=0,
                retry_immediate=False,
                retry_on_error=2,
                fail_on_error=0.01 if stop is None else (stop if 0 < stop < 1 else int(stop) or True),
                continue_on_fail=stop is None,
                max_samples=settings.max_samples,
                token_limit=settings.token_limit,
                time_limit=settings.time_limit,
                log_buffer=1,
                log_realtime=False,
                score_display=False,
                ctl_server=False,  # sockets for other programs to steer the run by
                acp_server=False,
                max_connections=model.api.max_connections(),  # else Inspect begins with a few and feels its way
                **GENERATE,
            )
    except PrerequisiteError as error:  # its task names depend on whether the package is installed or a checkout
        raise ConfigError(
            f"the run in {out} was begun by another installation of triplewise.", "Resume it as it was begun."
        ) from error
    finally:
        model.api.close()  # type: ignore[attr-defined]
    if not logs:  # Ctrl-C before the first item had ended
        raise KeyboardInterrupt
    return logs[0].status


def _fix(settings: RunSettings, found: dict[str, str], out: Path, fresh: bool) -> RunSettings:
    """The settings with the hashes of what they name: written at a run's start, compared when it goes on."""
    if not fresh:
        check_hashes({name: settings.task.get(name, "") for name in HASHES}, found)
        return settings
    settings = replace(settings, task=settings.task | found)
    temporary = out / "run.json.part"
    temporary.write_text(json.dumps(asdict(settings), indent=2, ensure_ascii=False), encoding="utf-8")
    temporary.replace(out / "run.json")
    return settings


@contextmanager
def _fewer_collections() -> Iterator[None]:
    """Let the collector look for cycles every 50,000 new objects instead of every 700.

    Inspect makes and keeps thousands of objects an item; with 64 in flight a fifth of the time was the collector's.
    """
    before = gc.get_threshold()
    gc.set_threshold(50_000, 20, 50)
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def _quiet(display: str) -> Iterator[None]:
    """Where nothing shall be displayed, display nothing.

    Inspect lays a table of results out all the same, which was half of the time of a small run, and prints a line.
    """
    if display != "none":
        yield
        return
    from inspect_ai._display.rich import display as inspect_display

    before = inspect_display.tasks_results  # pyright: ignore[reportPrivateImportUsage]
    inspect_display.tasks_results = lambda tasks: ""  # pyright: ignore[reportPrivateImportUsage]
    try:
        with redirect_stdout(io.StringIO()):
            yield
    finally:
        inspect_display.tasks_results = before  # pyright: ignore[reportPrivateImportUsage]


@contextmanager
def _owned(out: Path) -> Iterator[None]:
    """Hold the run's folder; the lock ends with the process, however that ends."""
    lock = FileLock(out / "run.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise ConfigError(f"{out} is in use by another process.", "Wait for it, or give another --out.") from None
    try:
        yield
    finally:
        lock.release()
