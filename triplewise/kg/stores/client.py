"""SPARQL 1.1 protocol: read-only SELECT queries over HTTP, with caps on time, rows and bytes.

Requests go through the allow-list of ``triplewise.kg.stores.guard``, are spaced by the rate limit, tried again on 429,
502, 503, 504 and broken connections, and their answers kept for the process. No redirect is followed.
"""

from __future__ import annotations

import json
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

import httpx2

from triplewise.config import authorization
from triplewise.errors import BackendError, BackendTimeoutError, BadResponseError, ConfigError, RateLimitError
from triplewise.kg.names import one_line
from triplewise.kg.stores.guard import read_only
from triplewise.kg.stores.terms import id_to_iri, iri_to_id, literal_id

Row = dict[str, str]
"""Variable → id."""
_AGAIN = (429, 502, 503, 504)
_AGENT = "triplewise (https://github.com/triplewise; SPARQL client)"


@dataclass(frozen=True)
class Limits:
    """What one request, and all together, may cost."""

    seconds: float = 30.0
    rows: int = 10_000
    bytes: int = 64 * 2**20
    retries: int = 3
    per_second: float = 10.0
    cached: int = 2_000
    """Answers that are kept."""


@dataclass
class SparqlClient:
    """One endpoint. User and password, or a bearer token, are taken from the environment: TRIPLEWISE_SPARQL_USER,
    _PASSWORD and _TOKEN; they are sent to this endpoint alone."""

    url: str
    limits: Limits = Limits()
    direct: bool = True
    """Whether the query is the body itself; a server that refuses this is sent a form."""
    odd: dict[str, str] = field(default_factory=dict)
    """Id → IRI of what came up with an IRI that its id does not give: one of another scheme than http, https, urn."""
    requests: int = 0
    """Requests that were sent, tries again included."""
    _cache: OrderedDict[str, list[Row]] = field(default_factory=OrderedDict)
    _lock: Any = field(default_factory=threading.Lock)
    _next: float = 0.0

    def __post_init__(self) -> None:
        url = httpx2.URL(self.url)
        if url.scheme not in ("http", "https") or not url.host:
            raise ConfigError(f"{self.url!r} is no address of a SPARQL endpoint.", "Write sparql:https://HOST/PATH.")
        if url.userinfo:
            raise ConfigError(
                "the address holds a password.", "Set TRIPLEWISE_SPARQL_USER and TRIPLEWISE_SPARQL_PASSWORD."
            )
        headers = {"User-Agent": _AGENT, "Accept": "application/sparql-results+json"} | authorization("SPARQL")
        self._http = httpx2.Client(headers=headers, timeout=self.limits.seconds, follow_redirects=False)

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def select(self, query: str, *, rows: int | None = None) -> list[Row]:
        """The rows of a SELECT query, at most ``rows``; unbound variables are left out of a row.

        Raises QuestionError where the query is more than reading, BackendError where the endpoint fails.
        """
        cap = min(rows or self.limits.rows, self.limits.rows)
        query = read_only(query, rows=cap)
        with self._lock:
            if query in self._cache:
                self._cache.move_to_end(query)
                return self._cache[query]
        found = self._read(self._send(query), cap)
        with self._lock:
            self._cache[query] = found
            while len(self._cache) > self.limits.cached:
                self._cache.popitem(last=False)
        return found

    def _send(self, query: str) -> bytes:
        wait = 0.0
        for attempt in range(self.limits.retries + 1):
            self._pause(wait)
            wait = 0.5 * 2**attempt
            last = attempt == self.limits.retries
            try:
                status, headers, body = self._once(query)
            except httpx2.TimeoutException:
                raise BackendTimeoutError(
                    f"{self.url} did not answer in {self.limits.seconds:.0f} s.", "Ask for less, or try again later."
                ) from None
            except httpx2.TransportError as error:
                if last:
                    raise BackendError(f"{self.url} cannot be reached: {one_line(str(error))}.", "Is it up?") from None
                continue
            if status == 200:
                return body
            if status == 415 and self.direct:
                self.direct, wait = False, 0.0
                continue
            if status not in _AGAIN or last:
                self._fail(status, body)
            wait = max(wait, _retry_after(headers))
        raise AssertionError("unreachable")

    def _once(self, query: str) -> tuple[int, Any, bytes]:
        """One request; a deadline for the whole reply, and a cap on its bytes."""
        deadline = time.monotonic() + self.limits.seconds
        self.requests += 1
        if self.direct:
            sent: dict[str, Any] = {"content": query.encode(), "headers": {"Content-Type": "application/sparql-query"}}
        else:
            sent = {"data": {"query": query}}
        with self._http.stream("POST", self.url, **sent) as reply:
            body = bytearray()
            for block in reply.iter_bytes():
                body += block
                if len(body) > self.limits.bytes:
                    raise BadResponseError(f"{self.url} answered with more than {self.limits.bytes:,} bytes.")
                if time.monotonic() > deadline:
                    raise httpx2.ReadTimeout("deadline")
            return reply.status_code, reply.headers, bytes(body)

    def _pause(self, wait: float) -> None:
        with self._lock:
            now = time.monotonic()
            start = max(now + wait, self._next)
            self._next = start + 1 / self.limits.per_second
        time.sleep(max(0.0, start - now))

    def _fail(self, status: int, body: bytes) -> None:
        said = one_line(body[:300].decode("utf-8", "replace"))
        if status == 429:
            raise RateLimitError(f"{self.url} refuses more requests (429).", "Wait, or lower the rate.")
        if status in (401, 403):
            raise ConfigError(
                f"{self.url} refuses access ({status}).",
                "Set TRIPLEWISE_SPARQL_USER and TRIPLEWISE_SPARQL_PASSWORD, or TRIPLEWISE_SPARQL_TOKEN.",
            )
        raise BackendError(f"{self.url} answered {status}: {said}")

    def _read(self, body: bytes, cap: int) -> list[Row]:
        try:
            bindings = json.loads(body)["results"]["bindings"]
            return [{name: self._id(term) for name, term in row.items()} for row in bindings[:cap]]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise BadResponseError(
                f"{self.url} did not answer with SPARQL results in JSON.", "Is this the address of the endpoint?"
            ) from None

    def _id(self, term: dict[str, str]) -> str:
        kind, value = term["type"], term["value"]
        if kind == "uri":
            node = iri_to_id(value)
            if id_to_iri(node) != value:
                self.odd[node] = value
            return node
        if kind == "bnode":
            return f"_:{value}"
        return literal_id(value, term.get("xml:lang", ""), term.get("datatype", ""))


def _retry_after(headers: Any) -> float:
    try:
        return min(float(headers.get("Retry-After", 0)), 30.0)
    except ValueError:
        return 0.0
