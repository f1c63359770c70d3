"""HTTP transports for a chat server: connections per event loop, one deadline and one bound for each reply.

An httpx client is bound to the event loop that first used it; a second ``asyncio.run()`` in one process
would meet "Event loop is closed". ``LoopTransport`` keeps connections per running loop and closes them
when the loop ends. It also keeps them in a stack of its own: httpx's pool looks at every connection for
every request (a sixth of the client's time with 64 calls in flight).

httpx's read timeout starts anew with every byte, so that a server which drips, be it its status line, its
headers, "100 Continue" or the reply, would hold a call for hours. Here one clock runs from the request's first
byte to the reply's last; a stream that was asked for has ``STREAM`` times as long, and between two pieces of it
the timeout as such. A reply has at most ``MAX_REPLY`` bytes, and comes as it is: compressed it could be any size.
"""

from __future__ import annotations

import asyncio
import time
import weakref
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from ssl import SSLContext
from urllib.request import getproxies, proxy_bypass

import httpx2

from triplewise.background import BackgroundLoop
from triplewise.errors import ConfigError

_ONE = httpx2.Limits(max_connections=1, max_keepalive_connections=1, keepalive_expiry=30.0)
MAX_REPLY = 16 * 2**20
"""Bytes."""
STREAM = 10
"""How many timeouts a stream may take in all."""
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
        clock = _prepare(request)
        response = None
        try:
            async with _until(clock.at, request):
                response = await sender.handle_async_request(request)
            _admit(response, request)
        except BaseException:
            if response is not None:
                await response.aclose()
            own.idle.append(sender)
            raise
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = _AsyncReply(response.stream, request, clock.for_body(response), own.idle, sender)
        return response

    async def aclose(self) -> None:
        own = self._loops.pop(asyncio.get_running_loop(), None)
        if own is not None and own.closer is not None:
            await own.closer.aclose()


class Transport(httpx2.BaseTransport):
    """The same for sync calls, on a loop in a thread of its own: only there can a waiting read be ended."""

    def __init__(self) -> None:
        self._inner = LoopTransport()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        request.read()
        sent = httpx2.Request(
            request.method, request.url, headers=request.headers, content=request.content, extensions=request.extensions
        )
        response = _loop.run(self._inner.handle_async_request(sent))
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = _Reply(response.stream)
        return response

    def close(self) -> None:
        # Its finalizer closes the connections on their loop; waiting for that could wait for ever at Python's exit.
        self._inner = LoopTransport()


_loop = BackgroundLoop("triplewise-http")


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
    proxy = proxies.get(url.scheme) or proxies.get("all")
    return f"http://{proxy}" if proxy and "://" not in proxy else proxy or None


def check_proxy(url: str) -> None:
    """Raise ConfigError where the environment names a proxy for the address that cannot be used."""
    proxy = _proxy(httpx2.URL(url))
    if proxy is None:
        return
    try:
        parts = httpx2.URL(proxy)
        scheme, host = parts.scheme, parts.host
    except (httpx2.InvalidURL, ValueError):
        scheme = host = ""
    if scheme not in ("http", "https") or not host:
        raise ConfigError(
            f"the proxy {proxy!r} of the environment cannot be used.",
            "HTTPS_PROXY and HTTP_PROXY must look like http://host:3128 (no SOCKS); NO_PROXY excepts a host.",
        )


def _prepare(request: httpx2.Request) -> _Clock:
    """Start the request's clock; a server that is there takes a call at once, and compresses nothing."""
    timeout = request.extensions.get("timeout") or {}
    connect = min(timeout.get("connect") or _CONNECT, _CONNECT)
    request.extensions = {**request.extensions, "timeout": {**timeout, "connect": connect}}
    request.headers["Accept-Encoding"] = "identity"
    seconds = timeout.get("read")
    at = float("inf") if seconds is None else time.monotonic() + seconds
    return _Clock(at, seconds, _wants_stream(request))


def _admit(response: httpx2.Response, request: httpx2.Request) -> None:
    """Refuse a reply that says itself that it is too large, or that is compressed though it was not asked to be."""
    if (coding := response.headers.get("content-encoding", "identity").strip().lower()) not in ("", "identity"):
        raise httpx2.DecodingError(f"the reply is compressed ({coding[:40]})", request=request)
    length = response.headers.get("content-length", "")
    if length.isascii() and length.isdigit() and (len(length) > 15 or int(length) > MAX_REPLY):
        raise _too_large(request)


def _too_large(request: httpx2.Request) -> httpx2.DecodingError:
    return httpx2.DecodingError(f"the reply has more than {MAX_REPLY / 2**20:.0f} MiB", request=request)


@asynccontextmanager
async def _until(at: float, request: httpx2.Request) -> AsyncIterator[None]:
    """What the block awaits must be done by then."""
    if at == float("inf"):
        yield
        return
    try:
        async with asyncio.timeout(max(at - time.monotonic(), 0)):
            yield
    except TimeoutError:
        raise httpx2.ReadTimeout("the reply was not complete in time", request=request) from None


@dataclass(slots=True)
class _Clock:
    """When a reply must be complete; ``pause`` bounds the time between two pieces of a stream."""

    at: float
    seconds: float | None
    streamed: bool
    pause: float | None = None

    def for_body(self, response: httpx2.Response) -> _Clock:
        """The clock of the reply's body: a stream of events, if the request asked for one, has longer."""
        if self.seconds is None or not self.streamed or "event-stream" not in response.headers.get("content-type", ""):
            return self
        return _Clock(self.at + (STREAM - 1) * self.seconds, self.seconds, True, self.seconds)

    def next(self) -> float:
        """When the next piece must have come."""
        return self.at if self.pause is None else min(self.at, time.monotonic() + self.pause)


def _wants_stream(request: httpx2.Request) -> bool:
    """Whether a request's body asks for a stream."""
    try:
        return b'"stream":true' in request.content or b'"stream": true' in request.content
    except httpx2.RequestNotRead:
        return False


@dataclass
class _AsyncReply(httpx2.AsyncByteStream):
    """A reply's bytes under a clock; its connection is free again once it is closed."""

    stream: httpx2.AsyncByteStream
    request: httpx2.Request
    clock: _Clock
    idle: list[httpx2.AsyncHTTPTransport]
    sender: httpx2.AsyncHTTPTransport | None

    async def __aiter__(self) -> AsyncIterator[bytes]:
        received = 0
        parts = aiter(self.stream)
        while True:
            async with _until(self.clock.next(), self.request):
                part = await anext(parts, None)
            if part is None:
                return
            received += len(part)
            if received > MAX_REPLY:
                raise _too_large(self.request)
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
    """The same for a sync call, piece by piece from the loop."""

    stream: httpx2.AsyncByteStream

    def __iter__(self) -> Iterator[bytes]:
        parts = aiter(self.stream)

        async def following() -> bytes | None:
            return await anext(parts, None)

        while (part := _loop.run(following())) is not None:
            yield part

    def close(self) -> None:
        async def close() -> None:
            await self.stream.aclose()

        _loop.run(close())
