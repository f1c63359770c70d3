"""RotatE: filtered metrics and times, and the time of scoring against PyKEEN's.

    python benchmarks/bench_rotate.py nations umls kinships films      train (minutes) and evaluate
    python benchmarks/bench_rotate.py data/wn18rr --model rotate-wn18rr    evaluate a trained folder, or go on with it
    python benchmarks/bench_rotate.py --scoring                        32 queries × 40,943 entities × dim 256
    python benchmarks/bench_rotate.py nations --loops                  PyKEEN's training loop beside ours

nations, umls and kinships come with PyKEEN, in their official splits; films is the bundled graph, split by seed 0.
A folder has train.txt, valid.txt and test.txt. All metrics are filtered by train, valid and test, over heads and
tails, with realistic ties.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from triplewise.evals.scores.ranking import LinkMetrics, evaluate_scorer
from triplewise.kg import NetworkxStore, load_kg
from triplewise.tools.links.kge_data import LinkPredictionData
from triplewise.tools.links.rotate_scorer import RotatEScorer, read_model
from triplewise.train.trainers import rotate, rotate_settings
from triplewise.train.trainers.rotate_settings import RotatESettings

BUNDLED = ("nations", "umls", "kinships")


def data_named(name: str) -> LinkPredictionData:
    """A data set of PyKEEN's package, the bundled graph, or a folder."""
    if name == "films":
        return LinkPredictionData.from_store(load_kg("films")).split()
    if name not in BUNDLED:
        return LinkPredictionData.from_folder(name)
    import pykeen.datasets

    folder = Path(pykeen.datasets.__file__).parent / name
    parts = [list(load_kg(folder / f"{p}.txt", format="tsv").triples()) for p in ("train", "valid", "test")]
    graph = NetworkxStore.from_triples(parts[0], name=name)
    return LinkPredictionData.from_triples(name, *parts, graph_hash=graph.content_hash)


def row(name: str, data: LinkPredictionData, metrics: LinkMetrics, seconds: float, epochs: int) -> str:
    """One line of the table."""
    low, high = metrics.mrr_interval
    return (
        f"{name:12}{len(data.entities):8,}{len(data.train):9,}{epochs:7}{seconds:8.0f} s"
        f"{metrics.mrr:8.3f} [{low:.3f}, {high:.3f}]{metrics.hits_at_1:7.3f}{metrics.hits_at_3:7.3f}"
        f"{metrics.hits_at_10:7.3f}{metrics.n:8,}"
    )


def train_and_evaluate(names: list[str], model: str | None, preset: str, changes: dict[str, Any]) -> None:
    """Train each data set (or go on with ``model``) and print its filtered test metrics."""
    print(
        f"{'':12}{'entities':>8}{'train':>9}{'epochs':>7}{'time':>10}{'MRR, 95%':>23}"
        f"{'@1':>7}{'@3':>7}{'@10':>7}{'n':>8}"
    )
    for name in names:
        data = data_named(name)
        with tempfile.TemporaryDirectory() as temporary:
            folder = model or temporary
            if model and (Path(model) / "rotate.json").exists():
                scorer = RotatEScorer.load(model)
                if scorer.data.graph_hash != data.graph_hash:
                    raise SystemExit(f"{model} was trained on another graph than {name}.")
            else:
                scorer = rotate.train(data, folder, rotate_settings.preset(preset, **changes))
            kept, _ = read_model(folder)
        metrics = evaluate_scorer(scorer, data).metrics()
        print(row(Path(name).name, data, metrics, kept["seconds"], kept["epochs"]), flush=True)


def time_scoring(entities: int = 40_943, dim: int = 256, batch: int = 32) -> None:
    """One batch of tail queries: the matrix product against PyKEEN's ``predict_t``, and their difference."""
    import torch
    from pykeen.models import RotatE
    from pykeen.triples import CoreTriplesFactory

    factory = CoreTriplesFactory(torch.zeros((1, 3), dtype=torch.long), num_entities=entities, num_relations=11)
    model = RotatE(triples_factory=factory, embedding_dim=dim, random_seed=0)
    weights = [next(m[0].parameters()) for m in (model.entity_representations, model.relation_representations)]
    with torch.no_grad():
        weights[0].mul_(dim**0.5)  # lengths as after training
    ids = [f"e{i}" for i in range(entities)], [f"r{i}" for i in range(11)]
    data = LinkPredictionData.from_triples("random", [], graph_hash="", entities=ids[0], relations=ids[1])
    scorer = RotatEScorer(data, *(w.detach().numpy() for w in weights))
    rng = np.random.default_rng(0)
    heads, relations = (rng.integers(n, size=batch, dtype=np.int32) for n in (entities, 11))
    pairs = torch.from_numpy(np.column_stack([heads, relations])).long()
    scores, ours = scorer.score_tails(heads, relations), list[float]()
    for _ in range(20):
        started = time.perf_counter()
        scores = scorer.score_tails(heads, relations)
        ours.append(time.perf_counter() - started)
    started = time.perf_counter()
    theirs = model.predict_t(pairs).detach().numpy()
    seconds = time.perf_counter() - started
    apart = float(np.abs(scores - theirs).max() / np.abs(theirs).max())
    print(f"{batch} queries × {entities:,} entities × dim {dim}: {1e3 * statistics.median(ours):.1f} ms (median of 20,")
    print(f"best {1e3 * min(ours):.1f}), PyKEEN {seconds:.2f} s; largest difference {apart:.1e} of the largest score")


def compare_loops(names: list[str], epochs: int) -> None:
    """PyKEEN's own loop (sLCWA, 32 negatives each) beside ours, same model, dimension, batch and learning rate."""
    for name in names:
        data = data_named(name)
        settings = rotate_settings.preset("cpu", epochs=epochs)
        started = time.perf_counter()
        theirs = evaluate_scorer(pykeens_loop(data, settings), data).metrics()
        seconds = time.perf_counter() - started
        print(row("PyKEEN", data, theirs, seconds, epochs))
        with tempfile.TemporaryDirectory() as folder:
            ours = evaluate_scorer(rotate.train(data, folder, settings), data).metrics()
            kept, _ = read_model(folder)
        print(row(Path(name).name, data, ours, kept["seconds"], kept["epochs"]), flush=True)


def pykeens_loop(data: LinkPredictionData, settings: RotatESettings) -> RotatEScorer:
    """RotatE trained by PyKEEN's sLCWA loop with its basic negative sampler."""
    import torch
    from pykeen.losses import NSSALoss
    from pykeen.models import RotatE
    from pykeen.training import SLCWATrainingLoop
    from pykeen.triples import CoreTriplesFactory

    factory = CoreTriplesFactory(
        torch.from_numpy(data.train.astype(np.int64)),
        num_entities=len(data.entities),
        num_relations=len(data.relations),
    )
    loss = NSSALoss(settings.margin, settings.temperature)
    model = RotatE(triples_factory=factory, embedding_dim=settings.dim, random_seed=settings.seed, loss=loss)
    loop = SLCWATrainingLoop(
        model=model,
        triples_factory=factory,
        optimizer=torch.optim.Adam(model.parameters(), lr=settings.learning_rate),
        negative_sampler="basic",
        negative_sampler_kwargs={"num_negs_per_pos": 32},
    )
    size = min(settings.batch_size, -(-len(data.train) // 20))
    loop.train(factory, num_epochs=settings.epochs, batch_size=size, use_tqdm=False)
    modules = model.entity_representations[0], model.relation_representations[0]
    return RotatEScorer(data, *(next(m.parameters()).detach().numpy() for m in modules))


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="*", help="nations, umls, kinships, films or folders")
    parser.add_argument("--model", help="a folder of 'triplewise train rotate'")
    parser.add_argument("--preset", default="cpu")
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--dim", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--scoring", action="store_true")
    parser.add_argument("--loops", action="store_true")
    args = parser.parse_args()
    if args.threads:
        import torch

        torch.set_num_threads(args.threads)
    if args.scoring:
        time_scoring()
    elif args.loops:
        compare_loops(args.data, args.epochs or 60)
    else:
        changes = {"epochs": args.epochs, "dim": args.dim, "seed": args.seed}
        train_and_evaluate(args.data, args.model, args.preset, changes)


if __name__ == "__main__":
    main()
