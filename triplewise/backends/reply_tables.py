"""Where the LLM cache keeps its rows: an SQLite file, or a Postgres database that several machines share."""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from math import inf
from pathlib import Path
from typing import Any, ClassVar, Protocol

from filelock import FileLock, Timeout

from triplewise import postgres
from triplewise.errors import BackendError, ConfigError
from triplewise.files import expand, private_file, private_folder

log = logging.getLogger(__name__)

Row = tuple[bytes, bytes, bytes]
"""Key, value and checksum. As bytes: damaged text need not be UTF-8."""
_APPLICATION_ID = 0x54524950  # "TRIP": tells our file from another program's database
_VERSION = 1
_PATIENCE = 5.0
"""Seconds for another process's lock."""
_SUFFIXES = {".sqlite", ".sqlite3", ".db"}
_SELECT = "SELECT CAST(key AS BLOB), CAST(value AS BLOB), CAST(checksum AS BLOB) FROM replies"
_CREATE = """CREATE TABLE IF NOT EXISTS replies (
  key TEXT PRIMARY KEY, value TEXT NOT NULL, checksum TEXT NOT NULL, created REAL NOT NULL)"""


class ReplyTable(Protocol):
    """Rows by key. Every method may raise one of ``failures``."""

    failures: ClassVar[tuple[type[Exception], ...]]
    pause: ClassVar[float]
    """Seconds without the cache after a failure: a lock that lasts would cost its wait at every call."""

    def get(self, key: str) -> Row | None: ...

    def put(self, key: str, value: str, checksum: str) -> None: ...

    def drop(self, key: str) -> None: ...

    def clear(self) -> None: ...

    def __len__(self) -> int: ...

    def is_sound(self) -> bool: ...

    def each(self) -> Iterator[Row]: ...

    def close(self) -> None: ...


class PostgresReplies:
    """The rows in a database."""

    failures: ClassVar[tuple[type[Exception], ...]] = (BackendError,)
    pause: ClassVar[float] = 60.0

    def __init__(self, address: str) -> None:
        self._db = postgres.Database(address, _CREATE.replace(" REAL ", " DOUBLE PRECISION "))

    def get(self, key: str) -> Row | None:
        """A row, None where there is none."""
        return next(iter(self._rows("WHERE key = ?", (key,))), None)

    def put(self, key: str, value: str, checksum: str) -> None:
        """Keep a row in place of the key's earlier one."""
        self._db.rows(
            "INSERT INTO replies VALUES (?, ?, ?, ?) ON CONFLICT (key) DO UPDATE"
            " SET value = excluded.value, checksum = excluded.checksum, created = excluded.created",
            (key, value, checksum, time.time()),
        )

    def drop(self, key: str) -> None:
        """Delete a row."""
        self._db.rows("DELETE FROM replies WHERE key = ?", (key,))

    def clear(self) -> None:
        """Delete every row."""
        self._db.rows("DELETE FROM replies")

    def __len__(self) -> int:
        return self._db.rows("SELECT count(*) FROM replies")[0][0]

    def is_sound(self) -> bool:
        """Whether the rows can be read at all, which is the server's to see to."""
        return True

    def each(self) -> Iterator[Row]:
        """All rows, a thousand at a time."""
        last: str | None = None
        while rows := self._rows("WHERE key > ? ORDER BY key LIMIT 1000", (last or "",)):
            yield from rows
            last = rows[-1][0].decode()

    def close(self) -> None:
        """Close the connection; the next use opens it again."""
        self._db.close()

    def _rows(self, where: str, values: tuple[str, ...]) -> list[Row]:
        rows = self._db.rows(f"SELECT key, value, checksum FROM replies {where}", values)  # noqa: S608 - where is ours
        return [(key.encode(), value.encode(), checksum.encode()) for key, value, checksum in rows]


class SqliteReplies:
    """The rows in a file, which threads and processes may share (WAL)."""

    failures: ClassVar[tuple[type[Exception], ...]] = (
        OSError, sqlite3.Error, UnicodeDecodeError, ConfigError, Timeout,
    )  # fmt: skip
    pause: ClassVar[float] = inf

    def __init__(self, path: str | Path) -> None:
        """Open or create the file; a folder gets ``llm.sqlite`` in it. Raises one of ``failures``."""
        self.path = expand(path)
        if self.path.is_dir():
            self.path /= "llm.sqlite"
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._pid = 0
        private_folder(self.path.parent)
        self._run(lambda connection: None)

    def get(self, key: str) -> Row | None:
        """A row, None where there is none."""
        return self._run(lambda db: db.execute(f"{_SELECT} WHERE key = ?", (key,)).fetchone())

    def put(self, key: str, value: str, checksum: str) -> None:
        """Keep a row in place of the key's earlier one."""
        row = (key, value, checksum, time.time())
        self._run(lambda db: db.execute("INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?)", row))

    def drop(self, key: str) -> None:
        """Delete a row."""
        self._run(lambda db: db.execute("DELETE FROM replies WHERE key = ?", (key,)))

    def clear(self) -> None:
        """Delete every row."""
        self._run(lambda db: db.execute("DELETE FROM replies"))

    def __len__(self) -> int:
        return self._run(lambda db: db.execute("SELECT count(*) FROM replies").fetchone())[0]

    def is_sound(self) -> bool:
        """Whether SQLite finds no damage in the file."""
        return self._run(lambda db: db.execute("PRAGMA quick_check(1)").fetchone())[0] == "ok"

    def each(self) -> Iterator[Row]:
        """All rows."""
        yield from self._run(lambda db: db.execute(_SELECT).fetchall())

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._connection is not None and self._pid == os.getpid():
            self._connection.close()
        self._connection = None

    def _run(self, action: Any) -> Any:
        with self._lock:
            return self._again(action)

    def _again(self, action: Any) -> Any:
        """An action's result, over a new file where this one is damaged."""
        for attempt in (1, 2):
            try:
                connection = self._connect()
                with connection:
                    return action(connection)
            except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
                code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # extended codes carry more in the higher bits
                damaged = code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) or "no such" in str(error)
                damaged |= isinstance(error, UnicodeDecodeError)  # names in the schema that are no text any more
                if not damaged or attempt == 2:
                    raise
                self._close()
                self._set_aside(str(error))
        raise AssertionError("unreachable")

    def _connect(self) -> sqlite3.Connection:
        if self._connection is not None and self._pid == os.getpid():
            return self._connection
        private_file(self.path)  # before SQLite makes it for all to read; its other files take these rights
        connection = sqlite3.connect(self.path, timeout=_PATIENCE, check_same_thread=False)
        try:
            found = connection.execute("PRAGMA application_id").fetchone()[0]
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if tables and (found, version) != (_APPLICATION_ID, _VERSION):
                raise ConfigError(f"{self.path} is a database, but no LLM cache of this version.", "Give another path.")
            if not tables:
                with connection:
                    connection.execute("BEGIN IMMEDIATE")
                    connection.execute(f"{_CREATE} WITHOUT ROWID")
                    connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
                    connection.execute(f"PRAGMA user_version = {_VERSION}")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
        except BaseException:
            connection.close()
            raise
        self._connection, self._pid = connection, os.getpid()
        return connection

    def _set_aside(self, why: str) -> None:
        """Rename a damaged file; one process does it, the others find a new file."""
        if self.path.suffix not in _SUFFIXES and not _is_sqlite(self.path):
            raise ConfigError(f"{self.path} is a file, but no LLM cache.", "Give another path.")
        with FileLock(f"{self.path}.lock", timeout=_PATIENCE, mode=0o600):
            if _is_sound(self.path):
                return
            aside = self.path.with_name(f"{self.path.name}.damaged-{time.time_ns()}")
            for tail in ("-wal", "-shm"):
                side = self.path.with_name(self.path.name + tail)
                if side.exists():
                    side.rename(aside.with_name(aside.name + tail))
            self.path.rename(aside)
        log.warning("LLM cache %s is damaged (%s); it is kept as %s and a new one begun.", self.path, why, aside.name)


def _is_sqlite(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(16) == b"SQLite format 3\0"


def _is_sound(path: Path) -> bool:
    if not path.exists():
        return True
    try:
        connection = sqlite3.connect(path, timeout=_PATIENCE)
        try:
            sound = connection.execute("PRAGMA quick_check").fetchone()[0] == "ok"
            return sound and bool(connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'replies'").fetchone())
        finally:
            connection.close()
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        return False
