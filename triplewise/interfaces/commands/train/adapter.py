"""``triplewise train adapter``: an adapter, or a whole model, trained on the lines of ``train data``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from triplewise.interfaces.options import Json, counted, print_json
from triplewise.kg.names import one_line


def register(train_app: typer.Typer) -> None:
    """Add ``adapter`` to ``triplewise train``."""

    @train_app.command()
    def adapter(
        data: Annotated[list[Path], typer.Option("--data", help="JSON lines of 'train data'; repeatable.")],
        out: Annotated[
            Path, typer.Option("--out", help="ADAPTER.gguf, or a folder for a peft adapter or a whole model.")
        ],
        base: Annotated[
            str, typer.Option("--base", help="embedded, a llama GGUF, or a Hugging Face folder.")
        ] = "embedded",
        stages: Annotated[
            str | None, typer.Option("--stages", help="Of instruction,pretraining,reasoning; default: all in the data.")
        ] = None,
        full: Annotated[bool, typer.Option("--full", help="Train all parameters instead of an adapter.")] = False,
        epochs: Annotated[
            str | None, typer.Option("--epochs", help="Of each stage, default 1; or instruction=2,reasoning=5.")
        ] = None,
        paper: Annotated[
            bool, typer.Option("--paper", help="All parameters, 2, 2 and 5 epochs, batches of 64, learning rate 2e-6.")
        ] = False,
        batch: Annotated[int | None, typer.Option("--batch", min=1, help="Examples a step; default: 16.")] = None,
        learning_rate: Annotated[
            float | None, typer.Option("--learning-rate", min=0, help="Default: 1e-3, with --full 2e-5.")
        ] = None,
        rank: Annotated[int, typer.Option("--rank", min=1, help="Of the adapter.")] = 16,
        max_length: Annotated[
            int, typer.Option("--max-length", min=8, help="Tokens; longer examples are left out.")
        ] = 1024,
        every: Annotated[int, typer.Option("--every", min=1, help="Steps between checkpoints.")] = 100,
        check: Annotated[
            int, typer.Option("--check", min=0, help="Prompts on which llama.cpp must reply as the trained model.")
        ] = 200,
        check_float32: Annotated[
            bool, typer.Option("--check-float32", help="Compare on the base's weights in float32 too.")
        ] = False,
        device: Annotated[str, typer.Option("--device", help="auto, cpu or cuda.")] = "auto",
        threads: Annotated[int, typer.Option("--threads", min=0, help="Of the CPU; 0: PyTorch's default.")] = 0,
        seed: Annotated[int, typer.Option("--seed", min=0)] = 0,
        as_json: Json = False,
    ) -> None:
        """Train in the paper's stages; run the same command again to go on after an interruption."""
        from triplewise.train.trainers.adapter import AdapterSettings
        from triplewise.train.trainers.bases import open_base
        from triplewise.train.trainers.finetune import PAPER_EPOCHS, TrainingSchedule, finetune

        full = full or paper
        rate = learning_rate if learning_rate is not None else 2e-6 if paper else 2e-5 if full else 1e-3
        each, by_stage = _epochs(epochs)
        settings = AdapterSettings(
            rank=rank,
            alpha=2.0 * rank,
            batch=batch or (64 if paper else 16),
            lr=rate,
            seed=seed,
            every=every,
            threads=threads,
            full=full,
        )
        wanted = tuple(name.strip() for name in stages.split(",")) if stages is not None else ()
        by_stage = {**(PAPER_EPOCHS if paper and epochs is None else {}), **by_stage}
        schedule = TrainingSchedule(wanted, each, max_length, check, check_float32, by_stage)
        model = open_base(base)
        done = finetune(data, model, out, settings, schedule, device=device, report=_progress(as_json))
        if as_json:
            print_json(done)
        else:
            _report(done, base)


def _epochs(given: str | None) -> tuple[float, dict[str, float]]:
    """(epochs of each stage, epochs of single stages) of "2" or "instruction=2,reasoning=5"."""
    from triplewise.errors import ConfigError
    from triplewise.train.data.rows import STAGES

    each, by_stage = 1.0, dict[str, float]()
    for part in given.split(",") if given is not None else ():
        name, mark, number = part.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            value = 0.0
        if not 0.001 <= value <= 10_000 or (mark and name.strip() not in STAGES):
            hint = f"Give a number, or numbers by stage: {'=1,'.join(STAGES)}=1."
            raise ConfigError(f"--epochs cannot be {part.strip()!r}.", hint)
        if mark:
            by_stage[name.strip()] = value
        else:
            each = value
    return each, by_stage


def _progress(as_json: bool) -> Callable[[str], None]:
    """A line per report on stderr."""
    return (lambda line: None) if as_json else lambda line: print(one_line(line), file=sys.stderr, flush=True)


def _report(done: dict[str, Any], base: str) -> None:
    scores = {k: v for k, v in done["history"][-1].items() if k != "step"}
    minutes, tokens = done["seconds"] / 60, done["tokens"]
    print(f"{counted(done['steps'], 'step')}, {tokens:,} tokens in {minutes:.1f} min, loss {done['loss']:.3f}")
    if scores:
        print(f"exact replies, dev: {', '.join(f'{task} {score}' for task, score in scores.items())}")
    for name, where in (("agreement", ""), ("agreement_float32", ", on float32 weights")):
        if (found := done.get(name)) and found["prompts"]:
            _agreement(found, where)
    print(f"saved in {done['out']}")
    if done["out"].endswith(".gguf"):
        weights = "BASE.gguf" if Path(base).is_dir() else base  # a folder's weights are to be converted first
        print(f"Use it with: --model llamacpp:{weights}+{done['out']} --preset short")


def _agreement(found: dict[str, Any], where: str) -> None:
    print(
        f"llama.cpp replies as the trained model to {found['equal']} of {found['prompts']} prompts{where}"
        f" ({found['near_ties']} more part at a near tie)"
    )
    if found["equal"] + found["near_ties"] < 0.95 * found["prompts"]:
        print("  That is too few: do not use this adapter with llama.cpp.", file=sys.stderr)
