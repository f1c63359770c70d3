"""From what a user names to a run: the data set's folder, the method, its options, the model and the limits.

Questions and claims run on Inspect (``evals.runs.runner``), links through KICGPT's evaluation
(``evals.runs.kicgpt_run``); ``begin`` and ``resume_run`` are the same for both.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, is_dataclass
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel

from triplewise.backends import load_chat_model
from triplewise.backends.fake import ScriptedChatModel
from triplewise.errors import ConfigError
from triplewise.evals.data.datasets import LOADERS, load_dataset
from triplewise.evals.data.items import Dataset, DatasetError, Shard
from triplewise.evals.runs import kicgpt_run, runner
from triplewise.evals.runs.kicgpt_run import OF_THE_RUN, LinkRun
from triplewise.evals.runs.runner import RunSettings
from triplewise.evals.runs.stage_gold import GOLD
from triplewise.evals.scores.link_scores import OUTCOMES
from triplewise.evals.scores.metrics import Outcome
from triplewise.evals.scores.results import HASHES
from triplewise.graphs.method import Method, default_method, method
from triplewise.types import Caps, Task

LINKS = ("fb15k-237", "wn18rr")
"""Data sets of missing links, in PyKEEN's and KG-BERT's folders of three splits."""
OnProgress = Callable[[Outcome | None], None]
"""Hears the outcome of each item; None for a link, which has ranks."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to evaluate.

    ``task``: a data set's name or a ``.jsonl`` file; ``data``: its folder; ``options``: of the method
    (shots, top_k, knowledge, …; m, mode, reply, ablation, alignment for links); ``scorer``: a folder of
    ``triplewise train rotate``; ``embedder`` and ``index``: of cot-kg's retriever, the first also of kg-gpt with
    small models; ``shard``: the part of the items that this run works on; ``type_relations``: ids of the graph's
    relations that tell classes, None: they are found;
    ``repeats``: runs of each link query, with seeds of their own; ``model_args``: of ``load_chat_model``; the rest
    as in ``RunSettings``.
    """

    task: str
    model: str
    method: str | None = None
    preset: str = "default"
    data: Path | None = None
    split: str = "dev"
    limit: int | None = None
    shard: Shard | None = None
    graph: str | None = None
    type_relations: tuple[str, ...] | None = None
    scorer: str | None = None
    repeats: int = 1
    embedder: str = "minilm"
    index: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    model_args: dict[str, Any] = field(default_factory=dict)
    max_samples: int = 16
    token_limit: int | None = None
    time_limit: int | None = None
    max_errors: float | None = None
    caps: Caps = field(default_factory=Caps)


def data_folder(task: str, given: Path | None = None) -> Path:
    """Where a data set is: as given, or in $TRIPLEWISE_DATA, or in ./data, under the name before a hop count.

    Raises ConfigError on an unknown name, and, with where to get the data, where nothing is found.
    """
    if task.endswith(".jsonl"):
        return Path(task)
    if task not in LOADERS:
        raise ConfigError(f"no data set {task!r}.", f"Known: {', '.join(LOADERS)}; or give a .jsonl file.")
    name = task[:-2] if task.startswith("metaqa-") else task
    places = [given] if given else [Path(base) / name for base in (os.environ.get("TRIPLEWISE_DATA"), "data") if base]
    for place in places:
        if place.is_dir():
            return place
    try:
        LOADERS[task](places[-1], "dev")
    except DatasetError as missing:  # says where to get it, and its layout
        raise ConfigError(missing.message, f"{missing.hint} Then name the folder with --data.") from None
    return places[-1]


def method_of(request: Request) -> Method:
    """The method named, or the model's default for the task; raises ConfigError where it cannot do the task."""
    task = task_of(request)
    if request.method is None:
        return default_method(task, lambda: _model(request))
    try:
        return method(request.method, task)
    except ConfigError as error:
        raise ConfigError(f"no method {request.method!r} for {request.task}.", error.hint) from None


def task_of(request: Request) -> Task:
    """What the items of the data set ask for."""
    if request.task in LINKS:
        return "complete"
    items = data_of(request).items
    return items[0].task if items else "ask"


def _model(request: Request) -> BaseChatModel:
    if request.model == GOLD:
        return ScriptedChatModel(name_=GOLD)
    return load_chat_model(request.model, **{k: v for k, v in request.model_args.items() if k != "cache"})


def data_of(request: Request) -> Dataset:
    """The items that a request means, read."""
    name = Path(request.task).stem if request.task.endswith(".jsonl") else request.task
    return load_dataset(name, data_folder(request.task, request.data), request.split, request.limit)


def settings_of(request: Request) -> RunSettings | LinkRun:
    """The settings of the run; raises ConfigError and DatasetError where something named is not there."""
    if request.method is not None:
        method(request.method)
    if request.task in LINKS:
        return _links(request, method_of(request))
    if request.scorer:
        raise ConfigError("a scorer is for data sets of missing links.", f"These are: {', '.join(LINKS)}.")
    data = data_of(request)
    if not data.items:
        raise ConfigError(f"{request.task} has no items in the split {request.split!r}.")
    if request.shard is not None and request.shard.of > len(data.items):
        raise ConfigError(f"{request.shard.of} shards of {len(data.items)} items.", "Take fewer shards.")
    if data.items[0].task == "complete":
        raise ConfigError("links are evaluated on a folder of splits.", f"Known: {', '.join(LINKS)}, with --data.")
    chosen = method_of(request)
    prescribed = dict(chosen.check(request.preset, **request.options).sampling)
    index = request.index if "retriever" in chosen.resources else None
    task = {
        "dataset": data.name,
        "folder": str(data_folder(request.task, request.data).resolve()),
        "split": request.split,
        "limit": request.limit,
        "shard": f"{request.shard.number}/{request.shard.of}" if request.shard else None,
        "graph": _anywhere(request.graph) if request.graph else None,
        "type_relations": list(request.type_relations) if request.type_relations is not None else None,
        "method": chosen.id,
        "preset": request.preset,
        "embedder": request.embedder,
        "index": _anywhere(index) if index else None,
        **request.options,
    }
    return RunSettings(
        task={k: v for k, v in task.items() if v is not None},
        model=request.model,
        model_args=_model_args(request, prescribed),
        max_samples=request.max_samples,
        token_limit=request.token_limit,
        time_limit=request.time_limit,
        caps=request.caps,
        max_errors=request.max_errors,
    )


def _anywhere(place: str) -> str:
    """A path that holds from every folder; the bundled graph and a server's address stay as they are."""
    return place if place == "films" or "://" in place else str(Path(place).expanduser().resolve())


def _links(request: Request, chosen: Method) -> LinkRun:
    if request.shard is not None:
        raise ConfigError("links are not evaluated in shards.", "Questions and claims are.")
    if request.scorer is None:
        raise ConfigError(
            f"{request.task} needs a scorer.", "Train one with: triplewise train rotate; give its folder as --scorer."
        )
    options = dict(request.options)
    row, alignment = options.pop("ablation", None), options.pop("alignment", None)
    known = [option for option in chosen.options if option not in OF_THE_RUN]
    if unknown := sorted(set(options) - set(known)):
        raise ConfigError(f"{chosen.id} has no option {unknown[0]!r}.", f"Its options: {', '.join(known)}.")
    chosen.check(request.preset, **options)
    return LinkRun(
        data=str(data_folder(request.task, request.data).resolve()),
        scorer=str(Path(request.scorer).resolve()),
        model=request.model,
        part="valid" if request.split in ("dev", "valid") else "test",
        rows=(row or ("kicgpt-tsa" if alignment else "kicgpt"),),
        queries=request.limit or 0,
        repeats=request.repeats,
        preset=request.preset,
        options=options,
        alignment=alignment,
        model_args=_model_args(request, {}),
    )


def _model_args(request: Request, prescribed: dict[str, Any]) -> dict[str, Any]:
    given = {k: asdict(v) if is_dataclass(v) else v for k, v in request.model_args.items()}  # pyright: ignore[reportArgumentType]
    return {**prescribed, **{k: v for k, v in given.items() if k != "cache"}}


def begin(
    settings: RunSettings | LinkRun, out: Path, on_item: OnProgress | None = None, caps: Caps | None = None
) -> str:
    """Start a run in a new folder: "success", or "error" where items are missing."""
    if isinstance(settings, LinkRun):
        runner.refuse_taken(out)
        return _run_links(settings, out, on_item, caps)
    return runner.start(settings, out, on_item=_hear(on_item))


def resume_run(out: Path, on_item: OnProgress | None = None, caps: Caps | None = None) -> str:
    """Go on with a run that was stopped; ``caps`` replace the run's own."""
    settings = read_run(out)
    if isinstance(settings, LinkRun):
        return _run_links(settings, out, on_item, caps)
    return runner.resume(out, on_item=_hear(on_item), caps=caps)


def read_run(out: Path) -> RunSettings | LinkRun:
    """The settings of the run in a folder; raises ConfigError where there is none."""
    if (out / OUTCOMES).exists():
        raw = json.loads((out / "run.json").read_text(encoding="utf-8"))["settings"]
        return LinkRun(**{**raw, "rows": tuple(raw["rows"])})
    return runner.read_settings(out)


def begin_or_resume(settings: RunSettings | LinkRun, out: Path, on_item: OnProgress | None, caps: Caps) -> str:
    """Start the run, or go on with it where the folder has it; raises ConfigError where it holds another one."""
    if not (out / "run.json").exists():
        return begin(settings, out, on_item, caps)
    there = read_run(out)
    if isinstance(settings, RunSettings) and isinstance(there, RunSettings):
        task = {k: v for k, v in there.task.items() if k not in HASHES}
        same = (task, there.model) == (settings.task, settings.model)
    else:
        same = there == settings
    if not same:
        raise ConfigError(f"{out} holds a run of other settings.", "Give another --out.")
    return resume_run(out, on_item, caps)


def _run_links(settings: LinkRun, out: Path, on_item: OnProgress | None, caps: Caps | None) -> str:
    def heard(*_: Any) -> None:
        if on_item:
            on_item(None)

    kicgpt_run.run(settings, out, caps=caps, on_outcome=heard)
    return "success"


def _hear(on_item: OnProgress | None) -> Callable[[str, Outcome], None] | None:
    return (lambda _id, outcome: on_item(outcome)) if on_item else None
