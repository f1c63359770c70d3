"""The ``triplewise`` command: assembles the subcommands and turns errors into messages.

Exit codes: 0 for an answer (also "not enough evidence"), 2 for a user's mistake, 1 for a failure,
130 for Ctrl-C. Command modules import heavy libraries inside their functions.
"""

from __future__ import annotations

import io
import os
import sys
from typing import Annotated

import typer

from triplewise import __version__
from triplewise.backends.llama.llama_library import switched_on, tell_crashes
from triplewise.errors import TriplewiseError, UserError
from triplewise.interfaces.batch import command as batch
from triplewise.interfaces.chat import command as chat
from triplewise.interfaces.commands import align, ask, complete, doctor, format, kg, retrieve, stores
from triplewise.interfaces.commands.eval import run as evaluate
from triplewise.interfaces.commands.train import group as train
from triplewise.interfaces.interrupts import interrupts, leave, was_interrupted
from triplewise.interfaces.memory import collect_seldom
from triplewise.interfaces.new import command as new
from triplewise.interfaces.serve import command as serve
from triplewise.kg.names import one_line
from triplewise.redaction import redact

app = typer.Typer(
    name="triplewise",
    help="LLM agents that reason over knowledge graphs and show the triples that prove it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"triplewise {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    llama_log: Annotated[bool, typer.Option("--llama-log", help="Show all that llama.cpp logs.")] = False,
) -> None:
    if llama_log:
        os.environ["TRIPLEWISE_LLAMA_LOG"] = "1"


for area in (ask, batch, chat, serve, new, complete, align, train, kg, stores, retrieve, format, evaluate, doctor):
    area.register(app)


def main() -> None:
    """Entry point of the ``triplewise`` command: the one place that turns errors into lines and exit codes."""
    os.environ.setdefault("LANGGRAPH_STRICT_MSGPACK", "true")
    collect_seldom()
    _have_streams()
    tell_crashes()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that is not UTF-8 shows ? and not a traceback
    with interrupts():
        try:
            app()
        except BaseException as error:
            if was_interrupted():
                leave()
            sys.exit(_written(_told(error)))


def _written(code: int | str | None) -> int | str | None:
    """The exit code once all that was printed is written: where that fails later, Python ends with 120."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        return code or 141
    except OSError as error:
        _drop_output()
        _say(f"standard output: {error.strerror or error}.")
        return code or 1
    return code


def _told(error: BaseException) -> int | str | None:
    """Say what an error was, in a line or two; returns the exit code."""
    if isinstance(error, SystemExit):
        if error.code == 130:
            _say("interrupted")
        # click and rich exit with 1 where the reader of a pipe has gone
        return 141 if isinstance(error.__context__, BrokenPipeError) else error.code
    if isinstance(error, KeyboardInterrupt):
        _say("interrupted")
        return 130
    if isinstance(error, TriplewiseError):
        _say(error.message, error.hint)
        return 2 if isinstance(error, UserError) else 1
    if isinstance(error, BrokenPipeError):
        _drop_output()
        return 141
    if isinstance(error, OSError):  # a path without rights or of the wrong kind, a full disk
        _drop_output()
        place = f"{error.filename}: " if error.filename else ""
        _say(redact(f"{place}{error.strerror or error}."), "Check the path, its rights and the space on the disk.")
        return 2 if place else 1
    if isinstance(error, MemoryError):
        _say("there is not enough memory for this.", "Use a smaller graph, model or size.")
        return 1
    if isinstance(error, OverflowError):  # C code below takes 64 bits
        _say("a number is too large for this.", "Use a smaller one.")
        return 2
    if switched_on("TRIPLEWISE_TRACEBACK"):
        raise error
    said = redact(" ".join(str(error)[:1_000].split()))[:300]
    _say(
        f"an error that triplewise did not foresee: {type(error).__name__}: {said}",
        "TRIPLEWISE_TRACEBACK=1 shows where; please report it with that.",
    )
    return 1


def _say(message: str, hint: str = "") -> None:
    print(f"triplewise: {one_line(message)}", file=sys.stderr)
    if hint:
        print(f"  {one_line(hint)}", file=sys.stderr)


def _drop_output() -> None:
    """Send what is still to be printed nowhere: Python writes it out at its exit and would fail once more."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _have_streams() -> None:
    """Open what the caller closed (2>&-): else Python has no stream there, and the next file would become it."""
    while (spare := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(spare, True)
    os.close(spare)
    sys.stdout = sys.stdout or os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", encoding="utf-8", closefd=False)
