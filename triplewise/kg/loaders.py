"""Graph files into a store: TSV, CSV, MetaQA's ``|``, N-Triples, Turtle, JSON-LD, benchmark folders.

Delimited files hold one triple a line. Lines that begin with ``#`` and empty lines are passed over.
``rdfs:label``, ``skos:prefLabel``, ``schema:name`` (labels), ``skos:altLabel`` (aliases),
``rdfs:comment`` (description) and ``rdf:type`` are read as such, not as triples, in RDF as IRIs and in
delimited files under these prefixed names. A bad line raises GraphFileError with file and line, or is
left out and counted.
"""

from __future__ import annotations

import csv
import logging
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from triplewise.errors import ConfigError, GraphFileError
from triplewise.kg.store import NetworkxStore

MAX_LINE = 1_000_000
"""Characters; a longer line is a mistake (or an attack), not a triple."""

FORMATS = ("tsv", "csv", "pipe", "nt", "turtle", "json-ld", "folder")
_SUFFIXES = {
    ".tsv": "tsv", ".tab": "tsv", ".csv": "csv", ".nt": "nt",
    ".ttl": "turtle", ".turtle": "turtle", ".jsonld": "json-ld",
}  # fmt: skip
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_SKOS = "http://www.w3.org/2004/02/skos/core#"
_META = {
    "rdfs:label": "label", "skos:prefLabel": "label", "schema:name": "label", "skos:altLabel": "alias",
    "rdf:type": "type", "rdfs:comment": "description",
    f"{_RDFS}label": "label", f"{_SKOS}prefLabel": "label", "http://schema.org/name": "label",
    "https://schema.org/name": "label", f"{_SKOS}altLabel": "alias", f"{_RDF}type": "type",
    f"{_RDFS}comment": "description",
}  # fmt: skip
_HEADERS = {
    ("head", "relation", "tail"), ("subject", "predicate", "object"), ("source", "relation", "target"),
    ("h", "r", "t"), ("s", "p", "o"), ("subj", "pred", "obj"),
}  # fmt: skip


@dataclass
class _Collector:
    """Gathers triples and meta statements; decides what a bad line does."""

    path: Path
    skip: bool
    triples: list[tuple[str, str, str]] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)
    aliases: dict[str, list[str]] = field(default_factory=dict)
    types: dict[str, list[str]] = field(default_factory=dict)
    descriptions: dict[str, str] = field(default_factory=dict)
    relation_labels: dict[str, str] = field(default_factory=dict)
    skipped: list[tuple[int, str]] = field(default_factory=list)

    def bad(self, line: int, reason: str, hint: str = "") -> None:
        if not self.skip:
            raise GraphFileError(self.path, reason, line, hint or "Mend the line, or load the rest: --skip-bad-lines.")
        self.skipped.append((line, reason))

    def add(self, head: str, relation: str, tail: str, *, text: str | None = None) -> None:
        """``text`` is the tail as plain text, where it differs from its id (a literal)."""
        kind = _META.get(relation)
        value = tail if text is None else text
        if kind is None:
            self.triples.append((head, relation, tail))
        elif kind == "label":
            self.labels.setdefault(head, value)
        elif kind == "alias":
            self.aliases.setdefault(head, []).append(value)
        elif kind == "type":
            self.types.setdefault(head, []).append(tail)
        else:
            self.descriptions.setdefault(head, value)

    def store(self, name: str) -> NetworkxStore:
        if not self.triples:
            what = f"all {len(self.skipped)} lines are bad" if self.skipped else "it holds no triple"
            raise GraphFileError(self.path, f"{what}.", hint="A graph has one triple a line: head, relation, tail.")
        relations = {r for _, r, _ in self.triples}
        labels = {r: self.labels.pop(r) for r in list(self.labels) if r in relations}
        return NetworkxStore(
            self.triples, labels=self.labels, aliases=self.aliases, types=self.types, name=name,
            descriptions=self.descriptions, relation_labels=labels | self.relation_labels, skipped=self.skipped,
        )  # fmt: skip


def read_graph(path: Path, *, format: str | None = None, skip_bad_lines: bool = False) -> NetworkxStore:
    """Read a file or a benchmark folder; raises GraphFileError, ConfigError on an unknown format."""
    if format is not None and format not in FORMATS:
        raise ConfigError(f"no graph format {format!r}.", f"Known: {', '.join(FORMATS)}.")
    if not path.exists():
        raise GraphFileError(path, "there is no such file.", hint="Give --kg the path of a graph file or folder.")
    collector = _Collector(path, skip_bad_lines)
    if path.is_dir():
        _read_folder(path, collector)
        return collector.store(path.name)
    if path.stat().st_size == 0:
        raise GraphFileError(path, "the file is empty.", hint="A graph has one triple a line: head, relation, tail.")
    kind = format or _SUFFIXES.get(path.suffix.lower()) or sniff(path)
    if kind == "folder":
        raise GraphFileError(path, "this is a file, not a folder.")
    if kind in ("nt", "turtle", "json-ld"):
        _read_rdf(path, kind, collector)
    else:
        _read_delimited(path, {"tsv": "\t", "csv": ",", "pipe": "|"}[kind], collector)
    return collector.store(path.stem)


def sniff(path: Path) -> str:
    """The format by the file's first lines; raises GraphFileError where nothing fits."""
    with path.open("rb") as file:
        start = file.read(65_536)
    if b"\0" in start:
        raise GraphFileError(path, "this is a binary file.", hint=f"Readable formats: {', '.join(FORMATS)}.")
    text = start.decode("utf-8", "replace").lstrip("\ufeff")
    lines = [line for line in text.splitlines()[:50] if line.strip() and not line.startswith("#")]
    if text.lstrip().startswith(("{", "[")):
        return "json-ld"
    if any(line.startswith(("@prefix", "@base", "PREFIX", "BASE")) for line in lines):
        return "turtle"
    if lines and all(line.startswith(("<", "_:")) and line.rstrip().endswith(".") for line in lines[:-1] or lines):
        return "nt"
    for kind, mark in (("tsv", "\t"), ("pipe", "|"), ("csv", ",")):
        if lines and all(line.count(mark) == 2 for line in lines[:10]):
            return kind
    if lines and lines[0].count(",") >= 2:
        return "csv"
    raise GraphFileError(path, "its format cannot be told.", hint=f"Say it with --format: {', '.join(FORMATS)}.")


def _lines(path: Path, collector: _Collector) -> Iterator[tuple[int, str]]:
    """Numbered lines, decoded; bounded memory whatever the file holds."""
    with path.open("rb") as file:
        number = 0
        while raw := file.readline(MAX_LINE + 1):
            number += 1
            if len(raw) > MAX_LINE:
                while raw and not raw.endswith(b"\n"):
                    raw = file.readline(MAX_LINE)
                collector.bad(number, f"the line is longer than {MAX_LINE:,} characters.")
                continue
            if b"\0" in raw:
                if number == 1:
                    raise GraphFileError(
                        path, "this is a binary file.", hint=f"Readable formats: {', '.join(FORMATS)}."
                    )
                collector.bad(number, "the line holds a NUL byte.")
                continue
            try:
                yield number, raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                collector.bad(number, f"byte {error.start + 1} is not UTF-8.", "Save the file as UTF-8.")


def _read_delimited(path: Path, mark: str, collector: _Collector) -> None:
    first = True
    for number, line in _lines(path, collector):
        line = line.rstrip("\r\n")
        if not line.strip() or line.startswith("#"):
            continue
        if mark == ",":
            try:
                cells = next(csv.reader([line], strict=True))
            except csv.Error as error:
                collector.bad(number, f"not CSV: {error}.")
                continue
        else:
            cells = line.split(mark)
        cells = [cell.strip() for cell in cells]
        if first:
            first = False
            if tuple(cell.lower() for cell in cells) in _HEADERS:
                continue
        if len(cells) != 3:
            collector.bad(number, f"{len(cells)} columns instead of 3 (head, relation, tail).")
        elif not all(cells):
            collector.bad(number, f"column {cells.index('') + 1} is empty.")
        else:
            head, relation, tail = cells
            collector.add(
                head, relation, tail, text=tail[1:-1] if len(tail) > 1 and tail[0] == tail[-1] == '"' else tail
            )


def _read_rdf(path: Path, kind: str, collector: _Collector) -> None:
    import rdflib

    logging.getLogger("rdflib").setLevel(logging.ERROR)
    if kind == "nt":
        _read_ntriples(path, collector)
        return
    graph = rdflib.Graph()
    try:
        text = path.read_text(encoding="utf-8-sig")
        if kind == "json-ld":
            _refuse_remote_context(path, text)
        with warnings.catch_warnings():  # rdflib's own JSON-LD parser uses what rdflib deprecates
            warnings.simplefilter("ignore", DeprecationWarning)
            graph.parse(data=text, format=kind)
    except GraphFileError:
        raise
    except UnicodeDecodeError as error:
        raise GraphFileError(path, f"byte {error.start + 1} is not UTF-8.", hint="Save the file as UTF-8.") from None
    except Exception as error:  # rdflib raises many kinds, down to AssertionError and KeyError
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        line = getattr(error, "lines", 0)
        raise GraphFileError(path, f"not {kind}: {reason}", line + 1 if line else 0) from None
    for triple in graph:
        _add_rdf(collector, triple)
    collector.triples.sort()  # rdflib's order is not the file's and changes between runs


def _refuse_remote_context(path: Path, text: str) -> None:
    """A remote @context would be fetched from the network while loading."""
    import json

    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise GraphFileError(path, f"not JSON: {error}", getattr(error, "lineno", 0)) from None
    stack = [data]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            context = item.get("@context")
            for part in context if isinstance(context, list) else [context]:
                if isinstance(part, str) or (isinstance(part, dict) and "@import" in part):
                    raise GraphFileError(path, "its @context lies elsewhere.", hint="Put the @context into the file.")
            stack += item.values()
        elif isinstance(item, list):
            stack += item


def _read_ntriples(path: Path, collector: _Collector) -> None:
    from rdflib.exceptions import ParserError as ParseError
    from rdflib.plugins.parsers.ntriples import W3CNTriplesParser

    class Sink:
        def triple(self, s: object, p: object, o: object) -> None:
            _add_rdf(collector, (s, p, o))

    parser = W3CNTriplesParser(sink=Sink())  # pyright: ignore[reportArgumentType]
    for number, line in _lines(path, collector):
        try:
            parser.parsestring(line)
        except (ParseError, ValueError, AssertionError) as error:
            collector.bad(number, f"not N-Triples: {' '.join(str(error).split())[:200]}")


def _add_rdf(collector: _Collector, triple: tuple[object, ...]) -> None:
    from rdflib import BNode, Literal

    def ident(term: object) -> str:
        if isinstance(term, Literal):
            return (
                '"'
                + str(term)
                + '"'
                + (f"@{term.language}" if term.language else f"^^{term.datatype}" if term.datatype else "")
            )
        return f"_:{term}" if isinstance(term, BNode) else str(term)

    head, relation, tail = triple
    text = str(tail) if isinstance(tail, Literal) else None
    if _META.get(str(relation)) == "label" and isinstance(tail, Literal) and tail.language not in (None, "en"):
        collector.aliases.setdefault(ident(head), []).append(str(tail))  # a label in another language
        return
    collector.add(ident(head), str(relation), ident(tail), text=text)


def _read_folder(path: Path, collector: _Collector) -> None:
    """FB15k-237's and WN18RR's layout; only train.txt is the graph, valid and test are to be predicted."""
    train = path / "train.txt"
    if not train.is_file():
        raise GraphFileError(path, "the folder has no train.txt.", hint="Name a graph file, or a benchmark folder.")
    collector.path = train
    _read_delimited(train, "\t", collector)
    for file, target in (
        ("entity2text.txt", collector.labels),
        ("entity2description.txt", collector.descriptions),
        ("entity2textlong.txt", collector.descriptions),
        ("relation2text.txt", collector.relation_labels),
    ):
        if (path / file).is_file():
            for _, line in _lines(path / file, collector):
                key, _, text = line.rstrip("\r\n").partition("\t")
                if text.strip():
                    target.setdefault(key.strip(), text.strip())
    nodes = {e for h, _, t in collector.triples for e in (h, t)}
    collector.labels = {e: text for e, text in collector.labels.items() if e in nodes}
