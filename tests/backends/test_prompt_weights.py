"""The embedded weights in the form that prompts are read with: made once, the same model, never in the way."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("llama_cpp")

from triplewise.backends.llama.llama_engine import Engine, embedded_weights
from triplewise.backends.llama.prompt_weights import FOLDER, prompt_weights

PROMPT = "Which films did the director of Alien make before he was famous, and who composed their music?"
MAKE = """
from triplewise.backends.llama.llama_engine import embedded_weights
from triplewise.backends.llama.prompt_weights import prompt_weights
print(prompt_weights(embedded_weights(), "ab" * 32))
"""


def logits(path: Path) -> np.ndarray:
    engine = Engine(path, None, 512, 1, 0)
    try:
        engine.llm.eval(engine.tokenize(PROMPT))
        found = engine.llm._ctx.get_logits_ith(-1)
        return np.ctypeslib.as_array(found, shape=(engine.llm.n_vocab(),)).astype(np.float64)
    finally:
        engine.close()


def test_the_copy_is_made_once_and_is_the_same_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "weights"))
    together = [subprocess.Popen([sys.executable, "-c", MAKE], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = {process.communicate(timeout=120)[0].strip() for process in together}
    (copy,) = (tmp_path / "weights").glob("*.gguf")
    assert said == {str(copy)} and not list(copy.parent.glob("*.part"))
    made = copy.stat().st_mtime_ns
    assert prompt_weights(embedded_weights(), "ab" * 32) == copy and copy.stat().st_mtime_ns == made
    assert copy.stat().st_mode & 0o077 == 0
    copy.write_bytes(copy.read_bytes()[:1_000_000])  # a disk that was full, a copy that was broken off
    assert prompt_weights(embedded_weights(), "ab" * 32) == copy and copy.stat().st_size > 140_000_000
    ours, theirs = logits(copy), logits(embedded_weights())
    # llama.cpp rounds activations to 8 bits in either form, in another way: each is 0.999 to the weights as float16
    assert np.corrcoef(ours, theirs)[0, 1] > 0.998 and ours.argmax() == theirs.argmax()


@pytest.mark.parametrize("folder", ["", "file/below", "/proc/nowhere"])
def test_without_a_place_the_weights_are_read_as_they_are(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv(FOLDER, str(tmp_path / folder) if folder.startswith("file") else folder)
    assert prompt_weights(embedded_weights(), "ab" * 32) == embedded_weights()


def test_what_is_no_model_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "weights"))
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(embedded_weights().read_bytes()[:10_000])
    assert prompt_weights(broken, "cd" * 32) == broken
    assert not list((tmp_path / "weights").glob("*.gguf")) + list((tmp_path / "weights").glob("*.part"))
