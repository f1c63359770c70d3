"""Complete results as JSON lines, to compare before and after a change that must not change them.

    python benchmarks/same_answers.py before.jsonl --data data/metaqa --model llamacpp:embedded --cache replies.sqlite
    ... the change ...
    python benchmarks/same_answers.py after.jsonl --data data/metaqa --model llamacpp:embedded --cache replies.sqlite
    cmp before.jsonl after.jsonl

A line is a question by a method and a preset: answers, evidence, citations, each step's prompt and reply. Times and
cost are left out. Replies come from the cache where it has them, so that the second run asks nothing. Without
``--model`` the model that knows MetaQA's gold paths replies, to the methods and presets whose nodes it knows.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import triplewise
from triplewise.backends import load_chat_model
from triplewise.errors import TriplewiseError
from triplewise.evals.data.datasets import load_dataset
from triplewise.evals.data.items import Item
from triplewise.evals.runs.stage_gold import gold_model
from triplewise.graphs.method import methods
from triplewise.kg import KGStore, load_kg
from triplewise.types import Result


def plain(result: Result) -> dict[str, Any]:
    """The result without what differs from run to run."""
    data = asdict(result)
    del data["usage"]
    for step in data["steps"]:
        del step["seconds"], step["usage"]
    return data


def runs(kg: KGStore, items: list[Item], model: str | None, cache: Path | None) -> Iterator[tuple[str, str, Any]]:
    """(method, preset, options of ``aask``) of all that is run."""
    for method in methods("ask"):
        for preset in method.presets:
            if model is not None:
                chat = load_chat_model(model, cache=cache or False, **method.sampling(preset))
                yield method.id, preset, {"model": chat}
            elif (method.id, preset) == ("kg-gpt", "default"):
                yield method.id, preset, {"model": gold_model(kg, items), "embedder": ""}


async def record(out: Path, folder: Path, model: str | None, cache: Path | None, n: int) -> None:
    """Write the lines."""
    kg = load_kg(folder / "kb.txt", skip_bad_lines=True)
    items = [item for hops in (1, 2, 3) for item in load_dataset(f"metaqa-{hops}", folder, limit=n).items]
    with out.open("w", encoding="utf-8") as file:
        for method, preset, options in runs(kg, items, model, cache):
            for item in items:
                asked = {"method": method, "preset": preset, "question": item.text}
                try:
                    found = plain(await triplewise.aask(kg, item.text, method=method, preset=preset, **options))
                except TriplewiseError as error:
                    found = {"error": str(error)}
                file.write(json.dumps({**asked, **found}, ensure_ascii=False, sort_keys=True) + "\n")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--data", type=Path, required=True, help="MetaQA's folder")
    parser.add_argument("--model")
    parser.add_argument("--cache", type=Path, help="the LLM cache's file")
    parser.add_argument("-n", type=int, default=30, help="questions a hop")
    args = parser.parse_args()
    asyncio.run(record(args.out, args.data, args.model, args.cache, args.n))


if __name__ == "__main__":
    main()
