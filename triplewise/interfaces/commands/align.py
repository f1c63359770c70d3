"""``triplewise align``: put relations into words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triplewise.interfaces.options import (
    Cache,
    Format,
    Json,
    Kg,
    MaxCalls,
    MaxCost,
    MaxTokens,
    Model,
    SkipBad,
    Timeout,
    counted,
    print_json,
    settings_of,
)
from triplewise.kg.names import one_line

if TYPE_CHECKING:
    from triplewise.config import Settings
    from triplewise.kg.base import KGStore
    from triplewise.tools.text.relation_text import AlignedSentence
    from triplewise.types import Usage


def register(app: typer.Typer) -> None:
    """Add ``align`` to the command line."""

    @app.command(no_args_is_help=True)
    def align(
        out: Annotated[Path, typer.Option("--out", help="The file of sentences, made or continued.")],
        kg: Kg = None,
        model: Model = None,
        relation: Annotated[list[str] | None, typer.Option("--relation", help="Only this; repeatable.")] = None,
        examples: Annotated[int, typer.Option("--examples", min=1, help="Triples shown per relation.")] = 20,
        rules_only: Annotated[bool, typer.Option("--rules-only", help="Rule-based readings, no model.")] = False,
        cache: Cache = None,
        timeout: Timeout = None,
        max_calls: MaxCalls = None,
        max_tokens: MaxTokens = None,
        max_cost: MaxCost = None,
        format: Format = None,
        skip_bad_lines: SkipBad = False,
        as_json: Json = False,
    ) -> None:
        """Let a model put each relation into a sentence with [H] and [T], in a file you can edit."""
        settings = settings_of(
            kg=kg, model=model, cache=cache, timeout=timeout,
            max_calls=max_calls, max_tokens=max_tokens, max_cost=max_cost,
        )  # fmt: skip
        _align(out, settings, relation or [], examples, rules_only, format, skip_bad_lines, as_json)


def _link_data(path: str, store: KGStore) -> Any:
    """Train and valid of a benchmark folder, else all of the graph."""
    from triplewise.tools.links.kge_data import LinkPredictionData

    if all((Path(path) / f"{part}.txt").is_file() for part in ("train", "valid", "test")):
        return LinkPredictionData.from_folder(path)
    return LinkPredictionData.from_store(store)


def _align(
    out: Path,
    settings: Settings,
    relations: list[str],
    examples: int,
    rules_only: bool,
    format: str | None,
    skip_bad_lines: bool,
    as_json: bool,
) -> None:
    from triplewise.agents.node import run_sync
    from triplewise.kg import load_kg
    from triplewise.kg.linking import resolve_relation
    from triplewise.tools.links.demonstrations import DemonstrationPools, StoreTexts
    from triplewise.train.data import align as aligner
    from triplewise.types import Usage

    store = load_kg(settings.kg, format=format, skip_bad_lines=skip_bad_lines)
    chosen = [resolve_relation(store, r) for r in relations] or None
    if rules_only:
        written = aligner.align_by_rules(store, out, relations=chosen)
        if as_json:
            print_json(_aligned_json(out, written, (), Usage()))
        else:
            print(f"{out}: {counted(len(written), 'relation')}, by rule")
        return
    from triplewise.backends import load_chat_model
    from triplewise.backends.usage import use_budget

    chat = load_chat_model(settings.model, temperature=0.0, **settings.model_options())
    pools = DemonstrationPools(_link_data(settings.kg, store), StoreTexts(store))
    show = (
        None
        if as_json
        else lambda r, s: print(f"{s.source:5}  {one_line(r)}\n       {one_line(s.sentence)}", flush=True)
    )
    with use_budget(settings.budget()):
        done = run_sync(
            aligner.align(store, pools.analogies, chat, out, relations=chosen, examples=examples, on_relation=show)
        )
    if as_json:
        print_json(_aligned_json(out, done.sentences, done.asked, done.usage))
        return
    found = counted(len(done.sentences), "relation")
    print(f"{out}: {found}, {len(done.asked)} asked for now, {done.fallbacks} by rule instead")


def _aligned_json(
    out: Path, sentences: Mapping[str, AlignedSentence], asked: Sequence[str], usage: Usage
) -> dict[str, Any]:
    rows = [{"relation": r, **asdict(s)} for r, s in sentences.items()]
    return {"file": str(out), "relations": rows, "asked": list(asked), "usage": asdict(usage)}
