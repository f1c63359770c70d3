"""The LLM cache: every reply kept, so that a rerun costs no call and no token.

One SQLite file of JSON rows (no pickle), keyed on the model's identity (a local model's includes the
hash of its weights), the messages, the sampling parameters, stop strings, tools and grammar. Threads
and processes may share the file (WAL), which is readable by its owner alone (0600, its folder 0700). A
row carries a checksum over key and value: a row that does not match is dropped and asked for again, and
a damaged file is set aside beside the new one; both are logged. LangChain consults it in ``invoke``,
``ainvoke``, ``batch``, ``generate`` and in a LangGraph stream; a direct ``model.stream()`` or
``model.astream()`` neither reads nor writes it.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from langchain_core.caches import RETURN_VAL_TYPE, BaseCache
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, Generation
from pydantic import BaseModel

from triplewise.errors import ConfigError
from triplewise.files import expand, private_file, private_folder
from triplewise.places import cache_folder

log = logging.getLogger(__name__)

_APPLICATION_ID = 0x54524950  # "TRIP": tells our file from another program's database
_VERSION = 1
_PATIENCE = 5.0
"""Seconds for another process's lock."""
_SELECT = "SELECT CAST(value AS BLOB), CAST(checksum AS BLOB) FROM replies"
"""As bytes: damaged text need not be UTF-8."""
_SUFFIXES = {".sqlite", ".sqlite3", ".db"}
_CREATE = """CREATE TABLE IF NOT EXISTS replies (
  key TEXT PRIMARY KEY, value TEXT NOT NULL, checksum TEXT NOT NULL, created REAL NOT NULL) WITHOUT ROWID"""


def default_cache_path() -> Path:
    """``llm.sqlite`` in triplewise's folder of the user's cache directory (XDG_CACHE_HOME)."""
    return cache_folder() / "llm.sqlite"


class LLMCache(BaseCache):
    """A LangChain LLM cache in one SQLite file."""

    def __init__(self, path: str | Path) -> None:
        """Open or create the file; a folder gets ``llm.sqlite`` in it.

        Raises ConfigError where the file cannot be written or is another program's.
        """
        self.path = expand(path)
        if self.path.is_dir():
            self.path /= "llm.sqlite"
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._pid = 0
        self._given_up = False
        try:
            private_folder(self.path.parent)
            with self._lock:
                self._run(lambda connection: None)
        except (OSError, sqlite3.Error, UnicodeDecodeError, Timeout) as error:
            raise ConfigError(
                f"the LLM cache {self.path} cannot be used: {error}.",
                "Set TRIPLEWISE_CACHE to another path, or to false.",
            ) from None

    @classmethod
    def open(cls, where: bool | str | Path) -> LLMCache:
        """The cache at a path, or at the default place for True."""
        return cls(default_cache_path() if where is True else Path(str(where)))

    def lookup(self, prompt: str, llm_string: str) -> RETURN_VAL_TYPE | None:
        """The stored generations, or None. A row that does not match its checksum is dropped."""
        key = _key(prompt, llm_string)

        def read(connection: sqlite3.Connection) -> tuple[bytes, bytes] | None:
            return connection.execute(f"{_SELECT} WHERE key = ?", (key,)).fetchone()

        row = self._tolerant(read)
        if row is None:
            return None
        try:
            return [_load(item) for item in json.loads(_checked(key, *row))]
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            log.warning("LLM cache %s: one reply is damaged (%s); it is dropped and asked for again.", self.path, error)
            self._tolerant(lambda connection: connection.execute("DELETE FROM replies WHERE key = ?", (key,)))
            return None

    def update(self, prompt: str, llm_string: str, return_val: RETURN_VAL_TYPE) -> None:
        """Store generations. What JSON cannot hold exactly (a parsed object) is not stored."""
        try:
            value = json.dumps([_dump(generation) for generation in return_val], ensure_ascii=False)
        except (TypeError, ValueError):
            return
        key = _key(prompt, llm_string)
        row = (key, value, _checksum(key, value), time.time())
        self._tolerant(lambda connection: connection.execute("INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?)", row))

    def clear(self, **kwargs: Any) -> None:
        """Delete every row."""
        self._tolerant(lambda connection: connection.execute("DELETE FROM replies"))

    def __len__(self) -> int:
        """Number of stored replies."""
        count = self._tolerant(lambda connection: connection.execute("SELECT count(*) FROM replies").fetchone())
        return count[0] if count else 0

    def damaged(self) -> int:
        """Number of stored replies that do not match their checksum; -1 where the file itself is damaged."""

        def count(connection: sqlite3.Connection) -> int:
            if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                return -1
            bad = 0
            for key, value, checksum in connection.execute(_SELECT.replace("SELECT", "SELECT CAST(key AS BLOB),")):
                try:
                    _checked(key.decode("utf-8"), value, checksum)
                except ValueError:
                    bad += 1
            return bad

        found = self._tolerant(count)
        return -1 if found is None else found

    async def alookup(self, prompt: str, llm_string: str) -> RETURN_VAL_TYPE | None:
        """As ``lookup``; a read takes well under a millisecond and never waits for a writer (WAL)."""
        return self.lookup(prompt, llm_string)

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._connection is not None and self._pid == os.getpid():
            self._connection.close()
        self._connection = None

    def _tolerant(self, action: Any) -> Any:
        """Run an action; where the disk or a lock fails, report it once and go on without the cache."""
        if self._given_up:
            return None
        try:
            with self._lock:
                return self._run(action)
        except (OSError, sqlite3.Error, UnicodeDecodeError, ConfigError, Timeout) as error:
            self._given_up = True  # a lock that lasts would cost its wait at every call
            log.warning("LLM cache %s: %s; going on without it.", self.path, error)
            return None

    def _run(self, action: Any) -> Any:
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
                    connection.execute(_CREATE)
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


def _key(prompt: str, llm_string: str) -> str:
    return hashlib.sha256(f"{len(llm_string)}:{llm_string}{prompt}".encode("utf-8", "surrogatepass")).hexdigest()


def _checked(key: str, value: bytes, checksum: bytes) -> str:
    """A row's value as text; raises ValueError where it is not what was stored."""
    text = value.decode("utf-8")
    if checksum != _checksum(key, text).encode():
        raise ValueError("its checksum does not match")
    return text


def _checksum(key: str, value: str) -> str:
    return hashlib.sha256(f"{key}{value}".encode("utf-8", "surrogatepass")).hexdigest()


def _dump(generation: Generation) -> dict[str, Any]:
    """What a reply is made of. Its id is left out: two messages of one id would be one in a LangGraph state."""
    if not isinstance(generation, ChatGeneration) or not isinstance(generation.message, AIMessage):
        raise TypeError("only chat replies are stored")
    message = generation.message
    return {
        "content": message.content,
        "tool_calls": message.tool_calls,
        "invalid_tool_calls": message.invalid_tool_calls,
        "usage": message.usage_metadata,
        "additional_kwargs": message.additional_kwargs,
        "response_metadata": message.response_metadata,
        "generation_info": generation.generation_info,
    }


def _load(item: dict[str, Any]) -> ChatGeneration:
    message = AIMessage(
        content=item["content"],
        tool_calls=item["tool_calls"],
        invalid_tool_calls=item["invalid_tool_calls"],
        usage_metadata=item["usage"],
        additional_kwargs=item["additional_kwargs"],
        response_metadata=item["response_metadata"],
    )
    return ChatGeneration(message=message, generation_info=item["generation_info"])


def stable_json(value: Any) -> str:
    """A call's parameters as text that is the same in every process, for cache keys.

    A pydantic class is told by its JSON schema, not by its name.
    """

    def other(item: Any) -> Any:
        if isinstance(item, type) and issubclass(item, BaseModel):
            return item.model_json_schema()
        if isinstance(item, BaseModel):
            return item.model_dump(mode="json")
        return repr(item)

    return json.dumps(value, sort_keys=True, default=other, ensure_ascii=True)
