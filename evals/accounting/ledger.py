"""An append-only record in checksummed JSON lines: every line is whole, or it is known not to be.

Each line is ``SHA-256-prefix<space>JSON``, chained: the checksum covers the line before it too, so a changed,
lost, doubled or swapped line is found, not only a damaged one. A kill can cut the last line short; opening
for append drops such a tail and says how many bytes. How many records there were at the last orderly close
stands in a file beside it, so that a ledger that lost whole lines at its end is known too. Damage anywhere
else is an error. One process holds a ledger at a time (file lock).
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from filelock import FileLock, Timeout

from triplewise.errors import UserError
from triplewise.files import GrowingFile, write_text

_DIGITS = 16


class LedgerError(UserError):
    """A ledger is damaged, cannot be written, or another process writes to it."""


def _line(previous: str, body: bytes) -> tuple[str, bytes]:
    checksum = hashlib.sha256(previous.encode() + b" " + body).hexdigest()[:_DIGITS]
    return checksum, checksum.encode() + b" " + body + b"\n"


def _scan(data: bytes, path: Path) -> Iterator[tuple[dict[str, Any], str, int]]:
    """(record, its checksum, offset after it) of all whole records; raises where damage is not a cut tail."""
    start, previous, number = 0, "", 0
    while start < len(data):
        end = data.find(b"\n", start)
        if end < 0:
            return  # cut short by a kill
        number += 1
        checksum, _, body = data[start:end].partition(b" ")
        if _line(previous, body)[0].encode() != checksum:
            raise LedgerError(
                f"{path}:{number}: the line does not match its checksum.",
                "The file was changed or damaged; restore it, or start a new run.",
            )
        previous = checksum.decode()
        start = end + 1
        yield json.loads(body), previous, start


def read_ledger(path: str | Path) -> list[dict[str, Any]]:
    """All whole records; raises LedgerError on damage other than a cut last line."""
    path = Path(path)
    data = path.read_bytes() if path.exists() else b""
    records = [record for record, _, _ in _scan(data, path)]
    _check_end(path, len(records))
    return records


def _end_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.end")


def _check_end(path: Path, found: int) -> None:
    """Raise LedgerError where the file lost more than its last record since it was closed: no kill does that."""
    try:
        closed = int(_end_path(path).read_text(encoding="ascii"))
    except FileNotFoundError:
        return
    except (OSError, ValueError):
        raise LedgerError(f"{_end_path(path)} is damaged.", "Remove it if the ledger beside it is whole.") from None
    if found < closed - 1:
        raise LedgerError(f"{path} was cut: it has {found:,} of {closed:,} records.", "Restore it, or start a new run.")


class Ledger:
    """A ledger open for append; a context manager. ``records`` are those found, ``dropped`` the bytes cut.

    ``wait``: seconds to wait for another process that holds it. Raises LedgerError where the file is damaged,
    cannot be written, or another process still holds it.
    """

    def __init__(self, path: str | Path, *, wait: float = 0) -> None:
        self.path = Path(path)
        self._guard = threading.Lock()
        self._lock = FileLock(f"{self.path}.lock")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock.acquire(timeout=wait)
        except Timeout:
            raise LedgerError(
                f"{self.path} is in use by another process.", "Wait for it, or give another --out."
            ) from None
        except OSError as error:
            raise LedgerError(f"{self.path} cannot be written: {error.strerror or error}.") from None
        try:
            data = self.path.read_bytes() if self.path.exists() else b""
            found = list(_scan(data, self.path))
            _check_end(self.path, len(found))
            self.records = [record for record, _, _ in found]
            self._count = len(found)
            self._previous, whole = (found[-1][1], found[-1][2]) if found else ("", 0)
            self.dropped = len(data) - whole
            self._file = GrowingFile(self.path, whole)
        except BaseException:
            self._lock.release()
            raise

    def append(self, record: dict[str, Any], *, sync: bool = True) -> None:
        """Write one record (a JSON object) and wait until it is on disk; threads share a wait.

        Without ``sync`` it survives a kill of the process, but not of the machine.
        """
        body = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")
        with self._guard:
            checksum, line = _line(self._previous, body)
            number = self._file.write(line)
            self._previous = checksum
            self._count += 1
        if sync:
            self._file.sync(number)

    def close(self) -> None:
        """Close the file, note how many records it has, and give up the lock."""
        self._file.close()
        with suppress(OSError):
            write_text(_end_path(self.path), str(self._count))
        self._lock.release()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
