"""N-Triples, Turtle and JSON-LD into a collector. Nothing is ever fetched.

N-Triples is read line by line (``ntriples.py``). Turtle and JSON-LD are read whole, up to ``MAX_WHOLE`` bytes, by
rdflib in a child process (``rdf_child.py``): time and memory are bounded, and literals stay what the file says.
Triples keep the file's order, and blank nodes are numbered by it, so that a file gives the same graph each time.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from triplewise import fence
from triplewise.errors import GraphFileError
from triplewise.kg.formats.collector import Collector
from triplewise.kg.formats.ntriples import parse_line
from triplewise.kg.formats.rdf_child import STALLED, processor_seconds

MAX_WHOLE = 64 * 2**20
"""Bytes; rdflib needs some ten times a Turtle or JSON-LD file's size in memory."""
_CHILD = Path(__file__).with_name("rdf_child.py")
_LINE_BY_LINE = "Convert it to N-Triples, which is read line by line."


def read_ntriples(lines: Iterable[tuple[int, str]], collector: Collector) -> None:
    """Numbered lines of N-Triples; a bad line goes to the collector. Blank nodes keep the file's names."""
    for number, line in lines:
        try:
            statement = parse_line(line)
        except ValueError as error:
            collector.bad(number, f"not N-Triples: {error}.")
            continue
        if statement is not None:
            head, relation, tail, text, language = statement
            _add(collector, head, relation, tail, text, language)


def read_whole(path: Path, kind: str, collector: Collector) -> None:
    """A Turtle or JSON-LD file; raises GraphFileError where it is too large, not text or not of that kind, and where
    reading it takes too long or too much memory."""
    if (size := path.stat().st_size) > MAX_WHOLE:
        raise GraphFileError(
            path,
            f"the file has {size / 2**20:.0f} MiB; {kind} is read up to {MAX_WHOLE / 2**20:.0f} MiB.",
            hint=_LINE_BY_LINE,
        )
    for head, relation, tail, text, language in _statements(path, kind, size):
        _add(collector, head, relation, tail, text, language)


def _add(collector: Collector, head: str, relation: str, tail: str, text: str, language: str) -> None:
    """Hand a statement on; blank nodes are a file's own, though others of its folder call theirs alike."""
    if part := collector.part:
        text = text if text != tail else _of_part(part, text)
        head, tail = _of_part(part, head), _of_part(part, tail)
    collector.add(head, relation, tail, text=text, language=language)


def _of_part(part: int, node: str) -> str:
    return f"_:f{part}-{node[2:]}" if node.startswith("_:") else node


def _statements(path: Path, kind: str, size: int) -> Iterator[list[str]]:
    job = {"sys_path": sys.path, "path": str(path.absolute()), "kind": kind}
    job |= {"stalled": STALLED, "memory": fence.MEMORY}
    # -P: the script's folder is no place to import from
    command = [sys.executable, "-P", str(_CHILD)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8"
    ) as child:
        # The child's own limits count its processor time; this clock is for systems without them.
        clock = threading.Timer(5.0 * processor_seconds(size), child.kill)
        clock.daemon = True
        clock.start()
        finished = False
        try:
            assert child.stdin is not None and child.stdout is not None
            child.stdin.write(json.dumps(job) + "\n")
            child.stdin.close()
            for line in child.stdout:
                record: list[Any] = json.loads(line)
                if len(record) == 1:
                    finished = True
                elif len(record) == 3:
                    raise GraphFileError(path, record[1], record[2], "Mend the file.")
                else:
                    yield record
        finally:
            clock.cancel()
            child.kill()
    if not finished:
        raise GraphFileError(
            path,
            f"reading it as {kind} takes too long or too much memory (the parser was stopped).",
            hint=f"Is it made to do so? Else: {_LINE_BY_LINE[0].lower()}{_LINE_BY_LINE[1:]}",
        )
