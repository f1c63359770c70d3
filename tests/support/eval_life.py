"""Processes that begin an evaluation or go on with it, or run a command, forked from one that has done the imports.

Of the 3.4 s of CPU that such a life costs, imports are 2.7 s, and as much again for its call broker, which is forked
before the life begins. (multiprocessing's fork server does the same
over a Unix socket, which the tests' block on sockets refuses.)
"""

from __future__ import annotations

import importlib
import json
import os
import select
import subprocess
import sys
from pathlib import Path

from forks import serve  # pyright: ignore[reportMissingImports]

_LATER = ("openai", "triplewise.backends.openai", "aiohttp", "acp", "rich.markdown", "inspect_ai._eval.evalset")
"""What a run imports only when it needs it."""


class Lives:
    """The process that forks; ``with Lives() as lives: life = lives.start(out, data)``."""

    def __enter__(self) -> Lives:
        self._parent = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._parent.communicate()

    def _say(self, **said: object) -> int:
        assert self._parent.stdin and self._parent.stdout
        self._parent.stdin.write(json.dumps(said) + "\n")
        return int(self._parent.stdout.readline())

    def start(self, out: Path, data: Path) -> Life:
        """A process in the environment as it is now; what it says goes to ``OUT.err``."""
        return Life(self, self._say(out=str(out), data=str(data), environment=_environment()))

    def command(self, said: Path, *arguments: object) -> Life:
        """``triplewise ARGUMENTS`` in the environment as it is now; what it says goes to the file ``said``."""
        argv = ["triplewise", *map(str, arguments)]
        return Life(self, self._say(said=str(said), argv=argv, environment=_environment()))


class Life:
    """One process, as ``subprocess.Popen`` has it."""

    def __init__(self, lives: Lives, pid: int) -> None:
        self._lives, self.pid, self._handle = lives, pid, os.pidfd_open(pid)

    def running(self, seconds: float = 0) -> bool:
        """Whether it still runs after so long."""
        return not select.select([self._handle], [], [], seconds)[0]

    def wait(self) -> int:
        """Its exit code; negative for a signal."""
        os.close(self._handle)
        return self._lives._say(wait=self.pid)


def _environment() -> dict[str, str]:
    return {**os.environ, "OPENAI_API_KEY": "none"}


def _command(said: str, argv: list[str], environment: dict[str, str]) -> None:
    from triplewise.interfaces.cli import main

    _take(environment, said)
    os.dup2(2, 1)
    sys.argv = argv
    main()


def _take(environment: dict[str, str], said: str) -> None:
    """Use an environment, and say what is said into a file."""
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(0, 1)
    os.dup2(os.open(said, os.O_CREAT | os.O_APPEND | os.O_WRONLY), 2)


def _live(out: str, data: str, environment: dict[str, str]) -> None:
    from triplewise.evals.accounting import call_broker
    from triplewise.evals.runs.runner import RunSettings, resume, start

    _take(environment, f"{out}.err")
    broker = _Broker()
    call_broker.start_process = lambda: broker  # type: ignore[assignment]
    if (Path(out) / "run.json").exists():
        resume(out)
    else:
        start(RunSettings({"dataset": "films", "folder": data}, "openai:fake", max_samples=16), out)


class _Broker:
    """The life's call broker, as ``call_broker.start_process`` starts one; it waits for its first line."""

    def __init__(self) -> None:
        from triplewise.evals.accounting.call_broker import main

        (read, stdin), (stdout, write) = os.pipe(), os.pipe()
        self.pid = os.fork()
        if not self.pid:
            os.setsid()
            os.dup2(read, 0)
            os.dup2(write, 1)
            os.closerange(3, 1 + max(read, write, stdin, stdout))
            main()
            sys.exit()  # as any program ends
        os.close(read)
        os.close(write)
        self.stdin, self.stdout = os.fdopen(stdin, "wb"), os.fdopen(stdout, "rb")

    def wait(self) -> int:
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def _serve() -> None:
    import triplewise.evals.runs.inspect_tasks
    import triplewise.evals.runs.runner
    import triplewise.graphs.kg_gpt
    import triplewise.interfaces.batch.worker  # noqa: F401
    from triplewise.backends.embedders import load_embedder
    from triplewise.evals.runs.stale import code_hash

    for name in _LATER:
        importlib.import_module(name)
    code_hash()  # of the sources that were imported, should they be edited while the test runs
    _ = load_embedder().id
    serve(lambda said: _command(**said) if "argv" in said else _live(**said))


if __name__ == "__main__":
    _serve()
