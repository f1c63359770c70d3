"""Threads and their messages in SQLite or Postgres: each message, and the evidence of each answer, is kept once.

An answer is written in one transaction that also ends its turn, so that after a kill a turn is either answered or open
("running", "waiting") and can be gone on with. What a message holds beside its text is compressed JSON: a hundred turns
of fifty triples take well under a megabyte.
"""

from __future__ import annotations

import json
import sqlite3
import uuid
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from triplewise import postgres, sqlite
from triplewise.errors import ConfigError, UserError

Status = Literal["done", "running", "waiting", "stopped", "failed"]
TITLE = 60
"""Characters of a title that is made from the first message."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS thread (
  id TEXT PRIMARY KEY, title TEXT NOT NULL, kg TEXT NOT NULL, created TEXT NOT NULL, updated TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS message (
  id TEXT PRIMARY KEY, thread TEXT NOT NULL REFERENCES thread(id) ON DELETE CASCADE, position INTEGER NOT NULL,
  role TEXT NOT NULL, text TEXT NOT NULL, created TEXT NOT NULL, status TEXT NOT NULL, data BLOB,
  UNIQUE (thread, position));
CREATE INDEX IF NOT EXISTS thread_updated ON thread (updated);
"""


@dataclass(frozen=True, slots=True)
class Thread:
    """A conversation. Times are ISO 8601 in UTC; ``waiting``: its last turn waits for a choice; ``open``: its last turn
    was cut off before the answer, and ``Assistant.resume`` goes on with it."""

    id: str
    title: str
    kg: str
    created: str
    updated: str
    turns: int
    waiting: bool = False
    open: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a thread. ``data``: for the assistant's, the JSON of its events but tokens and steps, by type
    (``{"answer": …, "citations": …, "read_as": …, "usage": …, "choices": …}``)."""

    id: str
    role: Literal["user", "assistant"]
    text: str
    created: str
    status: Status = "done"
    data: Mapping[str, Any] = field(default_factory=dict)


class Threads:
    """The tables; a lock makes it safe for several Python threads. Raises ConfigError where there is no database."""

    def __init__(self, path: str | Path | None) -> None:
        """``path``: an SQLite file, its owner's alone; ``postgresql://…``, which several servers may share; None keeps
        threads in memory."""
        self.path = path
        if postgres.is_postgres(path):
            self._db = postgres.Database(path, _SCHEMA.replace("BLOB", "BYTEA"))
            return
        try:
            self._db = sqlite.Database(path, _SCHEMA)
        except (sqlite3.Error, OSError) as error:
            raise ConfigError(
                f"threads cannot be kept in {path}: {error}.", "Give the path of a file that may be written."
            ) from None

    def close(self) -> None:
        """Close the file or the connection."""
        self._db.close()

    # threads ---------------------------------------------------------------------------------------

    def open(self, thread: str | None, kg: str) -> Thread:
        """The thread of an id, made where there is none."""
        name = thread or uuid.uuid4().hex
        with self._db.writing():
            now = _now()
            self._db.rows("INSERT INTO thread VALUES (?, '', ?, ?, ?) ON CONFLICT DO NOTHING", (name, kg, now, now))
        return self.get(name)

    def get(self, thread: str) -> Thread:
        """A thread; raises UserError where there is none of that id."""
        found = self._select("WHERE thread.id = ?", (thread,), 1)
        if not found:
            raise UserError(f"no thread {thread!r}.", "List the threads to see their ids.")
        return found[0]

    def recent(self, limit: int = 100, before: str | None = None) -> list[Thread]:
        """Threads, the last used first."""
        return self._select("WHERE thread.updated < ?", (before or "9",), limit)

    def _select(self, where: str, values: tuple[str, ...], limit: int) -> list[Thread]:
        query = f"""SELECT thread.*, (SELECT COUNT(*) FROM message WHERE thread = thread.id AND role = 'user') AS turns,
            (SELECT status FROM message WHERE thread = thread.id ORDER BY position DESC LIMIT 1) AS status
            FROM thread {where} ORDER BY thread.updated DESC, thread.id LIMIT ?"""  # noqa: S608 - where is ours
        rows = self._db.rows(query, (*values, limit))
        return [Thread(*row[:6], waiting=row[6] == "waiting", open=row[6] == "running") for row in rows]

    def rename(self, thread: str, title: str) -> Thread:
        """Give a thread a title."""
        self.get(thread)
        with self._db.writing():
            self._db.rows("UPDATE thread SET title = ? WHERE id = ?", (title.strip()[:200], thread))
        return self.get(thread)

    def use_graph(self, thread: str, kg: str) -> None:
        """The graph that a thread asks from now on."""
        with self._db.writing():
            self._db.rows("UPDATE thread SET kg = ? WHERE id = ?", (kg, thread))

    def delete(self, thread: str) -> list[str]:
        """Delete a thread with all it holds; returns the ids of its messages."""
        self.get(thread)
        ids = [m.id for m in self.messages(thread)]
        with self._db.writing():
            self._db.rows("DELETE FROM thread WHERE id = ?", (thread,))
        return ids

    def fork(self, thread: str, message: str) -> Thread:
        """A new thread with what was said before a message."""
        source, said = self.get(thread), self.messages(thread)
        position = next((i for i, m in enumerate(said) if m.id == message), -1)
        if position < 0:
            raise UserError(f"thread {thread!r} has no message {message!r}.", "Take an id of its messages.")
        made = self.open(None, source.kg)
        with self._db.writing():
            self._db.rows("UPDATE thread SET title = ? WHERE id = ?", (source.title, made.id))
            for number, old in enumerate(said[:position]):
                new, status = uuid.uuid4().hex, old.status if old.status not in ("running", "waiting") else "stopped"
                data = json.loads(json.dumps(old.data).replace(old.id, new))  # the evidence's ids name their message
                row = (new, made.id, number, old.role, old.text, old.created, status, _pack(data))
                self._db.rows("INSERT INTO message VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        return self.get(made.id)

    # messages --------------------------------------------------------------------------------------

    def messages(self, thread: str) -> list[Message]:
        """What was said in a thread."""
        self.get(thread)
        rows = self._db.rows(
            "SELECT id, role, text, created, status, data FROM message WHERE thread = ? ORDER BY position", (thread,)
        )
        return [_message(row) for row in rows]

    def message(self, message: str) -> tuple[str, Message]:
        """(thread's id, message) of a message's id; raises UserError where there is none."""
        found = self._db.rows(
            "SELECT thread, id, role, text, created, status, data FROM message WHERE id = ?", (message,)
        )
        if not found:
            raise UserError(f"no message {message!r}.")
        return found[0][0], _message(found[0][1:])

    def begin(self, thread: str, text: str, data: Mapping[str, Any] | None = None) -> str:
        """Write the user's message and an empty, running answer; returns the answer's id.

        A turn that an earlier process left open is marked as stopped first.
        """
        with self._db.writing():
            answer, now = uuid.uuid4().hex, _now()
            # First of all: it holds the thread's row, so that no other server counts positions meanwhile.
            self._db.rows("UPDATE thread SET updated = ? WHERE id = ?", (now, thread))
            self._db.rows(
                "UPDATE message SET status = 'stopped' WHERE thread = ? AND status IN ('running', 'waiting')", (thread,)
            )
            [row] = self._db.rows("SELECT COALESCE(MAX(position), -1) FROM message WHERE thread = ?", (thread,))
            insert = "INSERT INTO message VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
            self._db.rows(insert, (uuid.uuid4().hex, thread, row[0] + 1, "user", text, now, "done", _pack(data)))
            self._db.rows(insert, (answer, thread, row[0] + 2, "assistant", "", now, "running", None))
            title = " ".join(text.split())
            title = title if len(title) <= TITLE else title[: TITLE - 1].rstrip() + "…"
            self._db.rows("UPDATE thread SET title = ? WHERE id = ? AND title = ''", (title, thread))
        return answer

    def end(self, message: str, text: str, status: Status, data: Mapping[str, Any]) -> None:
        """Write what a turn came to; a thread that was deleted meanwhile stays deleted."""
        with self._db.writing():
            self._db.rows(
                "UPDATE message SET text = ?, status = ?, data = ? WHERE id = ?", (text, status, _pack(data), message)
            )
            self._db.rows(
                "UPDATE thread SET updated = ? WHERE id = (SELECT thread FROM message WHERE id = ?)", (_now(), message)
            )


def _message(row: Sequence[Any]) -> Message:
    name, role, text, created, status, data = row
    return Message(name, role, text, created, status, _unpack(data))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


def _pack(data: Mapping[str, Any] | None) -> bytes | None:
    return zlib.compress(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode(), 6) if data else None


def _unpack(data: bytes | None) -> dict[str, Any]:
    return json.loads(zlib.decompress(data)) if data else {}
