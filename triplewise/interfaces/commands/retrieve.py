"""``triplewise index`` and ``triplewise retrieve``: the sub-graph-enriched index, and what it ranks first."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triplewise.errors import ConfigError
from triplewise.interfaces.options import (
    Embedder,
    Format,
    Index,
    Json,
    Kg,
    Retrieval,
    SkipBad,
    print_json,
    settings_of,
)
from triplewise.kg.names import one_line

if TYPE_CHECKING:
    from triplewise.config import Settings
    from triplewise.kg.base import KGStore
    from triplewise.tools.retrieval.subgraph_index import SubgraphIndex
    from triplewise.tools.retrieval.triple_retriever import Retrieved

NoSubgraph = Annotated[bool, typer.Option("--no-subgraph", help="Embed each triple without its sub-graph.")]


def register(app: typer.Typer) -> None:
    """Add ``index`` and ``retrieve`` to the command line."""

    @app.command()
    def index(
        kg: Kg = None,
        index: Index = None,
        embedder: Embedder = None,
        no_subgraph: NoSubgraph = False,
        format: Format = None,
        skip_bad_lines: SkipBad = False,
        repair: Annotated[bool, typer.Option("--repair", help="Make the index anew where it is damaged.")] = False,
        as_json: Json = False,
    ) -> None:
        """Embed every triple with its sub-graph, or bring the index up to date."""
        settings = settings_of(kg=kg, index=index, embedder=embedder)
        made = _index(_load(settings, format, skip_bad_lines), settings, no_subgraph)
        with IndexBar() as bar:
            try:
                report = (made.repair if repair else made.build)(bar.show)
            except KeyboardInterrupt:
                print("What is embedded is kept; the same command goes on from there.", file=sys.stderr)
                raise
        share = report.encoding_seconds / report.seconds if report.seconds else 0.0
        if as_json:
            print_json({"index": str(made.place), "embedder": made.embedder.id, "triples": report.triples,
                        "written": report.written, "removed": report.removed,
                        "seconds": round(report.seconds, 3), "encoding_share": round(share, 3)})  # fmt: skip
        elif not report.written and not report.removed:
            print(f"{made.place}: up to date ({report.triples:,} triples, {made.embedder.id}).")
        else:
            rate = report.written / report.seconds
            print(
                f"{made.place}: {report.written:,} triples embedded, {report.removed:,} removed "
                f"({report.triples:,} in all, {made.embedder.id})."
            )
            print(f"{report.seconds:.1f} s, {rate:,.0f} triples/s, {share:.0%} of the time in the encoder.")

    @app.command()
    def retrieve(
        question: Annotated[str, typer.Argument(help="The question.")],
        kg: Kg = None,
        step: Annotated[
            list[str] | None, typer.Option("--step", help="A planned step, as the planner would write it; repeatable.")
        ] = None,
        entity: Annotated[
            list[str] | None, typer.Option("--entity", help="A topic entity, by id or name; repeatable.")
        ] = None,
        top_k: Annotated[int, typer.Option("--top-k", min=1, help="Triples shown.")] = 20,
        retrieval: Retrieval = None,
        hops: Annotated[
            int, typer.Option("--hops", min=0, help="Reach around the topic entities; 0: the whole graph.")
        ] = 3,
        index: Index = None,
        embedder: Embedder = None,
        no_subgraph: NoSubgraph = False,
        format: Format = None,
        skip_bad_lines: SkipBad = False,
        as_json: Json = False,
    ) -> None:
        """Show the triples that retrieval ranks first for a question, with their scores."""
        from triplewise.agents.entity_linker import check_question, resolve_entity
        from triplewise.graphs import cot_kg
        from triplewise.kg.linking import link_entities
        from triplewise.tools.retrieval.subgraph_text import PLAIN
        from triplewise.tools.retrieval.triple_retriever import MODES, RetrievalOptions, TripleRetriever, open_retriever

        question = check_question(question)
        settings = settings_of(kg=kg, index=index, embedder=embedder, retrieval=retrieval)
        store = _load(settings, format, skip_bad_lines)
        if entity:
            topics = [resolve_entity(store, name) for name in entity]
        else:
            topics = [m.candidates[0].id for m in link_entities(store, question) if m.candidates]
        mode: Any = settings.retrieval or cot_kg.PRESETS["default"].retrieval.mode
        if mode not in MODES:
            raise ConfigError(f"retrieve cannot rank by {mode!r}.", f"Known: {', '.join(MODES)}.")
        options = RetrievalOptions(k=top_k, mode=mode, hops=hops)
        if mode == "bm25":
            retriever = TripleRetriever(store)
        else:
            rule = PLAIN if no_subgraph else None
            with IndexBar() as bar:
                retriever = open_retriever(store, settings.index or "", settings.embedder, rule, bar.show)
        used, warnings = retriever.fitting(options)
        found = retriever.retrieve(question, step or (), topics, used)
        if as_json:
            print_json(_as_json(store, question, topics, used.mode, found, warnings))
        else:
            _show(store, topics, used.mode, found, warnings)


def _load(settings: Settings, format: str | None, skip_bad_lines: bool) -> KGStore:
    from triplewise.kg import load_kg

    return load_kg(settings.kg, format=format, skip_bad_lines=skip_bad_lines)


def _index(kg: KGStore, settings: Settings, no_subgraph: bool) -> SubgraphIndex:
    from triplewise.backends.embedders import load_embedder
    from triplewise.tools.retrieval.subgraph_index import SubgraphIndex, default_place
    from triplewise.tools.retrieval.subgraph_text import PLAIN, SubgraphRule

    rule = PLAIN if no_subgraph else SubgraphRule()
    model = load_embedder(settings.embedder)
    return SubgraphIndex(kg, model, settings.index or default_place(kg, model.id, rule), rule)


class IndexBar:
    """A progress bar on stderr that appears with the first triple to embed, and only on a terminal."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> IndexBar:
        return self

    def show(self, done: int, total: int) -> None:
        """Progress, as ``SubgraphIndex.build`` tells it."""
        if not sys.stderr.isatty():
            return
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            self._bar = Progress(
                TextColumn("Embedding triples"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
                console=Console(stderr=True), transient=True,
            )  # fmt: skip
            self._bar.start()
            self._task = self._bar.add_task("", total=total)
        self._bar.update(self._task, completed=done, total=total)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()


def _as_json(
    kg: KGStore, question: str, topics: list[str], mode: str, found: Retrieved, warnings: list[str]
) -> dict[str, Any]:
    return {
        "question": question,
        "entities": [{"id": e, "label": kg.display(e)} for e in topics],
        "retrieval": mode,
        "scope": found.scope,
        "candidates": found.candidates,
        "triples": [
            {"head": h, "relation": r, "tail": t, "labels": [kg.display(h), kg.relation_label(r), kg.display(t)],
             "score": s.score, "similarity": s.similarity, "bm25": s.bm25}
            for s in found.triples for h, r, t in [s.triple]
        ],
        "warnings": warnings,
    }  # fmt: skip


def _show(kg: KGStore, topics: list[str], mode: str, found: Retrieved, warnings: list[str]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    table = Table(box=None, pad_edge=False, header_style="dim")
    kinds = {"cosine": [s.similarity for s in found.triples], "BM25": [s.bm25 for s in found.triples]}
    shown = {name: values for name, values in kinds.items() if any(v is not None for v in values)}
    for name in ("", *shown):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("triple")
    for rank, scored in enumerate(found.triples):
        h, r, t = scored.triple
        words = (one_line(kg.display(h)), (f" — {one_line(kg.relation_label(r))} → ", "cyan"), one_line(kg.display(t)))
        scores = [_number(values[rank]) for values in shown.values()]
        table.add_row(str(rank + 1), *scores, Text.assemble(*words))
    console.print(table)
    around = ", ".join(one_line(kg.display(e)) for e in topics)
    where = f"within reach of {around}" if found.scope == "neighborhood" else "of the whole graph"
    console.print(
        Text(f"\n{len(found.triples)} of {found.candidates:,} triples {where}, ranked by {mode}", style="dim")
    )
    for warning in warnings:
        console.print(Text(f"! {one_line(warning)}", style="yellow"))


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
