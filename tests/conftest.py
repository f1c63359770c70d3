"""Fixtures of all tests: benchmark data where it is at hand, and a home folder of the test's own."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tests" / "support"))  # helpers that several test files import


os.environ["TRIPLEWISE_RERANKER"] = "off"  # for what a test file reads when it is imported, too

COUNTED: pytest.StashKey[list[str]] = pytest.StashKey()


def pytest_configure(config: pytest.Config) -> None:
    """Let the tests' processes hear Ctrl-C, and count."""
    config.stash[COUNTED] = []
    # In the background of a shell Ctrl-C is ignored, and what the tests start would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that take long come first: begun last, one alone would keep a worker busy when the others have ended."""
    items.sort(key=lambda item: item.get_closest_marker("first") is None)


@pytest.fixture
def collected() -> Iterator[None]:
    """What other tests left is collected before, and nothing during, a test that drives a parser as deep as it goes: a
    finalizer that is run down there has no stack left, which pytest takes for a failure of that test."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
def count(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """``count("300 kills: 0 lost")``: what a long run counted, printed at the end of the session."""
    return request.config.stash[COUNTED].append


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """What the long runs counted: the numbers of docs/trust.md."""
    for line in config.stash[COUNTED]:
        terminalreporter.write_line(line)


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the user's caches or settings; data and threads are the machine's."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    for name in list(os.environ):
        if name.startswith(("TRIPLEWISE_", "OPENAI_")) and name not in ("TRIPLEWISE_DATA", "TRIPLEWISE_THREADS"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("TRIPLEWISE_RERANKER", "off")  # it has tests of its own; all others ask the ranker alone
    monkeypatch.setenv("TRIPLEWISE_WEIGHTS", str(Path(sys.prefix) / "weights"))  # made once for all tests


@pytest.fixture(scope="session")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """``data_dir("metaqa")``: the folder of a benchmark data set, or a skip that says what is missing.

    Looked for in $TRIPLEWISE_DATA, in ``data/`` of the checkout, and packed in ``../shared/data``.
    """
    unpacked = tmp_path_factory.getbasetemp() / "data"

    def find(name: str) -> Path:
        for folder in (os.environ.get("TRIPLEWISE_DATA"), ROOT / "data", unpacked):
            if folder and (Path(folder) / name).is_dir():
                return Path(folder) / name
        script = ROOT.parent / "shared" / "data" / "unpack.sh"
        if not (script.parent / f"{name}.tar.gz").is_file():
            pytest.skip(f"benchmark data {name!r} is not here: put it into data/{name} or set TRIPLEWISE_DATA")
        subprocess.run([str(script), str(unpacked), name], check=True, capture_output=True)
        return unpacked / name

    return find


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Any]:
    """A Postgres server of tests/support, started once, or a skip that says what is missing."""
    from postgres_server import running

    with running() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgres"])
def threads_place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A place for conversations: a file, or a database of its own."""
    if request.param == "sqlite":
        return str(tmp_path / "deep" / "threads.sqlite")
    return request.getfixturevalue("postgres_server").database()


@pytest.fixture
def fake_openai(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    """``fake_openai(replies, faults, **options)``: a started server of tests/support, as OPENAI_BASE_URL."""
    from fake_openai_server import FakeOpenAI

    with ExitStack() as stack:

        def start(*args: Any, **options: Any) -> Any:
            server = stack.enter_context(FakeOpenAI(*args, **options))
            monkeypatch.setenv("OPENAI_BASE_URL", server.url)
            return server

        yield start


@pytest.fixture(scope="session")
def broker_parent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The process that ``warm_brokers`` forks from."""
    from warm_brokers import WarmBrokers

    parent = WarmBrokers(tmp_path_factory.mktemp("brokers"))
    yield parent
    parent.close()


@pytest.fixture
def warm_brokers(broker_parent: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Evaluations in the test's own process have call brokers that need no seconds of imports."""
    from triplewise.evals.accounting import call_broker

    monkeypatch.setattr(call_broker, "start_process", broker_parent.start)
