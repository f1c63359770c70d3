"""How many threads llama.cpp gets: TRIPLEWISE_THREADS, and what is no number of them."""

from __future__ import annotations

import pytest

from triplewise.backends.llama.llama_engine import free_threads
from triplewise.errors import ConfigError


def test_free_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIPLEWISE_THREADS", "3")
    assert free_threads() == 3
    monkeypatch.setenv("TRIPLEWISE_THREADS", "")
    assert free_threads() >= 1
    for value in ("abc", "0", "-1", "1.5", "²"):
        monkeypatch.setenv("TRIPLEWISE_THREADS", value)
        with pytest.raises(ConfigError, match="TRIPLEWISE_THREADS is"):
            free_threads()
