"""KG-GPT's retrieval with gold segmentation and relations, on MetaQA: python benchmarks/bench_stage_gold.py data/metaqa

Per hop: evidence that holds every gold answer, the executed join equal to the gold set, the same for the
reading that reaches a gold answer, and speed. ``--machine N`` also sends N questions a hop through the whole
state machine with a model scripted to say the gold path (all of them with ``--machine 0``).
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

import triplewise
from triplewise.evals.data.datasets import load_dataset
from triplewise.evals.data.items import Item
from triplewise.evals.runs.stage_gold import gold_model, gold_outcome
from triplewise.kg import KGStore, load_kg


async def machine(kg: KGStore, items: Sequence[Item]) -> tuple[int, float]:
    """(items whose answer set equals gold, questions a second) through the whole machine, 64 at once."""
    model = gold_model(kg, items)
    gate = asyncio.Semaphore(64)

    async def one(item: Item) -> bool:
        async with gate:
            result = await triplewise.aask(kg, item.text, model=model)
            return {a.id for a in result.answers} == set(item.answers)

    started = time.perf_counter()
    right = sum(await asyncio.gather(*(one(item) for item in items)))
    return right, len(items) / (time.perf_counter() - started)


def main() -> None:
    """Print coverage, equality and speed per hop."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--machine", type=int, help="questions a hop through the whole machine; 0: all")
    args = parser.parse_args()
    kg = load_kg(args.folder / "kb.txt")
    print(f"{'hop':>3}{'n':>6}{'evidence covers':>17}{'join = gold':>15}{'reading = gold':>16}{'questions/s':>13}")
    for hops in (1, 2, 3):
        items = load_dataset(f"metaqa-{hops}", args.folder).items
        started = time.perf_counter()
        outcomes = [gold_outcome(kg, item) for item in items]
        rate, n = len(items) / (time.perf_counter() - started), len(items)
        pairs = list(zip(items, outcomes, strict=True))
        counts = [
            sum(o.covered for o in outcomes),
            sum(o.join == set(item.answers) for item, o in pairs),
            sum(o.reading == set(item.answers) for item, o in pairs),
        ]
        print(f"{hops:3}{n:6}" + "".join(f"{c:8} {c / n:7.2%}" for c in counts) + f"{rate:13,.0f}")
        if args.machine is not None:
            asked = items[: args.machine or None]
            right, rate = asyncio.run(machine(kg, asked))
            print(f"    whole machine: {right} of {len(asked)} answer sets equal gold, {rate:,.0f} questions/s")


if __name__ == "__main__":
    main()
