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
from triplewise.backends.llama_library import tell_crashes
from triplewise.errors import TriplewiseError, UserError
from triplewise.interfaces.chat import command as chat
from triplewise.interfaces.commands import align, ask, complete, doctor, format, kg, retrieve
from triplewise.interfaces.commands.eval import run as evaluate
from triplewise.interfaces.commands.train import group as train
from triplewise.interfaces.new import command as new
from triplewise.interfaces.serve import command as serve
from triplewise.kg.names import one_line

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


for area in (ask, chat, serve, new, complete, align, train, kg, retrieve, format, evaluate, doctor):
    area.register(app)


def main() -> None:
    """Entry point of the ``triplewise`` command."""
    os.environ.setdefault("LANGGRAPH_STRICT_MSGPACK", "true")
    _have_streams()
    tell_crashes()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal that is not UTF-8 shows ? and not a traceback
    try:
        app()
    except TriplewiseError as error:
        _say(error.message, error.hint)
        sys.exit(2 if isinstance(error, UserError) else 1)
    except SystemExit as stop:
        if stop.code == 130:  # Typer turns Ctrl-C into a silent exit
            _say("interrupted")
        raise
    except BrokenPipeError:
        _drop_output()
        sys.exit(141)
    except OSError as error:  # a path without rights or of the wrong kind, a full disk
        _drop_output()
        place = f"{error.filename}: " if error.filename else ""
        _say(f"{place}{error.strerror or error}.", "Check the path, its rights and the space on the disk.")
        sys.exit(2 if place else 1)


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
