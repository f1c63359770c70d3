"""FactKG's public pickle read without executing anything: only plain builtin containers are allowed.

A pickle can call any importable function while it loads. This reader resolves no name but the handful of
builtin containers below, so a hostile file ends in a DatasetError before anything runs.
"""

from __future__ import annotations

import pickle  # noqa: TID251 - FactKG is published as a pickle; find_class below refuses every callable
from pathlib import Path
from typing import Any

from triplewise.evals.data.items import DatasetError

ALLOWED = {("builtins", name): kind for name, kind in {"set": set, "frozenset": frozenset}.items()}
MAX_BYTES = 1 << 30


class _Restricted(pickle.Unpickler):
    def find_class(self, module_name: str, global_name: str, /) -> Any:
        if found := ALLOWED.get((module_name, global_name)):
            return found
        raise DatasetError(f"the pickle names {module_name}.{global_name}; only plain containers are read.")

    def persistent_load(self, pid: Any, /) -> Any:
        raise DatasetError("the pickle refers to objects outside itself; only plain containers are read.")


def read_pickle(path: Path) -> Any:
    """The value in a pickle of builtin containers, texts and numbers; raises DatasetError on all else."""
    if path.stat().st_size > MAX_BYTES:
        raise DatasetError(f"{path} is larger than {MAX_BYTES >> 20} MiB.")
    try:
        with path.open("rb") as file:
            return _Restricted(file).load()
    except DatasetError as error:
        raise DatasetError(f"{path}: {error.message}", "Convert it to JSON lines, or get the published file.") from None
    except Exception as error:  # a broken pickle raises almost anything
        raise DatasetError(f"{path} is no readable pickle: {type(error).__name__}.") from None
