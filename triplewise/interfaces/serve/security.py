"""What stands before every route: Host, Origin, key, sizes, slow clients, and the headers of every answer.

Host: an IP address or a name that was allowed, so that no web page can reach the server under a name of its own (DNS
rebinding). Origin: a request that a page of another site makes is refused, reading or writing. Bodies are JSON, so that
no HTML form can send one. All of it is one pure ASGI middleware: a stream passes through unbuffered.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import re
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from triplewise.interfaces.serve.options import ServeOptions, is_address

_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors {frames}; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
_OPEN = re.compile(r"/(?:|healthz|page/.*|evidence/[^/]+|favicon\.ico|api/evidence/[^/]+)")
"""Paths without the key: they hold nothing of a graph, or (evidence) ask for the signature in the link."""
_FRAMED = re.compile(r"/evidence/[^/]+")
_UPLOAD = "/api/graphs"
_WRITES = ("POST", "PUT", "PATCH", "DELETE")


class Refusal(HTTPException):
    """A request that is refused, before any route sees it or while its body is read."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(status, message)
        self.status = status
        self.message = message


class Guard:
    """The middleware."""

    def __init__(self, app: ASGIApp, options: ServeOptions) -> None:
        self.app = app
        self.options = options

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        path, headers = scope["path"], Headers(scope=scope)
        framed = bool(_FRAMED.fullmatch(path))
        outgoing = _Outgoing(send, self.options, framed)
        try:
            self._check(scope, path, headers)
            incoming = _Incoming(receive, self.options, self._limit(path))
            await self.app(scope, incoming, outgoing)
        except Refusal as refusal:
            if not outgoing.started:
                await _refuse(outgoing, refusal)

    def _check(self, scope: Scope, path: str, headers: Headers) -> None:
        if not host_allowed(headers.get("host", ""), self.options):
            raise Refusal(HTTPStatus.MISDIRECTED_REQUEST, "This server does not go by that name (see --allow-host).")
        open_path = bool(_OPEN.fullmatch(path))
        if not origin_allowed(headers, open_path and scope["method"] in ("GET", "HEAD")):
            raise Refusal(HTTPStatus.FORBIDDEN, "Pages of other sites may not call this server.")
        if self.options.key and not open_path and not key_matches(headers.get("authorization", ""), self.options.key):
            raise Refusal(HTTPStatus.UNAUTHORIZED, "The key is missing or wrong: send Authorization: Bearer KEY.")
        if scope["method"] in _WRITES and scope["method"] != "DELETE":
            kind = headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind != "application/json":
                raise Refusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "Send JSON, with Content-Type: application/json.")
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self._limit(path):
            raise Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"At most {self._limit(path):,} bytes.")

    def _limit(self, path: str) -> int:
        return self.options.max_upload if path == _UPLOAD else self.options.max_body


def host_allowed(host: str, options: ServeOptions) -> bool:
    """Whether a request's Host header names this server: an IP address, localhost, or a name that was allowed."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    if any(c in host for c in "/@?#\\ "):
        return False
    named = {options.host.lower(), *(h.lower() for h in options.allowed_hosts)}
    if options.public_url:
        named.add((urlsplit(options.public_url).hostname or "").lower())
    return name == "localhost" or is_address(name) or (bool(name) and name.lower() in named)


def origin_allowed(headers: Headers, public: bool) -> bool:
    """Whether a request comes from our own page or from no page at all; ``public`` paths may be linked to."""
    origin = headers.get("origin")
    if origin is not None:
        return urlsplit(origin).netloc.lower() == headers.get("host", "").lower() and origin != "null"
    return public or headers.get("sec-fetch-site", "none") in ("same-origin", "none")


def key_matches(authorization: str, key: str) -> bool:
    """Whether an Authorization header carries the key; takes as long for a near miss as for a far one."""
    scheme, _, given = authorization.partition(" ")
    return scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), key.encode())


class _Incoming:
    """A request's body: bounded in size, and in the time that it may take to arrive."""

    def __init__(self, receive: Receive, options: ServeOptions, limit: int) -> None:
        self.receive, self.timeout, self.limit = receive, options.read_timeout, limit
        self.size, self.whole = 0, False
        self.deadline: float | None = None

    async def __call__(self) -> Message:
        if self.whole:
            return await self.receive()  # waits for the client to go away
        loop = asyncio.get_running_loop()
        self.deadline = self.deadline or loop.time() + self.timeout
        try:
            message = await asyncio.wait_for(self.receive(), max(0.0, self.deadline - loop.time()))
        except TimeoutError:
            raise Refusal(HTTPStatus.REQUEST_TIMEOUT, "The request took too long to arrive.") from None
        if message["type"] == "http.request":
            self.size += len(message.get("body", b""))
            if self.size > self.limit:
                raise Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"At most {self.limit:,} bytes.")
            self.whole = not message.get("more_body", False)
        return message


class _Outgoing:
    """An answer: with the headers of all answers, and given up where the client takes nothing of it."""

    def __init__(self, send: Send, options: ServeOptions, framed: bool) -> None:
        self.send, self.timeout, self.started = send, options.send_timeout, False
        frames = options.frame_origin.rstrip("/") if framed and options.frame_origin else "'none'"
        self.headers = {**_HEADERS, "Content-Security-Policy": _CSP.format(frames=frames)}
        if frames == "'none'":
            self.headers["X-Frame-Options"] = "DENY"

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            headers = MutableHeaders(scope=message)
            for name, value in self.headers.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-store")
        try:
            await asyncio.wait_for(self.send(message), self.timeout)
        except TimeoutError:
            raise OSError("the client takes nothing of the answer") from None


async def _refuse(send: Send, refusal: Refusal) -> None:
    kinds = {401: "authentication_error", 403: "permission_error"}
    kind = kinds.get(refusal.status, "invalid_request_error")
    body: dict[str, Any] = {"error": {"message": refusal.message, "type": kind, "param": None, "code": None}}
    content = json.dumps(body).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(content)).encode())]
    headers += [(b"connection", b"close")] * (refusal.status in (408, 413))
    headers += [(b"www-authenticate", b"Bearer")] * (refusal.status == 401)
    await send({"type": "http.response.start", "status": int(refusal.status), "headers": headers})
    await send({"type": "http.response.body", "body": content})
