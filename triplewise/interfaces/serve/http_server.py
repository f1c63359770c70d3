"""The HTTP server under the application: uvicorn, with a limit on how long a request's headers may take."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from triplewise.errors import ConfigError
from triplewise.interfaces.serve.options import ServeOptions


def protocol(timeout: float) -> type[H11Protocol]:
    """uvicorn's protocol, closing a connection on which a request has not begun within ``timeout`` seconds."""

    class HeaderTimeoutProtocol(H11Protocol):
        _deadline: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._watch()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._watch()

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            if self._deadline is not None:
                self._deadline.cancel()

        def _watch(self) -> None:
            waits = self.cycle is None or self.cycle.response_complete
            if waits and self._deadline is None:
                self._deadline = self.loop.call_later(timeout, self.transport.close)
            elif not waits and self._deadline is not None:
                self._deadline.cancel()
                self._deadline = None

    return HeaderTimeoutProtocol


def listen(options: ServeOptions) -> socket.socket:
    """The listening socket; ConfigError where the address is taken or not this machine's."""
    try:
        found = socket.getaddrinfo(options.host, options.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, number, _, address = found[0]
        sock = socket.socket(family, kind, number)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)
        sock.listen(1024)
    except OSError as error:
        raise ConfigError(
            f"{options.host}:{options.port} cannot be listened on: {error.strerror or error}.", "Choose another --port."
        ) from None
    sock.set_inheritable(False)
    return sock


def server(app: ASGIApp, options: ServeOptions, **settings: Any) -> uvicorn.Server:
    """uvicorn over the application; its log lines are ours (``logs.configure``)."""
    config = uvicorn.Config(
        app,
        http=protocol(options.read_timeout),
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=True,
        proxy_headers=False,
        lifespan="on",
        timeout_keep_alive=15,
        timeout_graceful_shutdown=options.grace,
        h11_max_incomplete_event_size=64_000,
        **settings,
    )
    return uvicorn.Server(config)
