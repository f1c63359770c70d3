"""Knowledge-graph stores, loaders, entity search and entity linking."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from triplewise.kg.base import DirectedRelation, EntityHit, KGStore, LoadedGraph
from triplewise.kg.store import NetworkxStore

__all__ = ["DirectedRelation", "EntityHit", "KGStore", "LoadedGraph", "NetworkxStore", "load_kg"]

BUNDLED = Path(__file__).resolve().parent.parent / "data" / "films.tsv"


def load_kg(
    path: str | Path, *, format: str | None = None, skip_bad_lines: bool = False,
    type_relations: Sequence[str] | None = None,
) -> LoadedGraph:  # fmt: skip
    """Load a graph file or folder, a store on disk, or an endpoint (``sparql:URL``); "films" is the bundled graph.

    ``type_relations``: ids of the relations that tell a file's classes; None: they are found (``kg.schema``).
    A file that has not changed is loaded once per process. Raises GraphFileError, with file and line,
    and ConfigError on an unknown format.
    """
    from triplewise.checks import expect
    from triplewise.errors import ConfigError, GraphFileError
    from triplewise.kg.formats.loaders import file_stamp

    expect("path", path, str, Path, what="the path of a graph file")
    expect("format", format, str, None, what="a format's name")
    if not str(path) or "\0" in str(path):
        raise ConfigError(f"the graph's path is {str(path)!r}.", "Give the path of a graph file or folder.")
    if str(path).startswith(("sparql:", "sparql+")):
        return _endpoint(str(path))
    if "://" in str(path):
        raise GraphFileError(path, "a graph is read from a file, nothing is fetched.", hint="Download it first.")
    file = BUNDLED if str(path) == "films" else Path(os.path.expanduser(path)).absolute()  # noqa: PTH111
    manifest = file / "store.json"
    with suppress(OSError):  # a name that is too long, say: the loader tells it
        if manifest.is_file():
            return _on_disk(file, manifest.stat().st_mtime_ns)
    given = None if type_relations is None else tuple(type_relations)
    return _load(file, format, skip_bad_lines, given, file_stamp(file))


@lru_cache(maxsize=8)
def _load(
    path: Path, format: str | None, skip: bool, types: tuple[str, ...] | None, stamp: tuple[tuple[str, int, int], ...]
) -> NetworkxStore:
    from triplewise.kg.formats.loaders import read_graph

    return read_graph(path, format=format, skip_bad_lines=skip, type_relations=types)


@lru_cache(maxsize=8)
def _on_disk(path: Path, stamp: int) -> LoadedGraph:
    from triplewise.kg.stores.oxigraph import OxigraphStore

    return OxigraphStore(path)


@lru_cache(maxsize=8)
def _endpoint(address: str) -> LoadedGraph:
    from triplewise.kg.stores.endpoint import open_endpoint

    return open_endpoint(address)
