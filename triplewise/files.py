"""The one writer of files, and where the user's own folders are.

A file is written beside its place and then put there in one step: whatever interrupts it, the old file or
the new one stands there, never a half. ``check_output`` says before any work whether the place is free: an
input, and a file that the command did not make itself, are only replaced where the user says so (``--force``).
What is kept of prompts and replies is readable by its owner alone (0700 and 0600).
"""

from __future__ import annotations

import contextlib
import os
import secrets
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from triplewise.errors import ConfigError

PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600
_unfinished: set[Path] = set()


def expand(path: str | Path) -> Path:
    """A path with ``~`` and ``~name`` replaced; raises ConfigError where there is no such home folder."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        home = Path(path).parts[0]
        what = "your home folder is not known" if home == "~" else f"there is no user {home[1:]!r}"
        raise ConfigError(f"{path}: {what}.", "Give the folder's full path.") from None


def home_folder(variable: str, otherwise: str) -> Path | None:
    """The folder that an XDG variable names, else ``otherwise`` in the home folder; None where there is none."""
    if given := os.environ.get(variable):
        return expand(given)
    try:
        return Path.home() / otherwise
    except RuntimeError:  # no HOME, and a user that the system does not know: common in containers
        return None


def private_folder(path: Path) -> Path:
    """The folder, made if need be; what is made is the owner's alone, and so is triplewise's folder made before."""
    missing = [p for p in (path, *path.parents) if not p.exists()]
    for folder in reversed(missing):
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=PRIVATE_FOLDER)
    if path.name == "triplewise":
        _own(path, PRIVATE_FOLDER)
    return path


def private_file(path: Path) -> None:
    """Make the file, if it is missing, the owner's alone; take other users' rights from one that is there."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE_FILE))
        return
    if path.is_file():
        _own(path, PRIVATE_FILE)


def _own(path: Path, mode: int) -> None:
    with contextlib.suppress(OSError):  # another user's, or a disk without rights: nothing that we may change
        if path.stat().st_mode & 0o077:
            path.chmod(mode)


def check_output(
    path: str | Path,
    *,
    inputs: Iterable[str | Path] = (),
    force: bool = False,
    mine: Callable[[Path], bool] = lambda path: False,
    option: str = "--out",
) -> Path:
    """The place of a file to be written; raises ConfigError where it is an input, or holds a file not to be lost.

    ``mine`` tells whether the file that stands there is an earlier output of the same command.
    """
    place = expand(path)
    for source in inputs:
        if _same(place, expand(source)):
            raise ConfigError(f"{option} {place} is an input of this command.", f"Give {option} another name.")
    if place.is_dir():
        raise ConfigError(f"{option} {place} is a folder.", f"Give {option} the name of a file.")
    if place.exists() and not force and not (place.is_file() and mine(place)):
        if not place.is_file():  # /dev/stdout and named pipes take what they are given
            return place
        raise ConfigError(
            f"{option} {place} is there already, and no output of this command.",
            f"Give {option} another name, or add --force to replace it.",
        )
    return place


def _same(a: Path, b: Path) -> bool:
    try:
        return a.samefile(b)
    except OSError:
        return a.absolute() == b.absolute()


@contextmanager
def atomic(path: str | Path, mode: str = "w", *, private: bool = False) -> Iterator[IO[Any]]:
    """A file to write that takes its place when the block ends without an error; ``mode`` is "w" (UTF-8) or "wb"."""
    place = Path(path)
    if place.exists() and not place.is_file():
        with place.open(mode, encoding=None if "b" in mode else "utf-8") as file:
            yield file
        return
    place = place.resolve()  # through a link, so that the link stays
    part = place.with_name(f".{place.name}.{os.getpid()}-{secrets.token_hex(4)}.part")
    rights = PRIVATE_FILE if private else _rights(place)
    _unfinished.add(part)
    try:
        handle = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, rights)
        with os.fdopen(handle, mode, encoding=None if "b" in mode else "utf-8") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(place)
    finally:
        part.unlink(missing_ok=True)
        _unfinished.discard(part)


def _rights(place: Path) -> int:
    """What the file has that is replaced, else what the user's mask leaves."""
    with contextlib.suppress(OSError):
        return place.stat().st_mode & 0o777
    return 0o666


def write_text(path: str | Path, text: str, *, private: bool = False) -> None:
    """Write a whole text in one step."""
    with atomic(path, private=private) as file:
        file.write(text)


def write_bytes(path: str | Path, content: bytes, *, private: bool = False) -> None:
    """Write a whole file in one step."""
    with atomic(path, "wb", private=private) as file:
        file.write(content)


class GrowingFile:
    """A file to which lines are appended, each written whole; ``keep``: bytes of what is there that stay, None for all.

    Threads that wait for the disk share a wait.
    """

    def __init__(self, path: Path, keep: int | None = None) -> None:
        self._file = path.open("ab")
        self._guard, self._disk = threading.Lock(), threading.Lock()
        self._written = self._synced = 0
        if keep is not None:
            self._file.truncate(keep)

    def write(self, line: bytes) -> int:
        """Write a line, which survives a kill of the process; gives its number, for ``sync``."""
        with self._guard:
            self._file.write(line)
            self._file.flush()
            self._written += 1
            return self._written

    def sync(self, number: int) -> None:
        """Wait until the line of this number is on disk."""
        with self._disk:
            if self._synced < number:
                reached = self._written
                os.fsync(self._file.fileno())
                self._synced = reached

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def remove_unfinished() -> None:
    """Remove what ``atomic`` was writing, before a process ends without unwinding its stack."""
    for part in tuple(_unfinished):
        with contextlib.suppress(OSError):
            part.unlink()
