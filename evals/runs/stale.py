"""What a run rests on, as hashes: where one has changed, the run does not go on.

Inspect's resume matches sample ids only, so data, graph, code (prompts and metrics included), weights,
embedder and index are compared here. A result is never reused for anything but what gave it.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from pathlib import Path

import triplewise
from triplewise.errors import ConfigError
from triplewise.evals.data.items import digest


class StaleRunError(ConfigError):
    """A run cannot go on: its data, graph, code or weights are no longer what it began with."""


HASHED = ("agents", "tools", "graphs", "prompts", "evals", "kg", "backends")
"""The packages that a result may depend on: not the interfaces, nor the training."""


@lru_cache(maxsize=1)
def code_hash() -> str:
    """Hash of all sources and prompts that a result may depend on (hex).

    The folders are those that Python imports from, so that a checkout without symbolic links has the same hash.
    Raises ConfigError where one of them holds no file.
    """
    found = [("", p) for p in Path(triplewise.__file__).resolve().parent.glob("*.py")]
    for name in HASHED:
        folders = {Path(folder).resolve() for folder in import_module(f"triplewise.{name}").__path__}
        files = [(f"{name}/{p.relative_to(folder).parent.as_posix()}", p) for folder in folders for p in _files(folder)]
        if not files:
            raise ConfigError(f"the package triplewise.{name} has no files.", "Install triplewise anew.")
        found += files
    return digest(sorted([f"{place}/{p.name}", digest(p.read_text(encoding="utf-8"))] for place, p in found))


def _files(folder: Path) -> list[Path]:
    return [p for p in folder.rglob("*") if p.suffix in {".py", ".txt", ".yaml"} and p.is_file()]


def check_hashes(given: dict[str, str], found: dict[str, str]) -> None:
    """Raise StaleRunError where a hash given is not the one found; hashes not given are not compared."""
    changed = [name for name, value in given.items() if value and value != found[name]]
    if changed:
        raise StaleRunError(f"changed since the run began: {', '.join(changed)}.", "Start a new run.")
