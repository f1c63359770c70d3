"""Throughput of an evaluation with Inspect in between: python benchmarks/bench_inspect.py

A run of ``evals.runs.runner`` (Inspect, its log, the process that makes the calls, ledger and LLM cache) over one-hop
questions on a small graph, 64 in flight, three calls in a row each, against a real HTTP server in a process of its own
that answers after 200 ms. Ideal is in-flight / (3 × latency); the target is 90% of it. ``--bare``: Inspect alone, with
a solver that makes three calls of its own model, which sleeps.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import json
import os
import pstats
import resource
import tempfile
import time
from pathlib import Path
from typing import Any

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
    from triplewise.evals.runs.runner import RunSettings, start
    from triplewise.evals.scores.results import load_run

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
        broker = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])  # it has ended, the server has not
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
    own, other = (last_cpu - first_cpu) / n * 1e3, broker / len(ends) * 1e3
    print(f"CPU a question: {own:.2f} ms in the run's own process, {other:.2f} ms in the process that makes the calls")


def bare(in_flight: int, n: int, latency: float, open_items: int) -> None:
    """Inspect's own cost an item, under the settings of a run: no method, no graph, no process that makes calls."""
    from inspect_ai import Task, eval_set
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser, ModelAPI, ModelOutput, get_model, modelapi
    from inspect_ai.scorer import Score, mean, scorer
    from inspect_ai.solver import solver

    from triplewise.evals.runs.runner import GENERATE

    class Sleeper(ModelAPI):
        async def generate(self, *_: Any, **__: Any) -> ModelOutput:
            await asyncio.sleep(latency)
            return ModelOutput.from_content("sleeper", "Person 1")

        def max_connections(self) -> int:
            return in_flight

    @modelapi("sleeper")
    def sleeper() -> type[ModelAPI]:
        return Sleeper

    @solver
    def three_calls() -> Any:
        async def solve(state: Any, generate: Any) -> Any:
            for _ in range(CALLS):
                prompt = [ChatMessageSystem(content="Answer. " * 80), ChatMessageUser(content=state.input_text)]
                state.output = await get_model().generate(prompt)
            return state

        return solve

    @scorer(metrics=[mean()])
    def right() -> Any:
        async def compute(state: Any, target: Any) -> Score:
            return Score(value=1.0)

        return compute

    films = MemoryDataset([Sample(id=i + 1, input=f"who directed [Film {i}]", target="x") for i in range(n)])
    with tempfile.TemporaryDirectory() as folder:
        started, cpu = time.perf_counter(), time.process_time()
        eval_set(
            Task(films, name="bare", solver=three_calls(), scorer=right()), folder, model="sleeper/-", display="none",
            retry_attempts=0, retry_immediate=False, max_samples=open_items, log_buffer=1, log_realtime=False,
            score_display=False, ctl_server=False, acp_server=False, max_connections=in_flight, **GENERATE,
        )  # fmt: skip
        rate, cpu = n / (time.perf_counter() - started), (time.process_time() - cpu) / n * 1e3
    print(f"{n} questions by Inspect alone: whole run {rate * CALLS * latency / in_flight:.1%}, CPU {cpu:.2f} ms each")


def main() -> None:
    """Run the evaluation against a server."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--in-flight", type=int, default=64, help="calls at once")
    parser.add_argument("--open", type=int, help="items at once, those whose log is being written included")
    parser.add_argument("-n", type=int, default=1280)
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--bare", action="store_true", help="Inspect alone")
    args = parser.parse_args()
    if args.bare:
        return bare(args.in_flight, args.n, args.latency, args.open or args.in_flight)
    with served(args.latency) as url:
        run(url, args.in_flight, args.n, args.latency, args.profile, args.open or args.in_flight)


if __name__ == "__main__":
    main()
