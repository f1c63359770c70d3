"""A Postgres server that the tests start on a loopback port, with a password and a folder of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import pytest
from sparql_servers import free_port

PASSWORD = "of the tests alone"


def _tool(name: str) -> str:
    """A program of the server; Debian keeps it off the path."""
    found = shutil.which(name) or next(iter(sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))[::-1]), None)
    if found is None:
        pytest.skip(f"{name} is not installed (Debian's package postgresql)")
    return str(found)


@dataclass
class PostgresServer:
    """``folder`` holds the cluster; ``user``: whom the server runs as, None for this one."""

    folder: Path
    user: str | None
    port: int
    numbers: Iterator[int] = field(default_factory=count)

    def run(self, tool: str, *arguments: str) -> None:
        """Run one of Postgres's programs to its end."""
        command = [_tool(tool), *arguments]
        log = self.folder / f"{tool}.log"
        with log.open("ab") as out:
            done = subprocess.run(command, user=self.user, stdout=out, stderr=out, cwd=self.folder, timeout=120)
        assert done.returncode == 0, log.read_text()

    def start(self) -> None:
        """Start the server and wait until it answers."""
        options = f"-c port={self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off"
        self.run("pg_ctl", "start", "-w", "-D", f"{self.folder}/data", "-o", options, "-l", f"{self.folder}/server.log")

    def stop(self) -> None:
        """Stop the server; open connections are cut."""
        self.run("pg_ctl", "stop", "-m", "fast", "-w", "-D", f"{self.folder}/data")

    def database(self) -> str:
        """The address of a new, empty database."""
        import psycopg

        name = f"test{next(self.numbers)}"
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.address(name)

    def address(self, database: str) -> str:
        """The address of a database."""
        return f"postgresql://triplewise@127.0.0.1:{self.port}/{database}"


@contextmanager
def running() -> Iterator[PostgresServer]:
    """A server; its password is in PGPASSWORD as long as it runs."""
    for module in ("psycopg", "langgraph.checkpoint.postgres"):
        if find_spec(module) is None:
            pytest.skip(f'{module} is not installed: pip install "triplewise[postgres]"')
    initdb, user = _tool("initdb"), "nobody" if os.geteuid() == 0 else None  # root is refused
    before = os.environ.get("PGPASSWORD")
    with tempfile.TemporaryDirectory(prefix="postgres", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / "password").write_text(PASSWORD)
        if user is not None:
            for place in (folder, folder / "password"):
                shutil.chown(place, user)
        server = PostgresServer(folder, user, free_port())
        server.run(
            Path(initdb).name, "-D", f"{folder}/data", "-U", "triplewise", "--auth=scram-sha-256", "--no-sync",
            f"--pwfile={folder}/password", "--no-locale", "--encoding=UTF8",
        )  # fmt: skip
        server.start()
        os.environ["PGPASSWORD"] = PASSWORD
        try:
            yield server
        finally:
            os.environ.pop("PGPASSWORD")
            if before is not None:
                os.environ["PGPASSWORD"] = before
            server.stop()
