"""The line that says what goes on: on a terminal only, and gone before anything else is printed."""

from __future__ import annotations

import io
import sys

import pytest

from triplewise.errors import BackendError
from triplewise.interfaces.cli import main
from triplewise.interfaces.options import counted, status_line


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Not a fixture: pytest sets its own stderr between these and the test."""
    monkeypatch.setenv("TERM", "xterm")
    made = Terminal()
    monkeypatch.setattr(sys, "stderr", made)
    return made


def test_it_is_cleared_also_by_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = terminal(monkeypatch)
    with pytest.raises(BackendError), status_line() as line:
        assert line
        line("segment …")
        raise BackendError("no answer.")
    assert shown.getvalue() == "\r\033[K  segment …\r\033[K"


def test_an_error_stands_on_a_line_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = terminal(monkeypatch)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("TRIPLEWISE_MAX_RETRIES", "0")
    monkeypatch.setattr(sys, "argv", ["triplewise", "ask", "Who directed Alien?", "--model", "openai:x"])
    with pytest.raises(SystemExit):
        main()
    assert "\033[K  link …" in shown.getvalue()
    assert "\r\033[Ktriplewise: http://127.0.0.1:9/v1 cannot be reached" in shown.getvalue()


@pytest.mark.parametrize("quiet", [True, False])
def test_it_is_not_for_pipes_and_terminals_that_cannot_clear(monkeypatch: pytest.MonkeyPatch, quiet: bool) -> None:
    shown = terminal(monkeypatch)
    if not quiet:
        monkeypatch.setenv("TERM", "dumb")
    with status_line(quiet=quiet) as line:
        assert line is None
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with status_line() as line:
        assert line is None
    assert shown.getvalue() == ""


def test_counted() -> None:
    assert [counted(n, "call") for n in (0, 1, 2, 1234)] == ["0 calls", "1 call", "2 calls", "1,234 calls"]
