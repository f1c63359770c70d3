"""FactKG's public pickle, read without executing anything, in a process of its own with limits.

A pickle can call any importable function while it loads. This reader resolves no name but the handful of
builtin containers below, so a hostile file ends in a DatasetError before anything runs. A file of 300 bytes can
also describe containers that share their parts a billionfold, or ask for a table of 16 GB: the child process may
take ``fence.MEMORY`` and 2 s, one more for each megabyte, and hands over JSON, in which nothing is shared.
"""

from __future__ import annotations

import json
import pickle  # noqa: TID251 - FactKG is published as a pickle; find_class below refuses every callable
import subprocess
import sys
from pathlib import Path
from typing import Any

ALLOWED = {("builtins", name): kind for name, kind in {"set": set, "frozenset": frozenset}.items()}
MAX_BYTES = 1 << 30


class _RefusedError(Exception):
    """What the pickle asks for is not given."""


class _Restricted(pickle.Unpickler):
    def find_class(self, module_name: str, global_name: str, /) -> Any:
        if found := ALLOWED.get((module_name, global_name)):
            return found
        raise _RefusedError(f"the pickle names {module_name}.{global_name}; only plain containers are read.")

    def persistent_load(self, pid: Any, /) -> Any:
        raise _RefusedError("the pickle refers to objects outside itself; only plain containers are read.")


def read_pickle(path: Path) -> Any:
    """The JSON value in a pickle of builtin containers, texts and numbers; sets are sorted lists.

    Raises DatasetError on all else, and where reading it takes too long or too much memory.
    """
    from triplewise.evals.data.items import DatasetError

    hint = "Convert it to JSON lines, or get the published file."
    if (size := path.stat().st_size) > MAX_BYTES:
        raise DatasetError(f"{path} is larger than {MAX_BYTES >> 20} MiB.", hint)
    job = json.dumps({"sys_path": sys.path, "path": str(path.absolute())})
    command = [sys.executable, "-P", __file__]
    try:
        done = subprocess.run(
            command, input=job.encode(), capture_output=True, timeout=60 + 10 * _seconds(size), check=False
        )
        said = json.loads(done.stdout) if done.stdout else {}
    except subprocess.TimeoutExpired:
        said = {}
    if "value" in said:
        return said["value"]
    told = said.get("error", "reading it takes too long or too much memory (it was stopped).")
    raise DatasetError(f"{path}: {told}", hint)


def _seconds(size: int) -> int:
    """Of processor time, for a file of so many bytes: ten times what FactKG's takes."""
    return 2 + size // 2**20


def main() -> None:
    """The child: read the job from stdin, print ``{"value": …}`` or ``{"error": …}``."""
    job = json.loads(sys.stdin.buffer.readline())
    sys.path[:] = job["sys_path"]
    from triplewise.fence import limit_process

    path = Path(job["path"])
    limit_process(_seconds(path.stat().st_size))
    try:
        with path.open("rb") as file:
            value = _Restricted(file).load()
        print(json.dumps({"value": value}, default=_listed), flush=True)
    except _RefusedError as error:
        print(json.dumps({"error": error.args[0]}))
    except MemoryError:
        print(json.dumps({"error": "reading it takes too much memory."}))
    except Exception as error:  # a broken pickle raises almost anything
        print(json.dumps({"error": f"no readable pickle of texts, numbers and containers: {type(error).__name__}."}))


def _listed(value: Any) -> list[Any]:
    if isinstance(value, set | frozenset):
        return sorted(value)
    raise TypeError(type(value).__name__)


if __name__ == "__main__":
    main()
