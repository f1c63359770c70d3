"""The user's folders: where caches, conversations and settings are."""

from __future__ import annotations

from pathlib import Path

from triplewise.errors import ConfigError
from triplewise.files import home_folder


def cache_folder() -> Path:
    """triplewise's folder in the user's cache directory (XDG_CACHE_HOME, else ~/.cache).

    Raises ConfigError where no home folder is known.
    """
    base = home_folder("XDG_CACHE_HOME", ".cache")
    if base is None:
        raise ConfigError("no place for the cache: your home folder is not known.", "Set HOME or XDG_CACHE_HOME.")
    return base / "triplewise"


def threads_file() -> Path:
    """Where conversations are kept, in the user's data folder (XDG_DATA_HOME, else ~/.local/share).

    Raises ConfigError where no home folder is known.
    """
    base = home_folder("XDG_DATA_HOME", ".local/share")
    if base is None:
        raise ConfigError("no place for threads: your home folder is not known.", "Name a file with --threads.")
    return base / "triplewise" / "threads.sqlite"


def config_folder() -> Path | None:
    """triplewise's folder in the user's configuration directory (XDG_CONFIG_HOME, else ~/.config), None without one."""
    base = home_folder("XDG_CONFIG_HOME", ".config")
    return base and base / "triplewise"
