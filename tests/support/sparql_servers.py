"""SPARQL servers that a test starts on a loopback port with the triples of a file, or skips with the reason."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

VIRTUOSO = """
[Database]
DatabaseFile = {folder}/virtuoso.db
ErrorLogFile = {folder}/virtuoso.log
LockFile = {folder}/virtuoso.lck
TransactionFile = {folder}/virtuoso.trx
xa_persistent_file = {folder}/virtuoso.pxa
[TempDatabase]
DatabaseFile = {folder}/temp.db
TransactionFile = {folder}/temp.trx
[Parameters]
ServerPort = 127.0.0.1:{sql}
ServerThreads = 10
NumberOfBuffers = 10000
DirsAllowed = {folder}
SchedulerInterval = 0
[HTTPServer]
ServerPort = 127.0.0.1:{http}
ServerThreads = 10
[SPARQL]
ResultSetMaxRows = 20000
MaxQueryExecutionTime = 30
DefaultGraph = urn:test
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _tool(name: str) -> str:
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.is_file() else shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def _wait(url: str, process: subprocess.Popen[bytes], seconds: float = 150) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if process.poll() is not None:
            pytest.fail(f"the server ended with {process.returncode}")
        try:
            query = {"query": "SELECT (1 AS ?x) WHERE { }"}
            if httpx2.get(url, params=query, headers={"Accept": "application/sparql-results+json"}).status_code == 200:
                return
        except httpx2.TransportError:
            pass
        time.sleep(0.1)
    pytest.fail(f"no server at {url}")


@contextmanager
def _running(command: list[str], url: str, folder: Path) -> Iterator[str]:
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
    try:
        _wait(url, process)
        yield url
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def oxigraph(triples: Path, folder: Path) -> Iterator[str]:
    tool, port = _tool("oxigraph"), free_port()
    data = str(folder / "oxigraph")
    subprocess.run([tool, "load", "--location", data, "--file", str(triples)], check=True, capture_output=True)
    bind = f"127.0.0.1:{port}"
    with _running([tool, "serve-read-only", "--location", data, "--bind", bind], f"http://{bind}/query", folder) as url:
        yield url


@contextmanager
def rdflib_endpoint(triples: Path, folder: Path) -> Iterator[str]:
    tool, port = _tool("rdflib-endpoint"), free_port()
    command = [tool, "serve", "--host", "127.0.0.1", "--port", str(port), str(triples)]
    with _running(command, f"http://127.0.0.1:{port}/", folder) as url:
        yield url


@contextmanager
def virtuoso(triples: Path, folder: Path) -> Iterator[str]:
    server, isql = _tool("virtuoso-t"), shutil.which("isql-vt") or shutil.which("isql-v")
    if isql is None:
        pytest.skip("isql-vt is not installed")
    own = folder / "virtuoso"
    own.mkdir()
    sql, http = free_port(), free_port()
    (own / "virtuoso.ini").write_text(VIRTUOSO.format(folder=own, sql=sql, http=http))
    shutil.copy(triples, own / "data.nt")
    command = [server, "+configfile", str(own / "virtuoso.ini"), "+foreground"]
    with _running(command, f"http://127.0.0.1:{http}/sparql", folder) as url:
        load = f"DB.DBA.TTLP_MT (file_to_string_output ('{own}/data.nt'), '', 'urn:test');\n"
        load += "DB.DBA.RDF_OBJ_FT_RULE_ADD (null, null, 'all');\nDB.DBA.VT_INC_INDEX_DB_DBA_RDF_OBJ ();\n"
        script = own / "load.sql"
        script.write_text(load)
        done = subprocess.run(
            [isql, f"127.0.0.1:{sql}", "dba", "dba", str(script)], capture_output=True, text=True, timeout=120
        )
        if done.returncode or "Error" in done.stdout + done.stderr:
            pytest.fail(done.stdout + done.stderr)
        yield f"{url}?default-graph-uri=urn:test"  # else Virtuoso's own graphs are part of it


SERVERS = {"oxigraph-server": oxigraph, "rdflib-endpoint": rdflib_endpoint, "virtuoso": virtuoso}
os.environ.setdefault("NO_PROXY", "127.0.0.1,localhost")
