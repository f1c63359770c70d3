"""``triplewise complete``: predict a missing link."""

from __future__ import annotations

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
    print_json,
    settings_of,
    status_line,
)
from triplewise.interfaces.rendering import completion_json, print_completion

if TYPE_CHECKING:
    from triplewise.config import Settings


def register(app: typer.Typer) -> None:
    """Add ``complete`` to the command line."""

    @app.command(no_args_is_help=True)
    def complete(
        head: Annotated[str, typer.Argument(help="Entity by id or name; _ or '?' where it is missing.")],
        relation: Annotated[str, typer.Argument(help="Relation by id or name.")],
        tail: Annotated[str, typer.Argument(help="Entity by id or name; _ or '?' where it is missing.")],
        kg: Kg = None,
        model: Model = None,
        scorer: Annotated[
            str | None, typer.Option("--scorer", help="Folder of 'train links' or 'train rotate', or rankings.")
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
    from triplewise.agents.kicgpt.link_reader import resolve_query
    from triplewise.backends import load_chat_model
    from triplewise.backends.usage import use_budget
    from triplewise.graphs.complete import complete
    from triplewise.graphs.method import default_method
    from triplewise.graphs.run import open_model
    from triplewise.kg import load_kg
    from triplewise.tools.links.scorers import find_scorer

    store = load_kg(settings.kg, format=format, skip_bad_lines=skip_bad_lines)
    resolve_query(store, *link)  # a wrong name is told before anything heavy is loaded
    given = {k: v for k, v in options.items() if v is not None}
    method = default_method("complete", lambda: load_chat_model(settings.model, **settings.model_options()))
    method.check(settings.preset, **given)
    ranker = find_scorer(store, scorer)
    model, _ = open_model(settings.model, "complete", method.id, settings.preset, given, **settings.model_options())
    with use_budget(settings.budget()), status_line(quiet=as_json) as line:
        done = complete(
            store,
            *link,
            scorer=ranker,
            model=model,
            preset=settings.preset,
            top=top,
            on_step=(lambda node: line(f"{node} …")) if line else None,
            **given,
        )
    if as_json:
        print_json(completion_json(store, done, trace))
    else:
        print_completion(store, done, trace)
