"""HTTP clients for a chat server: one per event loop, and a deadline for whole replies.

An httpx client is bound to the event loop that first used it; a second ``asyncio.run()`` in one
process would meet "Event loop is closed". ``LoopTransport`` makes one client to its owner of an inner one
per running loop, closed when the loop is. httpx's read timeout starts anew with every byte, so that
a server which drips would hold a call for hours; here a reply must be complete within it (a server-sent
event stream is exempt: there it bounds the pause between two pieces).
"""

from __future__ import annotations

import asyncio
import time
import weakref
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from dataclasses import dataclass, field

import httpx2
from openai import DefaultAsyncHttpxClient, DefaultHttpxClient

_LIMITS = httpx2.Limits(max_connections=None, max_keepalive_connections=256)
# The model's semaphore bounds the calls in flight; a second bound here could only make them wait in line.

_CONNECT = 10.0  # seconds: a model may think for minutes, a server that is there takes a call at once


@dataclass
class PerLoop:
    """What belongs to one event loop: its HTTP client and the bound on calls in flight."""

    client: httpx2.AsyncClient
    semaphore: asyncio.Semaphore
    closer: AsyncGenerator[None, None] | None = field(default=None)


class LoopTransport(httpx2.AsyncBaseTransport):
    """Sends each request with the running loop's own client (proxies from the environment included)."""

    def __init__(self, max_concurrency: int = 64) -> None:
        self.max_concurrency = max_concurrency
        self._loops: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, PerLoop] = weakref.WeakKeyDictionary()

    async def here(self) -> PerLoop:
        """The running loop's client and semaphore, made on first use."""
        loop = asyncio.get_running_loop()
        own = self._loops.get(loop)
        if own is None:
            own = PerLoop(DefaultAsyncHttpxClient(limits=_LIMITS), asyncio.Semaphore(self.max_concurrency))
            self._loops[loop] = own
            # asyncio.run() closes open async generators before it closes the loop: the one moment
            # at which the client's sockets can still be closed on it.
            own.closer = _close_at_the_end(own.client)
            await own.closer.__anext__()
        return own

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        own = await self.here()
        _shorten_connect(request)
        response = await own.client.send(request, stream=True)
        deadline = _deadline(request, response)
        if deadline is not None:
            assert isinstance(response.stream, httpx2.AsyncByteStream)
            response.stream = _AsyncDeadline(response.stream, deadline, request)
        return response

    async def aclose(self) -> None:
        own = self._loops.pop(asyncio.get_running_loop(), None)
        if own is not None and own.closer is not None:
            await own.closer.aclose()


class Transport(httpx2.BaseTransport):
    """The same for sync calls, which need no client per loop."""

    def __init__(self) -> None:
        self._client = DefaultHttpxClient(limits=_LIMITS)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        _shorten_connect(request)
        response = self._client.send(request, stream=True)
        deadline = _deadline(request, response)
        if deadline is not None:
            assert isinstance(response.stream, httpx2.SyncByteStream)
            response.stream = _Deadline(response.stream, deadline, request)
        return response

    def close(self) -> None:
        self._client.close()

    def __del__(self) -> None:
        self._client.close()  # LangChain's models have no end of life of their own


async def _close_at_the_end(client: httpx2.AsyncClient) -> AsyncGenerator[None, None]:
    try:
        yield
    finally:
        await client.aclose()


def _shorten_connect(request: httpx2.Request) -> None:
    timeout = request.extensions.get("timeout") or {}
    request.extensions = {
        **request.extensions,
        "timeout": {**timeout, "connect": min(timeout.get("connect") or _CONNECT, _CONNECT)},
    }


def _deadline(request: httpx2.Request, response: httpx2.Response) -> float | None:
    seconds = (request.extensions.get("timeout") or {}).get("read")
    if seconds is None or response.headers.get("content-type", "").startswith("text/event-stream"):
        return None
    return time.monotonic() + seconds


def _check(deadline: float, request: httpx2.Request) -> None:
    if time.monotonic() > deadline:
        raise httpx2.ReadTimeout("the reply was not complete in time", request=request)


@dataclass
class _AsyncDeadline(httpx2.AsyncByteStream):
    stream: httpx2.AsyncByteStream
    deadline: float
    request: httpx2.Request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self.stream:
            _check(self.deadline, self.request)
            yield part

    async def aclose(self) -> None:
        await self.stream.aclose()


@dataclass
class _Deadline(httpx2.SyncByteStream):
    stream: httpx2.SyncByteStream
    deadline: float
    request: httpx2.Request

    def __iter__(self) -> Iterator[bytes]:
        for part in self.stream:
            _check(self.deadline, self.request)
            yield part

    def close(self) -> None:
        self.stream.close()
