"""A Postgres database in place of a file, for what several servers share: conversations and the cache of replies.

Tables are in the schema ``triplewise``, which is made where it is not there. The password stays out of the address:
PGPASSWORD, ``~/.pgpass`` or a service file hold it, as for every program that uses libpq.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeGuard

from triplewise.errors import BackendError, ConfigError, MissingExtraError

SCHEMA = "triplewise"
_PREFIXES = ("postgresql://", "postgres://")
_PATIENCE = {"connect_timeout": "10", "tcp_user_timeout": "10000"}
"""Seconds to connect, and milliseconds for a server that stopped answering; the address may say others."""
_LOCK = 0x54524950
"""Key of the advisory lock under which tables are made: two processes that begin at once would fail otherwise."""


def is_postgres(place: object) -> TypeGuard[str]:
    """Whether a place is the address of a Postgres database, rather than a file."""
    return isinstance(place, str) and place.startswith(_PREFIXES)


def connection_string(address: str) -> str:
    """An address with the time limits that it does not set.

    Raises ConfigError where it is malformed or holds a password, MissingExtraError without psycopg.
    """
    conninfo = _psycopg().conninfo
    try:
        given = conninfo.conninfo_to_dict(address)
    except _psycopg().Error as error:
        raise ConfigError(f"no address of a Postgres database: {_first_line(error)}.") from None
    if given.get("password"):
        raise ConfigError(
            "the address of the database holds a password.", "Leave it out and set PGPASSWORD, or use ~/.pgpass."
        )
    return conninfo.make_conninfo("", **{**_PATIENCE, "application_name": "triplewise", **given})


class Database:
    """One connection, under a lock; it is made again where the server was restarted or this process forked."""

    def __init__(self, address: str, tables: str) -> None:
        """``tables``: statements that make the tables where they are not there.

        Raises ConfigError where the database cannot be used.
        """
        self._connection, self._pid, self._lock = None, 0, threading.RLock()
        self._address = connection_string(address)
        psycopg = _psycopg()
        try:
            connection = self._connect()
            with connection.transaction():
                run = connection.execute
                run("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
                if run("SELECT to_regnamespace(%s)", (SCHEMA,)).fetchone() == (None,):
                    run(f"CREATE SCHEMA {SCHEMA}")
                run(tables)
        except psycopg.Error as error:
            self.close()
            raise ConfigError(
                f"the database cannot be used: {_first_line(error)}.",
                "Is it running, and may this user make tables there?",
            ) from None

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        """Run a statement with ``?`` for each value; its rows, none of a statement that gives none.

        Raises BackendError where the database fails.
        """
        with self._lock, self._told():
            done = self._checked().execute(query.replace("?", "%s"), [_stored(v) for v in values])
            return done.fetchall() if done.description else []

    @contextmanager
    def writing(self) -> Iterator[None]:
        """All statements inside are kept together, or none of them is."""
        with self._lock, self._told(), self._checked().transaction():
            yield

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            if self._connection is not None and self._pid == os.getpid():
                self._connection.close()
            self._connection = None

    def __del__(self) -> None:
        self.close()

    def _connect(self) -> Any:
        connection = _psycopg().connect(self._address, autocommit=True, prepare_threshold=None)
        connection.execute(f"SET search_path TO {SCHEMA}")
        self._connection, self._pid = connection, os.getpid()
        return connection

    def _checked(self) -> Any:
        """The connection; outside of a transaction it is asked first whether it still is one."""
        psycopg = _psycopg()
        if self._connection is None or self._pid != os.getpid() or self._connection.closed:
            return self._connect()
        if self._connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE:
            try:
                self._connection.execute("")
            except psycopg.OperationalError:
                self.close()
                return self._connect()
        return self._connection

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except _psycopg().Error as error:
            raise BackendError(
                f"the database failed: {_first_line(error)}.", "Nothing of this step was kept; try again."
            ) from error


async def saver(address: str, serde: Any) -> tuple[Any, Any]:
    """(LangGraph's saver of checkpoints, its connections, to be closed at the end).

    Raises ConfigError where the database cannot be used, MissingExtraError without LangGraph's package for Postgres.
    """
    try:
        from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
        from psycopg.rows import dict_row
        from psycopg_pool import AsyncConnectionPool
    except ImportError:
        raise MissingExtraError("keeping threads in Postgres", "postgres") from None

    async def configure(connection: Any) -> None:
        await connection.execute(f"SET search_path TO {SCHEMA}")

    pool: Any = AsyncConnectionPool(
        connection_string(address), min_size=1, max_size=8, open=False, timeout=10,
        kwargs={"autocommit": True, "prepare_threshold": None, "row_factory": dict_row},
        configure=configure, check=AsyncConnectionPool.check_connection,
    )  # fmt: skip
    try:
        await pool.open(wait=True, timeout=10)
        made = AsyncPostgresSaver(pool, serde=serde)
        async with pool.connection() as connection:
            await _alone(connection)
            try:
                await made.setup()
            finally:
                await connection.execute("SELECT pg_advisory_unlock(%s)", (_LOCK + 1,))
    except _psycopg().Error as error:
        await pool.close()
        raise ConfigError(f"the database cannot be used: {_first_line(error)}.", "Is it running?") from None
    return made, pool


async def _alone(connection: Any) -> None:
    """Wait until no other process sets up the tables of checkpoints.

    The lock is asked for again and again: a statement that waits for it would keep the setup's CREATE INDEX
    CONCURRENTLY, which waits for every statement under way, from ending.
    """
    for _ in range(200):
        found = await connection.execute("SELECT pg_try_advisory_lock(%s) AS taken", (_LOCK + 1,))
        if (await found.fetchone())["taken"]:
            return
        await asyncio.sleep(0.05)
    raise ConfigError("another process has been setting up the database for 10 s.", "Is it still running?")


def _stored(value: Any) -> Any:
    """Text as Postgres can hold it, which has no character 0."""
    return value.replace("\0", "\ufffd") if isinstance(value, str) else value


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n")[0].rstrip(".") or type(error).__name__


def _psycopg() -> Any:
    try:
        import psycopg
    except ImportError:
        raise MissingExtraError("a Postgres database", "postgres") from None
    return psycopg
