"""Each store with each graph: in memory, on disk, and behind the SPARQL servers that are installed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from sparql_servers import SERVERS

from triplewise.kg.formats.loaders import read_graph
from triplewise.kg.store import NetworkxStore
from triplewise.kg.stores import folder
from triplewise.kg.stores.client import Limits
from triplewise.kg.stores.dialects import dialect
from triplewise.kg.stores.endpoint import EndpointStore
from triplewise.kg.stores.importer import import_graph
from triplewise.kg.stores.oxigraph import OxigraphStore

from .graphs import BRIDGES_NT, CLUB_TSV, SHIPS_NT

GRAPHS = {"ships": ("ships.nt", SHIPS_NT), "club": ("club.tsv", CLUB_TSV), "bridges": ("bridges.nt", BRIDGES_NT)}


@pytest.fixture(scope="session")
def graph_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("graphs")
    files = {}
    for name, (file, text) in GRAPHS.items():
        files[name] = folder / file
        files[name].write_text(text, encoding="utf-8")
    return files


@pytest.fixture(scope="session")
def on_disk(graph_files: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    root = tmp_path_factory.mktemp("stores")
    for name, file in graph_files.items():
        import_graph(file, root / name)
    return {name: root / name for name in graph_files}


@pytest.fixture(scope="session")
def as_triples(on_disk: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The graphs as N-Triples, with the terms that the stores on disk have."""
    root, engine = tmp_path_factory.mktemp("triples"), folder.pyoxigraph()
    for name, path in on_disk.items():
        graph = engine.DefaultGraph()
        OxigraphStore(path).db.dump(str(root / f"{name}.nt"), format=engine.RdfFormat.N_TRIPLES, from_graph=graph)
    return {name: root / f"{name}.nt" for name in on_disk}


@pytest.fixture(scope="session")
def in_memory(graph_files: dict[str, Path]) -> dict[str, NetworkxStore]:
    return {name: read_graph(file) for name, file in graph_files.items()}


@pytest.fixture(scope="session")
def open_store(
    in_memory: dict[str, NetworkxStore],
    on_disk: dict[str, Path],
    as_triples: dict[str, Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[[str, str], Any]]:
    """``open_store(kind, graph)``; each is opened once."""
    opened: dict[tuple[str, str], Any] = {}
    with ExitStack() as stack:

        def start(kind: str, graph: str) -> Any:
            if kind == "memory":
                return in_memory[graph]
            if kind == "disk":
                return OxigraphStore(on_disk[graph])
            url = stack.enter_context(SERVERS[kind](as_triples[graph], tmp_path_factory.mktemp(kind)))
            way = dialect("virtuoso" if kind == "virtuoso" else "plain")
            store = EndpointStore(url, dialect=way, limits=Limits(per_second=1000))
            stack.callback(store.close)
            return store

        def get(kind: str, graph: str) -> Any:
            if (kind, graph) not in opened:
                opened[kind, graph] = start(kind, graph)
            return opened[kind, graph]

        yield get
