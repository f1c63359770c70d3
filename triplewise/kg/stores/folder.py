"""The folder of a store on disk: one writer beside any number of readers.

::

    DIR/store.json     name, generation, content, skipped lines; replaced in one step
    DIR/index.sqlite   names, counts, the edit log (write-ahead logging: readers see the last commit)
    DIR/write/         Oxigraph's database, opened by the writer alone
    DIR/read-N/        a checkpoint of it (hard links), opened read-only: nothing in it ever changes
    DIR/import.json    how far an import has come, while there is one
    DIR/before/        a checkpoint of DIR/write from before that import, which comes back where its file is bad

Oxigraph leaves it undefined what a reader sees of a database that is being written, so readers never open one.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from triplewise.errors import ConfigError, GraphFileError, MissingExtraError

MANIFEST = "store.json"
INDEX = "index.sqlite"
WRITE = "write"
LOCK = "write.lock"
IMPORT = "import.json"
BEFORE = "before"
VERSION = 1
_KEPT = 3
"""Generations that are kept for readers which opened them."""


@dataclass
class Manifest:
    """What ``store.json`` says. ``content``: the sum of the hashes of what was imported and edited, modulo 2²⁵⁶."""

    name: str
    generation: int = 0
    content: str = "0" * 64
    skipped: list[tuple[int, str]] = field(default_factory=list)
    skipped_lines: int = 0
    type_relations: list[str] = field(default_factory=list)
    alias_relations: list[str] = field(default_factory=list)
    nested_relations: list[str] = field(default_factory=list)
    row_classes: dict[str, str] = field(default_factory=dict)
    """Folded word, or name of a row whose word does not tell, → its class (``triplewise.kg.row_classes``)."""
    edits: int = 0
    """Number of the last edit that ``content`` and the generation hold."""
    version: int = VERSION


def is_store(path: Path) -> bool:
    """Whether the folder holds a store."""
    return (path / MANIFEST).is_file()


def read_manifest(path: Path) -> Manifest:
    """The manifest of a store; raises GraphFileError where there is none, or a newer one."""
    try:
        data: Any = json.loads((path / MANIFEST).read_text(encoding="utf-8"))
        manifest = Manifest(**data)
    except FileNotFoundError:
        raise GraphFileError(
            path, "there is no store here.", hint="Make one with: triplewise kg import FILE --store DIR"
        ) from None
    except (ValueError, TypeError) as error:
        raise GraphFileError(path / MANIFEST, f"it cannot be read: {error}.", hint="Import the graph again.") from None
    if manifest.version != VERSION:
        raise GraphFileError(path, f"the store has version {manifest.version}.", hint="Import the graph again.")
    manifest.skipped = [(line, reason) for line, reason in manifest.skipped]
    return manifest


def write_json(path: Path, data: Any) -> None:
    """Replace a JSON file in one step, on the disk before it is seen."""
    partial = path.with_name(path.name + ".part")
    with partial.open("w", encoding="utf-8") as file:
        json.dump(data, file)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


def write_manifest(path: Path, manifest: Manifest) -> None:
    """Replace ``store.json``."""
    write_json(path / MANIFEST, asdict(manifest))


def reading(path: Path, generation: int) -> Path:
    """The folder of a generation."""
    return path / f"read-{generation}"


class Database:
    """Oxigraph's store, which has no ``close``: it ends with the last reference to it, which is here."""

    def __init__(self, store: Any) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def close(self) -> None:
        """Let go of the store."""
        self._store = None


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """The right to write; raises ConfigError where another process has it."""
    pyoxigraph()
    lock = FileLock(path / LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise ConfigError(f"{path} is being written by another process.", "Wait until it has ended.") from None
    try:
        yield
    finally:
        lock.release()


@contextmanager
def opened(path: Path) -> Iterator[Database]:
    """Oxigraph's database opened for writing, by the one who has the right to."""
    database = Database(pyoxigraph().Store(str(path / WRITE)))
    try:
        yield database
    finally:
        database.close()


def unfinished_import(path: Path) -> str:
    """The file whose import into a store was not finished, "" where there is none."""
    try:
        return str(json.loads((path / IMPORT).read_text(encoding="utf-8"))["source"])
    except FileNotFoundError:
        return ""


def publish(path: Path, store: Any, manifest: Manifest) -> None:
    """Make what was written visible to readers that open the store from now on."""
    manifest.generation += 1
    target = reading(path, manifest.generation)
    shutil.rmtree(target, ignore_errors=True)  # left by a writer that was killed before it wrote the manifest
    store.flush()
    store.backup(str(target))
    write_manifest(path, manifest)
    for old in path.glob("read-*"):
        with suppress(ValueError):
            if int(old.name.removeprefix("read-")) <= manifest.generation - _KEPT:
                shutil.rmtree(old, ignore_errors=True)


def pyoxigraph() -> Any:
    """The module, or MissingExtraError."""
    try:
        import pyoxigraph
    except ImportError:
        raise MissingExtraError("A store on disk", "stores") from None
    return pyoxigraph
