"""Endpoints: how many requests things cost, and what a server may do wrong."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from sparql_servers import SERVERS

from triplewise.errors import (
    BackendError,
    BackendTimeoutError,
    BadResponseError,
    ConfigError,
    QuestionError,
    RateLimitError,
)
from triplewise.kg import load_kg
from triplewise.kg.linking import link_entities
from triplewise.kg.query import QueryGraph, execute
from triplewise.kg.stores.client import Limits, SparqlClient
from triplewise.kg.stores.dialects import DIALECTS, dialect
from triplewise.kg.stores.endpoint import EndpointStore
from triplewise.kg.stores.guard import read_only

from .graphs import QUERIES

GOOD = json.dumps({"results": {"bindings": [{"s": {"type": "uri", "value": "http://ex.org/a"}}]}}).encode()
ASKED = "SELECT ?s WHERE { ?s ?p ?o }"
Reply = tuple[int, bytes, dict[str, str]]


@pytest.fixture
def server() -> Iterator[Callable[..., tuple[str, list[Any]]]]:
    """``server(*replies)``: (address, what it was asked); the last reply is repeated."""
    running = []

    def start(*replies: Reply, wait: float = 0.0) -> tuple[str, list[Any]]:
        asked: list[Any] = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                asked.append((dict(self.headers), body.decode()))
                time.sleep(wait)
                status, content, headers = replies[min(len(asked), len(replies)) - 1]
                self.send_response(status)
                for name, value in {"Content-Length": str(len(content)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        made = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=made.serve_forever, daemon=True).start()
        running.append(made)
        return f"http://127.0.0.1:{made.server_port}/sparql", asked

    yield start
    for made in running:
        made.shutdown()
        made.server_close()


def client(url: str, **limits: Any) -> SparqlClient:
    return SparqlClient(url, Limits(**{"per_second": 1000.0, "seconds": 5.0, **limits}))


def test_a_busy_server_is_asked_again_and_answers_are_kept(server: Any) -> None:
    url, asked = server((503, b"", {}), (429, b"", {"Retry-After": "0"}), (200, GOOD, {}))
    asking = client(url)
    assert asking.select(ASKED) == asking.select(ASKED) == [{"s": "http://ex.org/a"}]
    assert len(asked) == 3 and asking.requests == 3
    assert asked[0][0]["User-Agent"].startswith("triplewise") and asked[0][1].endswith("LIMIT 10000")
    asking.close()


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        ((429, b"", {}), RateLimitError), ((500, b"\x1b[31mno", {}), BackendError), ((401, b"", {}), ConfigError),
        ((302, b"", {"Location": "http://127.0.0.1:1/"}), BackendError), ((200, b"<html>", {}), BadResponseError),
        ((200, b'{"results": 5}', {}), BadResponseError), ((200, b" " * 3000, {}), BadResponseError),
        ((200, b"[" * 900, {}), BadResponseError),
    ],
)  # fmt: skip
def test_what_a_server_may_do_wrong(server: Any, reply: Reply, error: type[Exception]) -> None:
    url, asked = server(reply)
    asking = client(url, retries=1, bytes=2000)
    with pytest.raises(error) as caught:
        asking.select(ASKED)
    assert "\x1b" not in str(caught.value) and len(asked) <= 2
    asking.close()


def test_time_and_rate(server: Any) -> None:
    url, _ = server((200, GOOD, {}), wait=1.0)
    slow = client(url, seconds=0.3)
    with pytest.raises(BackendTimeoutError):
        slow.select(ASKED)
    slow.close()
    url, _ = server((200, GOOD, {}))
    paced = client(url, per_second=10)
    start = time.monotonic()
    for i in range(4):
        paced.select(f"SELECT ?s WHERE {{ ?s ?p {i} }}")
    assert time.monotonic() - start > 0.25
    paced.close()


def test_a_password_goes_to_the_endpoint_and_updates_do_not(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIPLEWISE_SPARQL_USER", "ada")
    monkeypatch.setenv("TRIPLEWISE_SPARQL_PASSWORD", "x")
    url, asked = server((200, GOOD, {}))
    asking = client(url)
    asking.select(ASKED)
    assert asked[0][0]["Authorization"] == "Basic YWRhOng="
    with pytest.raises(QuestionError):
        asking.select("CLEAR ALL")
    assert len(asked) == 1
    asking.close()
    for address in ("sparql:http://ada:x@127.0.0.1/q", "sparql:ftp://127.0.0.1/", "sparql+oracle:http://127.0.0.1/"):
        with pytest.raises(ConfigError):
            load_kg(address)


@pytest.mark.parametrize("name", DIALECTS)
def test_each_dialect_writes_queries_that_read(name: str) -> None:
    words = ["o'hara", 'a "b" \\', "x) } SERVICE <http://x/> {", "ÅSA*"]
    checked = read_only(f"SELECT ?e ?p ?l WHERE {{ {dialect(name).begins(words)} }}", rows=10)
    assert checked.endswith("LIMIT 10")


def test_a_question_costs_few_requests(open_store: Callable[[str, str], Any]) -> None:
    opened = open_store("oxigraph-server", "ships")
    store = EndpointStore(opened.client.url, limits=Limits(per_second=1000))
    assert store.statistics.triples == 14
    assert store.client.requests <= 6
    store.client.requests = 0
    mentions = link_entities(store, "Which ships have their home port in Norway, as the Rose has?")
    seeds = [c.id for m in mentions for c in m.candidates]
    around = list(store.edges(seeds, 50))
    around += store.edges([n for t in around for n in (t.head, t.tail)], 20)
    labels = [(store.label(t.head), store.label(t.tail), store.types(t.head)) for t in around]
    found = execute(store, QueryGraph.from_json(QUERIES["ships"][0]))
    assert len(seeds) == 2 and len(labels) > 10
    assert [store.display(i) for i in found.ids] and len(found.ids) == 3
    assert store.client.requests <= 15, list(store.client._cache)
    store.close()


def test_a_graph_without_classes(tmp_path: Path) -> None:
    """rdflib gives one group of nothing, without a class."""
    triples = tmp_path / "plain.nt"
    triples.write_text("<http://ex.org/a> <http://ex.org/likes> <http://ex.org/b> .\n")
    with SERVERS["rdflib-endpoint"](triples, tmp_path) as url:
        store = EndpointStore(url, limits=Limits(per_second=1000))
        assert store.statistics.classes == {} and store.relation_ids() == ("http://ex.org/likes",)
        store.close()
