"""``python -m triplewise``, and what the ``triplewise`` script starts.

Nothing heavy is imported before Ctrl-C is taken care of: until the command runs, it ends the process at once.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
from typing import NoReturn


def _leave_at_once(signum: int, frame: object) -> NoReturn:
    os.write(2, b"triplewise: interrupted\n")
    os._exit(130)


def _set_width() -> None:
    """Text that is piped is not wrapped; a width of the environment that is none is left aside."""
    columns = os.environ.get("COLUMNS", "")
    if not (columns.isascii() and columns.isdigit() and 20 <= int(columns[:6]) <= 100_000):
        os.environ.pop("COLUMNS", None)
        if sys.stdout is not None and not sys.stdout.isatty():
            os.environ["COLUMNS"] = "1000"
            os.environ.setdefault("TERMINAL_WIDTH", "100")  # Typer's help would fill all of it


def main() -> None:
    """Run the command line."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # a shell's background jobs ignore it
        signal.signal(signal.SIGINT, _leave_at_once)
        # Python's end takes our handler away before it is over; registered first, this runs last, after all threads
        atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)
    _set_width()
    from triplewise.interfaces.cli import main as command

    command()


if __name__ == "__main__":
    main()
