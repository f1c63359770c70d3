"""A SPARQL query of somebody else's over a store: allow-listed, in time, and with a cap on its rows.

Oxigraph cannot be told to stop, so that a query over a store on disk runs in a child process, which opens the read-only
checkpoint and is killed when its time is over. One child serves many queries.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from triplewise.errors import BackendError, BackendTimeoutError, ConfigError, QuestionError
from triplewise.kg.names import one_line
from triplewise.kg.stores import folder
from triplewise.kg.stores.endpoint import EndpointStore
from triplewise.kg.stores.guard import read_only
from triplewise.kg.stores.oxigraph import OxigraphStore, Terms

SECONDS = 5.0
ROWS = 10_000
_MEMORY = 4 * 2**30
"""Bytes of address space that a query may take."""


@dataclass(frozen=True)
class Rows:
    """What a query gives: a row maps variables to ids; ``complete`` is False where the cap cut it."""

    rows: list[dict[str, str]]
    complete: bool


def run_sparql(store: Any, query: str, *, seconds: float = SECONDS, rows: int = ROWS) -> Rows:
    """Run a SELECT or ASK query; raises QuestionError where it is more than reading, BackendTimeoutError.

    ASK gives one row, ``{"ask": "true"}`` or ``{"ask": "false"}``.
    """
    checked = read_only(query, rows=rows + 1)
    if isinstance(store, EndpointStore):
        found = store.client.select(checked, rows=rows)
        return Rows(found, len(found) < rows)
    if not isinstance(store, OxigraphStore):
        raise ConfigError("SPARQL runs over stores.", "Import the graph first: triplewise kg import FILE --store DIR")
    with QueryProcess(store.path, seconds) as process:
        return process.run(query, rows)


class QueryProcess:
    """A child process that answers queries over one store; it is started again after one that took too long."""

    def __init__(self, path: Path, seconds: float = SECONDS) -> None:
        self.path, self.seconds = path, seconds
        self._child: subprocess.Popen[str] | None = None
        self._replies: queue.SimpleQueue[str] = queue.SimpleQueue()

    def __enter__(self) -> QueryProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """End the child process."""
        if (child := self._child) is not None:
            child.kill()
            child.wait()
            for stream in (child.stdin, child.stdout):
                if stream:
                    stream.close()
            self._child = None

    def run(self, query: str, rows: int = ROWS) -> Rows:
        """Run one query."""
        checked = read_only(query, rows=rows + 1)
        child = self._child or self._start()
        assert child.stdin is not None
        try:
            child.stdin.write(json.dumps({"query": checked, "rows": rows}) + "\n")
            child.stdin.flush()
            reply = json.loads(self._replies.get(timeout=self.seconds) or "{}")
        except queue.Empty:
            self.stop()
            raise BackendTimeoutError(f"the query ran for more than {self.seconds:g} s.", "Ask for less.") from None
        except BrokenPipeError:
            reply = {}
        if not reply:
            self.stop()
            raise BackendError("the query took too much memory.", "Ask for less.")
        if "error" in reply:
            raise QuestionError(f"the query cannot be run: {one_line(reply['error'])[:300]}")
        return Rows(reply["rows"][:rows], len(reply["rows"]) <= rows)

    def _start(self) -> subprocess.Popen[str]:
        generation = folder.read_manifest(self.path).generation
        command = [
            sys.executable,
            "-P",
            "-m",
            "triplewise.kg.stores.run_sparql",
            str(folder.reading(self.path, generation)),
        ]
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        assert child.stdout is not None
        replies = self._replies = queue.SimpleQueue()
        threading.Thread(target=_read, args=(child.stdout, replies), daemon=True).start()
        if replies.get(timeout=60) != "ready\n":
            self._child = child
            self.stop()
            raise BackendError(f"the store at {self.path} cannot be opened.", "Import the graph again.")
        self._child = child
        return child


def _read(stream: Any, replies: queue.SimpleQueue[str]) -> None:
    try:
        for line in stream:
            replies.put(line)
    except ValueError:  # closed when the child is stopped
        pass
    replies.put("")


def _serve(path: str) -> None:
    """Answer the queries of the standard input; the child process."""
    engine = folder.pyoxigraph()
    store, terms = engine.Store.read_only(path), Terms(engine)
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    except (ImportError, ValueError, OSError):  # no such limits on this system
        pass
    print("ready", flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            reply = {"rows": _rows(store.query(asked["query"]), terms, asked["rows"] + 1)}
        except (SyntaxError, ValueError, OSError, RuntimeError) as error:
            reply = {"error": str(error)}
        print(json.dumps(reply), flush=True)
    os._exit(0)


def _rows(found: Any, terms: Terms, cap: int) -> list[dict[str, str]]:
    if type(found).__name__ == "QueryBoolean":
        return [{"ask": str(bool(found)).lower()}]
    names, rows = [v.value for v in found.variables], []
    for solution in found:
        rows.append({n: terms.id(t) for n, t in zip(names, solution, strict=True) if t is not None})
        if len(rows) == cap:
            break
    return rows


if __name__ == "__main__":
    _serve(sys.argv[1])
