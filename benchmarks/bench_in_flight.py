"""Questions in flight on the embedded model, and what batches of sequences can gain at most.

    python benchmarks/bench_in_flight.py questions       # KG-GPT over the bundled films, 1, 2, 4 and 8 in flight
    python benchmarks/bench_in_flight.py batches         # tokens by the number of sequences in a batch, greedy replies

``questions`` prints questions per second and the answers that differ from those of one question in flight.
``batches`` writes greedy replies of as many prompts together, one token of each in a batch, and prints tokens per
second and the replies that differ from those written alone. Times there are of this thread's processor, so that they
hold on a busy machine too, and with one thread only (it sets TRIPLEWISE_THREADS to 1).
"""

from __future__ import annotations

import argparse
import asyncio
import os
import time
from collections.abc import Sequence

import triplewise
from triplewise.backends.llama.llama_engine import Engine
from triplewise.backends.llama.llamacpp import ChatLlamaCpp
from triplewise.backends.llama.sequences import FORKS, Piece
from triplewise.kg import KGStore, load_kg

IN_FLIGHT = (1, 2, 4, 8)
WRITTEN = 16
"""Tokens of each greedy reply."""


def film_names(kg: KGStore, n: int) -> list[str]:
    """The first ``n`` films by id."""
    return sorted({t.head for t in kg.triples(relation="directed_by")})[:n]


async def answers(kg: KGStore, model: ChatLlamaCpp, films: Sequence[str], in_flight: int) -> list[list[str]]:
    """The answers to one question of each film, in order."""
    gate = asyncio.Semaphore(in_flight)

    async def one(film: str) -> list[str]:
        async with gate:
            question = f"who directed [{kg.display(film)}]"
            result = await triplewise.aask(kg, question, entities=[film], model=model)
            return [a.id for a in result.answers]

    return list(await asyncio.gather(*(one(film) for film in films)))


def questions(n: int) -> None:
    """Print a line for each number in flight."""
    kg, model = load_kg("films"), ChatLlamaCpp.from_spec("embedded")
    films = film_names(kg, n)
    asyncio.run(answers(kg, model, films[:1], 1))  # loads the model and the index
    alone: list[list[str]] = []
    for in_flight in IN_FLIGHT:
        model.pool.forget()
        started, used = time.perf_counter(), time.process_time()
        found = asyncio.run(answers(kg, model, films, in_flight))
        seconds, used = time.perf_counter() - started, time.process_time() - used
        alone = alone or found
        differ = sum(a != b for a, b in zip(alone, found, strict=True))
        print(
            f"{in_flight} in flight: {n / seconds:.2f} questions/s, {used / n:.2f} s of CPU each, {differ} of {n} "
            "answers differ",
            flush=True,
        )


def written(engine: Engine, prompts: Sequence[list[int]]) -> tuple[list[list[int]], float]:
    """Greedy replies of prompts in one context, and the seconds of this thread's processor for all but the prompts."""
    engine.forget()
    engine.sequences.capi.llama_memory_clear(engine.sequences.memory, True)
    rows = [engine.sequences.evaluate([Piece(i, 0, prompt)])[0] for i, prompt in enumerate(prompts)]
    replies = [[int(row.argmax())] for row in rows]
    started = time.thread_time()
    for step in range(WRITTEN - 1):
        pieces = [Piece(i, len(prompts[i]) + step, replies[i][-1:]) for i in range(len(prompts))]
        for reply, row in zip(replies, engine.sequences.evaluate(pieces), strict=True):
            reply.append(int(row.argmax()))
    seconds = time.thread_time() - started
    engine.sequences.capi.llama_memory_clear(engine.sequences.memory, True)
    return replies, seconds


def batches(n: int) -> None:
    """Print a line for each number of sequences in a batch."""
    os.environ["TRIPLEWISE_THREADS"] = "1"
    kg, model = load_kg("films"), ChatLlamaCpp.from_spec("embedded")
    engine = model.engine
    chats = [[{"role": "user", "content": f"Say something about {kg.display(f)}."}] for f in film_names(kg, n)]
    prompts = [engine.tokenize(engine.render(chat)) for chat in chats]
    alone: list[list[int]] = []
    for size in IN_FLIGHT:
        groups = [written(engine, prompts[i : i + size]) for i in range(0, n, size)]
        replies = [reply for group, _ in groups for reply in group]
        seconds = sum(used for _, used in groups)
        alone = alone or replies
        differ = sum(a != b for a, b in zip(alone, replies, strict=True))
        print(
            f"{size} in a batch: {n * (WRITTEN - 1) / seconds:.1f} tokens/s of CPU, {differ} of {n} replies differ",
            flush=True,
        )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("questions", "batches"))
    parser.add_argument("-n", type=int, default=FORKS, help="questions, or greedy replies")
    args = parser.parse_args()
    (questions if args.what == "questions" else batches)(args.n)


if __name__ == "__main__":
    main()
