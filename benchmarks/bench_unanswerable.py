"""Questions that the graph cannot answer: MetaQA dev, the needed relation removed from the graph.

    python benchmarks/bench_unanswerable.py data/metaqa --model llamacpp:embedded -n 100

Of each question, the last relation of its gold path is taken out of the graph, all its triples; right is to say that
there is not enough evidence. Beside it, the same questions over the whole graph: how many of these are refused.
"""

from __future__ import annotations

import argparse
from functools import cache
from pathlib import Path

import triplewise
from triplewise.evals.data.datasets import load_dataset
from triplewise.evals.scores.statistics import wilson
from triplewise.kg import KGStore, NetworkxStore


def main() -> None:
    """Run, and print a line per hop count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", default="llamacpp:embedded")
    parser.add_argument("-n", type=int, default=100)
    parser.add_argument("--hops", type=int, nargs="*", default=[1, 2, 3])
    args = parser.parse_args()
    whole = triplewise.load_kg(args.folder / "kb.txt")
    model = triplewise.load_chat_model(args.model)

    @cache
    def without(relation: str) -> KGStore:
        return NetworkxStore.from_triples(t for t in whole.triples() if t.relation != relation)

    for hops in args.hops:
        asked = load_dataset(f"metaqa-{hops}", args.folder, limit=args.n).items
        silent = refused = 0
        for item in asked:
            relation = item.path[-1].removeprefix("~")
            silent += not triplewise.ask(without(relation), item.text, model=model).answers
            refused += not triplewise.ask(whole, item.text, model=model).answers
        for name, count in (("unanswerable, said so", silent), ("answerable, refused", refused)):
            low, high = wilson(count, len(asked))
            print(f"{hops}-hop n={len(asked)}  {name}: {count / len(asked):.1%} [{low:.1%}, {high:.1%}]", flush=True)


if __name__ == "__main__":
    main()
