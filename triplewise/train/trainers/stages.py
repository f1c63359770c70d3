"""The course of a training: its stages one after the other, each with a warm-up and a cosine of its own.

The paper trains on instructions, then on the graph, then on reasoning (section 4.1), each "using the same setting";
leaving one out is its ablation. Every ``settings.every`` steps a checkpoint is written and the development examples
are scored. The batches follow from seed and step alone, so a run that was killed ends with the same weights.
"""

from __future__ import annotations

import math
import random
import signal
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from typing import Any

from triplewise.train.trainers.adapter import AdapterSettings, AdapterTraining
from triplewise.train.trainers.bases import Base, Encoded

POOL = 16
"""Batches that are drawn and sorted by length at a time."""


@dataclass(frozen=True, slots=True)
class Stage:
    """``steps`` on these examples, which do not end."""

    name: str
    steps: int
    examples: Iterator[Encoded]


def shuffled(name: str, examples: Sequence[Encoded], seed: int) -> Iterator[Encoded]:
    """The examples without end, in another order each time round."""
    for epoch in count():
        order = list(range(len(examples)))
        random.Random(f"{seed} {name} {epoch}").shuffle(order)
        for i in order:
            yield examples[i]


def train_adapter(
    base: Base,
    stages: Sequence[Stage],
    out: Path,
    settings: AdapterSettings,
    *,
    dev: Sequence[tuple[str, Encoded]] = (),
    device: str = "auto",
    report: Callable[[str], None] = lambda line: None,
) -> AdapterTraining:
    """Train stage after stage; an adapter (GGUF) is at ``out`` from the first checkpoint on.

    Every ``settings.every`` steps a checkpoint is written and the exact matches on ``dev`` (task, example) are
    reported. Where a checkpoint lies beside ``out``, training goes on from it. Ctrl-C ends it after the step
    under way, with a checkpoint, and raises KeyboardInterrupt. ``settings.minutes`` count for a single stage.
    """
    training = AdapterTraining(base, out, settings, device)
    if training.step:
        report(f"goes on after step {training.step} ({training.seconds / 60:.1f} minutes)")
    begin = 0
    with _ctrl_c() as stopped:
        for stage in stages:
            if training.step < begin + stage.steps:
                _run(training, stage, begin, len(stages) == 1, dev, report, stopped)
            begin += stage.steps
        if training.step % settings.every or not training.history:
            _check(training, dev, report)
    return training


def _run(
    training: AdapterTraining,
    stage: Stage,
    begin: int,
    alone: bool,
    dev: Sequence[tuple[str, Encoded]],
    report: Callable[[str], None],
    stopped: threading.Event,
) -> None:
    """One stage, from where the training is in it."""
    settings = training.settings
    batches = _batches(stage.examples, settings, training.step - begin)
    while (progress := _progress(training, stage, begin, alone)) < 1:
        warm = min(1.0, (training.step - begin + 1) / settings.warmup)
        training.learn(next(batches), settings.lr * warm * max(0.02, (1 + math.cos(math.pi * progress)) / 2))
        if training.step % 10 == 0:
            recent = training.losses[-10:]
            rate = training.tokens / training.seconds
            report(
                f"{stage.name}  step {training.step - begin}/{stage.steps}  loss {sum(recent) / len(recent):.3f}"
                f"  {rate:.0f} tokens/s"
            )
        if training.step % settings.every == 0:
            _check(training, dev, report)
        if stopped.is_set():
            training.save()
            report(f"stopped after step {training.step}; the same command goes on from there")
            raise KeyboardInterrupt


def _progress(training: AdapterTraining, stage: Stage, begin: int, alone: bool) -> float:
    """The share of the stage that is done, by steps or by minutes."""
    minutes = training.settings.minutes
    by_minutes = training.seconds / (minutes * 60) if minutes and alone else 0.0
    return max((training.step - begin) / stage.steps, by_minutes)


def _check(training: AdapterTraining, dev: Sequence[tuple[str, Encoded]], report: Callable[[str], None]) -> None:
    by_task: dict[str, list[bool]] = defaultdict(list)
    for (task, _), right in zip(dev, training.exact([pair for _, pair in dev]), strict=True):
        by_task[task].append(right)
    scores = {task: f"{sum(right)}/{len(right)}" for task, right in sorted(by_task.items())}
    training.history.append({"step": training.step, **scores})
    training.save()
    report(f"step {training.step}  exact: {'  '.join(f'{k} {v}' for k, v in scores.items()) or 'not scored'}")


def _batches(examples: Iterator[Encoded], settings: AdapterSettings, seen: int) -> Iterator[list[Encoded]]:
    """Batches of like lengths: a pool is sorted, cut and shuffled, so that little is padding.

    ``seen`` batches are passed over.
    """
    size, number = settings.batch * POOL, seen // POOL
    next(islice(examples, number * size, number * size), None)
    skip = seen % POOL
    while True:
        pool = sorted(islice(examples, size), key=lambda pair: len(pair[0]) + len(pair[1]))
        batches = [pool[i : i + settings.batch] for i in range(0, len(pool), settings.batch)]
        random.Random(f"{settings.seed} {number}").shuffle(batches)
        yield from batches[skip:]
        skip, number = 0, number + 1


@contextmanager
def _ctrl_c() -> Iterator[threading.Event]:
    """Set at the first Ctrl-C, so that a step is never torn; the second one interrupts at once."""
    stopped = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stopped
        return
    before = signal.getsignal(signal.SIGINT)

    def handle(number: int, frame: Any) -> None:
        stopped.set()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, handle)
    try:
        yield stopped
    finally:
        signal.signal(signal.SIGINT, before)
