"""Questions to train a retriever on, for ``triplewise train retriever``, from MetaQA's train split.

    python benchmarks/retriever_questions.py data questions.jsonl -n 900

n questions of two hops and n of three, drawn by seed 0, each with its gold relation path and the steps that are
composed from it, as a planner would write them. ``data`` holds metaqa/.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

from triplewise.evals.data.datasets import load_dataset
from triplewise.kg import load_kg
from triplewise.train.data.metaqa import MetaqaComposer
from triplewise.train.sentences.compose import Vocabulary


def main() -> None:
    """Draw, compose the steps, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("-n", type=int, default=900, help="questions of each number of hops")
    args = parser.parse_args()
    folder = args.folder / "metaqa"
    composer = MetaqaComposer(folder, Vocabulary(load_kg(folder / "kb.txt")))
    rng = random.Random(0)
    rows = []
    for hops in (2, 3):
        for item in rng.sample(load_dataset(f"metaqa-{hops}", folder, "train").items, args.n):
            kinds = ["film" if kind == "movie" else kind for kind in item.kind.split("_to_")]
            rows.append({
                "question": item.text.replace("[", "").replace("]", ""), "entities": item.entities,
                "answers": item.answers, "gold_relation_paths": [item.path],
                "plan": composer.composed(item.text, kinds).steps,
            })  # fmt: skip
    rng.shuffle(rows)
    args.out.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    print(f"{args.out}: {len(rows):,} questions")


if __name__ == "__main__":
    main()
