"""The ``triplewise`` command: assembles the subcommands and turns errors into messages.

Exit codes: 0 for an answer (also "not enough evidence"), 2 for a user's mistake, 1 for a failure,
130 for Ctrl-C. Command modules import heavy libraries inside their functions.
"""

from __future__ import annotations

import io
import os
import sys

import typer

from triplewise.errors import TriplewiseError, UserError
from triplewise.interfaces import (
    cli_ask,
    cli_complete,
    cli_doctor,
    cli_eval,
    cli_format,
    cli_kg,
    cli_retrieve,
    cli_train,
)
from triplewise.kg.names import one_line

app = typer.Typer(
    name="triplewise",
    help="LLM agents that reason over knowledge graphs and show the triples that prove it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

for area in (cli_ask, cli_complete, cli_train, cli_kg, cli_retrieve, cli_format, cli_eval, cli_doctor):
    area.register(app)


def main() -> None:
    """Entry point of the ``triplewise`` command."""
    os.environ.setdefault("LANGGRAPH_STRICT_MSGPACK", "true")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal that is not UTF-8 shows ? and not a traceback
    try:
        app()
    except TriplewiseError as error:
        print(f"triplewise: {one_line(error.message)}", file=sys.stderr)
        if error.hint:
            print(f"  {one_line(error.hint)}", file=sys.stderr)
        sys.exit(2 if isinstance(error, UserError) else 1)
    except SystemExit as stop:
        if stop.code == 130:  # Typer turns Ctrl-C into a silent exit
            print("triplewise: interrupted", file=sys.stderr)
        raise
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
