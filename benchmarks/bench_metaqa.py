"""KG-GPT on MetaQA dev with any model: python benchmarks/bench_metaqa.py data/metaqa --model llamacpp:embedded -n 100

Strict Hits@1 (the best answer is a gold answer) and set F1 with 95 % intervals (Wilson; normal for the
mean F1), abstentions, fallbacks, calls, tokens and seconds per question. The first n questions of dev.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from pathlib import Path

import triplewise
from triplewise.evals.data.datasets import load_dataset
from triplewise.evals.scores.statistics import wilson


def f1(found: frozenset[str], gold: frozenset[str]) -> float:
    """F1 of two sets."""
    return 2 * len(found & gold) / (len(found) + len(gold)) if found else 0.0


def main() -> None:
    """Run, and print a line per hop."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", default="llamacpp:embedded")
    parser.add_argument("--preset", default="default")
    parser.add_argument("--shots", type=int)
    parser.add_argument("-n", type=int, default=100)
    parser.add_argument("--hops", type=int, nargs="*", default=[1, 2, 3])
    args = parser.parse_args()
    kg = triplewise.load_kg(args.folder / "kb.txt")
    model = triplewise.load_chat_model(args.model)
    for hops in args.hops:
        asked = load_dataset(f"metaqa-{hops}", args.folder, limit=args.n).items
        hits, scores, calls, tokens, abstained, fallbacks = 0, [], 0, 0, 0, 0
        started = time.perf_counter()
        for question in asked:
            result = triplewise.ask(kg, question.text, model=model, preset=args.preset, shots=args.shots)
            hits += bool(result.answers) and result.answers[0].id in question.answers
            scores.append(f1(frozenset(a.id for a in result.answers), frozenset(question.answers)))
            abstained += not result.answers
            fallbacks += any(s.status == "fallback" for s in result.steps)
            calls += result.usage.calls
            tokens += result.usage.prompt_tokens
        n, seconds = len(asked), time.perf_counter() - started
        low, high = wilson(hits, n)
        mean, half = statistics.mean(scores), 1.96 * statistics.pstdev(scores) / math.sqrt(n)
        print(
            f"{hops}-hop n={n} Hits@1 {hits / n:.1%} [{low:.1%}, {high:.1%}] F1 {mean:.3f} ±{half:.3f} "
            f"abstained {abstained} fallback {fallbacks} calls {calls / n:.1f} prompt tokens {tokens / n:,.0f} "
            f"{seconds / n:.2f} s/question",
            flush=True,
        )


if __name__ == "__main__":
    main()
