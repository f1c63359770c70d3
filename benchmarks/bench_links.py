"""The blend of link predictors against RotatE alone, on users' small graphs, and on benchmarks.

    python benchmarks/bench_links.py films corpus/library corpus/museum corpus/comics     train (minutes) and evaluate
    python benchmarks/bench_links.py data/wn18rr --model links-wn18rr                     evaluate a trained folder

A graph is split by ``--seeds`` seeds: a tenth of its links between entities is put aside for the test, a twentieth for
early stopping and the weights. All scorers see the same parts. Metrics are filtered, over heads and tails, with ties
averaged; intervals are 95% of the mean reciprocal rank. ``--model``: a folder of ``triplewise train links``, by parts
and blended, then the blend by the degree of the entities (KICGPT's Figure 3).
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import numpy as np

from triplewise.evals.scores.kicgpt import degree_group
from triplewise.evals.scores.ranking import RankingReport, evaluate_scorer, metrics_of
from triplewise.kg import load_kg
from triplewise.tools.links.blend import BlendScorer
from triplewise.tools.links.kge_data import LinkPredictionData
from triplewise.tools.links.link_ranks import Ranks
from triplewise.train.links import training
from triplewise.train.trainers import rotate
from triplewise.train.trainers.rotate_settings import preset


def graph_of(name: str) -> str:
    """The graph of a corpus domain's folder, or what was named."""
    return str(next(iter(sorted(Path(name).glob("graph.*"))), name)) if Path(name).is_dir() else name


def row(name: str, parts: list[RankingReport], seconds: float | None = None) -> str:
    """One line: the queries of all parts together."""
    found = metrics_of(Ranks.join(*(side for part in parts for side in (part.head, part.tail))))
    low, high = found.mrr_interval
    took = "" if seconds is None else f"{seconds:9.0f} s"
    return (
        f"  {name:9}{found.mrr:7.3f} [{low:.3f}, {high:.3f}]{found.hits_at_1:7.3f}{found.hits_at_3:7.3f}"
        f"{found.hits_at_10:7.3f}{found.n:8,}{took}"
    )


def small_graph(name: str, seeds: int, parts: tuple[str, ...]) -> None:
    """Train RotatE and the blend on each split of a graph, and print both and the blend's parts."""
    kg = load_kg(graph_of(name))
    whole = LinkPredictionData.from_store(kg)
    found: dict[str, list[RankingReport]] = defaultdict(list)
    seconds: dict[str, float] = defaultdict(float)
    for seed in range(seeds):
        data = whole.split(0.05, 0.1, seed)
        with tempfile.TemporaryDirectory() as folder:
            started = time.process_time()
            alone = rotate.train(data, Path(folder) / "rotate", preset("cpu", seed=seed))
            seconds["RotatE"] += time.process_time() - started
            started = time.process_time()
            blend = training.train(data, kg, Path(folder) / "links", training.LinksSettings(parts, seed=seed))
            seconds["blend"] += time.process_time() - started
        for title, scorer in (("RotatE", alone), *blend.parts.items(), ("blend", blend)):
            found[title].append(evaluate_scorer(scorer, data))
    print(f"{name}: {len(whole.entities):,} entities, {len(whole.train):,} triples between them, {seeds} splits")
    for title, reports in found.items():
        print(row(title, reports, seconds.get(title)), flush=True)


def trained(name: str, model: str) -> None:
    """A trained folder on a benchmark's test part: its parts, the blend, and the blend by degree."""
    data, blend = LinkPredictionData.from_folder(name), BlendScorer.load(model)
    if blend.data.graph_hash != data.graph_hash:
        raise SystemExit(f"{model} was trained on another graph than {name}.")
    print(f"{name}: {len(data.entities):,} entities, {len(data.test):,} test triples; weights {blend.weights}")
    for title, part in blend.parts.items():
        print(row(title, [evaluate_scorer(part, data)]), flush=True)
    report = evaluate_scorer(blend, data)
    print(row("blend", [report]), flush=True)
    degrees = np.bincount(data.train[:, [0, 2]].ravel(), minlength=len(data.entities))
    groups: dict[int, list[int]] = defaultdict(list)
    for i, (h, _, t) in enumerate(data.test.tolist()):
        for group in {degree_group(int(degrees[e])) for e in (h, t)}:
            groups[group].append(i)
    for group, rows in sorted(groups.items()):
        sides = [
            Ranks(side.optimistic[rows], side.realistic[rows], side.pessimistic[rows])
            for side in (report.head, report.tail)
        ]
        found = metrics_of(Ranks.join(*sides))
        least, most = 2**group if group else 0, 2 ** (group + 1) - 1
        print(
            f"  degree {least:5}-{most:<6} MRR {found.mrr:.3f}  Hits@1 {found.hits_at_1:.3f}  "
            f"Hits@10 {found.hits_at_10:.3f}  n {found.n:,}"
        )


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", nargs="+", help="films, files, folders of corpus domains; with --model a benchmark")
    parser.add_argument("--model", help="a folder of 'triplewise train links'")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--parts", default="text,complex,rules")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    import torch

    torch.set_num_threads(args.threads)
    if not args.model:
        print(f"  {'':9}{'MRR, 95%':>22}{'@1':>7}{'@3':>7}{'@10':>7}{'n':>8}{'training, CPU':>15}")
    for name in args.graphs:
        if args.model:
            trained(name, args.model)
        else:
            small_graph(name, args.seeds, tuple(args.parts.split(",")))


if __name__ == "__main__":
    main()
