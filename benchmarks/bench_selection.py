"""First-relation choice on WebQSP (mini graph): how often the best relation at the topic entity is a gold path's first.

    python benchmarks/bench_selection.py data/webqsp --model llamacpp:embedded -n 800

Rows: BM25 and MiniLM between question and relation label, and the model by the selector node with the question as
its sub-sentence. Questions whose topic has a gold first relation and at least one other relation count.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np

from triplewise.agents.context import Context
from triplewise.agents.node import run_sync
from triplewise.agents.relation_selector import SelectorOptions, make_relation_selector
from triplewise.agents.state import ANSWER, End, SubSentence
from triplewise.backends import load_chat_model
from triplewise.backends.embedders import load_embedder
from triplewise.evals.statistics import wilson
from triplewise.kg import KGStore, load_kg
from triplewise.tools.relation_text import nearest_relations


def asked(folder: Path, kg: KGStore, n: int) -> list[tuple[str, str, set[str]]]:
    """(question, topic, gold first relations) of the first n questions that count."""
    found = []
    for line in (folder / "dev.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        for topic in row["q_entity"][:1]:
            around = {d.relation for d in kg.relations(topic)} if kg.has_entity(topic) else set()
            gold = {path[0] for path in row["gold_relation_paths"] if path} & around
            if gold and len(around) > 1:
                found.append((row["question"], topic, gold))
    return found[:n]


def main() -> None:
    """Run, and print a line per way."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", default="llamacpp:embedded")
    parser.add_argument("-n", type=int, default=1000)
    args = parser.parse_args()
    kg = load_kg(args.folder / "kg.tsv")
    questions = asked(args.folder, kg, args.n)
    embedder, model = load_embedder("minilm"), load_chat_model(args.model)
    selector = make_relation_selector(SelectorOptions(style="short", shots=0, top_k=1)).function
    labels = {r: kg.relation_label(r) for r in kg.relation_ids()}
    vectors = dict(zip(labels, embedder.queries(list(labels.values())), strict=True))
    hits = {"BM25": 0, "MiniLM": 0, args.model: 0}
    seconds = 0.0
    for question, topic, gold in questions:
        around = sorted({d.relation for d in kg.relations(topic)})
        hits["BM25"] += nearest_relations(question, {labels[r]: r for r in around}, 1)[0] in gold
        near = np.stack([vectors[r] for r in around]) @ embedder.queries([question])[0]
        hits["MiniLM"] += around[int(near.argmax())] in gold
        sub = SubSentence(question, (End(entity=topic), End(variable=ANSWER)))
        started = time.perf_counter()
        state = {"sub_sentences": (sub,), "entities": (topic,), "task": "ask", "index": 0}
        done = run_sync(selector(state, Context(kg=kg, model=model)))
        seconds += time.perf_counter() - started
        hits[args.model] += bool(set(done["selected"][0]) & gold)
    n = len(questions)
    for name, count in hits.items():
        low, high = wilson(count, n)
        print(f"{name:30} n={n}  {count / n:.1%} [{low:.1%}, {high:.1%}]")
    print(f"{seconds / n:.2f} s a question for the model")


if __name__ == "__main__":
    main()
