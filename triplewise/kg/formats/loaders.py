"""Graph files into a store: TSV, CSV, MetaQA's ``|``, N-Triples, Turtle, JSON-LD, benchmark folders.

Delimited files hold one triple a line; a header line may name the columns, in any order. One with four columns
or more under a header is a table, each row a thing, and one with fewer may be (``tables.py``). Lines that begin with ``#`` and empty lines
are passed over.
``rdfs:label``, ``skos:prefLabel``, ``schema:name`` (labels), ``skos:altLabel`` (aliases),
``rdfs:comment`` (description) and ``rdf:type`` are read as such, not as triples, in RDF as IRIs and in
delimited files under these prefixed names; names and properties of other vocabularies are in
``triplewise.kg.vocabulary``. A bad line raises GraphFileError with file and line, or is
left out and counted.
"""

from __future__ import annotations

import contextlib
import csv
import io
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from triplewise.errors import ConfigError, GraphFileError
from triplewise.kg.formats.collector import ONE_A_LINE, Collector
from triplewise.kg.formats.headers import read_header
from triplewise.kg.formats.rdf import read_ntriples, read_whole
from triplewise.kg.formats.tables import delimiter_of, is_table, read_table
from triplewise.kg.names import literal_parts
from triplewise.kg.store import NetworkxStore

MAX_LINE = 1_000_000
"""Characters; a longer line is a mistake (or an attack), not a triple."""

_SNIFFED = 65_536

MAX_CELL_LINES = 50
"""Lines that one quoted CSV cell may span."""

FORMATS = ("tsv", "csv", "pipe", "table", "nt", "turtle", "json-ld", "folder")
_SUFFIXES = {
    ".tsv": "tsv", ".tab": "tsv", ".csv": "csv", ".nt": "nt",
    ".ttl": "turtle", ".turtle": "turtle", ".jsonld": "json-ld",
}  # fmt: skip
_NOT_TEXT = {
    b"\xff\xfe": ("this is UTF-16.", "Save the file as UTF-8."),
    b"\xfe\xff": ("this is UTF-16.", "Save the file as UTF-8."),
    b"\x1f\x8b": ("this is a gzip archive.", "Unpack it first."),
    b"PK\x03\x04": ("this is a zip archive.", "Unpack it first."),
}
_BINARY = "this is a binary file."
_DELIMITERS = {"tsv": "\t", "csv": ",", "pipe": "|"}
_FOLDER_FILES = ("train.txt", "entity2text.txt", "entity2description.txt", "entity2textlong.txt", "relation2text.txt")


def read_graph(
    path: Path, *, format: str | None = None, skip_bad_lines: bool = False, type_relations: Sequence[str] | None = None
) -> NetworkxStore:
    """Read a file or a benchmark folder; raises GraphFileError, ConfigError on an unknown format.

    ``type_relations``: as ``NetworkxStore`` takes them.
    """
    if format is not None and format not in FORMATS:
        raise ConfigError(f"no graph format {format!r}.", f"Known: {', '.join(FORMATS)}.")
    try:
        return _read(path, format, Collector(path, skip_bad_lines, type_relations=type_relations))
    except OSError as error:
        raise GraphFileError(
            path, f"it cannot be read: {error.strerror}.", hint="Check the path and its rights."
        ) from None


def file_stamp(path: Path) -> tuple[tuple[str, int, int], ...]:
    """(name, time of change, size) of each file that ``read_graph`` would read; empty where there is none."""
    stamps = []
    for file in (path, *(path / name for name in _FOLDER_FILES)):
        with contextlib.suppress(OSError, ValueError):
            stat = file.stat()
            stamps.append((file.name, stat.st_mtime_ns, stat.st_size))
    return tuple(stamps)


def _read(path: Path, format: str | None, collector: Collector) -> NetworkxStore:
    if not path.exists():
        raise GraphFileError(path, "there is no such file.", hint="Give --kg the path of a graph file or folder.")
    if path.is_dir():
        if format not in (None, "folder"):
            raise GraphFileError(path, f"this is a folder, not a {format} file.")
        _read_folder(path, collector)
        return collector.store(path.resolve().name)
    if format == "folder":
        raise GraphFileError(path, "this is a file, not a folder.")
    if not path.is_file():
        raise GraphFileError(path, "this is not a regular file.", hint="Give --kg a graph file or folder.")
    if path.stat().st_size == 0:
        raise GraphFileError(path, "the file is empty.", hint=ONE_A_LINE)
    with path.open("rb") as file:
        start = file.read(4)
    for magic, (what, hint) in _NOT_TEXT.items():
        if start.startswith(magic):
            raise GraphFileError(path, what, hint=hint)
    kind = format or _SUFFIXES.get(path.suffix.lower()) or sniff(path)
    if kind == "nt":
        read_ntriples(_lines(path, collector), collector)
    elif kind in ("turtle", "json-ld"):
        read_whole(path, kind, collector)
    else:
        read_rows(path, kind, collector)
    return collector.store(path.stem)


def sniff(path: Path) -> str:
    """The format by the file's first lines; raises GraphFileError where nothing fits."""
    text = _start(path)
    if "\0" in text:
        raise GraphFileError(path, _BINARY, hint=f"Readable formats: {', '.join(FORMATS)}.")
    lines = [line for line in text.splitlines()[:50] if line.strip() and not line.startswith("#")]
    if not lines and len(text) < _SNIFFED:
        raise GraphFileError(path, "the file holds no triple.", hint=ONE_A_LINE)
    if path.suffix.lower() in (".jsonl", ".ndjson"):
        raise GraphFileError(path, "this is JSON Lines, no graph format.", hint=f"Readable: {', '.join(FORMATS)}.")
    if text.lstrip().startswith(("{", "[")):
        return "json-ld"
    if any(line.startswith(("@prefix", "@base", "PREFIX", "BASE")) for line in lines):
        return "turtle"
    if lines and all(line.startswith(("<", "_:")) and line.rstrip().endswith(".") for line in lines[:-1] or lines):
        return "nt"
    for kind, delimiter in (("tsv", "\t"), ("pipe", "|"), ("csv", ",")):
        if lines and all(line.count(delimiter) == 2 for line in lines[:10]):
            return kind
    if lines and lines[0].count(",") >= 2:
        return "csv"
    if is_table(text, delimiter_of(text)):
        return "table"
    if text.lstrip().startswith(("<?xml", "<rdf:RDF")):
        raise GraphFileError(path, "this is XML.", hint="Convert RDF/XML to Turtle or N-Triples.")
    raise GraphFileError(path, "its format cannot be told.", hint=f"Say it with --format: {', '.join(FORMATS)}.")


def _start(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(_SNIFFED).decode("utf-8", "replace").lstrip("\ufeff")


def read_rows(path: Path, kind: str, collector: Collector) -> None:
    """Gather the triples of a delimited file, ``kind`` as in ``FORMATS``; a table may come under any of these."""
    start, pairs = _start(path), kind == "csv"
    delimiter = delimiter_of(start) if kind in ("csv", "table") else _DELIMITERS[kind]
    if kind == "csv" and delimiter != ";" and not is_table(start, delimiter, pairs=pairs):
        delimiter = ","
    if kind == "table" or is_table(start, delimiter, pairs=pairs):
        read_table(_csv_records(_lines(path, collector), collector, delimiter), collector)
    else:
        _read_delimited(path, delimiter, collector)


def _lines(path: Path, collector: Collector) -> Iterator[tuple[int, str]]:
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
                    raise GraphFileError(path, _BINARY, hint=f"Readable formats: {', '.join(FORMATS)}.")
                collector.bad(number, "the line holds a NUL byte.")
                continue
            try:
                yield number, raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                collector.bad(number, f"byte {error.start + 1} is not UTF-8.", "Save the file as UTF-8.")


def _read_delimited(path: Path, delimiter: str, collector: Collector) -> None:
    first, order = True, (0, 1, 2)
    records = (
        _csv_records(_lines(path, collector), collector, delimiter)
        if delimiter in ",;"
        else ((number, line.rstrip("\r\n").split(delimiter)) for number, line in _content(_lines(path, collector)))
    )
    for number, cells in records:
        cells = [cell.strip() for cell in cells]
        if len(cells) != 3:
            count = f"{len(cells)} column{'s' * (len(cells) != 1)}"
            collector.bad(number, f"{count} instead of 3 (head, relation, tail).", _other_delimiter(cells))
        elif not all(cells):
            collector.bad(number, f"column {cells.index('') + 1} is empty.")
        elif first and (found := _header(cells, number, collector)) is not None:
            order = found
        else:
            head, relation, tail = (cells[i] for i in order)
            text, language = literal_parts(tail) or (tail, "")
            collector.add(head, relation, tail, text=text, language=language)
        first = False


def _header(cells: list[str], number: int, collector: Collector) -> tuple[int, int, int] | None:
    """The order of the columns by a header line, None where the line is a triple."""
    try:
        return read_header(cells)
    except ValueError as error:
        names = "Name the columns head, relation and tail, or remove the line."
        raise GraphFileError(collector.path, str(error), number, names) from None


def _other_delimiter(cells: list[str]) -> str:
    """What to do about a line whose cells are parted by another delimiter than the format's."""
    if len(cells) == 1:
        for kind, delimiter in _DELIMITERS.items():
            if cells[0].count(delimiter) == 2:
                return f"The line looks like {kind}: say --format {kind}."
    if len(cells) != 1:
        return "A table, each row a thing under a header, is read with --format table, which tells what is wrong in it."
    return ""


def _content(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Lines that are neither empty nor a comment."""
    return ((number, line) for number, line in lines if line.strip() and not line.startswith("#"))


def _csv_records(
    lines: Iterable[tuple[int, str]], collector: Collector, delimiter: str
) -> Iterator[tuple[int, list[str]]]:
    """(first line, cells) of each record. A quoted cell may hold line breaks; one that is never closed
    spoils its own line only."""
    source = iter(lines)
    waiting: deque[tuple[int, str]] = deque()
    while entry := waiting.popleft() if waiting else next(source, None):
        number, record = entry
        if not record.strip() or record.startswith("#"):
            continue
        used: list[tuple[int, str]] = []
        while True:
            try:
                cells = next(
                    csv.reader(io.StringIO(record.rstrip("\r\n"), newline=""), delimiter=delimiter, strict=True)
                )
            except csv.Error as error:
                following = None
                if str(error) == "unexpected end of data" and len(used) < MAX_CELL_LINES:
                    following = waiting.popleft() if waiting else next(source, None)
                if following is None:
                    waiting.extendleft(reversed(used))
                    collector.bad(number, f"not CSV: {error}.")
                    break
                used.append(following)
                record += following[1]
            else:
                yield number, cells
                break


def _read_folder(path: Path, collector: Collector) -> None:
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
            collector.path = path / file
            for _, line in _lines(path / file, collector):
                key, _, text = line.rstrip("\r\n").partition("\t")
                if text.strip():
                    target.setdefault(key.strip(), text.strip())
    nodes = {e for h, _, t in collector.triples for e in (h, t)}
    collector.labels = {e: text for e, text in collector.labels.items() if e in nodes}
