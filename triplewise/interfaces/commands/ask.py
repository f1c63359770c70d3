"""``triplewise ask`` and ``triplewise verify``: an answer or a verdict, and the triples that prove it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from triplewise.errors import UserError
from triplewise.interfaces.options import (
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
    NoSubgraph,
    Preset,
    Ranker,
    ReadingNumber,
    Retrieval,
    SkipBad,
    Timeout,
    Trace,
    counted,
    print_json,
    settings_of,
    status_line,
)
from triplewise.interfaces.rendering import print_result, result_json

if TYPE_CHECKING:
    from triplewise.kg.base import LoadedGraph

Entities = Annotated[list[str] | None, typer.Option("--entity", help="A topic entity, by id or name; repeatable.")]
MethodName = Annotated[str | None, typer.Option("--method", help="Default: the model's; 'eval list' names them.")]
TopK = Annotated[int | None, typer.Option("--top-k", help="kg-gpt: relations kept per sub-sentence; cot-kg: triples.")]
Shots = Annotated[int | None, typer.Option("--shots", help="Worked examples in the prompts, 0 to 12.")]
Knowledge = Annotated[str | None, typer.Option("--knowledge", help="Evidence in the prompt: triples or yaml.")]
_MORE_WORDS = {"allow_extra_args": True}
"""So that what is given beside the sentence is told in our words."""


def register(app: typer.Typer) -> None:
    """Add ``ask`` and ``verify`` to the command line."""

    @app.command(context_settings=_MORE_WORDS)
    def ask(
        context: typer.Context,
        question: Annotated[str, typer.Argument(help="The question.")],
        kg: Kg = None,
        model: Model = None,
        method: Annotated[
            str | None, typer.Option("--method", help="A method, such as kg-gpt or cot-kg (see 'eval list').")
        ] = None,
        entity: Entities = None,
        top_k: TopK = None,
        shots: Shots = None,
        preset: Preset = None,
        knowledge: Knowledge = None,
        reading: ReadingNumber = None,
        ranker: Ranker = None,
        retrieval: Retrieval = None,
        no_subgraph: NoSubgraph = False,
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
        """Answer a question over a graph; a file of many is asked with batch."""
        _check_one_sentence("question", question, context.args)
        options = {
            "kg": kg, "model": model, "method": method, "preset": preset, "top_k": top_k, "shots": shots,
            "knowledge": knowledge, "retrieval": retrieval, "index": index, "embedder": embedder,
            "cache": cache, "timeout": timeout,
            "max_calls": max_calls, "max_tokens": max_tokens, "max_cost": max_cost,
        }  # fmt: skip
        only_here = {"reading": reading, "ranker": ranker, "subgraph": False if no_subgraph else None}
        _run("ask", question, entity, format, skip_bad_lines, as_json, trace, options, **only_here)

    @app.command(context_settings=_MORE_WORDS)
    def verify(
        context: typer.Context,
        claim: Annotated[str, typer.Argument(help="The claim.")],
        kg: Kg = None,
        model: Model = None,
        method: Annotated[str | None, typer.Option("--method", help="A method for claims (see 'eval list').")] = None,
        entity: Entities = None,
        top_k: TopK = None,
        shots: Shots = None,
        preset: Preset = None,
        knowledge: Knowledge = None,
        closed_world: ClosedWorld = False,
        reading: ReadingNumber = None,
        ranker: Ranker = None,
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
        _check_one_sentence("claim", claim, context.args)
        options = {
            "kg": kg, "model": model, "method": method, "preset": preset, "top_k": top_k, "shots": shots,
            "knowledge": knowledge, "cache": cache, "timeout": timeout,
            "max_calls": max_calls, "max_tokens": max_tokens, "max_cost": max_cost,
        }  # fmt: skip
        only_here = {"closed_world": closed_world or None, "reading": reading, "ranker": ranker}
        _run("verify", claim, entity, format, skip_bad_lines, as_json, trace, options, **only_here)


def _check_one_sentence(kind: str, sentence: str, others: list[str]) -> None:
    """Raises UserError where more is given than a sentence: a graph that belongs behind ``--kg``, or a sentence without
    quotes."""
    if not others:
        return
    graph = next((word for word in (sentence, *others) if Path(word).suffix and Path(word).exists()), None)
    hint = f"Give the graph as an option: --kg {graph}" if graph else f"Put the whole {kind} in quotes."
    raise UserError(f"there is more than one {kind}: {' '.join((sentence, *others))}", hint)


def _run(
    task: Literal["ask", "verify"],
    sentence: str,
    entities: list[str] | None,
    format: str | None,
    skip_bad_lines: bool,
    as_json: bool,
    trace: bool,
    flags: dict[str, Any],
    **options: Any,
) -> None:
    from triplewise.agents.assistant.intents.claims_said import claim_of
    from triplewise.agents.assistant.intents.intent import by_rules
    from triplewise.agents.entity_linker import check_question
    from triplewise.backends.usage import use_budget
    from triplewise.graphs.run import ask, verify
    from triplewise.interfaces.answering import open_answering
    from triplewise.kg import load_kg
    from triplewise.tools.text.yes_no import asks_yes_or_no

    check_question(sentence, task)
    settings = settings_of(**flags)

    def graph() -> LoadedGraph:
        return load_kg(settings.kg, format=format, skip_bad_lines=skip_bad_lines)

    opened = open_answering(task, settings, {**flags, **options}, graph)
    store = opened.kg
    with use_budget(settings.budget()), status_line(quiet=as_json) as line:
        result = (ask if task == "ask" else verify)(
            store,
            sentence,
            model=opened.model,
            method=opened.method.id,
            entities=entities or (),
            on_step=(lambda node: line(f"{node} …")) if line else None,
            **opened.options,
        )
    warnings = [f"{counted(len(store.skipped), 'bad line')} left out."] if getattr(store, "skipped", None) else []
    read_as_claim = opened.method.id == "query-graph" and asks_yes_or_no(sentence)  # so that verify says no more
    silent = task == "ask" and not result.answers and not read_as_claim
    if silent and by_rules(sentence, named=1, after_answer=False) == "verify":
        warnings.append(f'For a yes or no: triplewise verify "{claim_of(sentence)}"')
    if as_json:
        print_json(result_json(store, result, warnings))
    else:
        print_result(store, result, warnings, trace)
