"""Which format a graph file has, by its suffix and its first lines, and what it is where it is no graph file."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from triplewise.errors import GraphFileError
from triplewise.kg.formats.collector import ONE_A_LINE
from triplewise.kg.formats.delimited import BINARY, DELIMITERS, SNIFFED, start_of
from triplewise.kg.formats.table_shape import delimiter_of, is_table

FORMATS = ("tsv", "csv", "pipe", "table", "nt", "turtle", "json-ld", "folder")
SUFFIXES = {
    ".tsv": "tsv", ".tab": "tsv", ".csv": "csv", ".nt": "nt",
    ".ttl": "turtle", ".turtle": "turtle", ".jsonld": "json-ld",
}  # fmt: skip
_NOT_TEXT = {
    b"\xff\xfe": ("this is UTF-16.", "Save the file as UTF-8."),
    b"\xfe\xff": ("this is UTF-16.", "Save the file as UTF-8."),
    b"\x1f\x8b": ("this is a gzip archive.", "Unpack it first."),
    b"\xd0\xcf\x11\xe0": ("this is an old Excel workbook (.xls).", "Save each of its sheets as CSV (UTF-8)."),
    b"PK\x03\x04": ("this is a zip archive.", "Unpack it first."),
}
_WORKBOOK = (b"[Content_Types].xml", b"xl/", b"_rels/", b"docProps/", b"mimetypeapplication/vnd.oasis", b"Index/")
"""What the first file of a zip archive is called, and perhaps says, that is a workbook of Excel, LibreOffice or
Numbers."""


def kind_of(path: Path, format: str | None) -> str:
    """The format of a file; raises GraphFileError where it is empty, packed or of no format."""
    if path.stat().st_size == 0:
        raise GraphFileError(path, "the file is empty.", hint=ONE_A_LINE)
    with path.open("rb") as file:
        start = file.read(80)
    if start.startswith(b"PK\x03\x04") and any(name in start[26:] for name in _WORKBOOK):
        raise GraphFileError(path, "this is a workbook.", hint="Save each of its sheets as CSV (UTF-8).")
    for magic, (what, hint) in _NOT_TEXT.items():
        if start.startswith(magic):
            raise GraphFileError(path, what, hint=hint)
    return format or SUFFIXES.get(path.suffix.lower()) or sniff(path)


def sniff(path: Path) -> str:
    """The format by the file's first lines; raises GraphFileError where nothing fits."""
    text = start_of(path)
    if "\0" in text:
        raise GraphFileError(path, BINARY, hint=f"Readable formats: {', '.join(FORMATS)}.")
    lines = [line for line in text.splitlines()[:50] if line.strip() and not line.startswith("#")]
    if not lines and len(text) < SNIFFED:
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


def layout_of(path: Path, kind: str, *, known: Collection[str] = ()) -> tuple[str, bool]:
    """What parts the cells of a delimited file, and whether it is a table, which may come under any such format.

    ``known``: what the rows of tables beside it are (``is_table``).
    """
    start, spreadsheet = start_of(path), kind == "csv"
    delimiter = delimiter_of(start) if kind in ("csv", "table") else DELIMITERS[kind]
    table = kind == "table" or is_table(start, delimiter, spreadsheet=spreadsheet, known=known)
    if kind == "csv" and delimiter != ";" and not table:
        delimiter = ","
        table = is_table(start, delimiter, spreadsheet=True, known=known)
    return delimiter, table
