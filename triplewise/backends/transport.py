"""HTTP transports for a chat server: connections per event loop, and a deadline for whole replies.

An httpx client is bound to the event loop that first used it; a second ``asyncio.run()`` in one process
would meet "Event loop is closed". ``LoopTransport`` keeps connections per running loop and closes them
when the loop ends. It also keeps them in a stack of its own: httpx's pool looks at every connection for
every request (a sixth of the client's time with 64 calls in flight).

httpx's read timeout starts anew with every byte, so that a server which drips would hold a call for
hours; here a reply must be complete within it (a server-sent event stream is exempt: there it bounds the
pause between two pieces).
"""

from __future__ import annotations

import asyncio
import time
import weakref
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from ssl import SSLContext
from urllib.request import getproxies, proxy_bypass

import httpx2

_ONE = httpx2.Limits(max_connections=1, max_keepalive_connections=1, keepalive_expiry=30.0)
# The model's semaphore bounds the calls in flight; a bound here could only make them wait in line.
_MANY = httpx2.Limits(max_connections=None, max_keepalive_connections=64, keepalive_expiry=30.0)
_CONNECT = 10.0  # seconds: a model may think for minutes, a server that is there takes a call at once


@dataclass
class PerLoop:
    """What belongs to one event loop: the bound on calls in flight, and connections (``idle`` of ``made``)."""

    semaphore: asyncio.Semaphore
    idle: list[httpx2.AsyncHTTPTransport] = field(default_factory=list)
    made: list[httpx2.AsyncHTTPTransport] = field(default_factory=list)
    closer: AsyncGenerator[None, None] | None = None


class LoopTransport(httpx2.AsyncBaseTransport):
    """Sends each request over a connection of the running loop, through the environment's proxy if any."""

    def __init__(self, max_concurrency: int = 64) -> None:
        self.max_concurrency = max_concurrency
        self._loops: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, PerLoop] = weakref.WeakKeyDictionary()

    async def here(self) -> PerLoop:
        """The running loop's connections and semaphore, made on first use."""
        loop = asyncio.get_running_loop()
        own = self._loops.get(loop)
        if own is None:
            self._loops[loop] = own = PerLoop(asyncio.Semaphore(self.max_concurrency))
            # asyncio.run() closes open async generators before it closes the loop: the one moment
            # at which the connections can still be closed on it.
            own.closer = _close_at_the_end(own)
            await own.closer.__anext__()
            # A model may be forgotten while its loop lives on. The finalizer also keeps the sockets
            # out of that garbage, where they would be dropped open.
            weakref.finalize(self, _close_later, weakref.ref(loop), own).atexit = False
        return own

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        own = await self.here()
        if own.idle:
            sender = own.idle.pop()
        else:
            sender = httpx2.AsyncHTTPTransport(verify=_ssl(), limits=_ONE, proxy=_proxy(request.url))
            own.made.append(sender)
        try:
            _shorten_connect(request)
            response = await sender.handle_async_request(request)
        except BaseException:
            own.idle.append(sender)
            raise
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = _AsyncReply(response.stream, request, _deadline(request, response), own.idle, sender)
        return response

    async def aclose(self) -> None:
        own = self._loops.pop(asyncio.get_running_loop(), None)
        if own is not None and own.closer is not None:
            await own.closer.aclose()


class Transport(httpx2.BaseTransport):
    """The same for sync calls, with httpx's own pool: threads are few."""

    def __init__(self) -> None:
        self._senders: dict[str | None, httpx2.HTTPTransport] = {}

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        proxy = _proxy(request.url)
        sender = self._senders.get(proxy)
        if sender is None:
            made = httpx2.HTTPTransport(verify=_ssl(), limits=_MANY, proxy=proxy)
            sender = self._senders.setdefault(proxy, made)
        _shorten_connect(request)
        response = sender.handle_request(request)
        assert isinstance(response.stream, httpx2.SyncByteStream)
        response.stream = _Reply(response.stream, request, _deadline(request, response))
        return response

    def close(self) -> None:
        for sender in self._senders.values():
            sender.close()

    def __del__(self) -> None:
        with suppress(AttributeError):  # a transport that was never made
            self.close()  # LangChain's models have no end of life of their own


async def _close_at_the_end(own: PerLoop) -> AsyncGenerator[None, None]:
    try:
        yield
    finally:
        await _close(own)


async def _close(own: PerLoop) -> None:
    own.idle.clear()
    while own.made:
        await own.made.pop().aclose()


def _close_later(loop_ref: weakref.ref[asyncio.AbstractEventLoop], own: PerLoop) -> None:
    loop = loop_ref()
    if loop is not None and loop.is_running():
        loop.call_soon_threadsafe(lambda: loop.create_task(_close(own)))


@lru_cache(maxsize=1)
def _ssl() -> SSLContext:
    return httpx2.create_ssl_context()


def _proxy(url: httpx2.URL) -> str | None:
    proxies = getproxies()
    if not proxies or proxy_bypass(url.host):
        return None
    return proxies.get(url.scheme) or proxies.get("all")


def _shorten_connect(request: httpx2.Request) -> None:
    timeout = request.extensions.get("timeout") or {}
    connect = min(timeout.get("connect") or _CONNECT, _CONNECT)
    request.extensions = {**request.extensions, "timeout": {**timeout, "connect": connect}}


def _deadline(request: httpx2.Request, response: httpx2.Response) -> float:
    seconds = (request.extensions.get("timeout") or {}).get("read")
    if seconds is None or response.headers.get("content-type", "").startswith("text/event-stream"):
        return float("inf")
    return time.monotonic() + seconds


def _check(deadline: float, request: httpx2.Request) -> None:
    if time.monotonic() > deadline:
        raise httpx2.ReadTimeout("the reply was not complete in time", request=request)


@dataclass
class _AsyncReply(httpx2.AsyncByteStream):
    """A reply's bytes under a deadline; its connection is free again once it is closed."""

    stream: httpx2.AsyncByteStream
    request: httpx2.Request
    deadline: float
    idle: list[httpx2.AsyncHTTPTransport]
    sender: httpx2.AsyncHTTPTransport | None

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self.stream:
            _check(self.deadline, self.request)
            yield part

    async def aclose(self) -> None:
        try:
            await self.stream.aclose()
        finally:
            sender, self.sender = self.sender, None
            if sender is not None:
                self.idle.append(sender)


@dataclass
class _Reply(httpx2.SyncByteStream):
    stream: httpx2.SyncByteStream
    request: httpx2.Request
    deadline: float

    def __iter__(self) -> Iterator[bytes]:
        for part in self.stream:
            _check(self.deadline, self.request)
            yield part

    def close(self) -> None:
        self.stream.close()
