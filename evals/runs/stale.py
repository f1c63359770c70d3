"""What a run rests on, as hashes: where one has changed, the run does not go on.

Inspect's resume matches sample ids only, so data, graph, code (prompts and metrics included), weights,
embedder and index are compared here. A result is never reused for anything but what gave it.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import triplewise
from triplewise.errors import ConfigError
from triplewise.evals.data.items import digest


class StaleRunError(ConfigError):
    """A run cannot go on: its data, graph, code or weights are no longer what it began with."""


@lru_cache(maxsize=1)
def code_hash() -> str:
    """Hash of all sources and prompts that a result may depend on (hex): not the interfaces, nor the training."""
    root = Path(triplewise.__file__).resolve().parent
    folders = ("agents", "tools", "graphs", "prompts", "evals", "kg", "backends")
    found = [*root.glob("*.py"), *(p for f in folders for p in (root / f).resolve().rglob("*"))]
    texts = [p for p in found if p.suffix in {".py", ".txt", ".yaml"}]
    return digest(sorted([f"{p.parent.name}/{p.name}", digest(p.read_text(encoding="utf-8"))] for p in texts))


def check_hashes(given: dict[str, str], found: dict[str, str]) -> None:
    """Raise StaleRunError where a hash given is not the one found; hashes not given are not compared."""
    changed = [name for name, value in given.items() if value and value != found[name]]
    if changed:
        raise StaleRunError(f"changed since the run began: {', '.join(changed)}.", "Start a new run.")
