"""Options of ``triplewise eval``, and the request that they make."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triplewise.interfaces.options import settings_of

if TYPE_CHECKING:
    from triplewise.evals.runs.plan import Request

Task = Annotated[str, typer.Argument(help="metaqa-1, factkg, fb15k-237, … (see 'eval list') or a .jsonl file.")]
Data = Annotated[Path | None, typer.Option("--data", help="Folder of the data set; default: data/NAME.")]
Split = Annotated[str, typer.Option("--split", help="train, dev or test.")]
Limit = Annotated[int | None, typer.Option("--limit", min=1, help="The first N items only.")]
ShardOf = Annotated[
    str | None, typer.Option("--shard", metavar="K/N", help="Every N-th item from the K-th on, for N machines.")
]
Graph = Annotated[str | None, typer.Option("--kg", help="Another graph than the one beside the data.")]
Scorer = Annotated[
    str | None, typer.Option("--scorer", help="Links: folder of 'train links' or 'train rotate', or rankings.")
]
Alignment = Annotated[str | None, typer.Option("--alignment", help="Links: relation texts of 'align'.")]
Method = Annotated[str | None, typer.Option("--method", help="kg-gpt, cot-kg, query-graph or, for links, kicgpt.")]
Shots = Annotated[int | None, typer.Option("--shots", help="Worked examples in the prompts, 0 to 12.")]
TopK = Annotated[int | None, typer.Option("--top-k", help="Relations (kg-gpt) or triples (cot-kg) kept.")]
Knowledge = Annotated[str | None, typer.Option("--knowledge", help="Evidence in the prompt: triples or yaml.")]
NoPlan = Annotated[bool, typer.Option("--no-plan", help="cot-kg: retrieve by the question alone.")]
NoSubgraph = Annotated[bool, typer.Option("--no-subgraph", help="cot-kg: over an index of triples alone.")]
Hops = Annotated[int | None, typer.Option("--hops", help="kg-gpt: hop count of the questions, for paper's prompts.")]
TypeRelation = Annotated[
    list[str] | None, typer.Option("--type-relation", help="Id of a relation that tells classes; repeatable.")
]
PerRound = Annotated[int | None, typer.Option("--per-round", help="Links: examples of each kind in a round.")]
M = Annotated[int | None, typer.Option("--m", help="Links: candidates that the model re-ranks, 2 to 50.")]
Ablation = Annotated[str | None, typer.Option("--ablation", help="Links: a row of KICGPT's Table 4.")]
InFlight = Annotated[int, typer.Option("--in-flight", min=1, help="Items at once.")]
ItemTokens = Annotated[int | None, typer.Option("--item-tokens", min=1, help="Stop an item at so many tokens.")]
ItemSeconds = Annotated[int | None, typer.Option("--item-seconds", min=1, help="Stop an item after this time.")]
MaxErrors = Annotated[
    float | None, typer.Option("--max-errors", min=0, help="Stop after more item errors than this; below 1 a share.")
]
Out = Annotated[Path | None, typer.Option("--out", help="Folder of the run; default: runs/….")]
RunFolder = Annotated[Path, typer.Argument(help="Folder of a run.")]


def request_of(
    task: str,
    model: str | None,
    method: str | None,
    preset: str | None,
    data: Path | None,
    kg: str | None,
    split: str,
    limit: int | None,
    scorer: str | None,
    timeout: float | None,
    index: str | None,
    embedder: str | None,
    *,
    type_relations: list[str] | None = None,
    repeats: int = 1,
    shard: str | None = None,
    caps: tuple[int | None, int | None, float | None] = (None, None, None),
    limits: tuple[int, int | None, int | None, float | None] = (16, None, None, None),
    **options: Any,
) -> Request:
    """What the flags mean, with the settings below them; ``caps`` and ``limits`` in the order of the fields set."""
    from triplewise.evals.data.items import Shard
    from triplewise.evals.runs.plan import Request

    settings = settings_of(
        model=model, method=method, preset=preset, timeout=timeout,
        index=index, embedder=embedder, max_calls=caps[0], max_tokens=caps[1], max_cost=caps[2],
    )  # fmt: skip
    return Request(
        task=task,
        model=settings.model,
        method=settings.method,
        preset=settings.preset,
        data=data,
        split=split,
        limit=limit,
        shard=Shard.read(shard) if shard else None,
        graph=kg,
        type_relations=tuple(type_relations) if type_relations is not None else None,
        repeats=repeats,
        scorer=scorer,
        embedder=settings.embedder,
        index=settings.index,
        options={k: v for k, v in options.items() if v is not None},
        model_args=settings.model_options(),
        max_samples=limits[0],
        token_limit=limits[1],
        time_limit=limits[2],
        max_errors=limits[3],
        caps=settings.budget(),
    )
