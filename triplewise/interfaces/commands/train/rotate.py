"""``triplewise train rotate``: the link predictor that ``complete`` ranks entities with."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triplewise.errors import ConfigError
from triplewise.interfaces.options import Format, Json, Kg, SkipBad, print_json, status_line
from triplewise.kg.names import one_line

if TYPE_CHECKING:
    from triplewise.evals.scores.ranking import RankingReport
    from triplewise.kg.base import KGStore
    from triplewise.tools.links.kge_data import LinkPredictionData
    from triplewise.train.trainers.rotate import EpochReport


def register(train_app: typer.Typer) -> None:
    """Add ``rotate`` to ``triplewise train``."""

    @train_app.command()
    def rotate(
        kg: Kg = None,
        out: Annotated[Path | None, typer.Option("--out", help="Folder of the model; default: in the cache.")] = None,
        earlier: Annotated[
            Path | None,
            typer.Option("--from", help="Go on from the model of an earlier state of the graph, by its settings."),
        ] = None,
        preset: Annotated[str, typer.Option("--preset", help="cpu, paper-fb15k-237 or paper-wn18rr.")] = "cpu",
        dim: Annotated[int | None, typer.Option("--dim", min=1, help="Complex dimensions.")] = None,
        margin: Annotated[float | None, typer.Option("--margin", help="γ of the loss.")] = None,
        learning_rate: Annotated[float | None, typer.Option("--learning-rate", help="Of Adam.")] = None,
        batch_size: Annotated[int | None, typer.Option("--batch-size", min=1, help="Triples a step.")] = None,
        negatives: Annotated[int | None, typer.Option("--negatives", min=1, help="Negatives a batch shares.")] = None,
        epochs: Annotated[int | None, typer.Option("--epochs", min=1, help="At most.")] = None,
        patience: Annotated[
            int | None, typer.Option("--patience", min=1, help="Stop after so many validations without gain.")
        ] = None,
        seed: Annotated[int, typer.Option("--seed", min=0, help="Of the training.")] = 0,
        valid: Annotated[float, typer.Option("--valid", help="Share held out for early stopping.")] = 0.05,
        test: Annotated[float, typer.Option("--test", help="Share held out for the metrics.")] = 0.05,
        split_seed: Annotated[int, typer.Option("--split-seed", min=0, help="Of the held-out shares.")] = 0,
        threads: Annotated[int | None, typer.Option("--threads", min=1, help="Default: PyTorch's.")] = None,
        device: Annotated[str, typer.Option("--device", help="auto, cpu or cuda.")] = "auto",
        restart: Annotated[bool, typer.Option("--restart", help="Forget what the folder holds.")] = False,
        format: Format = None,
        skip_bad_lines: SkipBad = False,
        as_json: Json = False,
    ) -> None:
        """Train RotatE on a graph; run the same command again to go on after an interruption."""
        given = {
            "dim": dim, "margin": margin, "learning_rate": learning_rate, "batch_size": batch_size,
            "negatives": negatives, "epochs": epochs, "patience": patience, "seed": seed,
        }  # fmt: skip
        split = {"valid": valid, "test": test, "seed": split_seed}
        _rotate(kg, out, earlier, preset, given, split, threads, device, restart, format, skip_bad_lines, as_json)


def _rotate(
    kg: str | None,
    out: Path | None,
    earlier: Path | None,
    preset: str,
    given: dict[str, Any],
    split: dict[str, Any],
    threads: int | None,
    device: str,
    restart: bool,
    format: str | None,
    skip_bad_lines: bool,
    as_json: bool,
) -> None:
    from triplewise.config import load_settings
    from triplewise.kg import load_kg
    from triplewise.tools.links.scorers import default_scorer_folder
    from triplewise.train.trainers import rotate, rotate_settings

    path = load_settings(kg=kg).kg
    store = load_kg(path, format=format, skip_bad_lines=skip_bad_lines)
    folder = out or default_scorer_folder(store)
    if earlier is not None:
        settings, data = rotate.following(earlier, store, **given)
    else:
        settings = rotate_settings.preset(preset, **given)
        data = parts_of(path, store, folder, split, restart=restart, skip_bad_lines=skip_bad_lines)
    if threads:
        import torch

        torch.set_num_threads(threads)
    try:
        with status_line(quiet=as_json) as line:
            told = None if as_json else _progress(line)
            scorer = rotate.train(
                data, folder, settings, restart=restart, device=device, earlier=earlier, on_epoch=told
            )
    except KeyboardInterrupt:
        if (folder / rotate.CHECKPOINT).exists():
            print("The same command goes on from the last validation.", file=sys.stderr)
        raise
    _report(folder, scorer, data, as_json)


def parts_of(
    path: str, store: KGStore, folder: Path, split: dict[str, Any], *, restart: bool, skip_bad_lines: bool
) -> LinkPredictionData:
    """A benchmark folder's own parts, or those of ``store`` by the split that the model's ``folder`` keeps.

    Raises ConfigError where a file stands in the folder's place.
    """
    if folder.exists() and not folder.is_dir():
        raise ConfigError(f"--out {folder} is a file.", "Give --out the name of a folder.")
    from triplewise.tools.links.kge_data import LinkPredictionData, kept_split

    if is_benchmark(path):
        return LinkPredictionData.from_folder(path, skip_bad_lines=skip_bad_lines)
    if restart:
        (folder / "split.json").unlink(missing_ok=True)
    return kept_split(store, folder / "split.json", **split)


def is_benchmark(path: str) -> bool:
    """Whether a path is a folder with a validation part of its own."""
    return Path(path).is_dir() and (Path(path) / "valid.txt").is_file()


def _progress(line: Callable[[str], None] | None) -> Callable[[EpochReport], None]:
    """A line per validation on stderr; between them, in a terminal, the epoch."""
    started = time.monotonic()

    def show(report: EpochReport) -> None:
        text = f"epoch {report.epoch}/{report.epochs}  loss {report.loss:.4f}  {time.monotonic() - started:.0f} s"
        if report.mrr is not None:
            text += f"  validation MRR {report.mrr:.4f} (best {report.best_mrr:.4f})"
        if line:
            line(text)
        if report.mrr is not None:
            print("" if line else text, file=sys.stderr, flush=True)

    return show


def _report(folder: Path, scorer: Any, data: LinkPredictionData, as_json: bool) -> None:
    """What was trained, and its filtered metrics on the test part."""
    from triplewise.evals.scores.ranking import evaluate_scorer
    from triplewise.tools.links.rotate_scorer import read_model

    description, _ = read_model(folder)
    sizes = {part: len(getattr(data, part)) for part in ("train", "valid", "test")}
    report = evaluate_scorer(scorer, data) if len(data.test) else None
    if as_json:
        kept = {k: v for k, v in description.items() if k not in ("entities", "relations", "weights_sha256")}
        counts = {"entities": len(data.entities), "relations": len(data.relations), **sizes}
        metrics = None if report is None else report.to_json()
        print_json({"folder": str(folder), **kept, **counts, "metrics": metrics})
        return
    parts = ", ".join(f"{count:,} {part}" for part, count in sizes.items())
    print(f"{one_line(data.name)}: {len(data.entities):,} entities, {len(data.relations):,} relations ({parts})")
    best = f", the best was {description['best_epoch']}" if description["best_epoch"] else ""
    print(f"{description['epochs']} epochs in {description['seconds']:.0f} s{best}")
    print_metrics(report)
    print(f"saved in {folder}")


def print_metrics(report: RankingReport | None) -> None:
    """The filtered metrics of both sides and each."""
    if report is None:
        print("no metrics: no triple could be held out for a test")
        return
    for side in ("both", "tail", "head"):
        m = report.metrics(side)
        values = asdict(m)
        hits = "  ".join(f"Hits@{k} {values[f'hits_at_{k}']:.3f}" for k in (1, 3, 10))
        print(f"filtered, {side:4}  MRR {m.mrr:.3f}  {hits}  n {m.n:,}")
