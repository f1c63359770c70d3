"""Call brokers forked from a process that has done the imports.

Of the 4 s of CPU that a small evaluation costs, imports of its call broker are 3 s. What is forked is the broker in all
else: its own session, its pipes, its ``main``. Tests that start evaluations in processes of their own have the broker
that users have.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import threading
from itertools import count
from pathlib import Path
from typing import IO, Any

from forks import serve  # pyright: ignore[reportMissingImports]


class WarmBrokers:
    """The process that forks; ``start`` stands in for ``call_broker.start_process``. ``folder`` is for its pipes."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._ids, self._guard = folder, count(1), threading.Lock()
        self._parent = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def say(self, **said: Any) -> int:
        assert self._parent.stdin and self._parent.stdout
        with self._guard:
            self._parent.stdin.write(json.dumps(said) + "\n")
            return int(self._parent.stdout.readline())

    def start(self) -> Broker:
        """A broker in the environment and folder as they are now."""
        ends = [self._folder / f"{next(self._ids)}" for _ in range(2)]
        for end in ends:
            os.mkfifo(end)
        pid = self.say(ends=[str(end) for end in ends], environment=dict(os.environ), folder=str(Path.cwd()))
        broker = Broker(self, pid, ends[0].open("wb"), ends[1].open("rb"))
        for end in ends:
            end.unlink()
        return broker

    def close(self) -> None:
        self._parent.communicate()


class Broker:
    """One of them, as ``subprocess.Popen`` has it."""

    def __init__(self, brokers: WarmBrokers, pid: int, stdin: IO[bytes], stdout: IO[bytes]) -> None:
        self._brokers, self.pid, self.stdin, self.stdout = brokers, pid, stdin, stdout

    def wait(self) -> int:
        """Its exit code; negative for a signal."""
        return self._brokers.say(wait=self.pid)


def _serve() -> None:
    from triplewise.evals.accounting import call_broker

    importlib.import_module("triplewise.backends.openai")  # as the broker does when it has heard of its model

    def broker(said: dict[str, Any]) -> None:
        os.setsid()
        os.chdir(said["folder"])
        os.environ.clear()
        os.environ.update(said["environment"])
        os.dup2(os.open(said["ends"][0], os.O_RDONLY), 0)
        os.dup2(os.open(said["ends"][1], os.O_WRONLY), 1)
        call_broker.main()

    serve(broker)


if __name__ == "__main__":
    _serve()
