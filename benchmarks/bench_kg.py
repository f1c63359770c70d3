"""Times of the graph layer on a triple file: python benchmarks/bench_kg.py data/metaqa/kb.txt

Targets on MetaQA's kb.txt (133,582 triples): load ≤ 2 s and ≤ 350 MB; one entity's relations or
neighbours ≤ 50 µs; the relations within 3 hops ≤ 1 ms; fuzzy search ≤ 20 ms (medians).
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import time
from collections.abc import Callable

from triplewise.kg import NetworkxStore, load_kg
from triplewise.kg.linking import link_entities


def quantiles(call: Callable[[str], object], inputs: list[str]) -> tuple[float, float]:
    """Median and 99th percentile in microseconds."""
    times = []
    for item in inputs:
        started = time.perf_counter()
        call(item)
        times.append((time.perf_counter() - started) * 1e6)
    times.sort()
    return statistics.median(times), times[int(len(times) * 0.99)]


def main() -> None:
    """Load the graph, time each operation over random entities, print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kg")
    parser.add_argument("-n", type=int, default=2000, help="random entities (fuzzy search: a tenth)")
    args = parser.parse_args()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    started = time.perf_counter()
    kg = load_kg(args.kg)
    assert isinstance(kg, NetworkxStore), "the look-ups of a graph in memory are timed"
    seconds = time.perf_counter() - started
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"load  {seconds:.2f} s  {len(kg):,} triples  process {memory:.0f} MB (before {before:.0f} MB)")
    sample = random.Random(0).choices(kg.entities(), k=args.n)
    started = time.perf_counter()
    kg.relations_within(sample[0], 3)
    kg.search("warm up")
    print(f"indexes built in {time.perf_counter() - started:.2f} s")
    misspelt = [kg.label(e)[:-1] + "x" for e in sample[: args.n // 10]]
    rows: list[tuple[str, Callable[[str], object], list[str]]] = [
        ("relations of an entity", kg.relations, sample),
        ("neighbours of an entity", kg.neighbors, sample),
        ("relations within 3 hops", lambda e: kg.relations_within(e, 3), sample),
        ("triples within 1 hop", lambda e: kg.neighborhood([e], 1), sample),
        ("triples within 2 hops, ≤ 500", lambda e: kg.neighborhood([e], 2, limit=500), sample),
        ("fuzzy entity search", lambda t: kg.fuzzy(t, 10, 70), misspelt),
        ("entity search, all ways", kg.search, misspelt),
        ("entity linking", lambda t: link_entities(kg, f"what is known about {t.lower()} and its makers"), misspelt),
    ]
    print(f"{'operation':30}{'n':>6}{'median':>12}{'p99':>12}")
    for name, call, inputs in rows:
        median, p99 = quantiles(call, inputs)
        print(f"{name:30}{len(inputs):6}{median:9.1f} µs{p99:9.1f} µs")
    print(f"process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at the end")


if __name__ == "__main__":
    main()
