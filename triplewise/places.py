"""The user's folders: where caches and settings are."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """triplewise's folder in the user's cache directory (XDG_CACHE_HOME, else ~/.cache)."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "triplewise"


def config_folder() -> Path:
    """triplewise's folder in the user's configuration directory (XDG_CONFIG_HOME, else ~/.config)."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "triplewise"
