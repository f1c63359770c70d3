"""The evaluated states of prompts that other prompts displaced, shared by all contexts of a model."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

WORTH_SAVING = 256
"""Tokens that would be lost; shorter ones are evaluated again sooner than copied."""
BYTES = 512 * 1024 * 1024
"""What all states of a model may take; those used longest ago are dropped."""


def common_prefix(a: Sequence[int], b: Sequence[int]) -> int:
    """Length of the longest common prefix of two token sequences."""
    import numpy as np

    n = min(len(a), len(b))
    differs = np.flatnonzero(np.asarray(a[:n]) != np.asarray(b[:n]))
    return int(differs[0]) if len(differs) else n


class SavedPrompts:
    """Tokens of a prompt → its state as llama.cpp writes it."""

    def __init__(self) -> None:
        self._states: OrderedDict[tuple[int, ...], Any] = OrderedDict()
        self._lock = threading.Lock()

    def longest(self, tokens: Sequence[int], more_than: int) -> tuple[Sequence[int], Any, int] | None:
        """(tokens, state, how many of them the prompt begins with) of the state that shares most with a prompt, where
        it is more than so many."""
        with self._lock:
            shared = {known: common_prefix(known, tokens) for known in self._states}
            best = max(shared, key=lambda known: shared[known], default=())
            if shared.get(best, 0) <= more_than:
                return None
            self._states.move_to_end(best)
            return best, self._states[best], shared[best]

    def keep(self, tokens: Sequence[int], state: Callable[[], Any]) -> None:
        """Keep a prompt's state, unless one that covers it is kept already; ``state`` may give None."""
        with self._lock:
            for known in list(self._states):
                n = common_prefix(known, tokens)
                if len(tokens) - n < WORTH_SAVING:
                    return
                if len(known) - n < WORTH_SAVING:
                    del self._states[known]
            if (found := state()) is not None:
                self._states[tuple(tokens)] = found
            while sum(map(len, self._states.values())) > BYTES:
                self._states.popitem(last=False)

    def clear(self) -> None:
        """Drop all."""
        with self._lock:
            self._states.clear()
