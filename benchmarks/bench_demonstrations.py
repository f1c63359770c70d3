"""Time and memory of KICGPT's demonstrations: python benchmarks/bench_demonstrations.py data/fb15k-237

All analogy pools in full diversity order, and for every test query (heads and tails) the supplement pool and
its full BM25 order. Targets on FB15k-237: ≤ 5 s and ≤ 500 MB. The paper's ordering took 50 minutes.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable

from triplewise.kg import load_kg
from triplewise.tools.links.demonstrations import DemonstrationPools, StoreTexts
from triplewise.tools.links.kge_data import LinkPredictionData


def main() -> None:
    """Load the folder, build and order everything, print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", help="train.txt, valid.txt, test.txt")
    args = parser.parse_args()
    started = time.perf_counter()
    data, texts = LinkPredictionData.from_folder(args.folder), StoreTexts(load_kg(args.folder))
    print(f"load (not counted)      {time.perf_counter() - started:6.2f} s")
    queries = [(h, r) for h, r, _ in data.test.tolist()] + [(t, r) for _, r, t in data.test.tolist()]
    total = 0.0

    def timed(name: str, call: Callable[[], int]) -> None:
        nonlocal total
        started = time.perf_counter()
        count = call()
        seconds = time.perf_counter() - started
        total += seconds
        print(f"{name:24}{seconds:6.2f} s  {count:,} triples")

    pools = DemonstrationPools(data, texts)
    timed("index", lambda: len(DemonstrationPools(data, texts)))
    timed("analogy, diversity order", lambda: sum(len(pools.analogy_rows(r)) for r in range(len(data.relations))))
    timed("supplement pools", lambda: sum(len(pools.supplement_pool(e)) for e, _ in queries))
    timed("supplement, BM25 order", lambda: sum(len(pools.supplement_rows(e, r)) for e, r in queries))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"total                   {total:6.2f} s  {len(queries):,} queries, process {memory:.0f} MB")


if __name__ == "__main__":
    main()
