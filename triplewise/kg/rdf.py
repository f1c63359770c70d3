"""N-Triples, Turtle and JSON-LD into a collector, parsed by rdflib. Nothing is ever fetched.

N-Triples is read line by line. Turtle and JSON-LD are read whole, up to ``MAX_WHOLE`` bytes. Triples keep
the file's order, and blank nodes are numbered by it, so that a file gives the same graph each time.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triplewise.errors import GraphFileError
from triplewise.kg.collector import Collector
from triplewise.kg.names import one_line, quote_literal

if TYPE_CHECKING:
    from rdflib.store import Store

MAX_WHOLE = 64 * 2**20
"""Bytes; rdflib needs some ten times a Turtle or JSON-LD file's size in memory."""
_BASE = "http://relative.invalid/"
"""Relative IRIs are resolved against this and then stripped of it: the id is what the file says."""


def read_ntriples(lines: Iterable[tuple[int, str]], collector: Collector) -> None:
    """Numbered lines of N-Triples; a bad line goes to the collector."""
    from rdflib.exceptions import ParserError
    from rdflib.plugins.parsers.ntriples import W3CNTriplesParser

    class Sink:
        def triple(self, *terms: object) -> None:
            _add(collector, terms, ident)

    class Same(dict[str, str]):
        """Blank nodes keep the file's names."""

        def get(self, key: str, default: object = None) -> str:
            return key

    _quiet()
    ident = _Ident(renumber=False)
    parser = W3CNTriplesParser(Sink(), Same())  # pyright: ignore[reportArgumentType]
    for number, line in lines:
        try:
            parser.parsestring(line)
        except (ParserError, ValueError, AssertionError) as error:
            collector.bad(number, f"not N-Triples: {' '.join(str(error).split())[:200]}")


def read_whole(path: Path, kind: str, collector: Collector) -> None:
    """A Turtle or JSON-LD file; raises GraphFileError where it is too large, not text or not of that kind."""
    if (size := path.stat().st_size) > MAX_WHOLE:
        raise GraphFileError(
            path,
            f"the file has {size / 2**20:.0f} MiB; {kind} is read up to {MAX_WHOLE / 2**20:.0f} MiB.",
            hint="Convert it to N-Triples, which is read line by line.",
        )
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise GraphFileError(path, f"byte {error.start + 1} is not UTF-8.", hint="Save the file as UTF-8.") from None
    if "\0" in text:
        raise GraphFileError(path, "this is a binary file.", hint=f"{kind} is text.")
    ident = _Ident(renumber=True)
    for triple in _json_ld(path, text) if kind == "json-ld" else _turtle(path, text):
        _add(collector, triple, ident)


def _turtle(path: Path, text: str) -> Iterator[tuple[Any, ...]]:
    import rdflib

    _quiet()
    store, triples = _recorder()
    try:
        rdflib.Graph(store=store).parse(data=text, format="turtle", publicID=_BASE)
    except Exception as error:  # rdflib raises many kinds, down to AssertionError and KeyError
        line = getattr(error, "lines", -1) + 1
        raise GraphFileError(path, f"not turtle: {_reason(error)}", line, "Mend the file.") from None
    yield from triples


def _json_ld(path: Path, text: str) -> Iterator[tuple[Any, ...]]:
    import rdflib
    from rdflib.plugins.parsers.jsonld import to_rdf

    _quiet()
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 0)
        raise GraphFileError(path, f"not JSON: {_reason(error)}", line, "Mend the file.") from None
    if _remote_context(data):
        raise GraphFileError(path, "its @context lies elsewhere.", hint="Put the @context into the file.")
    store, triples = _recorder()
    try:
        to_rdf(data, rdflib.Graph(store=store), base=_BASE, version=1.1)
    except Exception as error:
        raise GraphFileError(path, f"not json-ld: {_reason(error)}", hint="Mend the file.") from None
    yield from triples


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


def _recorder() -> tuple[Store, list[tuple[Any, ...]]]:
    """An rdflib store that only notes the triples, in the order in which they are added."""
    from rdflib.store import Store

    triples: list[tuple[Any, ...]] = []

    class Recorder(Store):
        def add(self, triple: Any, context: Any = None, quoted: bool = False) -> None:
            triples.append(triple)

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
    """Terms as ids."""

    def __init__(self, *, renumber: bool) -> None:
        self.renumber = renumber
        self.numbers: dict[str, int] = {}

    def __call__(self, term: object) -> str:
        from rdflib import XSD, BNode, Literal

        if isinstance(term, Literal):
            datatype = "" if term.datatype is None or term.datatype == XSD.string else str(term.datatype)
            return quote_literal(str(term), term.language or "", datatype)
        if isinstance(term, BNode):
            number = self.numbers.setdefault(str(term), len(self.numbers))
            return f"_:b{number}" if self.renumber else f"_:{term}"
        return str(term).removeprefix(_BASE) or str(term)


def _add(collector: Collector, terms: tuple[object, ...], ident: Callable[[object], str]) -> None:
    from rdflib import Literal

    head, relation, tail = terms
    node = ident(tail)
    literal = isinstance(tail, Literal)
    language = (tail.language or "") if literal else ""
    collector.add(ident(head), ident(relation), node, text=str(tail) if literal else node, language=language)


def _reason(error: Exception) -> str:
    """What a parser says, without rdflib's "at line 3 of <>: Bad syntax (…) at ^ in: …" around it."""
    said = one_line(str(error))
    if found := re.match(r"at line \d+ of <.*?>: Bad syntax \((.*)\) at \^ in:", said):
        said = f"{found.group(1)}."
    return said[:200] or type(error).__name__


def _quiet() -> None:
    """rdflib logs each odd IRI or date; the graph keeps them as they are."""
    logging.getLogger("rdflib").setLevel(logging.ERROR)
