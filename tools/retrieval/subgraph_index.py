"""The sub-graph-enriched index: every triple's vector R(t ⊕ G_t) in a Chroma collection (equation 2).

A record is a triple: its id is a hash of the triple, its metadata a hash of the text it was embedded as.
So building is the same as updating: what is missing or was embedded as another text is written, what is
not in the graph any more is removed, and a build that was killed goes on where it was. The collection
says which graph (name, content hash), embedder and rule of texts it was made with; it is opened only for
exactly these, and only where its files are what was written (``tools.retrieval.index_health``).
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from triplewise.backends.embedders import Embedder, Vectors
from triplewise.config import authorization
from triplewise.errors import BackendError, ConfigError, IndexMismatchError, MissingExtraError
from triplewise.files import expand
from triplewise.kg.base import KGStore
from triplewise.places import cache_folder
from triplewise.tools.retrieval import index_health
from triplewise.tools.retrieval.subgraph_text import SubgraphRule, SubgraphTexts, text_hash
from triplewise.tools.retrieval.triple_table import Rows, TripleTable

BATCH = 2_048
"""Triples that are encoded and written together: at most so many are encoded again after a kill."""
_PAGE = 10_000
_EXACT = 2_000
"""Triples of a graph whose vectors are fetched at once."""
_HNSW = {"space": "cosine", "ef_construction": 100, "max_neighbors": 16, "ef_search": 100}
_KEPT = 0.1
"""Share of an index's triples that must be in the graph for it to count as the same graph, changed."""

Progress = Callable[[int, int], None]
"""ParsedReply with (triples done, triples to do)."""


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What ``build`` did: records written and removed; seconds in all and in the encoder."""

    triples: int
    written: int
    removed: int
    seconds: float
    encoding_seconds: float


def default_place(kg: KGStore, embedder: str, rule: SubgraphRule) -> Path:
    """The folder of a graph's index in the user's cache directory (XDG_CACHE_HOME)."""
    return cache_folder() / "index" / f"{_slug(kg.name)}-{_slug(embedder)}-{rule.id}"


def _slug(text: str) -> str:
    """Letters, digits and dashes; a hash where that loses something."""
    plain = re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-")[:40] or "graph"
    return plain if plain == text else f"{plain}-{hashlib.sha256(text.encode()).hexdigest()[:6]}"


class SubgraphIndex:
    """The index of one graph by one embedder; ``place`` is a folder, or the URL of a Chroma server.

    ``open`` for use and ``build`` to make or update it. Vectors that were fetched once stay in memory.
    """

    def __init__(
        self, kg: KGStore, embedder: Embedder, place: str | Path, rule: SubgraphRule | None = None, *, table: Any = None
    ) -> None:
        self.kg, self.embedder, self.place, self.rule = kg, embedder, place, rule or SubgraphRule()
        if "://" in str(place) and not self._remote:
            raise ConfigError(f"no index can be at {place}.", "Give a folder, or a Chroma server's http:// address.")
        self.table: TripleTable = table or TripleTable(kg)
        self._verified = False
        self._vectors: Vectors | None = None
        self._known = np.zeros(len(self.table), dtype=bool)

    # the collection ---------------------------------------------------------------------------------

    @cached_property
    def _client(self) -> Any:
        try:
            import chromadb
            from chromadb.config import Settings
            from chromadb.errors import ChromaError
        except ImportError:
            raise MissingExtraError("the sub-graph index", "vector") from None
        quiet = Settings(anonymized_telemetry=False)
        if not self._remote:
            try:
                return chromadb.PersistentClient(str(expand(self.place)), settings=quiet)
            except (ChromaError, OSError, ValueError, AttributeError) as error:
                # where it cannot start, Chroma stops what there is not: the cause is what it was handling
                cause = error.__context__ if isinstance(error, AttributeError) and error.__context__ else error
                raise ConfigError(
                    f"{self.place} is no place for an index: {_first_line(cause)}",
                    "Give a folder that can be written (Chroma writes where it reads, too), or remove a damaged one.",
                ) from None
        url = urlsplit(str(self.place))
        try:
            secure = url.scheme == "https"
            host, port = url.hostname or "", url.port or (443 if secure else 8000)
            return chromadb.HttpClient(host, port, ssl=secure, headers=authorization("CHROMA"), settings=quiet)
        except (ChromaError, ValueError, OSError) as error:
            if any(word in str(error).casefold() for word in ("unauthorized", "forbidden", "401", "403")):
                raise ConfigError(
                    f"the Chroma server at {url.hostname} refuses access.",
                    "Set TRIPLEWISE_CHROMA_USER and TRIPLEWISE_CHROMA_PASSWORD, or TRIPLEWISE_CHROMA_TOKEN.",
                ) from None
            raise BackendError(f"no Chroma server answers at {self.place}: {_first_line(error)}") from None

    @property
    def _remote(self) -> bool:
        return str(self.place).startswith(("http://", "https://"))

    @property
    def _name(self) -> str:
        """A folder holds one index; a server may hold many."""
        return f"triples-{_slug(self.kg.name)}-{_slug(self.embedder.id)}-{self.rule.id}" if self._remote else "triples"

    def _existing(self) -> Any:
        """The collection, or None, without creating a folder; IndexDamagedError before Chroma reads damaged files."""
        if not self._remote:
            folder = expand(self.place)
            if not (folder / index_health.DATABASE).is_file():
                if (folder / index_health.CHECKSUMS).exists():
                    index_health.verify(folder)
                return None
            if not self._verified and not index_health.verify(folder):
                index_health.try_out(folder, self.embedder.dimension)
            self._verified = True
        names = {c.name for c in self._client.list_collections()}
        return self._client.get_collection(self._name, embedding_function=None) if self._name in names else None

    def _made_with(self) -> dict[str, str]:
        return {"graph": self.kg.name, "embedder": self.embedder.id, "rule": self.rule.id}

    def _check(self, metadata: dict[str, Any]) -> None:
        for key, wanted in self._made_with().items():
            if metadata.get(key) != wanted:
                raise IndexMismatchError(
                    f"the index at {self.place} was made with {key} {metadata.get(key)!r}, not {wanted!r}.",
                    "Give another place with --index, or remove that one.",
                )

    @cached_property
    def _collection(self) -> Any:
        """The finished collection of exactly this graph."""
        with index_health.chroma_errors(self.place, "read"):
            collection = self._existing()
        if collection is None:
            raise IndexMismatchError(f"there is no index at {self.place}.", "Make one with: triplewise index")
        metadata = collection.metadata or {}
        self._check(metadata)
        if metadata.get("content") != self.kg.content_hash:
            state = "was not finished" if not metadata.get("content") else "is of another state of the graph"
            raise IndexMismatchError(f"the index at {self.place} {state}.", "Bring it up to date: triplewise index")
        return collection

    def check(self) -> None:
        """Raise IndexMismatchError unless a finished index of exactly this graph, embedder and rule is there."""
        _ = self._collection

    def is_current(self) -> bool:
        """Whether a finished index of exactly this graph, embedder and rule is there; raises IndexDamagedError."""
        try:
            self.check()
        except index_health.IndexDamagedError:
            raise
        except IndexMismatchError:
            return False
        return True

    def fingerprint(self) -> str:
        """Hash (hex) of what the index was made with and of the texts that its triples were embedded as.

        Reads every record's metadata, some 20 µs each. Raises IndexMismatchError as ``check``.
        """
        collection = self._collection
        digest = hashlib.sha256(repr(sorted((collection.metadata or {}).items())).encode("utf-8", "surrogatepass"))
        for record in sorted(_stored(collection).items()):
            digest.update("".join(record).encode())
        return digest.hexdigest()[:16]

    # building -----------------------------------------------------------------------------------------

    @cached_property
    def _ids(self) -> list[str]:
        """Record ids, by row."""
        blake = hashlib.blake2b
        return [
            blake("\0".join(t).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest() for t in self.table.triples
        ]

    def build(self, progress: Progress | None = None) -> IndexReport:
        """Make the index, or bring it up to date; resumes after a kill.

        Raises IndexMismatchError where an index of another graph, embedder or rule stands at the place,
        ConfigError where another process is writing it.
        """
        started = time.perf_counter()
        if self.is_current() and (self._remote or (expand(self.place) / index_health.CHECKSUMS).exists()):
            return IndexReport(len(self.table), 0, 0, time.perf_counter() - started, 0.0)
        with self._one_writer(), index_health.chroma_errors(self.place, "written"):
            collection = self._existing()
            stored: dict[str, str] = {}
            if collection is None:
                collection = self._client.create_collection(
                    self._name, metadata=self._made_with(), embedding_function=None, configuration={"hnsw": _HNSW}
                )
            else:
                self._check(collection.metadata or {})
                stored = _stored(collection)
            if not self._remote:
                index_health.forget_checksums(expand(self.place))
            report = self._write(collection, stored, progress, started)
            collection.modify(metadata={**self._made_with(), "content": self.kg.content_hash})
            if not self._remote:
                index_health.write_checksums(expand(self.place))
        return report

    def repair(self, progress: Progress | None = None) -> IndexReport:
        """Make the index anew where its files are damaged or an earlier build failed; else as ``build``."""
        if self._remote:
            return self.build(progress)
        try:
            if self.is_current():
                return self.build(progress)
        except (index_health.IndexDamagedError, BackendError, ConfigError):
            pass
        with self._one_writer():
            index_health.remove(expand(self.place))
        for name in ("_client", "_collection"):
            self.__dict__.pop(name, None)
        return self.build(progress)

    def _write(self, collection: Any, stored: dict[str, str], progress: Progress | None, started: float) -> IndexReport:
        wanted = set(self._ids)
        gone = [i for i in stored if i not in wanted]
        if stored and len(stored) - len(gone) < _KEPT * len(stored):
            raise IndexMismatchError(
                f"the index at {self.place} is of another graph: of its {len(stored)} triples, "
                f"{len(stored) - len(gone)} are in this one.",
                "Give another place with --index, or remove that one.",
            )
        texts = SubgraphTexts(self.table, self.rule)
        every = texts.texts(range(len(self.table)))
        todo = [row for row, text in enumerate(every) if stored.get(self._ids[row]) != text_hash(text)]
        if (gone or todo) and (collection.metadata or {}).get("content"):
            collection.modify(metadata=self._made_with())  # unfinished from here on
        for at in range(0, len(gone), BATCH):
            collection.delete(ids=gone[at : at + BATCH])
        if progress:
            progress(0, len(todo))
        todo.sort(key=lambda row: len(every[row]))  # texts of one length waste no padding
        encoding = 0.0
        for at in range(0, len(todo), BATCH):
            rows = todo[at : at + BATCH]
            chosen = [every[row] for row in rows]
            before = time.perf_counter()
            vectors = self.embedder.documents(chosen)
            encoding += time.perf_counter() - before
            collection.upsert(
                ids=[self._ids[row] for row in rows],
                embeddings=vectors,
                metadatas=[{"text": text_hash(text)} for text in chosen],
            )
            if progress:
                progress(at + len(rows), len(todo))
        return IndexReport(len(self.table), len(todo), len(gone), time.perf_counter() - started, encoding)

    @contextmanager
    def _one_writer(self) -> Iterator[None]:
        """Chroma loses vectors where two processes write one folder."""
        if self._remote:
            yield
            return
        from filelock import FileLock, Timeout

        folder = expand(self.place)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with FileLock(folder / "writing.lock", timeout=0):
                yield
        except Timeout:
            raise ConfigError(f"another process is writing the index at {folder}.", "Wait for it.") from None
        except OSError as error:
            said = "it is no folder" if folder.is_file() else error.strerror or str(error)
            raise ConfigError(f"{folder} cannot be written: {said}.", "Give another place with --index.") from None

    # reading ------------------------------------------------------------------------------------------

    def vectors(self, rows: Rows) -> Vectors:
        """Unit vectors [len(rows), dimension] of the triples of these rows."""
        if self._vectors is None:
            self._vectors = np.zeros((len(self.table), self.embedder.dimension), dtype=np.float32)
        missing = np.unique(rows[~self._known[rows]])
        for at in range(0, len(missing), BATCH):
            part = missing[at : at + BATCH].tolist()
            with index_health.chroma_errors(self.place, "read"):
                got = self._collection.get(ids=[self._ids[row] for row in part], include=["embeddings"])
                place = {i: n for n, i in enumerate(got["ids"])}
                self._vectors[part] = np.asarray(got["embeddings"])[[place[self._ids[row]] for row in part]]
        self._known[missing] = True
        return self._vectors[rows]

    def nearest(self, vector: Vectors, k: int) -> Rows:
        """Rows of about the ``k`` triples of the whole graph with the largest inner product with ``vector``.

        Exact once all vectors were fetched, as a small graph's are at once: among its many equal scores Chroma's
        approximate search gives now one row and now another.
        """
        if len(self.table) <= _EXACT:
            self.vectors(np.arange(len(self.table)))
        if self._known.all() and self._vectors is not None:
            scores = self._vectors @ vector
            if len(scores) <= _EXACT:
                return np.argsort(-scores, kind="stable")[:k]
            return np.argpartition(-scores, min(k, len(scores) - 1))[:k]
        with index_health.chroma_errors(self.place, "read"):
            found = self._collection.query(
                query_embeddings=vector[None, :], n_results=min(k, len(self.table)), include=["distances"]
            )
            return np.array([self._row[i] for i in found["ids"][0]], dtype=np.int64)

    @cached_property
    def _row(self) -> dict[str, int]:
        return {record: row for row, record in enumerate(self._ids)}


def _stored(collection: Any) -> dict[str, str]:
    """Record ids with the hashes of their texts; page by page, since SQLite takes 32,766 variables at most."""
    found: dict[str, str] = {}
    for at in range(0, collection.count(), _PAGE):
        got = collection.get(include=["metadatas"], limit=_PAGE, offset=at)
        found.update((i, m["text"]) for i, m in zip(got["ids"], got["metadatas"], strict=True))
    return found


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
