"""Relation choice for relations and wordings that training never saw, beside those that it saw.

    python benchmarks/bench_held_out.py --adapter held-out.gguf --metaqa data/metaqa --fb15k data/fb15k-237 \\
        --wn18rr data/wn18rr -n 400

``--adapter`` is one that ``python -m triplewise.train.trainers.embedded … --hold-out 0.2`` made (its .json names what
was held out). Sub-sentences are composed about development entities over all relations; the selector node chooses
among the relations at a sub-sentence's named entity, with the embedder and without, and is right if its first choice
has the wanted meaning; in the rows 'or "none"' it may also say that no relation fits, which is wrong here. Relations
that the same words could mean are not counted as wrong or right: they are taken out.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from triplewise.agents.context import NodeContext
from triplewise.agents.kg_gpt.relation_selector import SelectorOptions, rank_relations, without_names
from triplewise.agents.node import run_sync
from triplewise.agents.state import ANSWER, SubSentence
from triplewise.backends import load_chat_model
from triplewise.backends.llama.llama_engine import embedded_weights
from triplewise.evals.scores.statistics import wilson
from triplewise.kg import KGStore
from triplewise.tools.retrieval.pattern_join import Term
from triplewise.tools.retrieval.relation_similarity import relation_similarity
from triplewise.train.data.mixture import SOURCES, Mixture
from triplewise.train.data.skills import SkillComposer
from triplewise.train.sentences.compose import Composed, Part

MOST = 24
"""Relations offered at most, as at run time."""


def choices(composer: SkillComposer) -> Iterator[tuple[SubSentence, dict[str, str], set[str], str]]:
    """(sub-sentence, label → relation offered, labels that are right, key of the wanted meaning), without end."""
    kg, records = composer.kg, composer.vocabulary.records
    while True:
        composed: Composed = composer.question()
        part: Part = composer.rng.choice(composed.parts)
        ids = {composer.name(e): e for e in composed.entities}
        named = [ids[end] for end in part.ends if end in ids]
        if not named:
            continue
        around = composer.around(composed, part)
        composer.rng.shuffle(around)
        offered = [part.relation, *around][:MOST]
        key = records[part.relation][0].key
        labels = {kg.relation_label(r): r for r in sorted(offered)}
        right = {label for label, r in labels.items() if r in records and records[r][0].key == key}
        if len(labels) > len(right):
            yield SubSentence(part.text, (Term(entity=named[0]), Term(variable=ANSWER))), labels, right, key


def main() -> None:
    """Run, and print a line per group."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--adapter", type=Path, required=True)
    parser.add_argument("--metaqa", type=Path)
    parser.add_argument("--fb15k", type=Path)
    parser.add_argument("--wn18rr", type=Path)
    parser.add_argument("-n", type=int, default=300, help="sub-sentences of each group")
    args = parser.parse_args()
    held_out = set(json.loads(args.adapter.with_suffix(".json").read_text(encoding="utf-8"))["held_out"])
    mixture = Mixture(args.metaqa, args.fb15k, args.wn18rr)
    streams = {
        name: choices(SkillComposer(vocabulary, 2_000_000 + i, dev=True))
        for i, (name, vocabulary) in enumerate(mixture.vocabularies.items())
    }
    model = load_chat_model(f"llamacpp:{embedded_weights()}+{args.adapter}")
    similarity, options = relation_similarity("minilm"), SelectorOptions(style="short", shots=0, top_k=1)
    assert similarity is not None
    hits: dict[tuple[str, str], int] = {}
    counts = {"seen": 0, "held out": 0}
    rng = random.Random(0)
    while min(counts.values()) < args.n:
        name = rng.choices(list(streams), [SOURCES[name] for name in streams])[0]
        sub, labels, right, key = next(streams[name])
        group = "held out" if key in held_out else "seen"
        if counts[group] >= args.n:
            continue
        counts[group] += 1
        kg = mixture.vocabularies[name].kg
        near = dict(zip(labels, similarity.scores(without_names(kg, sub), list(labels)), strict=True))
        found = {"MiniLM": max(near, key=lambda label: near[label])}
        for way, embedder in (("model", ""), ("model and MiniLM", "minilm")):
            scores = run_sync(_scores(kg, model, embedder, sub, labels, options))
            found[f'{way}, or "none"'] = max(scores, key=lambda label: scores[label])
            found[way] = max(labels, key=lambda label: scores[label])
        for way, best in found.items():
            hits[way, group] = hits.get((way, group), 0) + (best in right)
    for (way, group), count in sorted(hits.items()):
        low, high = wilson(count, counts[group])
        print(f"{way:26} {group:9} n={counts[group]}  {count / counts[group]:.1%} [{low:.1%}, {high:.1%}]")


async def _scores(
    kg: KGStore, model: Any, embedder: str, sub: SubSentence, labels: dict[str, str], options: SelectorOptions
) -> dict[str, float]:
    """Label → score, "none" among them."""
    context = NodeContext(kg=kg, model=model, embedder=embedder)
    scores = (await rank_relations(context, sub, labels, "ask", options, "select", {})).value
    assert isinstance(scores, dict)
    return scores


if __name__ == "__main__":
    main()
