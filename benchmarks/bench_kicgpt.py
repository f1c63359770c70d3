"""KICGPT's cost: calls and prompt tokens per query of the three presets, and the largest prompt.

    python benchmarks/bench_kicgpt.py --data data/fb15k-237 --scorer rotate-fb15k-237 --queries 300

Prompts are built in full and counted with the embedded model's own tokenizer and template; the replies are
scripted. Queries are drawn from valid.txt; demonstrations come from train.txt, so that no query's own triple is
shown. What a real model makes of the prompts is measured by ``python -m triplewise.evals.runs.kicgpt_run``.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from pathlib import Path
from typing import Any

from langchain_core.messages import BaseMessage

from triplewise.agents.context import Context
from triplewise.agents.node import run_sync
from triplewise.backends import load_chat_model
from triplewise.backends.fake import ScriptedChatModel
from triplewise.evals.scores.kicgpt import KnownAnswers, evaluate, queries_of
from triplewise.graphs import kicgpt
from triplewise.kg import load_kg
from triplewise.tools.links.scorers import find_scorer
from triplewise.types import Triple

PUBLISHED = {"calls_per_query": 12.1, "prompt_tokens_per_query": 22_900}
"""The published code, simulated on 300 FB15k-237 queries."""


class CountingModel(ScriptedChatModel):
    """Scripted replies; tokens by the embedded model's tokenizer and chat template."""

    counter: Any = None

    def get_num_tokens(self, text: str) -> int:
        return self.counter.get_num_tokens(text)

    def get_num_tokens_from_messages(self, messages: list[BaseMessage], tools: Any = None) -> int:
        return self.counter.get_num_tokens_from_messages(messages)


def acknowledge(messages: list[BaseMessage], kwargs: dict[str, Any]) -> str:
    """What an obliging model says: the retriever's order, by its first candidates."""
    last = messages[-1].text
    if "Yes or No" in last:
        return "Yes"
    if "from 0 to 100" in last:
        return "\n".join(f"{n}: 50" for n in re.findall(r"^(\d+)\. ", last, re.M)) or "50"
    return "OK" if "reply only OK" in last else "1, 2, 3"


def read_triples(path: Path) -> list[Triple]:
    return [Triple(*line.split("\t")) for line in path.read_text(encoding="utf-8").splitlines() if line]


def cost(model: CountingModel, queries: int, budget: int) -> dict[str, Any]:
    """Calls and prompt tokens over the calls that a scripted run recorded."""
    tokens = [model.get_num_tokens_from_messages(messages) for messages, _ in model.calls]
    return {
        "calls_per_query": round(len(tokens) / queries, 2),
        "prompt_tokens_per_query": round(sum(tokens) / queries, 1),
        "largest_prompt": max(tokens),
        "prompts_over_budget": sum(t > budget for t in tokens),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--scorer", required=True, help="folder of 'train rotate', or a file of rankings")
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--m", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--reply", help="numbers, names or scores; default: the preset's")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    kg = load_kg(args.data)
    scorer = find_scorer(kg, args.scorer)
    splits = {name: read_triples(args.data / f"{name}.txt") for name in ("train", "valid", "test")}
    known = KnownAnswers(t for triples in splits.values() for t in triples)
    nodes = set(kg.entities())
    pairs = [p for p in queries_of(splits["valid"]) if p[0].entity in nodes and p[1] in nodes]
    queries = random.Random(args.seed).sample(pairs, min(args.queries, len(pairs)))
    report: dict[str, Any] = {"data": args.data.name, "n": len(queries), "m": args.m, "published": PUBLISHED}
    counter = load_chat_model("llamacpp:embedded")
    for preset in kicgpt.PRESETS:
        model = CountingModel(responses=acknowledge, counter=counter)
        options = {"m": args.m, "reply": args.reply, "seed": args.seed}
        chosen = kicgpt.settings(preset, keep_known=False, parts=("train",), **options)
        started = time.perf_counter()
        run_sync(evaluate(kicgpt.build(chosen), Context(kg=kg, model=model, scorer=scorer), queries, known))
        row = cost(model, len(queries), chosen.conversation.budget)
        report[preset] = row
        print(
            f"{preset:10} n={len(queries)}  calls {row['calls_per_query']:.2f}  prompt tokens "
            f"{row['prompt_tokens_per_query']:.0f}  largest {row['largest_prompt']}, over the budget of "
            f"{chosen.conversation.budget}: {row['prompts_over_budget']}  {time.perf_counter() - started:.0f} s",
            flush=True,
        )
    print(f"published  calls {PUBLISHED['calls_per_query']}  prompt tokens {PUBLISHED['prompt_tokens_per_query']:,}")
    if args.out:
        args.out.write_text(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
