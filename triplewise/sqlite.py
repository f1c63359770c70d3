"""An SQLite file that is its owner's alone, with the interface of ``postgres.Database``."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from triplewise.files import private_file, private_folder


class Database:
    """One connection, under a lock; the files that SQLite makes beside its own are the owner's alone too."""

    def __init__(self, path: str | Path | None, tables: str) -> None:
        """``path``: None for a database in memory. Raises sqlite3.Error or OSError where it cannot be used."""
        if path:
            private_folder(Path(path).parent)
            private_file(Path(path))
        self._db = sqlite3.connect(path or ":memory:", check_same_thread=False, isolation_level=None, timeout=10)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute("PRAGMA foreign_keys = ON")
        self._db.executescript(tables)
        self._lock = threading.RLock()

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        """Run a statement with ``?`` for each value; its rows, none of a statement that gives none."""
        with self._lock:
            return self._db.execute(query, values).fetchall()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """All statements inside are kept together, or none of them is."""
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()


class AtOnce(sqlite3.Connection):
    """For a saver of checkpoints beside a ``Database`` on the same file: each statement is committed by itself.

    The saver commits in a second step, for which it needs the event loop; a statement of the other connection that
    waited on this loop for the file's lock would hold both up, and a task that is cancelled between the two steps would
    leave the file locked. Use it with ``isolation_level=None``.
    """

    def cursor(self, *_: Any, **__: Any) -> Any:
        """A cursor of which several rows are kept together, or none of them is."""
        return super().cursor(_AllRows)


class _AllRows(sqlite3.Cursor):
    def executemany(self, *given: Any) -> Any:
        self.execute("BEGIN IMMEDIATE")
        try:
            super().executemany(*given)
        except BaseException:
            self.execute("ROLLBACK")
            raise
        return self.execute("COMMIT")
