"""Ctrl-C in the command line: exit code 130, soon, whatever the process is doing.

The first Ctrl-C raises KeyboardInterrupt where the main thread is, so that a command can say what it kept. Native
code, an import or a library may hold that back or swallow it: after ``GRACE`` seconds, and at a second Ctrl-C, the
process ends as it stands. That loses nothing: files take their place in one step (``triplewise.files``).
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

from triplewise.files import remove_unfinished

GRACE = 0.4
_asked = threading.Event()


def was_interrupted() -> bool:
    """Whether Ctrl-C was pressed in this command."""
    return _asked.is_set()


def leave() -> NoReturn:
    """End the process now: its exit handlers would wait for threads in native code."""
    remove_unfinished()
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    with suppress(OSError):
        os.write(2, b"triplewise: interrupted\n")
    os._exit(130)


def _interrupt(signum: int, frame: FrameType | None) -> None:
    if _asked.is_set():
        leave()
    _asked.set()
    watchdog = threading.Timer(GRACE, leave)
    watchdog.daemon = True
    watchdog.start()
    raise KeyboardInterrupt


def _unraisable(unraisable: sys.UnraisableHookArgs) -> None:
    """Leave where native code or a finaliser swallowed the KeyboardInterrupt; Python would print a traceback."""
    if _asked.is_set() and issubclass(unraisable.exc_type, KeyboardInterrupt):
        leave()
    sys.__unraisablehook__(unraisable)


@contextmanager
def in_order() -> Iterator[None]:
    """Leave Ctrl-C to asyncio and Inspect while the block runs: an evaluation closes its log, then ends."""
    before = signal.getsignal(signal.SIGINT)
    if before is not _interrupt:
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def interrupts() -> Iterator[None]:
    """Handle Ctrl-C so while the block runs, unless this process was started to ignore it."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before in (signal.SIG_IGN, None):
        yield
        return
    _asked.clear()
    hook = sys.unraisablehook
    signal.signal(signal.SIGINT, _interrupt)
    sys.unraisablehook = _unraisable
    try:
        yield
    finally:
        if not _asked.is_set():
            signal.signal(signal.SIGINT, before)
            sys.unraisablehook = hook
