"""KICGPT's cost and its two ends: calls and prompt tokens per query, and a scripted oracle and identity.

    python benchmarks/bench_kicgpt.py --data data/fb15k-237 --scorer rotate-fb15k-237 --queries 300
    python benchmarks/bench_kicgpt.py --data data/fb15k-237 --scorer … --model openai:MODEL --ablations

Prompts are built in full and counted with the embedded model's own tokenizer and template; the replies are
scripted unless ``--model`` names a model. Queries are drawn from valid.txt; demonstrations and known answers
come from train.txt, so that no query's own triple is shown. ``--ablations`` runs table 4's rows, and figure 3's
groups are printed for the full model.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from pathlib import Path
from typing import Any

from langchain_core.messages import BaseMessage

from triplewise.agents.context import Context
from triplewise.agents.node import run_sync
from triplewise.backends import load_chat_model
from triplewise.backends.fake import ScriptedChatModel
from triplewise.evals.kicgpt import KnownAnswers, LinkOutcome, evaluate, long_tail, queries_of, summary
from triplewise.graphs import kicgpt
from triplewise.graphs.complete import find_scorer
from triplewise.kg import load_kg
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
    return "OK" if "reply only OK" in last else "1, 2, 3"


def read_triples(path: Path) -> list[Triple]:
    return [Triple(*line.split("\t")) for line in path.read_text(encoding="utf-8").splitlines() if line]


def counted(model: CountingModel, outcomes: list[LinkOutcome]) -> dict[str, float]:
    tokens = [model.get_num_tokens_from_messages(messages) for messages, _ in model.calls]
    n = len(outcomes)
    return {
        "calls_per_query": round(len(tokens) / n, 2),
        "prompt_tokens_per_query": round(sum(tokens) / n, 1),
        "largest_prompt": max(tokens),
    }


def print_row(name: str, row: dict[str, Any]) -> None:
    def percent(metrics: dict[str, Any]) -> str:
        return "/".join(f"{metrics[k]:.3f}" for k in ("mrr", "hits_at_1", "hits_at_3", "hits_at_10"))

    print(
        f"{name:22} n={row['n']}  calls {row['calls_per_query']:.2f}  "
        f"prompt tokens {row['prompt_tokens_per_query']:.0f}"
        f" (largest {row.get('largest_prompt', '?')})  failed {row['failed']:.1%}  {row['seconds']} s\n"
        f"    MRR/Hits@1/3/10: retriever {percent(row['retriever'])}  kicgpt {percent(row['kicgpt'])}"
        f"  ceiling {percent(row['ceiling'])}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--scorer", required=True, help="folder of 'train rotate', or a file of rankings")
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--m", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--model", help="a real model; default: scripted replies, tokens counted")
    parser.add_argument("--ablations", action="store_true")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    kg = load_kg(args.data)
    scorer = find_scorer(kg, args.scorer)
    splits = {name: read_triples(args.data / f"{name}.txt") for name in ("train", "valid", "test")}
    known = KnownAnswers(t for triples in splits.values() for t in triples)
    nodes = set(kg.entities())
    pairs = [p for p in queries_of(splits["valid"]) if p[0].entity in nodes and p[1] in nodes]
    queries = random.Random(args.seed).sample(pairs, min(args.queries, len(pairs)))
    degrees: dict[str, int] = {}
    for h, _, t in splits["train"]:
        degrees[h], degrees[t] = degrees.get(h, 0) + 1, degrees.get(t, 0) + 1
    report: dict[str, Any] = {"data": args.data.name, "n": len(queries), "m": args.m, "published": PUBLISHED}
    runs: list[tuple[str, dict[str, Any]]] = [(p, {"preset": p}) for p in ("default", "paper", "reference")]
    if args.ablations:
        runs = [("full", {}), *((a, {"ablation": a}) for a in kicgpt.ABLATIONS)]
    counter = load_chat_model("llamacpp:embedded")
    for name, options in runs:
        scripted = CountingModel(responses=acknowledge, counter=counter)
        model = load_chat_model(args.model) if args.model else scripted
        graph = kicgpt.build(
            kicgpt.settings(**{"m": args.m, "keep_known": False, "seed": args.seed, "parts": ("train",), **options})
        )
        started = time.perf_counter()
        outcomes = run_sync(evaluate(graph, Context(kg=kg, model=model, scorer=scorer), queries, known))
        row = summary(outcomes)
        if not args.model:
            row |= counted(scripted, outcomes)
        row["seconds"] = round(time.perf_counter() - started, 1)
        if name in ("full", "default"):
            row["long_tail"] = long_tail(outcomes, degrees)
        report[name] = row
        print_row(name, row)
    if args.out:
        args.out.write_text(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
