"""Settings: precedence, types, and errors that name where a bad value came from."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from triplewise.config import load_settings
from triplewise.errors import ConfigError
from triplewise.types import Caps, Price


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def user_file(text: str) -> Path:
    path = Path(os.environ["XDG_CONFIG_HOME"]) / "triplewise" / "config.toml"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return path


def test_defaults() -> None:
    settings = load_settings()
    assert (settings.kg, settings.model, settings.method) == ("films", "llamacpp:embedded", None)
    assert settings.model_options() == {"cache": None}
    assert settings.budget() == Caps()


def test_argument_over_environment_over_files(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user_file('kg = "user"\nmodel = "user"\nmethod = "user"\npreset = "user"\n')
    (here / "triplewise.toml").write_text('kg = "folder"\nmodel = "folder"\nmethod = "folder"\n')
    monkeypatch.setenv("TRIPLEWISE_KG", "environment")
    monkeypatch.setenv("TRIPLEWISE_MODEL", "environment")
    settings = load_settings(kg="argument", model=None)
    assert (settings.kg, settings.model, settings.method, settings.preset) == (
        "argument",
        "environment",
        "folder",
        "user",
    )


@pytest.mark.parametrize(
    ("value", "cache"),
    [("1", True), ("true", True), ("off", False), ("0", False), ("/tmp/x.sqlite", "/tmp/x.sqlite"), ("", None)],
)
def test_cache_is_a_switch_or_a_path(value: str, cache: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIPLEWISE_CACHE", value)
    assert load_settings().cache == cache


def test_numbers_are_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIPLEWISE_TOP_K", "7")
    monkeypatch.setenv("TRIPLEWISE_TIMEOUT", "1.5")
    monkeypatch.setenv("TRIPLEWISE_MAX_COST", "0.25")
    settings = load_settings(max_calls=3)
    assert settings.top_k == 7 and settings.model_options()["timeout"] == 1.5
    assert settings.budget() == Caps(3, None, 0.25)


def test_prices(here: Path) -> None:
    (here / "triplewise.toml").write_text('model = "openai:m"\n[prices."openai:m"]\nprompt = 2\ncompletion = 8\n')
    assert load_settings().model_options()["price"] == Price(2.0, 8.0)
    assert "price" not in load_settings(model="openai:other").model_options()


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("TOP_K", "many", "TRIPLEWISE_TOP_K is 'many'"),
        ("TOP_K", "0", "TRIPLEWISE_TOP_K is '0'"),
        ("SHOTS", "-1", "TRIPLEWISE_SHOTS"),
        ("TIMEOUT", "0", "TRIPLEWISE_TIMEOUT"),
        ("MAX_COST", "-1", "TRIPLEWISE_MAX_COST"),
        ("MAX_CALLS", "2.5", "TRIPLEWISE_MAX_CALLS"),
        ("PRICES", "cheap", "TRIPLEWISE_PRICES is not valid JSON"),
        ("PRICES", '{"m": {"prompt": "x"}}', "TRIPLEWISE_PRICES"),
    ],
)
def test_bad_variable(name: str, value: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"TRIPLEWISE_{name}", value)
    with pytest.raises(ConfigError, match=words):
        load_settings()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("top_k = 'many'", r"triplewise\.toml: top_k is 'many'"),
        ("tok_k = 3", r"triplewise\.toml: tok_k: no such setting"),
        ("top_k = \nkg = 1", r"triplewise\.toml is not valid TOML: .*line 1"),
        ("[prices.m]\nprompt = 1", r"triplewise\.toml: prices is .* at m\.completion"),
    ],
)
@pytest.mark.parametrize("user", [False, True])
def test_bad_file(here: Path, text: str, words: str, user: bool) -> None:
    if user:
        user_file(text)
        words = words.replace("triplewise", "config", 1)
    else:
        (here / "triplewise.toml").write_text(text)
    with pytest.raises(ConfigError, match=words):
        load_settings()


def test_bad_argument() -> None:
    with pytest.raises(ConfigError, match=r"--top-k is 0"):
        load_settings(top_k=0)
    with pytest.raises(ConfigError, match=r"--nonsense: no such setting"):
        load_settings(nonsense=1)


def test_binary_file(here: Path) -> None:
    (here / "triplewise.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="not valid TOML"):
        load_settings()


def test_importing_settings_loads_no_model_library() -> None:
    code = "import triplewise.config, sys; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"langchain_core", "openai", "networkx", "langgraph", "numpy"} & set(loaded)
