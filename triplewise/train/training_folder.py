"""The folder a training of link predictors writes to: one process at a time, and what is wrong with it in words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from triplewise.errors import ConfigError
from triplewise.tools.links.kge_data import LinkPredictionData


@contextmanager
def training_folder(folder: str | Path, data: LinkPredictionData) -> Iterator[Path]:
    """The folder, made and held while the block runs.

    Raises ConfigError where there is nothing to train on, where another process trains into the folder, or where it
    cannot be written.
    """
    from filelock import FileLock, Timeout

    folder = Path(folder)
    if not len(data.train):
        raise ConfigError(f"{data.name} has no triple between entities to train on.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / ".lock", timeout=0):
            yield folder
    except Timeout:
        raise ConfigError(f"another process is training into {folder}.", "Choose another --out, or wait.") from None
    except OSError as error:
        raise ConfigError(f"{folder} cannot be written: {error.strerror or error}.") from None
