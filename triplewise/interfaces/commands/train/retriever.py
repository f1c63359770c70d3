"""``triplewise train retriever``: the embedder of cot-kg, fine-tuned on questions over a graph."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triplewise.interfaces.options import (
    Format,
    Json,
    Kg,
    SkipBad,
    counted,
    print_json,
    settings_of,
    status_line,
)
from triplewise.kg.names import one_line

if TYPE_CHECKING:
    from triplewise.kg.base import KGStore
    from triplewise.train.trainers.retriever import TrainingQuestion


def register(train_app: typer.Typer) -> None:
    """Add ``retriever`` to ``triplewise train``."""

    @train_app.command()
    def retriever(
        questions: Annotated[
            Path,
            typer.Option("--questions", help="JSON lines: question, answers or gold_relation_paths, entities."),
        ],
        out: Annotated[Path, typer.Option("--out", help="Folder of the model; then --embedder st:FOLDER.")],
        kg: Kg = None,
        base: Annotated[str, typer.Option("--base", help="minilm or st:NAME_OR_PATH.")] = "minilm",
        paper: Annotated[bool, typer.Option("--paper", help="The paper's settings instead of a laptop's.")] = False,
        planner: Annotated[
            str | None,
            typer.Option("--planner", metavar="MODEL", help="Let this model plan each question, told its answer."),
        ] = None,
        epochs: Annotated[int | None, typer.Option("--epochs", min=1)] = None,
        batch_size: Annotated[int | None, typer.Option("--batch-size", min=1, help="Queries a step.")] = None,
        learning_rate: Annotated[float | None, typer.Option("--learning-rate")] = None,
        negatives: Annotated[int | None, typer.Option("--negatives", min=0, help="Random ones a positive.")] = None,
        limit: Annotated[int | None, typer.Option("--limit", min=1, help="Questions taken, at random.")] = None,
        seed: Annotated[int, typer.Option("--seed", min=0)] = 0,
        no_subgraph: Annotated[bool, typer.Option("--no-subgraph", help="Triples without their sub-graph.")] = False,
        format: Format = None,
        skip_bad_lines: SkipBad = False,
        as_json: Json = False,
    ) -> None:
        """Train the retriever; run the same command again to go on after an interruption."""
        from dataclasses import replace

        from triplewise.kg import load_kg
        from triplewise.tools.retrieval.subgraph_text import PLAIN, SubgraphRule
        from triplewise.tools.retrieval.triple_table import TripleTable
        from triplewise.train.trainers.retriever import PAPER, RetrieverSettings, train_retriever

        given = {
            "epochs": epochs, "batch_size": batch_size, "learning_rate": learning_rate, "negatives": negatives,
            "limit": limit, "seed": seed,
        }  # fmt: skip
        settings = replace(PAPER if paper else RetrieverSettings(), **{k: v for k, v in given.items() if v is not None})
        store = load_kg(settings_of(kg=kg).kg, format=format, skip_bad_lines=skip_bad_lines)
        asked = read_questions(store, questions)
        if planner:
            asked = _planned(store, asked, planner)
        rule = PLAIN if no_subgraph else SubgraphRule()
        with status_line(quiet=as_json) as line:
            report = (lambda *told: line("step {} of {}, loss {:.3f}".format(*told))) if line else None
            done = train_retriever(TripleTable(store), asked, base, out, settings, rule=rule, report=report)
        if as_json:
            print_json({"out": str(out), **done})
        else:
            print(
                f"{out}: trained on {counted(done['examples'], 'positive')} in {counted(done['steps'], 'step')}, "
                f"loss {done['loss']:.3f}."
            )
            print(f"Use it with: triplewise index --embedder st:{out}")


def read_questions(kg: KGStore, path: Path) -> list[TrainingQuestion]:
    """The file's questions whose topic the graph has; a question's entities are linked where it gives none.

    Says on stderr how many are left out.
    """
    from triplewise.errors import ConfigError
    from triplewise.evals.data.datasets import json_lines
    from triplewise.kg.linking import link_entities
    from triplewise.train.trainers.retriever import TrainingQuestion

    found: list[TrainingQuestion] = []
    read = left_out = 0
    for where, row in json_lines(path):
        text = row.get("question")
        if not isinstance(text, str) or not text.strip():
            raise ConfigError(f"{where}: no 'question' (text).")
        if (named := _ids(kg, row.get("entities") or row.get("q_entity"), where)) is None:
            topics = [m.candidates[0].id for m in link_entities(kg, text) if m.candidates]
        else:
            topics = named
        answers = _ids(kg, row.get("answers"), where) or []
        plan = tuple(str(step) for step in row.get("plan") or ())
        paths = [tuple(map(str, p)) for p in row.get("gold_relation_paths") or () if isinstance(p, list)] or [()]
        made = [TrainingQuestion(text, tuple(topics), tuple(answers), p, plan) for p in paths if p or answers]
        found += made if topics else []
        read, left_out = read + 1, left_out + (not made or not topics)
    if left_out:
        why = f"no entity, or neither path nor answer, in {one_line(kg.name)}"
        print(f"! {left_out:,} of {counted(read, 'question')} left out: {why}.", file=sys.stderr)
    return found


def _ids(kg: KGStore, names: Any, where: str) -> list[str] | None:
    """Entity ids of names that the graph has; None where no names are given."""
    from triplewise.errors import ConfigError

    if names is None:
        return None
    if not isinstance(names, list) or not all(isinstance(n, str) for n in names):
        raise ConfigError(f"{where}: 'entities' and 'answers' are lists of names.")
    ids = (name if kg.has_entity(name) else kg.resolve_display(name) for name in names)
    return [i for i in ids if i is not None]


def _planned(kg: KGStore, asked: list[TrainingQuestion], model: str) -> list[TrainingQuestion]:
    """The questions with the steps that a model writes for them, told the answers (Prompt 3); its calls are cached."""
    from dataclasses import replace

    from triplewise.agents.node import run_sync
    from triplewise.backends import load_chat_model
    from triplewise.train.data.rationale import Teacher

    plans = run_sync(Teacher(kg, load_chat_model(model, cache=True)).plans(asked))
    return [replace(question, plan=plan) for question, plan in zip(asked, plans, strict=True)]
