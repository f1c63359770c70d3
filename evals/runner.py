"""Runs of an evaluation: start, resume after a kill, and what they spent.

A run is a folder: ``run.json`` (its settings and hashes, written once), ``logs/`` (Inspect's), ``spend.jsonl``
(a ledger line for every reply, on disk before Inspect sees the reply) and ``llm.sqlite`` (the LLM cache, from
which calls that a kill interrupted are answered again without being paid again). One process at a time.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triplewise.errors import ConfigError, MissingExtraError
from triplewise.evals.ledger import Ledger
from triplewise.evals.results import spent

__all__ = ["RunSettings", "resume", "spent", "start"]

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

LIMITS: dict[str, Any] = {"fail_on_error": 0.01, "continue_on_fail": True, "retry_on_error": 2}
GENERATE: dict[str, Any] = {"max_retries": 6, "timeout": 600}


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What is evaluated: the task's arguments, the model with its settings, and the limits.

    ``task``: arguments of ``triplewise_eval``; ``model_args``: of ``load_chat_model`` (no keys: they stay in
    the environment). ``token_limit`` and ``time_limit`` (seconds) are per item.
    """

    task: dict[str, Any]
    model: str
    model_args: dict[str, Any] = field(default_factory=dict)
    max_samples: int = 16
    token_limit: int | None = None
    time_limit: int | None = None


def start(settings: RunSettings, out: str | Path, *, display: str = "rich") -> EvalLog:
    """Begin a run in a new folder; raises ConfigError where there is a run already."""
    out = Path(out)
    if (out / "run.json").exists():
        raise ConfigError(f"{out} already holds a run.", "Resume it, or give another --out.")
    out.mkdir(parents=True, exist_ok=True)
    return _go(settings, out, display, fresh=True)


def resume(out: str | Path, *, display: str = "rich") -> EvalLog:
    """Go on with a run that was stopped; finished items are kept.

    Raises ConfigError where there is no run, StaleRunError where data, graph, code or weights are no longer
    what the run began with.
    """
    out = Path(out)
    if not (out / "run.json").is_file():
        raise ConfigError(f"{out} holds no run.", "Start one with: triplewise eval run.")
    raw = json.loads((out / "run.json").read_text(encoding="utf-8"))
    return _go(RunSettings(**raw), out, display, fresh=False)


def _go(settings: RunSettings, out: Path, display: str, *, fresh: bool) -> EvalLog:
    try:
        from inspect_ai import eval_set
        from inspect_ai.model import get_model
    except ImportError:
        raise MissingExtraError("Evaluation", "evals") from None
    from triplewise.evals.inspect_tasks import check_hashes, hashes, triplewise_eval

    with Ledger(out / "spend.jsonl") as ledger, _charging(ledger):
        model = get_model(
            f"triplewise/{settings.model}",
            memoize=False,  # a kept model would ask an old server
            cache=str(out / "llm.sqlite"),
            **settings.model_args,
        )
        found = hashes(settings.task, model)
        if fresh:
            settings = replace(settings, task=settings.task | found)
            temporary = out / "run.json.part"
            temporary.write_text(json.dumps(asdict(settings), indent=2, ensure_ascii=False), encoding="utf-8")
            temporary.replace(out / "run.json")
        else:
            check_hashes({name: settings.task[name] for name in found}, found)
        _, logs = eval_set(
            triplewise_eval(**settings.task),
            str(out / "logs"),
            model=model,
            display=display,  # type: ignore[arg-type]
            retry_attempts=0,
            max_samples=settings.max_samples,
            token_limit=settings.token_limit,
            time_limit=settings.time_limit,
            log_buffer=1,
            **LIMITS,
            **GENERATE,
        )
    return logs[0]


@contextmanager
def _charging(ledger: Ledger) -> Iterator[None]:
    from triplewise.evals.inspect_model import on_spend

    stop = on_spend(lambda usage: ledger.append(asdict(usage)))
    try:
        yield
    finally:
        stop()
