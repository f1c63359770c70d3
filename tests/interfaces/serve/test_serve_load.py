"""Many clients at once on loopback: no 5xx, models stopped with their clients, memory as before, nothing left running."""

from __future__ import annotations

import asyncio
import gc
import os
import time
from pathlib import Path

import httpx2 as httpx
import pytest
from served import Serve, Served


def resident() -> int:
    """Bytes of memory that this process holds (Linux)."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def load(served: Served, clients: int, requests: int, disconnects: int) -> dict[int, int]:
    """Statuses by count: ``clients`` in flight, of whose requests some are broken off after their first line."""
    statuses: dict[int, int] = {}
    left = iter(range(requests))
    limits = httpx.Limits(max_connections=clients, max_keepalive_connections=clients)
    async with httpx.AsyncClient(base_url=served.url, timeout=120, limits=limits) as http:

        async def worker() -> None:
            for i in left:
                broken = i % max(1, requests // disconnects) == 0
                text = "slow" if broken else "Who made Blade Runner?"
                body = {"messages": [{"role": "user", "content": text}], "stream": broken or i % 2 == 0}
                if broken:
                    async with http.stream("POST", "/v1/chat/completions", json=body) as answer:
                        status = answer.status_code
                        async for _ in answer.aiter_lines():
                            break
                else:
                    answer = await http.post("/v1/chat/completions", json=body)
                    status = answer.status_code
                    assert "Ridley Scott" in answer.text or status != 200
                statuses[status] = statuses.get(status, 0) + 1

        await asyncio.gather(*(worker() for _ in range(clients)))
    return statuses


async def settled(served: Served) -> float:
    """Seconds until no turn runs."""
    began = time.monotonic()
    while served.service.running and time.monotonic() - began < 10:  # noqa: ASYNC110 (another thread counts)
        await asyncio.sleep(0.01)
    return time.monotonic() - began


async def test_some_clients(serve: Serve) -> None:
    served = serve(max_turns=300)
    assert await load(served, 20, 200, 10) == {200: 200}
    assert await settled(served) < 1.0
    assert sum(other.stopped_models for other in served.others) == 10


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_two_hundred_clients_ten_thousand_requests(serve: Serve) -> None:
    served = serve(max_turns=300)
    await load(served, 200, 2_500, 125)  # what is kept is full by now: evidence of 2,000 answers
    await settled(served)
    gc.collect()
    before = resident()
    began = time.monotonic()
    statuses = await load(served, 200, 10_000, 500)
    seconds = time.monotonic() - began
    assert statuses == {200: 10_000}
    stopped_in = await settled(served)
    gc.collect()
    growth = resident() / before - 1
    print(f"{10_000 / seconds:.0f} requests/s, memory {growth:+.1%}, models stopped after {stopped_in:.2f} s")
    assert stopped_in < 1.0
    assert growth < 0.05
    assert sum(other.stopped_models for other in served.others) == 625
