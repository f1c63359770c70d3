"""``triplewise kg import``: a graph file into a store on disk, in constant memory; what was interrupted goes on.

N-Triples (also gzipped) goes to Oxigraph in pieces of whole lines; a piece that was loaded is noted, and as a graph is
a set, loading one twice does no harm. TSV and CSV are read line by line; other formats are read whole first. Then the
names are indexed and the counts taken, and the store is published for readers.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import shutil
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from triplewise.errors import ConfigError, GraphFileError
from triplewise.kg.formats.collector import ONE_A_LINE, Collector
from triplewise.kg.formats.delimited import MAX_LINE
from triplewise.kg.formats.folders import files_read, is_benchmark, read_folder
from triplewise.kg.formats.kinds import FORMATS, sniff
from triplewise.kg.formats.loaders import read_rows
from triplewise.kg.formats.rdf import read_whole
from triplewise.kg.names import one_line
from triplewise.kg.stores import folder
from triplewise.kg.stores.finish import finish
from triplewise.kg.stores.oxigraph import Terms
from triplewise.kg.stores.terms import ALIAS, DESCRIPTION, LABELS, RDF_TYPE, SHORT, id_to_iri, own_iri

PIECE = 32 * 2**20
"""Bytes of N-Triples that are loaded at once."""
_BATCH = 100_000
_MAX_NOTED = 1_000
"""Bad lines whose reasons are kept; more are counted."""
_ROWS = {".tsv": "tsv", ".tab": "tsv", ".csv": "csv"}
_SCHEME = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]*:")
_OTHER = re.compile(rb"(?m)(?:^|[ \t>])[ \t]*(?:_:|<(?!https?://|urn:))")
"""A blank node, or an IRI of another scheme than ours: terms that ids do not give as they are."""
_TERM = re.compile(rb'"(?:[^"\\\n]|\\.)*"(?:\^\^<[^>\n]*>)?|<([^>\n]*)>|(_:[^\s<>"]*[^\s<>".])')

Progress = Callable[[str, float], None]
"""Called with what is being done and the share that is done, 0 to 1."""


@dataclass
class _State:
    """How far an import has come."""

    source: str
    stamp: list[int]
    done: int = 0
    """Bytes of N-Triples, or statements of other formats."""
    lines: int = 0
    skipped: list[tuple[int, str]] = field(default_factory=list)
    skipped_lines: int = 0
    loaded: bool = False
    failed: bool = False
    """Its file is bad, and what was loaded is being taken back."""

    def skip(self, line: int, reason: str) -> None:
        self.skipped_lines += 1
        if len(self.skipped) < _MAX_NOTED:
            self.skipped.append((line, reason))


def import_graph(
    source: str | Path,
    target: str | Path,
    *,
    format: str | None = None,
    name: str | None = None,
    skip_bad_lines: bool = False,
    type_relations: Sequence[str] | None = None,
    alias_relations: Sequence[str] | None = None,
    progress: Progress = lambda what, share: None,
) -> folder.Manifest:
    """Add a graph file to a store, which is made where there is none; raises GraphFileError and ConfigError.

    After an interruption the same call goes on where the last one stopped. Where the file is bad, the store is left as
    it was before.
    """
    if format is not None and format not in FORMATS:
        raise ConfigError(f"no graph format {format!r}.", f"Known: {', '.join(FORMATS)}.")
    file, path = Path(source), Path(target)
    if not file.exists():
        raise GraphFileError(file, "there is no such file.", hint="Give the path of a graph file or folder.")
    if path.exists() and not path.is_dir():
        raise GraphFileError(path, "this is a file, not a folder.", hint="Name a new or empty folder with --store.")
    there = {p.name for p in path.iterdir()} - {folder.LOCK} if path.is_dir() else set()
    if there and not there & {folder.MANIFEST, folder.IMPORT, folder.WRITE}:
        raise GraphFileError(path, "the folder holds other things.", hint="Name a new or empty folder with --store.")
    made = not path.exists()
    path.mkdir(parents=True, exist_ok=True)
    with folder.locked(path):
        found = _interrupted(path, file)
        old = folder.read_manifest(path) if folder.is_store(path) else folder.Manifest("")
        with folder.opened(path) as db:
            state = found or _begin(path, file, db)
            try:
                _load(db, file, format, skip_bad_lines, state, path, progress)
            except GraphFileError:
                state.failed = True
                folder.write_json(path / folder.IMPORT, asdict(state))
                db.close()
                _take_back(path)
                if made:
                    shutil.rmtree(path)
                raise
            manifest = folder.Manifest(
                name=name or old.name or file.resolve().name.removesuffix(".gz").rsplit(".", 1)[0],
                generation=old.generation,
                row_classes=old.row_classes,
                content=f"{(int(old.content, 16) + int(_digest(file), 16)) % 2**256:064x}",
                skipped=[*old.skipped, *state.skipped],
                skipped_lines=old.skipped_lines + state.skipped_lines,
            )
            finish(path, db, manifest, type_relations, alias_relations, progress)
            folder.publish(path, db, manifest)
        (path / folder.IMPORT).unlink()
        shutil.rmtree(path / folder.BEFORE, ignore_errors=True)
    return manifest


def _interrupted(path: Path, file: Path) -> _State | None:
    """How far an import of the same file came that was interrupted; None where one begins.

    What was loaded of the file before it was changed is taken back. Raises ConfigError where it was another file's.
    """
    if not folder.unfinished_import(path):
        return None
    found = _State(**json.loads((path / folder.IMPORT).read_text(encoding="utf-8")))
    same, unchanged = found.source == str(file.resolve()), found.stamp == _stamp(file)
    if found.failed or (same and not unchanged and not found.loaded):
        _take_back(path)
        return None
    if not (same and unchanged):
        raise ConfigError(
            f"an import of {found.source} into {path} was interrupted.",
            "Finish it with the same file, unchanged, or delete the folder.",
        )
    return found


def _begin(path: Path, file: Path, db: Any) -> _State:
    """A new import: what a store holds is kept aside until the file is loaded."""
    shutil.rmtree(path / folder.BEFORE, ignore_errors=True)  # of a writer that was killed between two steps
    if folder.is_store(path):
        db.flush()
        db.backup(str(path / folder.BEFORE))
    state = _State(str(file.resolve()), _stamp(file))
    folder.write_json(path / folder.IMPORT, asdict(state))
    return state


def _stamp(file: Path) -> list[int]:
    """What changes with a file, or with any that is read of a folder."""
    stats = [part.stat() for part in files_read(file) if part.exists()]
    return [number for stat in stats for number in (stat.st_size, stat.st_mtime_ns)]


def _take_back(path: Path) -> None:
    """Undo an import into a store that nobody has open; does no harm where it was cut off and comes again."""
    if not folder.is_store(path):
        shutil.rmtree(path / folder.WRITE, ignore_errors=True)
    elif (path / folder.BEFORE).is_dir():
        shutil.rmtree(path / folder.WRITE, ignore_errors=True)
        (path / folder.BEFORE).rename(path / folder.WRITE)
    (path / folder.IMPORT).unlink()


def _kind(file: Path, format: str | None) -> str:
    """The format as ``loaders`` names it; "folder" for a folder."""
    if file.is_dir():
        return "folder"
    suffix = Path(file.name.removesuffix(".gz")).suffix.lower()
    kind = format or {".nt": "nt", ".ttl": "turtle", ".jsonld": "json-ld"}.get(suffix)
    if kind is None and not file.name.endswith(".gz"):
        try:
            kind = sniff(file)
        except GraphFileError:
            kind = _ROWS.get(suffix)  # the reader says which line is bad
            if kind is None:
                raise
    if kind != "nt" and file.name.endswith(".gz"):
        raise GraphFileError(file, "of gzipped files N-Triples is read.", hint="Unpack it first.")
    return kind or "tsv"


def _digest(file: Path) -> str:
    digest = hashlib.sha256()
    for part in filter(Path.exists, files_read(file)):
        with part.open("rb") as stream:
            while block := stream.read(2**20):
                digest.update(block)
    return digest.hexdigest()


def _load(db: Any, file: Path, format: str | None, skip: bool, state: _State, path: Path, progress: Progress) -> None:
    if state.loaded:
        return
    load = _load_ntriples if _kind(file, format) == "nt" else _load_other
    load(db, file, format, skip, state, path, progress)
    if not state.done or next(db.quads_for_pattern(None, None, None, None), None) is None:
        raise GraphFileError(file, "it holds no triple.", hint=ONE_A_LINE)
    state.loaded = True
    folder.write_json(path / folder.IMPORT, asdict(state))


# N-Triples --------------------------------------------------------------------------------------


def _load_ntriples(
    db: Any, file: Path, format: str | None, skip: bool, state: _State, path: Path, progress: Progress
) -> None:
    engine, size = folder.pyoxigraph(), max(file.stat().st_size, 1)
    with file.open("rb") as raw:
        packed = raw.read(2) == b"\x1f\x8b"
        raw.seek(0)
        stream: IO[bytes] = gzip.GzipFile(fileobj=raw) if packed else raw  # pyright: ignore[reportAssignmentType]
        for piece, whole in _read(file, stream, state.done):
            lines = piece.count(b"\n")
            if whole:
                _load_piece(db, engine, file, piece, skip, state)
            elif skip:
                state.skip(state.lines + 1, f"the line is longer than {MAX_LINE:,} characters.")
            else:
                raise GraphFileError(file, f"longer than {MAX_LINE:,} characters.", state.lines + 1)
            state.done += len(piece)
            state.lines += lines
            folder.write_json(path / folder.IMPORT, asdict(state))
            progress("load", raw.tell() / size)


def _read(file: Path, stream: IO[bytes], start: int) -> Iterator[tuple[bytes, bool]]:
    """``_pieces`` after ``start`` bytes; only what reading raises is the file's fault, and not a full disk."""
    try:
        _skip(stream, start)
        yield from _pieces(stream)
    except (EOFError, OSError, zlib.error) as error:
        raise GraphFileError(file, f"it cannot be read: {error}.", hint="Is the file complete?") from None


def _skip(stream: IO[bytes], count: int) -> None:
    if stream.seekable() and not isinstance(stream, gzip.GzipFile):
        stream.seek(count)
        return
    while count and (block := stream.read(min(count, 2**20))):
        count -= len(block)


def _pieces(stream: IO[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Whole lines, some PIECE bytes at a time; (a part of an over-long line, False)."""
    rest = b""
    while block := stream.read(PIECE):
        cut = block.rfind(b"\n") + 1
        if not cut and len(rest) + len(block) > MAX_LINE:
            yield rest + block, False
            while (tail := stream.read(PIECE)) and b"\n" not in tail:
                yield tail, False
            cut = tail.find(b"\n") + 1
            yield tail[:cut], False
            rest = tail[cut:]
            continue
        yield rest + block[:cut], True
        rest = block[cut:]
    if rest:
        yield rest, True


def _load_piece(db: Any, engine: Any, file: Path, piece: bytes, skip: bool, state: _State) -> None:
    if _OTHER.search(piece):
        piece = _TERM.sub(_own, piece)
    try:
        db.bulk_load(piece, engine.RdfFormat.N_TRIPLES)
        return
    except SyntaxError:
        lines = piece.splitlines(keepends=True)
    good = []
    for number, line in enumerate(lines, state.lines + 1):
        try:
            list(engine.parse(line, engine.RdfFormat.N_TRIPLES))
            good.append(line)
        except SyntaxError as error:
            reason = one_line(f"not N-Triples: {error.msg}")[:300]
            if not skip:
                raise GraphFileError(
                    file, reason, number, "Mend the line, or load the rest: --skip-bad-lines."
                ) from None
            state.skip(number, reason)
    db.bulk_load(b"".join(good), engine.RdfFormat.N_TRIPLES)


def _own(match: re.Match[bytes]) -> bytes:
    """A term by a name of ours where its id gives another: a blank node, so that it can be asked for again."""
    iri, blank = match.groups()
    if blank or (iri and _SCHEME.match(iri)):
        return f"<{id_to_iri((blank or iri).decode('utf-8', 'replace'))}>".encode()
    return match.group()


# other formats ----------------------------------------------------------------------------------


class _Sink(Collector):
    """A collector that hands on what it gets instead of keeping it."""

    def begin(self, db: Any, state: _State, path: Path, progress: Progress) -> None:
        """Go on after the statements that were loaded."""
        self.db, self.state, self.folder, self.progress = db, state, path, progress
        self.engine = folder.pyoxigraph()
        self.terms = Terms(self.engine)
        self.quads: list[Any] = []
        self.seen = 0
        self.start = state.done

    def bad(self, line: int, reason: str, hint: str = "") -> None:
        super().bad(line, reason, hint)
        noted = self.skipped.pop()
        if self.seen >= self.start:
            self.state.skip(*noted)

    def add(self, head: str, relation: str, tail: str, *, text: str, language: str = "") -> None:
        self.seen += 1
        if self.seen <= self.start:
            return
        relation = SHORT.get(relation, relation)
        if relation in (*LABELS, ALIAS, DESCRIPTION):
            object = self.engine.Literal(text, language=language or None)
        else:
            object = self.terms.node(text if relation == RDF_TYPE else tail)
        self.put(head, relation, object)

    def put(self, head: str, relation: str, object: Any) -> None:
        """Add a statement whose object is a term."""
        subject = self.terms.node(head)
        if not isinstance(subject, self.engine.NamedNode):
            subject = self.engine.NamedNode(own_iri(head))  # a literal as a head, as only delimited files have it
        self.quads.append(self.engine.Quad(subject, self.terms.relation(relation), object, self.engine.DefaultGraph()))
        if len(self.quads) >= _BATCH:
            self.flush()

    def flush(self) -> None:
        """Load what has come together."""
        self.db.bulk_extend(self.quads)
        self.quads.clear()
        self.state.done = max(self.seen, self.start)
        folder.write_json(self.folder / folder.IMPORT, asdict(self.state))
        self.progress("load", 0.0)


def _load_other(
    db: Any, file: Path, format: str | None, skip: bool, state: _State, path: Path, progress: Progress
) -> None:
    sink = _Sink(file, skip)
    sink.begin(db, state, path, progress)
    kind = _kind(file, format)
    if kind == "folder" and is_benchmark(file):
        _replay(file, skip, sink)
    elif kind == "folder":
        read_folder(file, sink, format)
    elif kind in ("turtle", "json-ld"):
        read_whole(file, kind, sink)
    else:
        read_rows(file, kind, sink)
    sink.flush()


def _replay(file: Path, skip: bool, sink: _Sink) -> None:
    """A benchmark folder, whose texts lie beside its triples."""
    found = Collector(file, skip)
    read_folder(file, found)
    for head, relation, tail in found.triples:
        sink.add(head, relation, tail, text=tail)
    for relation, texts in ((LABELS[0], found.labels | found.relation_labels), (DESCRIPTION, found.descriptions)):
        for node, text in texts.items():
            sink.add(node, relation, text, text=text)
    for line, reason in found.skipped:
        sink.state.skip(line, reason)
