"""The LLM cache: every reply kept, so that a rerun costs no call and no token.

JSON rows (no pickle) in one SQLite file, or in a Postgres database that machines share, keyed on the
model's identity (a local model's includes the hash of its weights), the messages, the sampling parameters,
stop strings, tools and grammar. Threads and processes may share the file (WAL), which is readable by its
owner alone (0600, its folder 0700). A row carries a checksum over key and value: a row that does not match
is dropped and asked for again, and a damaged file is set aside beside the new one; both are logged.
LangChain consults it in ``invoke``, ``ainvoke``, ``batch``, ``generate`` and in a LangGraph stream; a
direct ``model.stream()`` or ``model.astream()`` neither reads nor writes it.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from langchain_core.caches import RETURN_VAL_TYPE, BaseCache
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, Generation
from pydantic import BaseModel

from triplewise import postgres
from triplewise.backends.reply_tables import PostgresReplies, ReplyTable, Row, SqliteReplies
from triplewise.errors import ConfigError
from triplewise.files import expand
from triplewise.places import cache_folder
from triplewise.redaction import redact

log = logging.getLogger(__name__)


def default_cache_path() -> Path:
    """``llm.sqlite`` in triplewise's folder of the user's cache directory (XDG_CACHE_HOME)."""
    return cache_folder() / "llm.sqlite"


class LLMCache(BaseCache):
    """A LangChain LLM cache in one SQLite file or one Postgres database."""

    def __init__(self, path: str | Path) -> None:
        """Open or create it: a file, a folder that gets ``llm.sqlite`` in it, or ``postgresql://…``.

        Raises ConfigError where it cannot be written or is another program's.
        """
        self._ready_at = 0.0
        if postgres.is_postgres(path):
            self._table: ReplyTable = PostgresReplies(path)
            self.path: str | Path = redact(path)
            return
        try:
            self._table = table = SqliteReplies(path)
        except SqliteReplies.failures as error:
            if isinstance(error, ConfigError):
                raise
            raise ConfigError(
                f"the LLM cache {expand(path)} cannot be used: {error}.",
                "Set TRIPLEWISE_CACHE to another path, or to false.",
            ) from None
        self.path = table.path

    @classmethod
    def open(cls, where: bool | str | Path) -> LLMCache:
        """The cache at a path, or at the default place for True."""
        return cls(default_cache_path() if where is True else str(where))

    def lookup(self, prompt: str, llm_string: str) -> RETURN_VAL_TYPE | None:
        """The stored generations, or None. A row that does not match its checksum is dropped."""
        key = _key(prompt, llm_string)
        row = self._tolerant(lambda table: table.get(key))
        if row is None:
            return None
        try:
            return [_load(item) for item in json.loads(_checked(key, *row[1:]))]
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            log.warning("LLM cache %s: one reply is damaged (%s); it is dropped and asked for again.", self.path, error)
            self._tolerant(lambda table: table.drop(key))
            return None

    def update(self, prompt: str, llm_string: str, return_val: RETURN_VAL_TYPE) -> None:
        """Store generations. What JSON cannot hold exactly (a parsed object) is not stored."""
        try:
            value = json.dumps([_dump(generation) for generation in return_val], ensure_ascii=False)
        except (TypeError, ValueError):
            return
        key = _key(prompt, llm_string)
        self._tolerant(lambda table: table.put(key, value, _checksum(key, value)))

    def clear(self, **kwargs: Any) -> None:
        """Delete every row."""
        self._tolerant(lambda table: table.clear())

    def __len__(self) -> int:
        """Number of stored replies."""
        return self._tolerant(len) or 0

    def damaged(self) -> int:
        """Number of stored replies that do not match their checksum; -1 where the file itself is damaged."""

        def count(table: ReplyTable) -> int:
            return sum(not _is_whole(row) for row in table.each()) if table.is_sound() else -1

        found = self._tolerant(count)
        return -1 if found is None else found

    async def alookup(self, prompt: str, llm_string: str) -> RETURN_VAL_TYPE | None:
        """As ``lookup``; a read of the file takes well under a millisecond and never waits for a writer (WAL)."""
        if isinstance(self._table, SqliteReplies):
            return self.lookup(prompt, llm_string)
        return await asyncio.to_thread(self.lookup, prompt, llm_string)

    def close(self) -> None:
        """Close the file or the connection; the next use opens it again."""
        self._table.close()

    def _tolerant(self, action: Callable[[ReplyTable], Any]) -> Any:
        """Run an action; where the disk, a lock or the database fails, report it and go on without the cache."""
        if time.monotonic() < self._ready_at:
            return None
        try:
            return action(self._table)
        except self._table.failures as error:
            self._ready_at = time.monotonic() + self._table.pause
            log.warning("LLM cache %s: %s; going on without it.", self.path, error)
            return None


def _key(prompt: str, llm_string: str) -> str:
    return hashlib.sha256(f"{len(llm_string)}:{llm_string}{prompt}".encode("utf-8", "surrogatepass")).hexdigest()


def _is_whole(row: Row) -> bool:
    key, value, checksum = row
    try:
        _checked(key.decode("utf-8"), value, checksum)
    except ValueError:
        return False
    return True


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
