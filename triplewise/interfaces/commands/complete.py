"""``triplewise complete`` and ``triplewise align``: predict a missing link, put relations into words."""

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
    Preset,
    SkipBad,
    Timeout,
    Trace,
    counted,
    print_json,
    settings_of,
    status_line,
)
from triplewise.kg.names import one_line

if TYPE_CHECKING:
    from triplewise.config import Settings
    from triplewise.graphs.complete import Completion
    from triplewise.kg.base import KGStore
    from triplewise.tools.text.relation_text import AlignedSentence
    from triplewise.types import Usage


def register(app: typer.Typer) -> None:
    """Add ``complete`` and ``align`` to the command line."""

    @app.command(no_args_is_help=True)
    def complete(
        head: Annotated[str, typer.Argument(help="Entity by id or name; _ or '?' where it is missing.")],
        relation: Annotated[str, typer.Argument(help="Relation by id or name.")],
        tail: Annotated[str, typer.Argument(help="Entity by id or name; _ or '?' where it is missing.")],
        kg: Kg = None,
        model: Model = None,
        scorer: Annotated[
            str | None, typer.Option("--scorer", help="Folder of 'train rotate', or a file of rankings.")
        ] = None,
        mode: Annotated[str | None, typer.Option("--mode", help="compact or multi-round.")] = None,
        reply: Annotated[str | None, typer.Option("--reply", help="numbers, names or scores.")] = None,
        m: Annotated[int | None, typer.Option("--m", help="Candidates that the model re-ranks, 2 to 50.")] = None,
        describe: Annotated[
            str | None, typer.Option("--describe", help="Candidates described: none, clashing or all.")
        ] = None,
        top: Annotated[int, typer.Option("--top", min=1, help="Predictions to show.")] = 10,
        preset: Preset = None,
        alignment: Annotated[str | None, typer.Option("--alignment", help="Relation texts of 'align'.")] = None,
        new_only: Annotated[bool, typer.Option("--new-only", help="Leave out what the graph asserts.")] = False,
        cache: Cache = None,
        timeout: Timeout = None,
        max_calls: MaxCalls = None,
        max_tokens: MaxTokens = None,
        max_cost: MaxCost = None,
        format: Format = None,
        skip_bad_lines: SkipBad = False,
        as_json: Json = False,
        trace: Trace = False,
    ) -> None:
        """Predict the missing end of a link: HEAD RELATION _ or _ RELATION TAIL."""
        options = {"mode": mode, "reply": reply, "m": m, "describe": describe, "alignment": alignment}
        options["keep_known"] = False if new_only else None
        settings = settings_of(
            kg=kg, model=model, preset=preset, cache=cache, timeout=timeout,
            max_calls=max_calls, max_tokens=max_tokens, max_cost=max_cost,
        )  # fmt: skip
        _complete((head, relation, tail), settings, scorer, top, format, skip_bad_lines, as_json, trace, options)

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


def _complete(
    link: tuple[str, str, str],
    settings: Settings,
    scorer: str | None,
    top: int,
    format: str | None,
    skip_bad_lines: bool,
    as_json: bool,
    trace: bool,
    options: dict[str, Any],
) -> None:
    from triplewise.graphs import complete as runner
    from triplewise.graphs import kicgpt
    from triplewise.kg import load_kg

    store = load_kg(settings.kg, format=format, skip_bad_lines=skip_bad_lines)

    runner.resolve_query(store, *link)  # a wrong name is told before anything heavy is loaded
    chosen = kicgpt.settings(settings.preset, **{k: v for k, v in options.items() if v is not None})
    ranker = runner.find_scorer(store, scorer)
    from triplewise.backends import load_chat_model
    from triplewise.backends.usage import use_budget

    chat = load_chat_model(settings.model, **{**dict(chosen.sampling), **settings.model_options()})
    with use_budget(settings.budget()), status_line(quiet=as_json) as line:
        done = runner.complete(
            store,
            *link,
            scorer=ranker,
            model=chat,
            preset=settings.preset,
            top=top,
            on_step=(lambda node: line(f"{node} …")) if line else None,
            **options,
        )
    if as_json:
        print_json(completion_json(store, done, trace))
    else:
        print_completion(store, done, trace)


def completion_json(kg: KGStore, done: Completion, trace: bool = False) -> dict[str, Any]:
    """The completion as one JSON object (see docs/kicgpt.md); ids beside labels."""
    from triplewise.tools.text.entity_text import EntityTexts

    query, name = done.query, EntityTexts(kg).told_apart
    return {
        "query": {"head": query.head, "relation": query.relation, "tail": query.tail, "missing": query.side},
        "ranking": [
            {"id": p.id, "label": p.label, "score": p.score, "retriever_rank": p.retriever_rank, "source": p.source}
            for p in done.ranking
        ],
        "demonstrations": [
            {
                "kind": kind,
                **triple._asdict(),
                "labels": [name(triple.head), kg.relation_label(triple.relation), name(triple.tail)],
            }
            for kind, triple in done.demonstrations
        ],
        "usage": asdict(done.usage),
        "warnings": list(done.warnings),
        "steps": [
            {
                "node": s.node,
                "status": s.status,
                "note": s.note,
                "detail": s.detail,
                "calls": s.usage.calls,
                "seconds": round(s.seconds, 4),
                **({"prompt": s.prompt, "reply": s.reply} if trace else {}),
            }
            for s in done.steps
        ],
    }


def print_completion(kg: KGStore, done: Completion, trace: bool) -> None:
    """The predictions as a table, marked where the graph already asserts them."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from triplewise.interfaces.commands.ask import _print_trace
    from triplewise.tools.text.entity_text import EntityTexts

    console = Console(highlight=False)
    query, name = done.query, EntityTexts(kg).told_apart
    ends = [Text("?", style="bold") if e is None else Text(one_line(name(e))) for e in (query.head, query.tail)]
    relation = f" — {one_line(kg.relation_label(query.relation))} → "
    console.print(Text.assemble(ends[0], (relation, "cyan"), ends[1]))
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("", justify="right")
    table.add_column(f"predicted {query.side}", overflow="fold")
    table.add_column("score", justify="right")
    table.add_column("retriever", justify="right")
    table.add_column("in the graph")
    for number, p in enumerate(done.ranking, 1):
        mark = Text(p.source, style="green" if p.known else "yellow")
        table.add_row(str(number), Text(one_line(p.label)), f"{p.score:.3f}", f"#{p.retriever_rank}", mark)
    console.print(table)
    if trace:
        _print_trace(console, done)  # pyright: ignore[reportArgumentType]
    usage = done.usage
    hits = f", {usage.cache_hits} from the cache" if usage.cache_hits else ""
    console.print(
        Text(
            f"kicgpt: {counted(usage.calls, 'call')}{hits}, {counted(usage.prompt_tokens, 'prompt token')}, "
            f"{counted(usage.completion_tokens, 'completion token')}, "
            f"{counted(len(done.demonstrations), 'demonstration')}. Predictions are guesses, not facts.",
            style="dim",
        )
    )
    for warning in done.warnings:
        console.print(Text(f"! {one_line(warning)}", style="yellow"))


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
    from triplewise.graphs.complete import resolve_relation
    from triplewise.kg import load_kg
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
