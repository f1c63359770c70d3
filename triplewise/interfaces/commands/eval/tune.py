"""``triplewise eval tune``: KICGPT's m and demonstrations a round, on validation queries."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from triplewise.interfaces.commands.eval.options import Data, Out, Scorer, Task, request_of
from triplewise.interfaces.options import Json, MaxCalls, MaxCost, MaxTokens, Model, Preset, Timeout, print_json

if TYPE_CHECKING:
    from triplewise.evals.runs.tune_links import Tried


def register_tune(group: typer.Typer) -> None:
    """Add ``tune`` to ``triplewise eval``."""

    @group.command()
    def tune(
        task: Task,
        model: Model = None,
        preset: Preset = None,
        scorer: Scorer = None,
        data: Data = None,
        m: Annotated[list[int] | None, typer.Option("--m", help="Repeatable; default: 10, 20, 30, 40, 50.")] = None,
        per_round: Annotated[
            list[int] | None, typer.Option("--per-round", help="Repeatable; default: 4, 8, 16, 32.")
        ] = None,
        queries: Annotated[int, typer.Option("--queries", min=1, help="Drawn from the validation part.")] = 200,
        out: Out = None,
        timeout: Timeout = None,
        max_calls: MaxCalls = None,
        max_tokens: MaxTokens = None,
        max_cost: MaxCost = None,
        as_json: Json = False,
    ) -> None:
        """Choose KICGPT's candidates and examples a round as the paper does; caps are per choice."""
        from triplewise.errors import ConfigError
        from triplewise.evals.runs.kicgpt_run import LinkRun
        from triplewise.evals.runs.plan import settings_of
        from triplewise.evals.runs.tune_links import CANDIDATES, PER_ROUND, best
        from triplewise.evals.runs.tune_links import tune as tuned
        from triplewise.interfaces.commands.eval.tables import Progress

        request = request_of(
            task, model, None, preset, data, None, "dev", queries, scorer, timeout, None, None,
            caps=(max_calls, max_tokens, max_cost),
        )  # fmt: skip
        settings = settings_of(request)
        if not isinstance(settings, LinkRun):
            raise ConfigError("tune is for data sets of missing links.", "Known: fb15k-237, wn18rr.")
        folder = out or Path("runs") / f"tune-{task}"
        with Progress() as progress:
            found = list(
                tuned(settings, folder, m or CANDIDATES, per_round or PER_ROUND, request.caps,
                      lambda name: progress.item(None))
            )  # fmt: skip
        chosen = best(found)
        if as_json:
            print_json({"tried": [asdict(t) for t in found], "best": asdict(chosen)})
        else:
            _show(found, chosen)


def _show(tried: list[Tried], chosen: Tried) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    for t in tried:
        low, high = t.mrr.interval
        mark = "  best" if t is chosen else ""
        console.print(f"m {t.m:2}  {t.per_round:2} a round  MRR {t.mrr.value:.3f} [{low:.3f}, {high:.3f}]{mark}")
    console.print(f"Use it with: --m {chosen.m} --per-round {chosen.per_round}")
