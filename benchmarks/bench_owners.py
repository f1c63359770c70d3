"""What owners ask of their graphs, as writers who knew nothing of the program wrote it down ([decision 22]).

::

    python benchmarks/bench_owners.py [--graphs NAME …] [--chats] [--model llamacpp:embedded]

``benchmarks/owners`` has a folder for each graph: its triples, questions with all their answers, claims, and one
conversation or more. Strict: all answers and no other, numbers and days by their value. These graphs have been looked
at, so that the figures flatter; what counts is a graph that nobody has. Those with ``more.jsonl`` have taught the
re-ranker as well, by its questions and by these (``triplewise train reranker --asked``), and all but the thirty-two
newest the ranker (decision 25). ``--chats``: the conversations as well, each turn after what was said before.

[decision 22]: ../docs/decisions/0022-what-owners-ask.md
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel

import triplewise
from triplewise.agents.assistant.events import Answered
from triplewise.backends import load_chat_model
from triplewise.evals.scores.statistics import wilson
from triplewise.graphs.assistant import Assistant
from triplewise.kg import KGStore, load_kg
from triplewise.train.query_graph.asked import as_compared

FOLDER = Path(__file__).parent / "owners"


def main() -> None:
    """Read the arguments, ask, and print what is wrong and how much is right."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", nargs="*", default=(), help="folders of benchmarks/owners; default: all")
    parser.add_argument("--chats", action="store_true")
    parser.add_argument("--model", default="llamacpp:embedded")
    args = parser.parse_args()
    model = load_chat_model(args.model)
    names = args.graphs or sorted(path.name for path in FOLDER.iterdir() if path.is_dir())
    kinds = {"questions": questions, "claims": claims, **({"turns": turns} if args.chats else {})}
    for kind, told in kinds.items():
        right = [
            is_right for name in names for is_right in told(FOLDER / name, load_kg(graph_of(FOLDER / name)), model)
        ]
        low, high = wilson(sum(right), len(right))
        print(f"{kind}: {sum(right)} of {len(right)} = {sum(right) / len(right):.1%} [{low:.1%}, {high:.1%}]")


def questions(folder: Path, kg: KGStore, model: BaseChatModel) -> Iterator[bool]:
    """Whether each question is answered with all its answers and no other, or with none where there is none."""
    for item in rows(folder / "questions.jsonl"):
        result = triplewise.ask(kg, item["question"], model=model)
        yield told(folder, item["question"], item["answers"], [a.label for a in result.answers])


def claims(folder: Path, kg: KGStore, model: BaseChatModel) -> Iterator[bool]:
    """Whether each claim gets its verdict."""
    for item in rows(folder / "claims.jsonl"):
        verdict = triplewise.verify(kg, item["claim"], model=model).verdict
        yield told(folder, item["claim"], [item["verdict"]], [str(verdict)])


def turns(folder: Path, kg: KGStore, model: BaseChatModel) -> Iterator[bool]:
    """Whether each turn of the conversations is answered rightly: one that asks nothing, or what the graph lacks, with
    no answer."""
    for chat in sorted(folder.glob("chat*.jsonl")):
        for item, answered in asyncio.run(talk(kg, list(rows(chat)), model)):
            given = [answered.verdict] if answered.verdict else [a.label for a in answered.answers]
            none = item["answers"] == [] and answered.verdict == "not_enough_evidence"
            yield told(folder, item["user"], item["answers"], [] if none else [str(label) for label in given])


async def talk(kg: KGStore, said: list[dict[str, Any]], model: BaseChatModel) -> list[tuple[dict[str, Any], Answered]]:
    """The turns of a conversation with what is answered to each."""
    assistant = Assistant({"graph": kg}, model)
    try:
        found = []
        for item in said:
            events = [event async for event in assistant.stream("talk", item["user"])]
            found.append((item, next(event for event in events if isinstance(event, Answered))))
        return found
    finally:
        await assistant.close()


def graph_of(folder: Path) -> Path:
    """The graph of a folder as its owner keeps it: a file, TSV, CSV or Turtle, or a folder of tables."""
    return next(folder.glob("graph*"))


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON-lines file."""
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def told(folder: Path, asked: str, wanted: list[str], given: list[str]) -> bool:
    """Whether what was given is what was wanted; what is not is printed."""
    right = {*map(as_compared, wanted)} == {*map(as_compared, given)}
    if not right:
        print(f"{folder.name} | {asked} | {', '.join(wanted) or '-'} | {', '.join(given[:8]) or '-'}", flush=True)
    return right


if __name__ == "__main__":
    main()
