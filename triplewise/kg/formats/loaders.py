"""Graph files into a store: TSV, CSV, MetaQA's ``|``, N-Triples, Turtle, JSON-LD, folders.

Delimited files hold one triple a line; a header line may name the columns, in any order. One with four columns
or more under a header is a table, each row a thing, and one with fewer may be (``tables.py``). Lines that begin with
``#`` and empty lines are passed over. The files of a folder are one graph (``folders.py``).
``rdfs:label``, ``skos:prefLabel``, ``schema:name`` (labels), ``skos:altLabel`` (aliases),
``rdfs:comment`` (description) and ``rdf:type`` are read as such, not as triples, in RDF as IRIs and in
delimited files under these prefixed names; names and properties of other vocabularies are in
``triplewise.kg.vocabulary``. A bad line raises GraphFileError with file and line, or is
left out and counted.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path

from triplewise.errors import ConfigError, GraphFileError
from triplewise.kg.formats.collector import Collector
from triplewise.kg.formats.delimited import csv_records, numbered_lines, read_triples
from triplewise.kg.formats.folders import files_read, read_folder
from triplewise.kg.formats.kinds import FORMATS, kind_of, layout_of
from triplewise.kg.formats.rdf import read_ntriples, read_whole
from triplewise.kg.formats.tables import read_table
from triplewise.kg.store import NetworkxStore


def read_graph(
    path: Path, *, format: str | None = None, skip_bad_lines: bool = False, type_relations: Sequence[str] | None = None
) -> NetworkxStore:
    """Read a file or a folder; raises GraphFileError, ConfigError on an unknown format.

    ``type_relations``: as ``NetworkxStore`` takes them.
    """
    if format is not None and format not in FORMATS:
        raise ConfigError(f"no graph format {format!r}.", f"Known: {', '.join(FORMATS)}.")
    try:
        return _read(path, format, Collector(path, skip_bad_lines, type_relations=type_relations))
    except OSError as error:
        raise GraphFileError(
            error.filename or path, f"it cannot be read: {error.strerror}.", hint="Check the path and its rights."
        ) from None


def file_stamp(path: Path) -> tuple[tuple[str, int, int], ...]:
    """(name, time of change, size) of each file that ``read_graph`` would read; empty where there is none."""
    stamps, files = [], list[Path]()
    with contextlib.suppress(OSError, ValueError):
        files = files_read(path)
    for file in files:
        with contextlib.suppress(OSError, ValueError):  # the reader tells what is wrong
            stat = file.stat()
            stamps.append((file.name, stat.st_mtime_ns, stat.st_size))
    return tuple(stamps)


def _read(path: Path, format: str | None, collector: Collector) -> NetworkxStore:
    if not path.exists():
        raise GraphFileError(path, "there is no such file.", hint="Give --kg the path of a graph file or folder.")
    if path.is_dir():
        read_folder(path, collector, format)
        return collector.store(path.resolve().name)
    if format == "folder":
        raise GraphFileError(path, "this is a file, not a folder.")
    if not path.is_file():
        raise GraphFileError(path, "this is not a regular file.", hint="Give --kg a graph file or folder.")
    kind = kind_of(path, format)
    if kind == "nt":
        read_ntriples(numbered_lines(path, collector), collector)
    elif kind in ("turtle", "json-ld"):
        read_whole(path, kind, collector)
    else:
        read_rows(path, kind, collector)
    return collector.store(path.stem)


def read_rows(path: Path, kind: str, collector: Collector) -> None:
    """Gather the triples of a delimited file, ``kind`` as in ``FORMATS``; a table may come under any of these."""
    delimiter, table = layout_of(path, kind)
    if table:
        read_table(csv_records(numbered_lines(path, collector), collector, delimiter), collector)
    else:
        read_triples(path, delimiter, collector)
