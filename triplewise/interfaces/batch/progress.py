"""A bar on stderr for a batch: items done, errors, time left; nothing where stderr is no terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def shown_progress(total: int, done: int, *, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A function that counts one item more, given the errors so far."""
    if quiet or not sys.stderr.isatty():
        yield lambda errors: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        row = bar.add_task("items", total=total, completed=done)

        def show(errors: int) -> None:
            bar.update(row, advance=1, description=f"items, {errors} failed" if errors else "items")

        yield show
