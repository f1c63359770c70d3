"""``triplewise ask`` and ``triplewise verify``: an answer or a verdict, and the triples that prove it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triplewise.errors import ConfigError
from triplewise.interfaces.cli_options import (
    Cache,
    ClosedWorld,
    Embedder,
    Format,
    Index,
    Json,
    Kg,
    MaxCalls,
    MaxCost,
    MaxTokens,
    Model,
    Preset,
    Retrieval,
    SkipBad,
    Timeout,
    Trace,
    counted,
    print_json,
    settings_of,
    status_line,
)
from triplewise.kg.names import one_line, printable

if TYPE_CHECKING:
    from triplewise.config import Settings
    from triplewise.kg.base import KGStore
    from triplewise.types import Result

Entities = Annotated[list[str] | None, typer.Option("--entity", help="A topic entity, by id or name; repeatable.")]
TopK = Annotated[int | None, typer.Option("--top-k", help="kg-gpt: relations kept per sub-sentence; cot-kg: triples.")]
Shots = Annotated[int | None, typer.Option("--shots", help="Worked examples in the prompts, 0 to 12.")]
Knowledge = Annotated[str | None, typer.Option("--knowledge", help="Evidence in the prompt: triples or yaml.")]


_CUT = "was cut at its limit of tokens"


def register(app: typer.Typer) -> None:
    """Add ``ask`` and ``verify`` to the command line."""

    @app.command()
    def ask(
        question: Annotated[str, typer.Argument(help="The question.")],
        kg: Kg = None,
        model: Model = None,
        method: Annotated[str | None, typer.Option("--method", help="kg-gpt or cot-kg.")] = None,
        entity: Entities = None,
        top_k: TopK = None,
        shots: Shots = None,
        preset: Preset = None,
        knowledge: Knowledge = None,
        retrieval: Retrieval = None,
        index: Index = None,
        embedder: Embedder = None,
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
        """Answer a question over a graph."""
        options = {
            "kg": kg, "model": model, "method": method, "preset": preset, "top_k": top_k, "shots": shots,
            "knowledge": knowledge, "retrieval": retrieval, "index": index, "embedder": embedder,
            "cache": cache, "timeout": timeout,
            "max_calls": max_calls, "max_tokens": max_tokens, "max_cost": max_cost,
        }  # fmt: skip
        _run("ask", question, entity, format, skip_bad_lines, as_json, trace, options)

    @app.command()
    def verify(
        claim: Annotated[str, typer.Argument(help="The claim.")],
        kg: Kg = None,
        model: Model = None,
        method: Annotated[str | None, typer.Option("--method", help="kg-gpt.")] = None,
        entity: Entities = None,
        top_k: TopK = None,
        shots: Shots = None,
        preset: Preset = None,
        knowledge: Knowledge = None,
        closed_world: ClosedWorld = False,
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
        """Verify a claim against a graph."""
        options = {
            "kg": kg, "model": model, "method": method, "preset": preset, "top_k": top_k, "shots": shots,
            "knowledge": knowledge, "cache": cache, "timeout": timeout,
            "max_calls": max_calls, "max_tokens": max_tokens, "max_cost": max_cost,
        }  # fmt: skip
        only_here = {"closed_world": closed_world}
        _run("verify", claim, entity, format, skip_bad_lines, as_json, trace, options, only_here)


def _run(
    task: str,
    sentence: str,
    entities: list[str] | None,
    format: str | None,
    skip_bad_lines: bool,
    as_json: bool,
    trace: bool,
    options: dict[str, Any],
    only_here: dict[str, Any] | None = None,
) -> None:
    from triplewise.agents.entity_linker import check_question

    check_question(sentence, task)
    settings = settings_of(**options)
    # a method of the settings may be one for questions only
    name = options["method"] or (settings.method if task == "ask" else None) or "kg-gpt"
    for option in ("retrieval", "index"):
        if options.get(option) and name != "cot-kg":
            raise ConfigError(f"--{option} is of the method cot-kg.", "Add --method cot-kg, or leave it out.")
    from triplewise.backends import load_chat_model
    from triplewise.graphs import run as runner
    from triplewise.kg import load_kg

    wanted = {"top_k": settings.top_k, "shots": settings.shots, "knowledge": settings.knowledge}
    if name == "cot-kg":
        wanted["retrieval"] = settings.retrieval
    # before anything is loaded, and before an index is built
    runner.check_options(task, name, settings.preset, **{k: v for k, v in wanted.items() if v is not None})
    store = load_kg(settings.kg, format=format, skip_bad_lines=skip_bad_lines)
    chat = load_chat_model(settings.model, **runner.sampling(name, settings.preset), **settings.model_options())
    from triplewise.backends.usage import use_budget

    only_here = only_here or {}
    if name == "cot-kg":
        only_here = {"retrieval": settings.retrieval, "retriever": _retriever(store, settings)}
    with use_budget(settings.budget()), status_line(quiet=as_json) as line:
        result = (runner.ask if task == "ask" else runner.verify)(
            store,
            sentence,
            model=chat,
            method=name,
            entities=entities or (),
            on_step=(lambda node: line(f"{node} …")) if line else None,
            preset=settings.preset,
            top_k=settings.top_k,
            shots=settings.shots,
            knowledge=settings.knowledge,
            embedder=settings.embedder,
            **only_here,
        )
    skipped = [f"{counted(len(store.skipped), 'bad line')} left out."] if getattr(store, "skipped", None) else []
    if as_json:
        print_json(result_json(store, result, skipped))
    else:
        print_result(store, result, skipped, trace)


def _retriever(kg: KGStore, settings: Settings) -> Any:
    from triplewise.interfaces.cli_retrieve import IndexBar
    from triplewise.tools.triple_retriever import TripleRetriever, open_retriever

    if settings.retrieval == "bm25":
        return TripleRetriever(kg)
    with IndexBar() as bar:
        return open_retriever(kg, settings.index or "", settings.embedder, progress=bar.show)


def result_json(kg: KGStore, result: Result, warnings: list[str] | None = None) -> dict[str, Any]:
    """The result as one JSON object (see docs/cli.md); ids beside labels."""
    evidence = [
        {
            "head": e.triple.head,
            "relation": e.triple.relation,
            "tail": e.triple.tail,
            "source": e.source,
            "labels": list(_labels(kg, e.triple)),
            **({"score": e.score} if e.score is not None else {}),
        }
        for e in result.evidence
    ]
    usage = result.usage
    data: dict[str, Any] = {
        "question": result.question,
        "method": result.method,
        "text": result.text,
        "answers": [{"id": a.id, "label": a.label, "citations": list(a.citations)} for a in result.answers],
    }
    if result.verdict is not None:
        data |= {"verdict": result.verdict, "reason": result.reason}
    return data | {
        "evidence": evidence,
        "citations": list(result.citations),
        "steps": [
            {
                "node": s.node,
                "status": s.status,
                "note": s.note,
                "detail": s.detail,
                "calls": s.usage.calls,
                "seconds": round(s.seconds, 4),
            }
            for s in result.steps
        ],
        "usage": {
            "calls": usage.calls,
            "prompt_tokens": usage.prompt_tokens,
            "cached_tokens": usage.cached_tokens,
            "completion_tokens": usage.completion_tokens,
            "cache_hits": usage.cache_hits,
            "cost": usage.cost,
        },
        "warnings": [*result.warnings, *(warnings or [])],
    }


def _labels(kg: KGStore, triple: Any) -> tuple[str, str, str]:
    return kg.display(triple.head), kg.relation_label(triple.relation), kg.display(triple.tail)


def print_result(kg: KGStore, result: Result, warnings: list[str], trace: bool, shown: int = 20) -> None:
    """The result for a person: answer, the triples that prove it, cost."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=False)
    console.print(Text(printable(result.text), style="bold"))
    if result.citations:
        console.print()
        for i in result.citations[:shown]:
            evidence = result.evidence[i]
            head, relation, tail = (one_line(x) for x in _labels(kg, evidence.triple))
            mark = "" if evidence.source == "asserted" else f"  ({evidence.source})"
            line = Text.assemble(("  ", ""), head, (f" — {relation} → ", "cyan"), tail, (mark, "yellow"))
            console.print(line)
        if len(result.citations) > shown:
            console.print(f"  … and {len(result.citations) - shown} more triples (--json shows all)")
    if trace:
        _print_trace(console, result)
    usage = result.usage
    seconds = sum(s.seconds for s in result.steps)
    cost = "" if usage.cost is None else f", ${usage.cost:.4f}"
    cached = f" ({usage.cached_tokens} cached)" if usage.cached_tokens else ""
    hits = f", {usage.cache_hits} from the cache" if usage.cache_hits else ""
    console.print()
    console.print(
        Text(
            f"{result.method}: {counted(usage.calls, 'call')}{hits}, {counted(usage.prompt_tokens, 'prompt token')}"
            f"{cached}, {counted(usage.completion_tokens, 'completion token')}{cost}, {seconds:.1f} s",
            style="dim",
        )
    )
    for status in ("repaired", "fallback"):
        nodes = [s.node for s in result.steps if s.status == status]
        if nodes:
            cut = any(_CUT in s.note for s in result.steps if s.status == status)
            why = "; a reply was cut at its limit of tokens" if cut else ""
            warnings = [*warnings, f"{status}: {', '.join(nodes)}{why} (see --trace)."]
    for warning in [*result.warnings, *warnings]:
        console.print(Text(f"! {one_line(warning)}", style="yellow"))


def _print_trace(console: Any, result: Result) -> None:
    from rich.rule import Rule
    from rich.text import Text

    for step in result.steps:
        console.print()
        rule = Rule(f"{step.node} · {step.status} · {step.seconds:.2f} s", align="left", style="cyan")
        console.print(rule, width=min(console.width, 100))
        if step.note:
            console.print(Text(printable(step.note)))
        if step.detail:
            console.print(Text(printable(json.dumps(step.detail, ensure_ascii=False, indent=1))))
        if step.prompt:
            console.print(Text("asked:", style="dim"), Text(printable(step.prompt)), sep="\n")
            console.print(Text("got:", style="dim"), Text(printable(step.reply)), sep="\n")
