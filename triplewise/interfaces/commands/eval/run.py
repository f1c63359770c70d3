"""``triplewise eval``: run, resume, estimate, compare and reproduce evaluations."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triplewise.interfaces.commands.eval.options import (
    Ablation,
    Alignment,
    Data,
    Graph,
    Hops,
    InFlight,
    ItemSeconds,
    ItemTokens,
    Knowledge,
    Limit,
    M,
    MaxErrors,
    Method,
    NoPlan,
    NoSubgraph,
    Out,
    PerRound,
    RunFolder,
    Scorer,
    ShardOf,
    Shots,
    Split,
    Task,
    TopK,
    TypeRelation,
    request_of,
)
from triplewise.interfaces.commands.eval.report import register_report
from triplewise.interfaces.commands.eval.tune import register_tune
from triplewise.interfaces.options import (
    ClosedWorld,
    Embedder,
    Index,
    Json,
    MaxCalls,
    MaxCost,
    MaxTokens,
    Model,
    Preset,
    Retrieval,
    Timeout,
    print_json,
)
from triplewise.interfaces.options import settings_of as load_options

if TYPE_CHECKING:
    from triplewise.evals.runs.plan import Request
    from triplewise.evals.runs.reproduce import Own


def register(app: typer.Typer) -> None:
    """Add ``eval`` to the command line."""
    group = typer.Typer(no_args_is_help=True, help="Run the papers' evaluations, and your own.")
    app.add_typer(group, name="eval")

    @group.command()
    def run(
        task: Task,
        model: Model = None,
        method: Method = None,
        preset: Preset = None,
        shots: Shots = None,
        top_k: TopK = None,
        knowledge: Knowledge = None,
        retrieval: Retrieval = None,
        no_plan: NoPlan = False,
        no_subgraph: NoSubgraph = False,
        closed_world: ClosedWorld = False,
        hops: Hops = None,
        type_relation: TypeRelation = None,
        index: Index = None,
        embedder: Embedder = None,
        m: M = None,
        per_round: PerRound = None,
        ablation: Ablation = None,
        scorer: Scorer = None,
        alignment: Alignment = None,
        data: Data = None,
        kg: Graph = None,
        split: Split = "dev",
        limit: Limit = None,
        shard: ShardOf = None,
        out: Out = None,
        in_flight: InFlight = 16,
        timeout: Timeout = None,
        item_tokens: ItemTokens = None,
        item_seconds: ItemSeconds = None,
        max_calls: MaxCalls = None,
        max_tokens: MaxTokens = None,
        max_cost: MaxCost = None,
        max_errors: MaxErrors = None,
        as_json: Json = False,
    ) -> None:
        """Evaluate a method on a data set; a run that was stopped goes on with 'eval resume'."""
        request = request_of(
            task, model, method, preset, data, kg, split, limit, scorer, timeout, index, embedder,
            caps=(max_calls, max_tokens, max_cost), limits=(in_flight, item_tokens, item_seconds, max_errors),
            shots=shots, top_k=top_k, knowledge=knowledge, retrieval=retrieval, use_plan=False if no_plan else None,
            closed_world=closed_world or None, hops=hops, subgraph=False if no_subgraph else None,
            type_relations=type_relation, m=m, per_round=per_round, ablation=ablation, alignment=alignment, shard=shard,
        )  # fmt: skip
        _run(request, out, as_json)

    @group.command()
    def show(run: RunFolder, as_json: Json = False) -> None:
        """Print the figures of a run, also while it is under way; of a folder of shards those of all together."""
        from triplewise.evals.scores.results import load_run
        from triplewise.evals.scores.summary import summarise
        from triplewise.interfaces.commands.eval.tables import run_json, show_run

        found = load_run(run)
        figures = summarise(found)
        print_json(run_json(found, figures)) if as_json else show_run(found, figures)
        if not found.complete:
            raise typer.Exit(1)

    @group.command()
    def resume(
        run: RunFolder,
        max_calls: MaxCalls = None,
        max_tokens: MaxTokens = None,
        max_cost: MaxCost = None,
        as_json: Json = False,
    ) -> None:
        """Go on with a run that was stopped; nothing that is finished is asked again."""
        from triplewise.evals.runs.plan import resume_run
        from triplewise.interfaces.commands.eval.tables import Progress

        caps = load_options(max_calls=max_calls, max_tokens=max_tokens, max_cost=max_cost).budget()
        given = any(v is not None for v in (max_calls, max_tokens, max_cost))
        with Progress(run) as progress:
            status = resume_run(run, progress.item, caps if given else None)
        _finish(run, status, as_json)

    @group.command()
    def estimate(
        task: Task,
        model: Model = None,
        method: Method = None,
        preset: Preset = None,
        shots: Shots = None,
        top_k: TopK = None,
        retrieval: Retrieval = None,
        index: Index = None,
        embedder: Embedder = None,
        m: M = None,
        scorer: Scorer = None,
        data: Data = None,
        kg: Graph = None,
        split: Split = "dev",
        limit: Limit = None,
        sample: Annotated[int, typer.Option("--sample", min=1, help="Items looked at.")] = 20,
        ask: Annotated[
            bool, typer.Option("--ask", help="Ask the model for the sample's items, at their cost.")
        ] = False,
        as_json: Json = False,
    ) -> None:
        """Tell what a run will cost, from a few sampled items, without asking the model."""
        from triplewise.evals.runs.estimate import estimate as estimated
        from triplewise.interfaces.commands.eval.tables import show_estimate

        request = request_of(
            task, model, method, preset, data, kg, split, limit, scorer, None, index, embedder,
            shots=shots, top_k=top_k, retrieval=retrieval, m=m,
        )  # fmt: skip
        found = estimated(request, ask=ask, sample=sample)
        print_json(asdict(found)) if as_json else show_estimate(request, found, asked=ask)

    @group.command()
    def compare(
        runs: Annotated[list[Path], typer.Argument(help="Folders of runs: the first against each other one.")],
        metric: Annotated[
            list[str] | None, typer.Option("--metric", help="Repeatable; default: the task's own.")
        ] = None,
        clusters: Annotated[str, typer.Option("--clusters", help="topic (entity), kind (template) or none.")] = "topic",
        as_json: Json = False,
    ) -> None:
        """Compare runs on the items they share: exact McNemar or paired bootstrap, Holm-corrected."""
        from triplewise.errors import ConfigError
        from triplewise.evals.scores.results import load_run
        from triplewise.evals.scores.summary import compare as compared
        from triplewise.interfaces.commands.eval.tables import show_comparisons

        if clusters not in ("topic", "kind", "none"):
            raise ConfigError(f"no clusters {clusters!r}.", "Known: topic, kind, none.")
        found = compared([load_run(run) for run in runs], metric or (), clusters)
        print_json([asdict(c) for c in found]) if as_json else show_comparisons(found)

    @group.command()
    def reproduce(
        name: Annotated[str | None, typer.Argument(help="An experiment; 'eval list' names them.")] = None,
        model: Annotated[
            list[str] | None,
            typer.Option("--model", help="For all rows; ROW=SPEC, repeatable, for a row with its own training."),
        ] = None,
        list_: Annotated[
            bool, typer.Option("--list", help="Run nothing: print every row, ours beside the paper's figure.")
        ] = False,
        row: Annotated[list[str] | None, typer.Option("--row", help="Repeatable; default: all rows.")] = None,
        preset: Annotated[
            str | None, typer.Option("--preset", help="Instead of the row's prompts: short for a trained model.")
        ] = None,
        index: Annotated[
            list[str] | None, typer.Option("--index", help="For all rows; ROW=PLACE, repeatable, for a row's own.")
        ] = None,
        embedder: Annotated[
            list[str] | None, typer.Option("--embedder", help="For all rows; ROW=NAME, repeatable, for a row's own.")
        ] = None,
        scorer: Scorer = None,
        alignment: Alignment = None,
        data: Data = None,
        kg: Graph = None,
        split: Split = "dev",
        limit: Limit = None,
        out: Out = None,
        in_flight: InFlight = 16,
        timeout: Timeout = None,
        max_calls: MaxCalls = None,
        max_tokens: MaxTokens = None,
        max_cost: MaxCost = None,
        as_json: Json = False,
    ) -> None:
        """Run the rows of a paper's table, each beside its published figure; caps are per row."""
        from triplewise.errors import ConfigError
        from triplewise.evals.papers.paper_tables import experiment_ids, load_experiment
        from triplewise.evals.runs.reproduce import by_row, own_by_row, with_preset

        if name is None and not list_:
            raise ConfigError("reproduce needs an experiment.", f"Known: {', '.join(experiment_ids())}; or --list.")
        experiments = [load_experiment(i) for i in ([name] if name else experiment_ids())]
        every_model, models = by_row(experiments, model or ())
        every_index, indexes = by_row(experiments, index or ())
        every_embedder, embedders = by_row(experiments, embedder or ())
        own = own_by_row(model=models, index=indexes, embedder=embedders)
        if list_:
            at_hand = request_of(
                "metaqa-1", every_model, None, None, data, kg, split, limit, scorer, timeout, every_index,
                every_embedder, alignment=alignment,
            )  # fmt: skip
            _list(experiments, at_hand, own, out, as_json)
            return
        (experiment,) = experiments
        rows = tuple(experiment.row(r) for r in row) if row else experiment.rows
        if preset:
            experiment, rows = with_preset(experiment, rows, preset)
        request = request_of(
            rows[0].dataset, every_model, None, None, data, kg, split, limit, scorer, timeout, every_index,
            every_embedder, caps=(max_calls, max_tokens, max_cost), limits=(in_flight, None, None, None),
            alignment=alignment,
        )  # fmt: skip
        _reproduce(experiment, rows, request, own, out or Path("runs") / experiment.id, as_json)

    @group.command("list")
    def list_(as_json: Json = False) -> None:
        """List data sets, experiments and their rows, methods and metrics."""
        from triplewise.interfaces.commands.eval.tables import listing, show_listing

        print_json(listing()) if as_json else show_listing(listing())

    register_report(group)
    register_tune(group)


def _run(request: Request, out: Path | None, as_json: bool) -> None:
    from triplewise.evals.runs.plan import begin, method_of, settings_of
    from triplewise.interfaces.commands.eval.tables import Progress

    settings = settings_of(request)
    name = Path("runs") / f"{Path(request.task).stem}-{method_of(request).id}"
    folder = (out or name) / request.shard.folder if request.shard else out or _free(name)
    with Progress(folder) as progress:
        status = begin(settings, folder, progress.item, request.caps)
    _finish(folder, status, as_json)


def _free(path: Path) -> Path:
    """The path, or the first of path-2, path-3, … that holds no run."""
    number = 2
    free = path
    while (free / "run.json").exists():
        free, number = path.with_name(f"{path.name}-{number}"), number + 1
    return free


def _finish(folder: Path, status: str, as_json: bool) -> None:
    from triplewise.errors import ConfigError
    from triplewise.evals.scores.results import load_run
    from triplewise.evals.scores.summary import summarise
    from triplewise.interfaces.commands.eval.tables import resume_command, run_json, show_run

    try:
        run = load_run(folder)
    except ConfigError:
        if status == "success":
            raise
        print(f"triplewise: no item is done; with a higher cap go on with: {resume_command(folder)}", file=sys.stderr)
        raise typer.Exit(1) from None
    figures = summarise(run)
    print_json(run_json(run, figures)) if as_json else show_run(run, figures)
    if status != "success":
        print(f"triplewise: items are missing or failed; go on with: {resume_command(folder)}", file=sys.stderr)
        raise typer.Exit(1)


def _list(experiments: Any, request: Request, own: dict[str, Own], out: Path | None, as_json: bool) -> None:
    from triplewise.evals.runs.proof import proof
    from triplewise.interfaces.commands.eval.tables import show_proof

    rows = list(proof(experiments, request, out, own))
    print_json([asdict(r) for r in rows]) if as_json else show_proof(experiments, rows)


def _reproduce(experiment: Any, rows: Any, request: Request, own: dict[str, Own], out: Path, as_json: bool) -> None:
    from triplewise.evals.runs.reproduce import reproduce
    from triplewise.interfaces.commands.eval.tables import Progress, reproduced_json, show_reproduced

    with Progress() as progress:
        done = list(reproduce(experiment, rows, request, out, progress.row, own))
    if as_json:
        print_json(reproduced_json(experiment, done))
    else:
        show_reproduced(experiment, done, request.split)
