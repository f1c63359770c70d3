"""Results of a batch on disk: one JSON line for each item, each exactly once however often the run was stopped.

A line is on disk before its item counts as done. A kill can cut the last line short: it is dropped, and its item is
worked on again. Beside ``OUT`` stand ``OUT.run.json`` (what the results rest on: a run that would mix them with others
is refused) and ``OUT.lock`` (one process at a time).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from filelock import FileLock, Timeout

from triplewise.errors import ConfigError
from triplewise.evals.runs.stale import StaleRunError
from triplewise.files import GrowingFile, atomic, check_output, write_text
from triplewise.interfaces.batch.items import BatchFileError, BatchItem


class Results:
    """The results of a batch, open for more; a context manager.

    ``basis``: what they rest on, as JSON. ``retry_errors``: forget items that ended in an error, to work on them again.
    ``force``: begin anew. Raises StaleRunError where results of another basis are there, ConfigError where another
    file or process is in the way, BatchFileError where the file is damaged.
    """

    def __init__(
        self, path: str | Path, basis: Mapping[str, Any], *, retry_errors: bool = False, force: bool = False
    ) -> None:
        self.path = check_output(path, force=force, mine=lambda place: _beside(place).is_file())
        if not self.path.parent.is_dir():
            raise ConfigError(f"--out {self.path}: there is no folder {self.path.parent}.")
        self._lock = FileLock(f"{self.path}.lock")
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise ConfigError(f"{self.path} is in use by another process.", "Wait for it, or name another.") from None
        try:
            if force:
                self.path.unlink(missing_ok=True)
                _beside(self.path).unlink(missing_ok=True)
            self._compare(basis)
            if retry_errors and self.path.exists():
                with atomic(self.path, "wb") as kept:
                    kept.writelines(line for line, record in self._lines() if record["status"] != "error")
            self._done: dict[str, str] = {}
            self.errors, whole = 0, 0
            for line, record in self._lines():
                if record["id"] in self._done:
                    raise BatchFileError(f"{self.path} is damaged: the item {record['id']!r} is in it twice.")
                self._done[record["id"]] = record["content"]
                self.errors += record["status"] == "error"
                whole += len(line)
            self._file = GrowingFile(self.path, whole)
        except BaseException:
            self._lock.release()
            raise

    def _compare(self, basis: Mapping[str, Any]) -> None:
        """Note what the results rest on, or raise where those that are there rest on something else."""
        place, own = _beside(self.path), json.loads(json.dumps(basis))
        try:
            before = json.loads(place.read_text(encoding="utf-8"))
        except FileNotFoundError:
            write_text(place, json.dumps(own, indent=1, ensure_ascii=False))
            return
        except ValueError:
            raise BatchFileError(f"{place} is damaged.", "Name another --out, or begin anew with --force.") from None
        changed = sorted(name for name in {*before, *own} if before.get(name) != own.get(name))
        if changed:
            raise StaleRunError(
                f"{self.path} has results of another run; changed since: {', '.join(changed)}.",
                "Name another --out, or begin anew with --force.",
            )

    def _lines(self) -> Iterator[tuple[bytes, dict[str, Any]]]:
        """Each whole line with its record."""
        if not self.path.exists():
            return
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    return  # cut short by a kill
                try:
                    record = json.loads(line)
                    _ = record["id"], record["content"], record["status"]
                except (ValueError, KeyError, TypeError):
                    raise BatchFileError(
                        f"{self.path}:{number}: the line is damaged.", "Restore the file, or begin anew with --force."
                    ) from None
                yield line, record

    def __len__(self) -> int:
        return len(self._done)

    def has(self, item: BatchItem) -> bool:
        """Whether an item is done; raises StaleRunError where another one of its id is."""
        content = self._done.get(item.id)
        if content is not None and content != item.content:
            raise StaleRunError(
                f"the item {item.id!r} is not what it was when {self.path} was begun.",
                "Give changed items new ids, name another --out, or begin anew with --force.",
            )
        return content is not None

    def append(self, done: Sequence[tuple[BatchItem, Mapping[str, Any]]]) -> None:
        """Write the records of some items and wait until they are on disk; may be called by several threads."""
        number = 0
        for item, record in done:
            if item.id in self._done:
                raise AssertionError(f"a second result of {item.id!r}")
            content = self._done[item.id] = item.content
            self.errors += record["status"] == "error"
            line = {"id": item.id, "task": item.task, "content": content, **record}
            text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
            number = self._file.write(text.encode("utf-8", "backslashreplace") + b"\n")
        self._file.sync(number)

    def close(self) -> None:
        """Close the file and let others have it."""
        self._file.close()
        self._lock.release()

    def __enter__(self) -> Results:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.name}.run.json")
