"""From training data to an adapter or a model: what ``triplewise train adapter`` does.

Reads the lines, trains the chosen stages in the paper's order, exports, and for a GGUF adapter compares llama.cpp's
greedy replies with those of the trained model. Beside the result lies a record of all that it came from.
"""

from __future__ import annotations

import hashlib
import json
import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from triplewise.errors import ConfigError
from triplewise.train.data.rows import STAGES, Row, read_rows
from triplewise.train.trainers.adapter import AdapterSettings, AdapterTraining, checkpoint_path
from triplewise.train.trainers.agreement import check_export
from triplewise.train.trainers.bases import Base, Encoded, FolderBase, GgufBase
from triplewise.train.trainers.stages import Stage, shuffled, train_adapter

Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class TrainingSchedule:
    """``stages``: which, () for all that the data has; ``epochs``: of each, ``by_stage`` of single ones; ``longest``:
    tokens of an example, longer ones are left out; ``checks``: prompts on which the exported adapter is compared, 0
    for none; ``float32``: also on the base's weights in float32."""

    stages: tuple[str, ...] = ()
    epochs: float = 1.0
    longest: int = 1024
    checks: int = 200
    float32: bool = False
    by_stage: Mapping[str, float] = field(default_factory=dict)

    def epochs_of(self, stage: str) -> float:
        """The epochs of a stage."""
        return self.by_stage.get(stage, self.epochs)


PAPER_EPOCHS = {"instruction": 2.0, "pretraining": 2.0, "reasoning": 5.0}
"""Section 4.1."""


def finetune(
    data: Sequence[Path], base: Base, out: Path, settings: AdapterSettings, schedule: TrainingSchedule,
    *, device: str = "auto", report: Report = lambda line: None,
) -> dict[str, Any]:  # fmt: skip
    """Train, export and check; returns the record. Run again after an interruption it goes on.

    Raises ConfigError on data, stages, a base or an ``out`` that cannot be used.
    """
    _check_out(base, out, settings)
    rows = [row for path in data for row in read_rows(path)]
    names = _chosen(rows, schedule.stages, data)
    encoded, left_out = _encode(base, rows, names, schedule.longest)
    if left_out:
        report(f"{left_out} of {len(rows)} lines are left out: longer than {schedule.longest} tokens, or empty")
    steps = {n: math.ceil(len(encoded[n, "train"]) * schedule.epochs_of(n) / settings.batch) for n in names}
    if empty := [n for n in names if not steps[n]]:
        raise ConfigError(f"no line of the {empty[0]} stage can be trained on.", "Raise --max-length.")
    settings = replace(
        settings, steps=sum(steps.values()), base=base.digest(), data=_digest(data),
        stages=",".join(f"{n}:{steps[n]}" for n in names),
    )  # fmt: skip
    if not checkpoint_path(out).exists() and out.exists():
        raise ConfigError(f"{out} is there already.", "Remove it, or give another --out.")
    dev = [pair for name in names for pair in encoded[name, "dev"]]
    stages = [Stage(n, steps[n], shuffled(n, [e for _, e in encoded[n, "train"]], settings.seed)) for n in names]
    lock = FileLock(f"{out}.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise ConfigError(f"another process is training {out}.", "Wait for it, or give another --out.") from None
    try:
        training = train_adapter(base, stages, out, settings, dev=dev, device=device, report=report)
        record = _finish(training, schedule, encoded, names, report)
        checkpoint_path(out).unlink()
    finally:
        Path(lock.lock_file).unlink(missing_ok=True)
        lock.release()
    return record


def _check_out(base: Base, out: Path, settings: AdapterSettings) -> None:
    if not out.absolute().parent.is_dir():
        raise ConfigError(f"{out.absolute().parent} is no folder.", "Make it, or give another --out.")
    if out.suffix == ".gguf":
        if settings.full:
            raise ConfigError("a model trained in full is saved as a folder, not as a GGUF.", "Give --out FOLDER.")
        if isinstance(base, FolderBase) and base.model_type != "llama":
            raise ConfigError(
                f"{base.path} is a {base.model_type} model; GGUF adapters are written for llama ones.",
                "Give --out FOLDER for a peft adapter.",
            )


def _chosen(rows: Sequence[Row], wanted: Sequence[str], data: Sequence[Path]) -> list[str]:
    have = {row.stage for row in rows if row.split == "train"}
    for name in wanted:
        if name not in STAGES:
            raise ConfigError(f"no stage {name!r}.", f"Known: {', '.join(STAGES)}.")
        if name not in have:
            raise ConfigError(f"{', '.join(map(str, data))}: no line of the {name} stage to train on.")
    if not have:
        raise ConfigError(f"{', '.join(map(str, data))}: no line to train on.")
    return [name for name in STAGES if name in (wanted or have)]


def _encode(
    base: Base, rows: Sequence[Row], names: Sequence[str], longest: int
) -> tuple[dict[tuple[str, str], list[tuple[str, Encoded]]], int]:
    """(stage, split) → tasks with their tokens, and how many lines are left out."""
    found: dict[tuple[str, str], list[tuple[str, Encoded]]] = {(n, s): [] for n in names for s in ("train", "dev")}
    left_out = 0
    for row in rows:
        if row.stage in names:
            prompt, reply = base.encode(row.example)
            if reply and len(prompt) + len(reply) <= longest:
                found[row.stage, row.split].append((row.example.skill, (prompt, reply)))
            else:
                left_out += 1
    return found, left_out


def _digest(data: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for path in data:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _finish(
    training: AdapterTraining,
    schedule: TrainingSchedule,
    encoded: dict[tuple[str, str], list[tuple[str, Encoded]]],
    names: Sequence[str],
    report: Report,
) -> dict[str, Any]:
    """Export, compare, and write the record."""
    from importlib.metadata import version

    out, base = training.out, training.base
    if not training.export():
        report("no tokenizer was written: none that transformers can make gives the base's tokens")
    done = training.progress()
    del done["losses"]
    done |= {
        "base": str(base.path.name), "epochs": {n: schedule.epochs_of(n) for n in names},
        "versions": {n: version(n) for n in ("triplewise", "torch", "transformers", "peft")},
    }  # fmt: skip
    if out.suffix == ".gguf":
        done["sha256"] = hashlib.sha256(out.read_bytes()).hexdigest()
        if schedule.checks and isinstance(base, GgufBase):
            prompts = _prompts(encoded, names, training.settings.seed, schedule.checks)
            report(f"comparing llama.cpp's replies with the trained model's on {len(prompts)} prompts")
            done["agreement"] = check_export(training, base, prompts)
            if schedule.float32:
                done["agreement_float32"] = check_export(training, base, prompts, float32=True)
    record = out.with_suffix(".json") if out.suffix == ".gguf" else out / "training.json"
    part = record.with_suffix(".part")
    part.write_text(json.dumps(done, indent=2) + "\n", encoding="utf-8")
    part.replace(record)
    return done | {"out": str(out)}


def _prompts(
    encoded: dict[tuple[str, str], list[tuple[str, Encoded]]], names: Sequence[str], seed: int, limit: int
) -> list[list[int]]:
    """Prompts to compare replies on, those of the development share first."""
    pools = [[e for n in names if n != "pretraining" for _, e in encoded[n, split]] for split in ("dev", "train")]
    rng = random.Random(seed)
    return [prompt for pool in pools for prompt, _ in rng.sample(pool, len(pool))][:limit]
