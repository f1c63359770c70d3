"""How often Python looks for what only keeps itself alive."""

from __future__ import annotations

import gc


def collect_seldom() -> None:
    """Look for garbage in cycles after 50,000 new objects instead of 700: reading a sentence makes tens of thousands
    that live until it is read, and looking through them again and again takes a tenth of its time. For processes of
    our own; who imports the package has thresholds of theirs."""
    gc.set_threshold(50_000, 20, 20)
