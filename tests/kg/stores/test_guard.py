"""S1: queries that are generated to break out; nothing is written, fetched or opened, and none runs long."""

from __future__ import annotations

import os
import random
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sparql_servers import SERVERS

from triplewise.errors import BackendTimeoutError, QuestionError, TriplewiseError
from triplewise.kg.stores.client import Limits
from triplewise.kg.stores.dialects import dialect
from triplewise.kg.stores.endpoint import EndpointStore
from triplewise.kg.stores.guard import read_only
from triplewise.kg.stores.oxigraph import OxigraphStore
from triplewise.kg.stores.run_sparql import QueryProcess, run_sparql

GOOD = [
    "SELECT ?s WHERE { ?s ?p ?o }",
    'select distinct ?s (COUNT(?o) AS ?n) where { ?s <http://ex.org/p>/^<http://ex.org/q> ?o . FILTER(?o > -5 && ?o != "SERVICE {") } group by ?s order by desc(?n) limit 7',
    "PREFIX ex: <http://ex.org/> ASK { ex:a a ex:B ; ex:c \"x\"@en, 'y'^^ex:d . OPTIONAL { ?s ?p 1.5e3 } MINUS { ?s ex:p true } }",
    "SELECT * WHERE { { SELECT ?s WHERE { ?s ?p ?o } LIMIT 50000 } VALUES (?p ?q) { (UNDEF 1) } BIND(STR(?s) AS ?t) }",
]
BAD = [
    "INSERT DATA { <a:b> <a:b> <a:b> }", "DELETE WHERE { ?s ?p ?o }", "LOAD <file:///etc/passwd>", "CLEAR ALL", "DROP ALL",
    "SELECT * FROM <file:///etc/passwd> WHERE { ?s ?p ?o }", "SELECT * FROM NAMED <http://x/> { ?s ?p ?o }",
    "SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }", "SELECT * { SERVICE SILENT ?x { ?s ?p ?o } }",
    "SELECT * { GRAPH ?g { ?s ?p ?o } }", "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }", "DESCRIBE <http://x/>",
    "SELECT * { ?s ?p ?o } ; DROP ALL", "SELECT * { # comment\n ?s ?p ?o }", "SELECT * { \\u0053ERVICE <http://x/> { } }",
    "SELECT * { ?s ?p \"\\u0022 } SERVICE <http://x/> { \" }", "SELECT * { ?s ?p ?o", "SELECT * { ?s ?p ?o }}", "",
    "ＳＥＲＶＩＣＥ <http://x/> {}", "SELECT * { ?ѕ ?p ?o }", "SELECT * { ?s x:p ?o }",
    "SELECT * { ?s ?p ?o } VALUES ?s { <a:b> }", "SELECT * { ?s ?p \"a\0b\" }", "SELECT ?s { ?s ?p ?o } LIMIT 1e9",
    "SELECT (bif:exec('x') AS ?x) {}", "SELECT * { ?s ?p ?o FILTER(<http://x/f>(?s)) }", "A", "BASE <file:///> SELECT * {}",
    "SELECT " + "(" * 40 + ")" * 40, "SELECT * { ?s ?p '" + "a" * 500_000 + "' }",
]  # fmt: skip
PIECES = [
    "SELECT", "ASK", "*", "?s", "?p", "?o", "WHERE", "{", "}", "(", ")", ".", ";", "SERVICE", "SERVICE SILENT", "FROM",
    "FROM NAMED", "LOAD", "INSERT DATA", "DELETE WHERE", "CLEAR ALL", "GRAPH", "INTO", "UNION", "FILTER", "OPTIONAL", "BIND",
    "#", "\n", "# SELECT\n", "/*", "*/", "--", "ＳＥＲＶＩＣＥ", "ｌｏａｄ", "LOＡD", "\\u0053ERVICE", "\\u007D", "\\U0000004COAD",
    "<http://127.0.0.1:{port}/x>", "<file://{file}>", "<{file}>", '"SERVICE"', "'}'", '"', "'", '"""', "<", ">", "\u200b",
    "\u202e", "\x00", "\x0b", "LIMIT", "10", "1e9", "COUNT", "AS", "a", "PREFIX", "x:", "x:y", "@en", "^^", "|", "/", "!", "VALUES",
    "COPY", "MOVE", "ADD", "CREATE", "DROP", "USING", "WITH", "{ ?s ?p ?o }", "SELECT * WHERE { ?s ?p ?o }", "%53ERVICE",
    "OPTIONAL { ?s ?p ?x }", "FILTER(?s != ?o)", 'BIND("} SERVICE <x> {" AS ?t)', "{ ?s ?q ?y }", "?y ?q ?s .", "?a ?b ?c .",
]  # fmt: skip


def generated(count: int, port: int, file: Path, seed: int = 1) -> Iterator[str]:
    """Queries out of pieces, most around a query that works."""
    rng = random.Random(seed)
    pieces = [p.replace("{port}", str(port)).replace("{file}", str(file)) for p in PIECES]
    for _ in range(count):
        middle = [rng.choice(pieces) for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4, 6)))]
        kind = rng.random()
        if kind < 0.3:
            parts = middle
        elif kind < 0.7:
            parts = ["SELECT * WHERE { ?s ?p ?o .", *middle, "}"]
        elif kind < 0.85:
            parts = ["SELECT *", *middle, "{ ?s ?p ?o }", *middle]
        else:
            parts = [*middle, "SELECT * WHERE { ?s ?p ?o }"]
        text = rng.choice((" ", " ", "", "\n")).join(parts)
        yield text if rng.random() < 0.8 else "".join(c.lower() if rng.random() < 0.5 else c for c in text)


@pytest.mark.parametrize("query", GOOD)
def test_queries_that_read_are_passed_on(query: str) -> None:
    checked = read_only(query, rows=100)
    assert checked == read_only(checked, rows=100)
    assert checked.startswith("PREFIX") or "LIMIT" in checked.upper()


@pytest.mark.parametrize("query", BAD, ids=lambda q: q[:30].encode("ascii", "replace").decode())
def test_all_others_are_refused(query: str) -> None:
    with pytest.raises(QuestionError):
        read_only(query, rows=100)


def test_the_rows_are_capped() -> None:
    assert read_only("SELECT ?s { ?s ?p ?o } LIMIT 99999", rows=10).endswith("LIMIT 10")
    assert read_only("SELECT ?s { ?s ?p ?o } LIMIT 5", rows=10).endswith("LIMIT 5")
    assert read_only("SELECT ?s { ?s ?p ?o }", rows=10).endswith("LIMIT 10")


@pytest.mark.parametrize("count", [2_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_generated_queries_change_and_reach_nothing(on_disk: dict[str, Path], tmp_path: Path, count: int) -> None:
    """Every query that the guard lets through is run for real; the store's files stay as they are."""
    path = on_disk["ships"]
    before = {f: f.read_bytes() for f in path.rglob("*") if f.is_file() and f.name not in ("LOCK", "LOG")}
    secret = tmp_path / "secret.nt"
    secret.write_text('<urn:secret> <urn:secret> "stolen" .\n')
    os.utime(secret, (1_000_000_000, 1_000_000_000))
    ran = 0
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        listener.setblocking(False)
        with QueryProcess(path) as process:
            for query in generated(count, listener.getsockname()[1], secret):
                try:
                    read_only(query, rows=10_000)
                except QuestionError:
                    continue
                start = time.monotonic()
                try:
                    found = process.run(query)
                except (QuestionError, BackendTimeoutError):
                    pass
                else:
                    ran += 1
                    assert len(found.rows) <= 10_000 and "stolen" not in str(found.rows)
                assert time.monotonic() - start < 20
        with pytest.raises(BlockingIOError):
            listener.accept()
    assert ran > count // 200
    assert secret.stat().st_atime == 1_000_000_000 or secret.stat().st_atime == secret.stat().st_mtime
    assert {f: f.read_bytes() for f in before} == before


@pytest.mark.parametrize("kind", SERVERS)
@pytest.mark.parametrize("count", [300, pytest.param(100_000, marks=[pytest.mark.slow, pytest.mark.timeout(3_600)])])
def test_generated_queries_reach_nothing_behind_a_server(
    as_triples: dict[str, Path], tmp_path: Path, kind: str, count: int
) -> None:
    """Every query that the guard lets through is sent; what the server holds stays as it is."""
    secret = tmp_path / "secret.nt"
    secret.write_text('<urn:secret> <urn:secret> "stolen" .\n')
    os.utime(secret, (1_000_000_000, 1_000_000_000))
    way = dialect("virtuoso" if kind == "virtuoso" else "plain")
    answered = 0
    with SERVERS[kind](as_triples["ships"], tmp_path) as url, socket.socket() as listener:
        store = EndpointStore(url, dialect=way, limits=Limits(seconds=20, retries=0, per_second=10_000, cached=0))
        everything = "SELECT ?s ?p ?o { ?s ?p ?o } ORDER BY ?s ?p ?o"
        before = run_sparql(store, everything).rows
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        listener.setblocking(False)
        for query in generated(count, listener.getsockname()[1], secret):
            try:
                found = run_sparql(store, query)
            except TriplewiseError:
                continue
            answered += 1
            assert len(found.rows) <= 10_000 and "stolen" not in str(found.rows)
        with pytest.raises(BlockingIOError):
            listener.accept()
        assert run_sparql(store, everything).rows == before
        store.close()
    assert answered > count // 200
    assert secret.stat().st_atime == 1_000_000_000


def test_a_cross_product_is_stopped(on_disk: dict[str, Path]) -> None:
    store = OxigraphStore(on_disk["ships"])
    products = " ".join(f"?a{i} ?b{i} ?c{i} ." for i in range(8))
    start = time.monotonic()
    with pytest.raises(BackendTimeoutError):
        run_sparql(store, f"SELECT (COUNT(*) AS ?n) WHERE {{ {products} }}", seconds=1)
    assert time.monotonic() - start < 30
    assert run_sparql(store, "ASK { ?s ?p ?o }").rows == [{"ask": "true"}]
    found = run_sparql(store, f"SELECT * WHERE {{ {products[:40]} }}", rows=50)
    assert len(found.rows) == 50 and not found.complete
