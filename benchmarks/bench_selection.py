"""First-relation choice on WebQSP (mini graph): how often the best relation at the topic entity is a gold path's first.

    python benchmarks/bench_selection.py data/webqsp --model llamacpp:embedded -n 800

Rows: each part of the selector alone and together. BM25 and MiniLM compare the question with relation labels (MiniLM
with and without the topic's name in the question); the model is the selector node with the question as its
sub-sentence, by itself and with MiniLM where it is not sure. Questions whose topic has a gold first relation and at
least one other relation count. ``--split train`` (train_questions.jsonl; the topic is linked in the question) is what
the weights are set on.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from triplewise.agents.context import NodeContext
from triplewise.agents.kg_gpt.relation_selector import (
    SelectionInput,
    SelectorOptions,
    make_relation_selector,
    without_names,
)
from triplewise.agents.node import run_sync
from triplewise.agents.state import ANSWER, SubSentence
from triplewise.backends import load_chat_model
from triplewise.evals.scores.statistics import wilson
from triplewise.kg import KGStore, load_kg
from triplewise.kg.linking import link_entities
from triplewise.tools.retrieval.pattern_join import Term
from triplewise.tools.retrieval.relation_similarity import relation_similarity
from triplewise.tools.text.relation_text import nearest_relations

FILES = {"dev": "dev.jsonl", "train": "train_questions.jsonl"}


def asked(folder: Path, kg: KGStore, split: str) -> Iterator[tuple[SubSentence, set[str]]]:
    """(the question between its topic and ?answer, gold first relations) of the questions that count."""
    for line in (folder / FILES[split]).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        linked = (c.id for m in link_entities(kg, row["question"]) for c in m.candidates[:1])
        for topic in row["q_entity"][:1] if "q_entity" in row else islice(linked, 1):
            around = {d.relation for d in kg.relations(topic)} if kg.has_entity(topic) else set()
            gold = {path[0] for path in row["gold_relation_paths"] if path} & around
            if gold and len(around) > 1:
                yield SubSentence(row["question"], (Term(entity=topic), Term(variable=ANSWER))), gold


def main() -> None:
    """Run, and print a line per way."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", default="llamacpp:embedded")
    parser.add_argument("--split", choices=FILES, default="dev")
    parser.add_argument("-n", type=int, default=1000)
    args = parser.parse_args()
    kg = load_kg(args.folder / "kg.tsv", skip_bad_lines=True)
    questions = list(islice(asked(args.folder, kg, args.split), args.n))
    similarity, model = relation_similarity("minilm"), load_chat_model(args.model)
    assert similarity is not None
    selector = make_relation_selector(SelectorOptions(style="short", shots=0, top_k=1)).function
    seconds = 0.0

    def by_node(sub: SubSentence, embedder: str) -> Any:
        state = SelectionInput(sub_sentences=(sub,), entities=(sub.ends[0].entity,), task="ask", index=0)
        done = run_sync(selector(state, NodeContext(kg=kg, model=model, embedder=embedder)))
        return next(iter(done["selected"][0]), None)

    hits: dict[str, int] = dict.fromkeys(
        ("BM25", "MiniLM", "MiniLM, without the topic's name", "model", "model and MiniLM"), 0
    )
    for sub, gold in questions:
        labels = {kg.relation_label(r): r for r in sorted({d.relation for d in kg.relations(sub.ends[0].entity)})}
        hits["BM25"] += nearest_relations(sub.text, labels, 1)[0] in gold
        texts = {"MiniLM": sub.text, "MiniLM, without the topic's name": without_names(kg, sub)}
        for name, text in texts.items():
            near = similarity.scores(text, list(labels))
            hits[name] += list(labels.values())[int(np.argmax(near))] in gold
        hits["model"] += by_node(sub, "") in gold
        started = time.perf_counter()
        hits["model and MiniLM"] += by_node(sub, "minilm") in gold
        seconds += time.perf_counter() - started
    n = len(questions)
    for name, count in hits.items():
        low, high = wilson(count, n)
        print(f"{name:34} n={n}  {count / n:.1%} [{low:.1%}, {high:.1%}]")
    print(f"{seconds / n:.2f} s a question for the last")


if __name__ == "__main__":
    main()
