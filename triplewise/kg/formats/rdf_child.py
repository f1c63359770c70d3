"""rdflib in a process of its own: reads one Turtle or JSON-LD file and prints its triples, one JSON array a line.

rdflib was written for files that one trusts: some of a megabyte keep it busy for hours or take all memory.
Here a file may take 10 s of processor time and ten more for each megabyte, ``STALLED`` seconds of it without
a new triple, and ``fence.MEMORY``; what it does beyond ends this process and not the caller's. Run by ``rdf.py`` as
a script; the first line of stdin is a JSON object with ``sys_path``, ``path``, ``kind``, ``stalled`` and ``memory``.

Prints ``[head, relation, tail, text, language]`` for each triple, then ``["end"]``; or ``["error", message, line]``.
"""

from __future__ import annotations

import json
import logging
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

STALLED = 8.0
"""Seconds of processor time without a new triple; the caller hands it over with the job."""
_BASE = "http://relative.invalid/"
"""Relative IRIs are resolved against this and then stripped of it: the id is what the file says."""


def processor_seconds(size: int) -> int:
    """What a file of this size may take in all."""
    return 10 + 10 * (size // 2**20 + 1)


def main() -> None:
    """Read the job from stdin and print the triples."""
    job = json.loads(sys.stdin.buffer.readline())
    sys.path[:] = job["sys_path"]
    from triplewise.fence import limit_process

    path, memory = Path(job["path"]), job["memory"]
    limit_process(processor_seconds(path.stat().st_size), memory)
    try:
        for statement in read(path, job["kind"], job["stalled"]):
            print(json.dumps(statement))
        print(json.dumps(["end"]), flush=True)
    except MemoryError:
        print(json.dumps(["error", f"reading it takes more than {memory / 2**30:g} GiB of memory.", 0]), flush=True)
    except ImportError as error:
        print(json.dumps(["error", f"it cannot be read by this Python: {error}.", 0]), flush=True)
    except _BadFile as error:
        print(json.dumps(["error", error.args[0], error.args[1]]), flush=True)


class _BadFile(Exception):
    """(message, line)."""


def _still_going(stalled: float) -> None:
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, stalled)


def read(path: Path, kind: str, stalled: float) -> Iterator[tuple[str, str, str, str, str]]:
    """(head, relation, tail, tail as plain text, language) of each triple, in the file's order."""
    import rdflib

    rdflib.NORMALIZE_LITERALS = False  # a literal is what the file says: "007" is not 7
    logging.getLogger("rdflib").setLevel(logging.CRITICAL)
    _still_going(stalled)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise _BadFile(f"byte {error.start + 1} is not UTF-8.", 0) from None
    if "\0" in text:
        raise _BadFile("this is a binary file.", 0)
    store, triples = _recorder(stalled)
    graph = rdflib.Graph(store=store, bind_namespaces="none")
    if kind == "json-ld":
        _json_ld(text, graph)
    else:
        try:
            graph.parse(data=text, format="turtle", publicID=_BASE)
        except MemoryError:
            raise
        except Exception as error:  # rdflib raises many kinds, down to AssertionError and KeyError
            raise _BadFile(f"not turtle: {_reason(error)}", getattr(error, "lines", -1) + 1) from None
    ident = _Ident()
    for head, relation, tail in triples:
        node = ident(tail)
        literal = isinstance(tail, rdflib.Literal)
        language = (tail.language or "") if literal else ""
        yield ident(head), ident(relation), node, str(tail) if literal else node, language


def _json_ld(text: str, graph: Any) -> None:
    from rdflib.plugins.parsers.jsonld import to_rdf

    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _BadFile(f"not JSON: {_reason(error)}", getattr(error, "lineno", 0)) from None
    if _remote_context(data):
        raise _BadFile("its @context lies elsewhere: put the @context into the file.", 0)
    try:
        to_rdf(data, graph, base=_BASE, version=1.1)
    except MemoryError:
        raise
    except Exception as error:
        raise _BadFile(f"not json-ld: {_reason(error)}", 0) from None


def _remote_context(data: Any) -> bool:
    """Whether any @context, at any depth, names a file or address: rdflib would read or fetch it."""
    stack = [(data, False)]
    while stack:
        item, is_context = stack.pop()
        if is_context and isinstance(item, str):
            return True
        if isinstance(item, list):
            stack += [(part, is_context) for part in item]
        elif isinstance(item, dict):
            if "@import" in item:
                return True
            stack += [(value, key == "@context") for key, value in item.items()]
    return False


def _recorder(stalled: float) -> tuple[Any, list[tuple[Any, Any, Any]]]:
    """An rdflib store that only notes the triples, in the order in which they are added."""
    from rdflib.store import Store

    triples: list[tuple[Any, Any, Any]] = []

    class Recorder(Store):
        def add(self, triple: Any, context: Any = None, quoted: bool = False) -> None:
            triples.append(triple)
            if not len(triples) % 100:
                _still_going(stalled)

        def bind(self, prefix: str, namespace: Any, override: bool = True) -> None:
            pass

        def namespace(self, prefix: str) -> None:
            return None

        def prefix(self, namespace: Any) -> None:
            return None

        def namespaces(self) -> Iterator[Any]:
            return iter(())

    return Recorder(), triples


class _Ident:
    """Terms as ids. Blank nodes are numbered by the file's order, so that a file gives the same graph each time."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def __call__(self, term: object) -> str:
        from rdflib import XSD, BNode, Literal

        from triplewise.kg.names import quote_literal

        if isinstance(term, Literal):
            datatype = "" if term.datatype is None or term.datatype == XSD.string else str(term.datatype)
            return quote_literal(str(term), term.language or "", datatype)
        if isinstance(term, BNode):
            return f"_:b{self.numbers.setdefault(str(term), len(self.numbers))}"
        return str(term).removeprefix(_BASE) or str(term)


def _reason(error: Exception) -> str:
    """What a parser says, without rdflib's "at line 3 of <>: Bad syntax (…) at ^ in: …" around it."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply."
    said = " ".join(str(error)[:2000].split())
    if found := re.match(r"at line \d+ of <.*?>: Bad syntax \((.*)\) at \^ in:", said):
        said = f"{found.group(1)}."
    return said[:200] or type(error).__name__


if __name__ == "__main__":
    main()
