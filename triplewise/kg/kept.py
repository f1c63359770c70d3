"""What is made once for a graph, and goes with it.

It stands on the store itself. In a table of weak keys beside the stores it would keep them alive: whatever reads a
graph holds the graph.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Any, TypeVar, cast

from triplewise.kg.base import KGStore

_T = TypeVar("_T")
_NAME = "_triplewise_kept"
_lock = threading.RLock()


def kept_with(store: KGStore, key: Hashable, make: Callable[[], _T]) -> _T:
    """What is kept with a store under a key, made at the first call."""
    with _lock:
        kept: dict[Hashable, Any] = store.__dict__.setdefault(_NAME, {})
        if key not in kept:
            kept[key] = make()
        return cast(_T, kept[key])
