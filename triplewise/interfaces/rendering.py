"""Results as a terminal shows them, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from triplewise.interfaces.options import counted
from triplewise.kg.names import one_line, printable

if TYPE_CHECKING:
    from rich.console import Console

    from triplewise.graphs.complete import Completion
    from triplewise.kg.base import KGStore
    from triplewise.types import Reading, Result, Step, Triple, Usage

CUT = "The reply was cut at its limit of tokens"
"""What ``call_model`` notes of a reply that ended too early."""


def step_json(step: Step, trace: bool = False) -> dict[str, Any]:
    """A step as JSON; prompt and reply where ``trace``."""
    asked = {"prompt": step.prompt, "reply": step.reply} if trace else {}
    shown = {"node": step.node, "status": step.status, "note": step.note, "detail": step.detail}
    return {**shown, "calls": step.usage.calls, "seconds": round(step.seconds, 4), **asked}


def usage_text(usage: Usage) -> str:
    """What a result cost, in words."""
    cost = "" if usage.cost is None else f", ${usage.cost:.4f}"
    cached = f" ({usage.cached_tokens} cached)" if usage.cached_tokens else ""
    hits = f", {usage.cache_hits} from the cache" if usage.cache_hits else ""
    return (
        f"{counted(usage.calls, 'call')}{hits}, {counted(usage.prompt_tokens, 'prompt token')}"
        f"{cached}, {counted(usage.completion_tokens, 'completion token')}{cost}"
    )


def result_json(
    kg: KGStore, result: Result, warnings: list[str] | None = None, *, trace: bool = False
) -> dict[str, Any]:
    """The result as one JSON object (see docs/cli.md); ids beside labels, prompts and replies where ``trace``."""
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
    data: dict[str, Any] = {
        "question": result.question,
        "method": result.method,
        "text": result.text,
        "answers": [{"id": a.id, "label": a.label, "citations": list(a.citations)} for a in result.answers],
    }
    if result.verdict is not None:
        data |= {"verdict": result.verdict, "reason": result.reason}
    if result.reading is not None or result.other_readings:
        data |= {
            "reading": reading_json(result.reading) if result.reading else None,
            "other_readings": [reading_json(r) for r in result.other_readings],
            "margin": None if result.margin is None else round(result.margin, 4),
        }
    return data | {
        "evidence": evidence,
        "citations": list(result.citations),
        "steps": [step_json(s, trace) for s in result.steps],
        "usage": asdict(result.usage),
        "warnings": [*result.warnings, *(warnings or [])],
    }


def reading_json(reading: Reading) -> dict[str, Any]:
    """A reading as JSON; its query graph names nodes and relations by their ids."""
    return {**asdict(reading), "answers": list(reading.answers), "probability": round(reading.probability, 4)}


def print_readings(console: Console, result: Result) -> None:
    """How the sentence was read, and what the runners-up would answer."""
    from rich.text import Text

    if result.reading is None and not result.other_readings:
        return
    console.print()
    if result.reading is not None:
        console.print(Text.assemble(("Read as: ", "cyan"), one_line(result.reading.text)))
    others = result.other_readings[:3]
    if others:
        lead = "Other readings" if result.reading is not None else "It may be read so"
        console.print(Text(f"{lead} (take one with --reading):", style="dim"))
        for reading in others:
            said = ", ".join(one_line(a) for a in reading.answers[:3]) or "nothing"
            more = " …" if len(reading.answers) > 3 else ""
            console.print(Text(f"  {reading.number}  {one_line(reading.text)} = {said}{more}", style="dim"))


def _labels(kg: KGStore, triple: Triple) -> tuple[str, str, str]:
    from triplewise.tools.query_graph.nameless import told_name

    return told_name(kg, triple.head), kg.relation_label(triple.relation), told_name(kg, triple.tail)


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
            source = "" if evidence.source == "asserted" else f"  ({evidence.source})"
            line = Text.assemble(("  ", ""), head, (f" — {relation} → ", "cyan"), tail, (source, "yellow"))
            console.print(line)
        if len(result.citations) > shown:
            console.print(f"  … and {len(result.citations) - shown} more triples (--json shows all)")
    print_readings(console, result)
    if trace:
        print_trace(console, result.steps)
    seconds = sum(s.seconds for s in result.steps)
    console.print()
    console.print(Text(f"{result.method}: {usage_text(result.usage)}, {seconds:.1f} s", style="dim"))
    for status in ("repaired", "fallback"):
        nodes = [s.node for s in result.steps if s.status == status]
        if nodes:
            cut = any(CUT in s.note for s in result.steps if s.status == status)
            why = f"; {CUT}" if cut else ""
            warnings = [*warnings, f"{status}: {', '.join(nodes)}{why} (see --trace)."]
    for warning in [*result.warnings, *warnings]:
        console.print(Text(f"! {one_line(warning)}", style="yellow"))


def print_trace(console: Console, steps: Sequence[Step]) -> None:
    """What each node saw, asked and got."""
    from rich.rule import Rule
    from rich.text import Text

    for step in steps:
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


def completion_json(kg: KGStore, done: Completion, trace: bool = False) -> dict[str, Any]:
    """The completion as one JSON object (see docs/kicgpt.md); ids beside labels."""
    from triplewise.tools.text.entity_text import EntityTexts

    query, name = done.query, EntityTexts(kg).disambiguated
    return {
        "query": {"head": query.head, "relation": query.relation, "tail": query.tail, "missing": query.side},
        "ranking": [
            {"id": p.id, "label": p.label, "score": p.score, "retriever_rank": p.retriever_rank, "source": p.source}
            for p in done.ranking
        ],
        "because": {
            p.id: [
                {**t._asdict(), "labels": [name(t.head), kg.relation_label(t.relation), name(t.tail)]}
                for t in p.because
            ]
            for p in done.ranking
            if not p.known
        },
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
        "steps": [step_json(s, trace) for s in done.steps],
    }


def print_completion(kg: KGStore, done: Completion, trace: bool) -> None:
    """The predictions as a table, marked where the graph already asserts them."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from triplewise.tools.text.entity_text import EntityTexts

    console = Console(highlight=False)
    query, name = done.query, EntityTexts(kg).disambiguated
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
        source = Text(p.source, style="green" if p.known else "yellow")
        table.add_row(str(number), Text(one_line(p.label)), f"{p.score:.3f}", f"#{p.retriever_rank}", source)
    console.print(table)
    for p in done.ranking:
        if p.because:
            parts = [(name(t.head), kg.relation_label(t.relation), name(t.tail)) for t in p.because]
            said = "; ".join(f"{one_line(h)} — {one_line(r)} → {one_line(t)}" for h, r, t in parts)
            console.print(Text(f"{one_line(p.label)}: {said}", style="dim"))
    if trace:
        print_trace(console, done.steps)
    shown = counted(len(done.demonstrations), "demonstration")
    told = f"{done.method}: {usage_text(done.usage)}, {shown}. Predictions are guesses, not facts."
    console.print(Text(told, style="dim"))
    for warning in done.warnings:
        console.print(Text(f"! {one_line(warning)}", style="yellow"))
