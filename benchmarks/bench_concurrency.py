"""Throughput of many questions at once: python benchmarks/bench_concurrency.py

KG-GPT answers one-hop questions over the bundled graph, 64 in flight, each with three calls in a row
(segmenter, relation selector, reasoner), against a real HTTP server in a process of its own that answers
after 200 ms. Ideal is in-flight / (3 × latency); the target is 90% of it. The cache is off.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import json
import pstats
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
CALLS = 3


def reply(body: dict[str, Any]) -> str:
    """The right reply to each of KG-GPT's three prompts, as a capable model would give it."""
    from asked_node import asked_node  # pyright: ignore[reportMissingImports]

    node, user = asked_node(body), body["messages"][-1]["content"]
    if node == "segment":
        sentence = user.rpartition("Sentence: ")[2].partition("\n")[0]
        return f"1. {sentence} | {user.rpartition('Entities: ')[2].strip()} ; ?answer"
    if node == "select_relations":
        return "directed by"
    return user.rpartition("directed by, ")[2].partition(")\n")[0]


async def serve(latency: float) -> None:
    """Run the server; prints its URL."""
    sys.path.append(str(ROOT / "tests" / "support"))
    from fake_openai_server import FakeOpenAI  # pyright: ignore[reportMissingImports]

    server = FakeOpenAI(reply, latency=latency)
    listening = await server.start("127.0.0.1", 0)
    print(json.dumps({"url": server.url}), flush=True)
    await listening.serve_forever()


@contextmanager
def served(latency: float) -> Iterator[str]:
    """The URL of a server in a process of its own."""
    command = [sys.executable, __file__, "--serve", "--latency", str(latency)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        yield json.loads(server.stdout.readline())["url"]
    finally:
        server.terminate()
        server.wait()


async def run(url: str, in_flight: int, total: int, latency: float, profile: bool) -> None:
    """Ask all questions, at most ``in_flight`` at a time, and print the throughput."""
    from triplewise.backends import load_chat_model
    from triplewise.graphs.run import aask
    from triplewise.kg import load_kg

    kg = load_kg("films")
    model = load_chat_model("openai:fake", base_url=url, max_concurrency=in_flight)
    films = sorted({t.head for t in kg.triples(relation="directed_by")})
    directors = {f: {t.tail for t in kg.triples(head=f, relation="directed_by")} for f in films}
    wrong = calls = 0
    ends: list[tuple[float, float]] = []  # of each question: the clock, and the CPU time so far

    async def work(questions: Iterator[str]) -> None:
        nonlocal calls, wrong
        for film in questions:
            result = await aask(kg, f"who directed [{kg.display(film)}]", entities=[film], model=model)
            calls += result.usage.calls
            wrong += not {a.id for a in result.answers} & directors[film]
            ends.append((time.perf_counter(), time.process_time()))

    profiler = cProfile.Profile()
    if profile:
        profiler.enable()
    questions = islice(cycle(films), total + 5 * in_flight)  # one iterator for all: each takes the next
    started = time.perf_counter()
    await asyncio.gather(*(work(questions) for _ in range(in_flight)))
    if profile:
        profiler.disable()
        pstats.Stats(profiler).sort_stats("cumtime").print_stats(100)
    ideal = in_flight / (CALLS * latency)
    # The steady part: without four waves at the start (indexes, connections, all in step) and the last.
    (first, first_cpu), (last, last_cpu) = ends[4 * in_flight], ends[4 * in_flight + total - 1]
    rate = (total - 1) / (last - first)
    whole = len(ends) / (ends[-1][0] - started)
    print(f"{len(ends)} questions, {in_flight} in flight, {calls} calls, {wrong} wrong, {latency * 1e3:.0f} ms a call")
    print(f"ideal {ideal:.1f} questions/s; steady {rate:.1f} ({rate / ideal:.1%}); whole run {whole / ideal:.1%}")
    print(f"{(last_cpu - first_cpu) / total * 1e3:.2f} ms of CPU a question")


def main() -> None:
    """Run the client against a server."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--in-flight", type=int, default=64)
    parser.add_argument("-n", type=int, default=1280)
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        asyncio.run(serve(args.latency))
        return
    with served(args.latency) as url:
        asyncio.run(run(url, args.in_flight, args.n, args.latency, args.profile))


if __name__ == "__main__":
    main()
