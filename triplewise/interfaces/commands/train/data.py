"""``triplewise train data``: training data for an adapter, drawn from a graph."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triplewise.errors import ConfigError
from triplewise.files import check_output
from triplewise.interfaces.commands.train.retriever import read_questions
from triplewise.interfaces.options import (
    Cache,
    Embedder,
    Format,
    Index,
    Json,
    Kg,
    MaxCalls,
    MaxCost,
    MaxTokens,
    SkipBad,
    Timeout,
    print_json,
    settings_of,
    status_line,
)
from triplewise.kg.names import one_line

if TYPE_CHECKING:
    from triplewise.config import Settings
    from triplewise.train.data.dataset import Recipe
    from triplewise.train.data.rows import Row
    from triplewise.train.sentences.compose import Vocabulary
    from triplewise.train.trainers.retriever import TrainingQuestion


def register(train_app: typer.Typer) -> None:
    """Add ``data`` to ``triplewise train``."""

    @train_app.command()
    def data(
        out: Annotated[Path, typer.Option("--out", help="The file (JSON lines); FILE.meta.json tells of it.")],
        kg: Kg = None,
        tasks: Annotated[
            str, typer.Option("--tasks", help="Stages or single tasks, by comma; order only by name.")
        ] = "instruction,pretraining,reasoning",
        examples: Annotated[
            int, typer.Option("-n", "--examples", min=1, help="For training, of instruction and of reasoning each.")
        ] = 2_000,
        dev: Annotated[int, typer.Option("--dev", min=0, help="More, of other entities, to be scored.")] = 200,
        chunk_tokens: Annotated[
            int, typer.Option("--chunk-tokens", min=16, help="At most so many in a chunk of the graph.")
        ] = 256,
        questions: Annotated[
            Path | None,
            typer.Option("--questions", help="JSON lines: question, entities, gold_relation_paths or answers."),
        ] = None,
        webnlg: Annotated[
            Path | None,
            typer.Option("--webnlg", help="Graphs with sentences (JSON lines), for graph to text and back."),
        ] = None,
        teacher: Annotated[
            str | None, typer.Option("--teacher", metavar="MODEL", help="Let this model write the reasoning.")
        ] = None,
        clues: Annotated[
            str, typer.Option("--clues", help="The teacher's clues: bm25, or dense by an untuned embedder.")
        ] = "bm25",
        index: Index = None,
        embedder: Embedder = None,
        short_names: Annotated[
            bool, typer.Option("--short-names", help="Cut names at their first comma (WordNet's labels).")
        ] = False,
        seed: Annotated[int, typer.Option("--seed", min=0)] = 0,
        force: Annotated[bool, typer.Option("--force", help="Replace a file that this command did not make.")] = False,
        cache: Cache = None,
        timeout: Timeout = None,
        max_calls: MaxCalls = None,
        max_tokens: MaxTokens = None,
        max_cost: MaxCost = None,
        format: Format = None,
        skip_bad_lines: SkipBad = False,
        as_json: Json = False,
    ) -> None:
        """Draw training data from a graph: instructions, the graph itself, reasoning. Only --teacher asks a model."""
        from triplewise.kg import load_kg
        from triplewise.train.data.dataset import BY_NAME, Recipe, about, chosen_tasks, draw
        from triplewise.train.data.rows import meta_path, write_rows
        from triplewise.train.data.spoken_graphs import read_spoken_graphs
        from triplewise.train.sentences.compose import Vocabulary

        if clues not in ("bm25", "dense"):
            raise ConfigError(f"no clues by {clues!r}.", "Known: bm25, dense.")
        check_output(
            out,
            inputs=[*_inputs(kg, questions), *([webnlg] if webnlg else [])],
            force=force,
            mine=lambda path: meta_path(path).is_file(),
        )
        recipe = Recipe(chosen_tasks(tasks), examples, dev, seed, chunk_tokens)
        settings = settings_of(
            kg=kg, model=teacher, cache=cache, timeout=timeout, index=index, embedder=embedder,
            max_calls=max_calls, max_tokens=max_tokens, max_cost=max_cost,
        )  # fmt: skip
        store = load_kg(settings.kg, format=format, skip_bad_lines=skip_bad_lines)
        vocabulary = Vocabulary(store, short=short_names, generic=True)
        asked = read_questions(store, questions) if questions else []
        spoken = read_spoken_graphs(webnlg) if webnlg else []
        told, rows = about(store, recipe), None
        if teacher:
            if not recipe.tasks.get("reasoning", {}).keys() - BY_NAME["reasoning"].keys():
                raise ConfigError("--teacher writes the reasoning stage, which --tasks leaves out.")
            rows, told["teacher"] = _taught(vocabulary, recipe, asked, settings, clues, as_json)
        if webnlg:
            told["webnlg"] = {"file": webnlg.name, "sha256": hashlib.sha256(webnlg.read_bytes()).hexdigest()}
        count = _counter() if "pretraining" in recipe.tasks else len
        with status_line(quiet=as_json) as line:
            drawn = draw(
                vocabulary, recipe, count, reasoning=rows, questions=asked, spoken=spoken, report=_progress(line)
            )
            done = write_rows(out, drawn, told)
        _report(out, done, as_json)


def _inputs(kg: str | None, questions: Path | None) -> list[str | Path]:
    """Files that are read and must not be written."""
    from triplewise.config import load_settings

    return [path for path in (load_settings(kg=kg).kg, questions) if path is not None]


def _taught(
    vocabulary: Vocabulary, recipe: Recipe, asked: list[TrainingQuestion], settings: Settings, clues: str, as_json: bool
) -> tuple[list[Row], dict[str, Any]]:
    """The reasoning stage by a teacher, and what it gave; two examples a question."""
    from dataclasses import asdict

    from triplewise.agents.node import run_sync
    from triplewise.backends import load_chat_model
    from triplewise.backends.usage import use_budget
    from triplewise.tools.retrieval.triple_retriever import open_retriever
    from triplewise.train.data.rationale import Teacher, teaching_questions, teaching_rows

    chat = load_chat_model(settings.model, temperature=0.0, **settings.model_options())
    questions = teaching_questions(vocabulary, recipe, asked)
    retriever = None
    if clues == "dense":
        retriever = open_retriever(vocabulary.kg, settings.index or "", settings.embedder)
        if retriever.index is None:
            raise ConfigError(f"there are no dense clues: {retriever.note}", "Make the index, or give --clues bm25.")
    with use_budget(settings.budget()), status_line(quiet=as_json) as line:
        show = _progress(line)
        made = run_sync(
            Teacher(vocabulary.kg, chat, recipe.seed, retriever=retriever).explain(
                questions, lambda n: show("teacher", n, len(questions))
            )
        )
    usage = asdict(made.usage)
    told = {
        "model": settings.model, "clues": clues, "questions": len(questions), "dropped": made.dropped,
        "without_the_answer": made.unanswered, "left_out": made.left_out, "usage": usage,
    }  # fmt: skip
    return teaching_rows(questions, made), told


def _counter() -> Callable[[str], int]:
    """Tokens by the embedded model's vocabulary; three characters a token where it is not installed."""
    from triplewise.backends import load_chat_model
    from triplewise.errors import MissingExtraError

    try:
        return load_chat_model("llamacpp:embedded", n_ctx=512).get_num_tokens
    except MissingExtraError:
        return lambda text: len(text) // 3 + 1


def _progress(line: Callable[[str], None] | None) -> Callable[[str, int, int], None]:
    def show(stage: str, made: int, of: int) -> None:
        if line and made % 100 == 0:
            line(f"{stage}: {made:,}{f' of {of:,}' if of else ''}")

    return show


def _report(out: Path, done: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json({"out": str(out), **done})
        return
    for split, stages in sorted(done["counts"].items(), reverse=True):
        for stage, tasks in stages.items():
            shown = ", ".join(f"{task} {count:,}" for task, count in tasks.items())
            print(f"{split:5}  {stage:11}  {sum(tasks.values()):>7,}  {shown}")
    if taught := done.get("teacher"):
        dropped = ", ".join(f"{count} of {task}" for task, count in taught["dropped"].items())
        print(f"teacher: {taught['questions']:,} questions, {taught['usage']['calls']:,} calls; dropped {dropped}")
    print(f"{one_line(str(out))}: {done['lines']:,} lines")
