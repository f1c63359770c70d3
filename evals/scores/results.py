"""What a run found, read back from its folder: one record per item, whichever runner wrote it.

``load_run`` reads the folders of ``evals.runs.runner`` (Inspect's logs) and of ``evals.runs.kicgpt_run`` (a ledger of
ranks); of a folder of shards (``1-of-4``, …) it makes the run that they are together. Of several logs of one run (it
was killed and resumed) the newest record of each item counts. Scores are the ones given when the run was made, with
the versions of the metrics that gave them.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from triplewise.errors import BudgetExceededError, ConfigError
from triplewise.evals.accounting.spend import Spent, read_spent
from triplewise.evals.data.items import Item, digest
from triplewise.evals.scores.link_scores import LINK_VERSIONS, OUTCOMES, link_outcome, link_scores, read_links
from triplewise.evals.scores.metrics import Outcome, score
from triplewise.types import Usage

HASHES = ("data_hash", "kg_hash", "code", "weights_hash", "embedder_id", "index_hash")
_UNREAD = {"events", "events_data", "attachments", "messages", "store", "timelines"}
"""The bulk of a sample in Inspect's log: each call again, which the steps hold already."""


@dataclass(frozen=True, slots=True)
class ItemResult:
    """One item with what was found.

    ``text``: the question or claim, "(h, r, ?)" for a link; ``gold``: answers, or the right verdict;
    ``answers``: names, best first; ``evidence``: triples as names, which ``citations`` point into; ``steps``:
    ``types.Step`` as dicts; ``hops``: length of the gold path, 0 where unknown; ``kind``: the question's or
    reasoning's type; ``cluster``: what makes items alike, for intervals; ``scores``: None where a metric does not
    apply; ``error``: the class of the error that ended the item, else "", and ``reason``: what it said. ``outcome``
    holds ids. ``degrees``: of a link's two ends in the training graph.
    """

    id: str
    item: Item
    outcome: Outcome
    text: str
    gold: tuple[str, ...]
    answers: tuple[str, ...] = ()
    verdict: str | None = None
    evidence: tuple[tuple[str, str, str], ...] = ()
    citations: tuple[int, ...] = ()
    steps: tuple[Mapping[str, Any], ...] = ()
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0
    error: str = ""
    reason: str = ""
    scores: Mapping[str, float | None] = field(default_factory=dict)
    cluster: str = ""
    kind: str = ""
    hops: int = 0
    degrees: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """A run: ``task`` is the data set's name, ``settings`` all arguments, ``hashes`` what it rests on.

    ``metrics``: metric → version; ``expected``: items that a whole run has; ``spent``: all that was paid, kills
    and failed tries included; ``note``: what keeps the figures from being compared with published ones.
    """

    path: Path
    task: str
    split: str
    method: str
    model: str
    preset: str
    settings: Mapping[str, Any]
    hashes: Mapping[str, str]
    metrics: Mapping[str, int]
    items: tuple[ItemResult, ...]
    expected: int
    spent: Spent
    note: str = ""
    whole: int = 0
    """Items of all shards together."""

    @property
    def complete(self) -> bool:
        """Whether every item has a result."""
        return len(self.items) == self.expected

    def values(self, metric: str) -> tuple[list[float], list[str]]:
        """The scores of the items that a metric applies to, and their clusters."""
        found = [(v, i.cluster) for i in self.items if (v := i.scores.get(metric)) is not None]
        return [v for v, _ in found], [c for _, c in found]


def load_runs(path: str | Path) -> list[Run]:
    """The runs in a folder: one, or one for each row of an evaluation of links; raises as ``load_run``."""
    path = Path(path)
    if not (path / OUTCOMES).exists():
        return [load_run(path)]
    described, records = read_links(path)
    if not records:
        raise ConfigError(f"{path}: no query of this run is finished.", "Go on with: triplewise eval resume.")
    done = {record["row"] for record in records}
    return [_link_run(path, described, records, row) for row in described["settings"]["rows"] if row in done]


def load_run(path: str | Path) -> Run:
    """The run in a folder, of several rows the first; raises ConfigError where nothing of a run is finished."""
    path = Path(path)
    if (path / OUTCOMES).exists():
        return load_runs(path)[0]
    if shards := _shards_in(path):
        return _joined(path, [load_run(shard) for shard in shards])
    try:
        raw = json.loads((path / "run.json").read_text(encoding="utf-8"))
        task = raw["task"]
        settings = {**task, "model_args": raw["model_args"], "max_samples": raw["max_samples"]}
    except (OSError, ValueError, KeyError, TypeError):
        raise ConfigError(f"{path} holds no run.", "Give the --out folder of: triplewise eval run.") from None
    items, metrics, expected, note, whole = _read_logs(path / "logs")
    return Run(
        path=path,
        task=task["dataset"],
        split=task.get("split", "dev"),
        method=task.get("method", "kg-gpt"),
        model=raw["model"],
        preset=task.get("preset", "default"),
        settings={k: v for k, v in settings.items() if k not in HASHES},
        hashes={k: task[k] for k in HASHES if task.get(k)},
        metrics=metrics,
        items=items,
        expected=expected,
        spent=read_spent(path / "spend.jsonl"),
        note=note,
        whole=whole or expected,
    )


def _shards_in(path: Path) -> list[Path]:
    """The runs of shards in a folder that holds no run itself, the first shard first."""
    if (path / "run.json").exists():
        return []
    found = [p for p in path.glob("*-of-*") if re.fullmatch(r"\d+-of-\d+", p.name) and (p / "run.json").exists()]
    return sorted(found, key=lambda p: int(p.name.partition("-")[0]))


def _joined(path: Path, runs: Sequence[Run]) -> Run:
    """The run whose shards these are; raises ConfigError where they are not shards of one run."""
    first = runs[0]
    for run in runs[1:]:
        for what in ("task", "split", "method", "model", "preset", "hashes", "metrics", "whole"):
            if getattr(run, what) != getattr(first, what):
                raise ConfigError(
                    f"{first.path} and {run.path} are no shards of one run: they differ in {what}.",
                    "Run each shard on the same data, graph, model and version.",
                )
        if _but_shard(run.settings) != _but_shard(first.settings):
            raise ConfigError(f"{first.path} and {run.path} have different settings.", "Run each shard with the same.")
    if len({item.id for run in runs for item in run.items}) < sum(len(run.items) for run in runs):
        raise ConfigError(f"{path} holds an item twice.", "Keep shards of one number only, such as 1-of-4 to 4-of-4.")
    items = tuple(item for row in zip_longest(*(run.items for run in runs)) for item in row if item is not None)
    spent = Spent(
        sum((run.spent.usage for run in runs), Usage()),
        sum(run.spent.unknown for run in runs),
        sum(run.spent.assumed for run in runs),
    )
    settings = _but_shard(first.settings)
    return replace(first, path=path, items=items, expected=first.whole, spent=spent, settings=settings)


def _but_shard(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings that the shards of a run have in common; each machine has its own folders."""
    return {k: v for k, v in settings.items() if k not in ("shard", "folder", "graph", "index", "max_samples")}


def _read_logs(folder: Path) -> tuple[tuple[ItemResult, ...], dict[str, int], int, str, int]:
    """(items in the data set's order, metric versions, items expected, note, items of all shards) of Inspect's logs.

    The log of a resumed run that ended holds what the logs before it hold (one that was killed may hold less), so they
    are read from the newest on until all items are found.
    """
    from inspect_ai.log import list_eval_logs, read_eval_log

    found: dict[str, ItemResult] = {}
    order: list[str] = []
    metrics: dict[str, int] = {}
    note, whole = "", 0
    infos = list_eval_logs(str(folder)) if folder.is_dir() else []
    for info in sorted(infos, key=lambda i: i.mtime or 0, reverse=True):
        try:
            if _is_damaged(folder / Path(info.name).name):  # Inspect's own reader compares no checksums
                raise ValueError("it is not what was written")
            log = read_eval_log(info, exclude_fields=_UNREAD)
        except Exception as error:  # a damaged archive of JSON raises almost anything
            said = " ".join(str(error).split())[:200] or type(error).__name__
            raise ConfigError(
                f"{folder}: the log {Path(info.name).name} is damaged: {said}.",
                f"triplewise eval resume {folder.parent} sets it aside and asks its items again, from the cache.",
            ) from None
        metadata = log.eval.metadata or {}
        if not order:
            order = [str(i) for i in log.eval.dataset.sample_ids or ()]
            metrics, note = dict(metadata.get("metrics", {})), metadata.get("note", "")
            whole = metadata.get("whole", 0)
        for sample in log.samples or ():
            if "item" in sample.metadata and not (sample.error and _unasked(sample.error)):
                found.setdefault(str(sample.id), _item_result(sample))
        if order and found.keys() >= set(order):
            break
    if not found:
        raise ConfigError(f"{folder.parent}: no item of this run is finished.", "Go on with: triplewise eval resume.")
    return tuple(found[i] for i in order if i in found), metrics, len(order), note, whole


def set_damaged_aside(folder: Path) -> list[Path]:
    """Rename the logs of a run that cannot be read whole to NAME.damaged, so that Inspect goes on without them."""
    found = [path for path in sorted(folder.glob("*.eval")) if _is_damaged(path)]
    return [path.rename(path.with_name(f"{path.name}.damaged")) for path in found]


def _is_damaged(path: Path) -> bool:
    if path.suffix != ".eval":
        return False
    try:
        import inspect_ai.log  # pyright: ignore[reportUnusedImport]  # noqa: F401  it teaches zipfile Zstandard
    except ImportError:
        return False
    try:
        with ZipFile(path) as archive:
            return archive.testzip() is not None
    except Exception:  # as above
        return True


def _link_run(path: Path, described: Mapping[str, Any], records: Sequence[dict[str, Any]], row: str) -> Run:
    settings, found = described["settings"], described["found"]
    items = tuple(_link_result(record) for record in records if record["row"] == row)
    return Run(
        path=path,
        task=Path(settings["data"]).name,
        split=settings["part"],
        method=row,
        model=settings["model"],
        preset=settings["preset"],
        settings=settings,
        hashes={k: found[k] for k in ("graph", "scorer", "alignment", "code", "weights") if found.get(k)},
        metrics=LINK_VERSIONS,
        items=items,
        expected=max(len(items), settings["queries"] * settings["repeats"]),
        spent=read_spent(path / "spend.jsonl", row),
        note=f"{found['left_out']} queries on entities that the graph lacks are left out" if found["left_out"] else "",
    )


def _link_result(record: dict[str, Any]) -> ItemResult:
    ends = [record[k] or "?" for k in ("head", "relation", "tail")]
    triple = [record[k] or record["answer"] for k in ("head", "relation", "tail")]
    names = record.get("names", {})
    return ItemResult(
        id=digest([record[k] for k in ("head", "relation", "tail", "answer", "seed")])[:20],
        item=Item("complete", "", (record["answer"],), head=triple[0], relation=triple[1]),
        outcome=link_outcome(record),
        text=f"({', '.join(names.get(end, end) for end in ends)})",
        gold=(names.get(record["answer"], record["answer"]),),
        usage=Usage(**record["usage"]),
        scores=link_scores(record),
        cluster="|".join(triple),
        kind=triple[1],
        degrees=tuple(record["degrees"]),
    )


def item_of(metadata: Mapping[str, Any]) -> Item:
    """The item of a sample's metadata."""
    raw = metadata["item"]
    values: dict[str, Any] = {f.name: raw[f.name] for f in fields(Item) if f.init}
    frozen: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in values.items()}
    return Item(**frozen)


def outcome_of(metadata: Mapping[str, Any]) -> Outcome:
    """The outcome of a finished sample's metadata."""

    def frozen(value: Any) -> Any:
        return tuple(frozen(v) for v in value) if isinstance(value, list | tuple) else value

    return Outcome(**{k: frozen(v) for k, v in metadata["outcome"].items()})


def _item_result(sample: Any) -> ItemResult:
    metadata = sample.metadata
    item = item_of(metadata)
    if sample.error or sample.limit:  # wrong in every score
        name = type_of_error(sample.error) if sample.error else f"{sample.limit.type} limit"
        tokens = sum(use.total_tokens for use in sample.model_usage.values())
        outcome = Outcome(error=name, seconds=sample.total_time or 0.0, tokens=tokens)
        scores = score(item, outcome)
    else:
        outcome = outcome_of(metadata)
        values = next(iter(sample.scores.values())).value if sample.scores else {}
        scores = {k: None if math.isnan(v) else float(v) for k, v in values.items()}
    names = metadata.get("names", {})
    steps = tuple(metadata.get("steps", ()))
    return ItemResult(
        id=str(sample.id),
        item=item,
        outcome=outcome,
        text=item.text,
        gold=item.answers if item.label is None else ("supported" if item.label else "refuted",),
        answers=tuple(label for _, label in outcome.answers),
        verdict=outcome.verdict,
        evidence=tuple((names.get(h, h), names.get(r, r), names.get(t, t)) for h, r, t in outcome.evidence),
        citations=outcome.citations,
        steps=steps,
        usage=sum((Usage(**step["usage"]) for step in steps), Usage()),
        seconds=outcome.seconds,
        error=outcome.error,
        reason=sample.error.message if sample.error else outcome.error,
        scores=scores,
        cluster=item.cluster,
        kind=item.kind,
        hops=len(item.path),
    )


def _unasked(error: Any) -> bool:
    """Whether an item was left because the run's cap was reached: it has no result yet."""
    return type_of_error(error) == BudgetExceededError.__name__


def type_of_error(error: Any) -> str:
    """The class that the last line of a traceback names; the message where none does."""
    named = re.findall(r"^(?:\w+\.)*(\w*(?:Error|Exception|Timeout|Interrupt))(?=:|$)", error.traceback, re.MULTILINE)
    return named[-1] if named else error.message[:80]
