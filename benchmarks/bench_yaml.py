"""Tokens of the retrieved knowledge as YAML against triples (Retrieval and Reasoning on KGs, section 5.3).

    python benchmarks/bench_yaml.py data --work recall-work --model llamacpp:embedded

The 20 triples that equation 2 ranks first for each of n dev questions of WebQSP and CWQ, by the question alone,
counted by the model's tokenizer: ``triples`` (one ``(head, relation, tail)`` a line), ``yaml-head`` (Figure 2) and
``yaml`` (each relation by whichever side is shorter). Vectors are kept in --work, shared with bench_retrieval.py.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from bench_retrieval import GRAPHS, CandidateIndex, load

from triplewise.backends import load_chat_model
from triplewise.backends.embedders import load_embedder
from triplewise.evals.scores.statistics import bootstrap
from triplewise.kg import load_kg
from triplewise.tools.retrieval.subgraph_text import SubgraphRule
from triplewise.tools.retrieval.triple_retriever import RetrievalOptions, TripleRetriever
from triplewise.tools.retrieval.triple_table import TripleTable
from triplewise.tools.text.knowledge_format import STYLES, format_triples


def main() -> None:
    """Retrieve, write each form, count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", default="llamacpp:embedded", help="whose tokenizer counts")
    parser.add_argument("-n", type=int, default=150, help="questions a data set")
    parser.add_argument("--work", type=Path, default=Path("recall-work"), help="vectors are kept here")
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    model = load_chat_model(args.model)
    print(f"{'tokens a question':20}" + "".join(f"{style:>12}" for style in STYLES) + f"{'yaml saves, 95 %':>26}")
    for name in ("webqsp", "cwq"):
        kg = load_kg(args.folder / GRAPHS[name])
        table = TripleTable(kg)
        data = load(args.folder, name, "dev", args.n, table)
        index = CandidateIndex(kg, load_embedder(), args.work / f"{name}-sub-graph", SubgraphRule(), table=table)
        index.embed(np.unique(np.concatenate([table.near(q.topics, data.hops) for q in data.questions])))
        retriever, options = TripleRetriever(kg, index), RetrievalOptions(k=20, mode="dense", hops=data.hops)
        counts = np.array(
            [
                [model.get_num_tokens(format_triples(kg, [t.triple for t in found.triples], style)) for style in STYLES]
                for q in data.questions
                for found in [retriever.retrieve(q.text, (), q.topics, options)]
            ]
        )
        mean = counts.mean(axis=0)
        plain, yaml = counts[:, STYLES.index("triples")], counts[:, STYLES.index("yaml")]
        saved = 1 - yaml.sum() / plain.sum()
        low, high = bootstrap((saved - (yaml - (1 - saved) * plain) / plain.mean()).tolist(), draws=2_000)
        cells = "".join(f"{m:12.1f}" for m in mean)
        print(f"{f'{name} (n = {len(counts)})':20}{cells}{f'{saved:.1%} [{low:.1%}, {high:.1%}]':>26}", flush=True)


if __name__ == "__main__":
    main()
