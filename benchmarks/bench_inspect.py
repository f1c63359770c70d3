"""Throughput of an evaluation with Inspect in between: python benchmarks/bench_inspect.py

A run of ``evals.runner`` (Inspect, its log, the process that makes the calls, ledger and LLM cache) over one-hop
questions on a small graph, 64 in flight, three calls in a row each, against a real HTTP server in a process of its own
that answers after 200 ms. Ideal is in-flight / (3 × latency); the target is 90% of it.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import os
import pstats
import resource
import tempfile
import time
from pathlib import Path

from bench_concurrency import CALLS, served


def data(folder: Path, n: int) -> Path:
    """A graph of films with directors and years, and ``n`` different questions for a director."""
    facts = [
        f"Film {i}\t{r}\t{t}"
        for i in range(n)
        for r, t in (("directed_by", f"Person {i}"), ("release_year", str(1900 + i % 100)))
    ]
    (folder / "kg.tsv").write_text("\n".join(facts), encoding="utf-8")
    items = [
        {"question": f"who directed [Film {i}]", "answers": [f"Person {i}"], "entities": [f"Film {i}"]}
        for i in range(n)
    ]
    (folder / "films.jsonl").write_text("\n".join(map(json.dumps, items)), encoding="utf-8")
    return folder / "films.jsonl"


def run(url: str, in_flight: int, n: int, latency: float, profile: bool, open_items: int) -> None:
    """Run the evaluation and print its throughput."""
    from triplewise.evals.results import load_run
    from triplewise.evals.runner import RunSettings, start

    os.environ |= {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": url}
    ends: list[tuple[float, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        items = data(Path(folder), n + 5 * in_flight)
        task = {"dataset": "films", "folder": str(items)}
        settings = RunSettings(task, "openai:fake", {"max_concurrency": in_flight}, max_samples=open_items)
        profiler = cProfile.Profile()
        if profile:
            profiler.enable()
        started = time.perf_counter()
        start(
            settings, Path(folder) / "run", on_item=lambda *_: ends.append((time.perf_counter(), time.process_time()))
        )
        whole = time.perf_counter() - started
        keeper = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])  # it has ended, the server has not
        if profile:
            profiler.disable()
            pstats.Stats(profiler).sort_stats("tottime").print_stats(60)
        done = load_run(Path(folder) / "run")
    calls, right = done.spent.usage.calls, sum(done.values("hits_at_1")[0])
    ideal = in_flight / (CALLS * latency)
    # The steady part: without four waves at the start (the graph, connections, all in step) and the last.
    (first, first_cpu), (last, last_cpu) = ends[4 * in_flight], ends[4 * in_flight + n - 1]
    rate = (n - 1) / (last - first)
    print(
        f"{len(ends)} questions, {in_flight} in flight, {calls} calls, {right:.0f} right, {latency * 1e3:.0f} ms a call"
    )
    told = f"steady {rate:.1f} ({rate / ideal:.1%}); whole run {len(ends) / whole / ideal:.1%}"
    print(f"ideal {ideal:.1f} questions/s; {told}")
    own, other = (last_cpu - first_cpu) / n * 1e3, keeper / len(ends) * 1e3
    print(f"CPU a question: {own:.2f} ms in the run's own process, {other:.2f} ms in the process that makes the calls")


def main() -> None:
    """Run the evaluation against a server."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--in-flight", type=int, default=64, help="calls at once")
    parser.add_argument("--open", type=int, help="items at once, those whose log is being written included")
    parser.add_argument("-n", type=int, default=1280)
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--profile", action="store_true")
    args = parser.parse_args()
    with served(args.latency) as url:
        run(url, args.in_flight, args.n, args.latency, args.profile, args.open or args.in_flight)


if __name__ == "__main__":
    main()
