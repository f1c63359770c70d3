"""``triplewise train links``: a blend of link predictors, by texts, structure and rules, for ``complete``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from triplewise.interfaces.commands.train.rotate import is_benchmark, parts_of, print_metrics
from triplewise.interfaces.options import Format, Json, Kg, SkipBad, print_json, say_progress
from triplewise.kg.names import one_line


def register(train_app: typer.Typer) -> None:
    """Add ``links`` to ``triplewise train``."""

    @train_app.command()
    def links(
        kg: Kg = None,
        out: Annotated[Path | None, typer.Option("--out", help="Folder of the model; default: in the cache.")] = None,
        parts: Annotated[str, typer.Option("--parts", help="Scorers to blend, by commas.")] = "text,complex,rules",
        text_epochs: Annotated[
            int | None, typer.Option("--text-epochs", min=0, help="In which MiniLM learns; 0 leaves it as it is.")
        ] = None,
        epochs: Annotated[int | None, typer.Option("--epochs", min=1, help="Of ComplEx, at most.")] = None,
        dim: Annotated[int | None, typer.Option("--dim", min=1, help="Complex dimensions of ComplEx.")] = None,
        norm: Annotated[float | None, typer.Option("--norm", help="λ, the weight of ComplEx's N3 norm.")] = None,
        relation_weight: Annotated[
            float | None, typer.Option("--relation-weight", help="w, that of predicting relations; 0 leaves it out.")
        ] = None,
        seed: Annotated[int, typer.Option("--seed", min=0, help="Of the training.")] = 0,
        valid: Annotated[float, typer.Option("--valid", help="Share held out to choose the weights on.")] = 0.05,
        test: Annotated[float, typer.Option("--test", help="Share held out for the metrics.")] = 0.05,
        split_seed: Annotated[int, typer.Option("--split-seed", min=0, help="Of the held-out shares.")] = 0,
        threads: Annotated[int | None, typer.Option("--threads", min=1, help="Default: PyTorch's.")] = None,
        restart: Annotated[bool, typer.Option("--restart", help="Forget what the folder holds.")] = False,
        format: Format = None,
        skip_bad_lines: SkipBad = False,
        as_json: Json = False,
    ) -> None:
        """Train link predictors by texts, structure and rules, and blend them; `complete` takes it as --scorer."""
        from triplewise.train.links.training import LinksSettings

        named = tuple(dict.fromkeys(p.strip() for p in parts.split(",") if p.strip()))
        settings = LinksSettings(parts=named, seed=seed)
        text: dict[str, Any] = {"seed": seed} | ({} if text_epochs is None else {"epochs": text_epochs})
        given = {"epochs": epochs, "dim": dim, "norm": norm, "relation_weight": relation_weight, "seed": seed}
        structure: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        settings = replace(
            settings,
            text=replace(settings.text, **text),
            complex=replace(settings.complex, **structure),
            rules=replace(settings.rules, seed=seed),
        )
        split = {"valid": valid, "test": test, "seed": split_seed}
        _links(kg, out, settings, split, threads, restart, format, skip_bad_lines, as_json)


def _links(
    kg: str | None,
    out: Path | None,
    settings: Any,
    split: dict[str, Any],
    threads: int | None,
    restart: bool,
    format: str | None,
    skip_bad_lines: bool,
    as_json: bool,
) -> None:
    from triplewise.config import load_settings
    from triplewise.evals.scores.ranking import evaluate_scorer
    from triplewise.kg import load_kg
    from triplewise.tools.links.blend import STEM
    from triplewise.tools.links.rotate_scorer import read_model
    from triplewise.tools.links.scorers import default_scorer_folder
    from triplewise.train.links.training import train

    path = load_settings(kg=kg).kg
    store = load_kg(path, format=format, skip_bad_lines=skip_bad_lines)
    folder = out or default_scorer_folder(store, STEM)
    data = parts_of(path, store, folder, split, restart=restart, skip_bad_lines=skip_bad_lines)
    if threads and settings.parts != ("rules",):
        import torch

        torch.set_num_threads(threads)
    say = (lambda line: None) if as_json else say_progress
    scorer = train(
        data, store, folder, settings, texts_folder=path if is_benchmark(path) else None, restart=restart, say=say
    )
    kept, _ = read_model(folder, STEM)
    report = evaluate_scorer(scorer, data) if len(data.test) else None
    sizes = {part: len(getattr(data, part)) for part in ("train", "valid", "test")}
    if as_json:
        shown = {k: v for k, v in kept.items() if k not in ("entities", "relations", "weights_sha256")}
        counts = {"entities": len(data.entities), "relations": len(data.relations), **sizes}
        metrics = None if report is None else report.to_json()
        print_json({"folder": str(folder), **shown, **counts, "metrics": metrics})
        return
    counted = ", ".join(f"{count:,} {part}" for part, count in sizes.items())
    print(f"{one_line(data.name)}: {len(data.entities):,} entities, {len(data.relations):,} relations ({counted})")
    took = ", ".join(f"{name} {seconds:.0f} s" for name, seconds in kept["seconds"].items())
    print(took if kept["peak_mb"] is None else f"{took}; at most {kept['peak_mb']:,} MB")
    own = "" if scorer.by_relation is None else "; each relation has its own beside these"
    print("weights  " + "  ".join(f"{name} {weight:g}" for name, weight in kept["weights"].items() if weight) + own)
    print_metrics(report)
    print(f"saved in {folder}")
