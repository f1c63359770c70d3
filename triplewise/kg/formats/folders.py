"""A folder as one graph: a benchmark's layout, or graph files side by side, each read by its own format.

Tables among them hang together (``table_links.py``): a cell that is called as a row of another table means that row.
Only files that lie in the folder itself are read, and no link that leads out of it is followed.
"""

from __future__ import annotations

import logging
from pathlib import Path

from triplewise.errors import GraphFileError
from triplewise.kg.formats.collector import Collector
from triplewise.kg.formats.delimited import csv_records, numbered_lines, read_triples, start_of
from triplewise.kg.formats.kinds import SUFFIXES, kind_of, layout_of
from triplewise.kg.formats.rdf import read_ntriples, read_whole
from triplewise.kg.formats.table_links import Links, known_kinds
from triplewise.kg.formats.tables import Table, add_table, link_words, parse_table, warn_of_clashes
from triplewise.kg.names import one_line

MAX_FILES = 1_000
"""Graph files of a folder; one of more is hardly a graph."""
_NAMED = 10
"""Files that are left out by name in a warning; of more the number is told."""
_BENCHMARK = ("train.txt", "entity2text.txt", "entity2description.txt", "entity2textlong.txt", "relation2text.txt")

log = logging.getLogger(__name__)


def read_folder(path: Path, collector: Collector, format: str | None = None) -> None:
    """Gather the triples of a folder; raises GraphFileError where a file is bad or none is a graph's.

    ``format``: None or "folder", or "table" for tables whose headers do not tell that they are.
    """
    if format not in (None, "folder", "table"):
        raise GraphFileError(path, f"this is a folder, not a {format} file.")
    if is_benchmark(path):
        _read_benchmark(path, collector)
    else:
        _read_files(path, collector, tables=format == "table")


def is_benchmark(path: Path) -> bool:
    """Whether a folder has the layout of FB15k-237 and WN18RR."""
    return (path / "train.txt").is_file()


def files_read(path: Path) -> list[Path]:
    """The file, or the files of a folder, that a graph is read from; empty where there is none."""
    if not path.is_dir():
        return [path]
    return [path / name for name in _BENCHMARK] if is_benchmark(path) else _sorted_out(path)[0]


def _sorted_out(path: Path) -> tuple[list[Path], list[str]]:
    """The graph files of a folder by their names, and what else there is, with the reason."""
    inside, files, others = path.resolve(), list[Path](), list[str]()
    for entry in sorted(path.iterdir(), key=lambda e: e.name):
        if entry.name.startswith((".", "~$")):
            others.append(f"{entry.name} (hidden)")
        elif entry.is_dir():
            others.append(f"{entry.name} (a folder)")
        elif entry.suffix.lower() not in SUFFIXES:
            others.append(entry.name)
        elif not entry.is_file():
            others.append(f"{entry.name} (no regular file)")
        elif not entry.resolve().is_relative_to(inside):
            others.append(f"{entry.name} (a link out of the folder)")
        elif not start_of(entry).strip():
            others.append(f"{entry.name} (empty)")
        else:
            files.append(entry)
    return files, others


def _is_header(file: Path, delimiter: str) -> bool:
    """Whether a delimited file has but one line, which is no triple: a sheet that nothing was entered in."""
    lines = [line for line in start_of(file).splitlines() if line.strip() and not line.startswith("#")]
    return len(lines) == 1 and lines[0].count(delimiter) != 2


def _read_files(path: Path, collector: Collector, *, tables: bool) -> None:
    """Graph files side by side: first the tables, whose rows the files of triples may speak of."""
    files, others = _sorted_out(path)
    if not files:
        raise GraphFileError(
            path,
            f"the folder holds no graph file ({' '.join(SUFFIXES)}) and no train.txt.",
            hint="Sub-folders are not read; save the sheets of a workbook as CSV.",
        )
    if len(files) > MAX_FILES:
        raise GraphFileError(path, f"the folder has {len(files):,} graph files; up to {MAX_FILES:,} are read.")
    known = known_kinds([file.stem for file in files])
    found: list[Table] = []
    triples: list[tuple[int, Path, str]] = []
    for part, file in enumerate(files, 1):
        collector.path, collector.part = file, part
        kind = kind_of(file, None)
        if kind not in ("csv", "tsv"):
            triples.append((part, file, kind))
            continue
        delimiter, is_table = layout_of(file, "table" if tables else kind, known=known)
        if not is_table and _is_header(file, delimiter):
            others.append(f"{file.name} (no row under its header)")
        elif not is_table:
            triples.append((part, file, delimiter))
        elif table := parse_table(csv_records(numbered_lines(file, collector), collector, delimiter), collector):
            found.append(table)
    links = Links(found)
    collector.path = path
    meant = [(table, links.meant(table)) for table in found]
    for table, columns in meant:
        add_table(table, columns, collector)
        warn_of_clashes(table, collector)
    collector.relation_labels |= link_words(meant)
    rows = links.names()
    for part, file, how in triples:
        collector.path, collector.part = file, part
        if how == "nt":
            read_ntriples(numbered_lines(file, collector), collector)
        elif how in ("turtle", "json-ld"):
            read_whole(file, how, collector)
        else:
            read_triples(file, how, collector, rows)
    collector.path = path
    if others:
        named = ", ".join(map(one_line, sorted(others)[:_NAMED]))
        more = f" and {len(others) - _NAMED} more" if len(others) > _NAMED else ""
        log.warning("Left out of %s: %s%s.", one_line(str(path)), named, more)


def _read_benchmark(path: Path, collector: Collector) -> None:
    """FB15k-237's and WN18RR's layout; only train.txt is the graph, valid and test are to be predicted."""
    train = path / "train.txt"
    collector.path = train
    read_triples(train, "\t", collector)
    for file, target in (
        ("entity2text.txt", collector.labels),
        ("entity2description.txt", collector.descriptions),
        ("entity2textlong.txt", collector.descriptions),
        ("relation2text.txt", collector.relation_labels),
    ):
        if (path / file).is_file():
            collector.path = path / file
            for _, line in numbered_lines(path / file, collector):
                key, _, text = line.rstrip("\r\n").partition("\t")
                if text.strip():
                    target.setdefault(key.strip(), text.strip())
    nodes = {e for h, _, t in collector.triples for e in (h, t)}
    collector.labels = {e: text for e, text in collector.labels.items() if e in nodes}
