"""``triplewise train adapter`` as a user meets it: what it prints, how it stops, mistakes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from tiny_llama import write_tiny_llama
from typer.testing import CliRunner

from triplewise.errors import ConfigError
from triplewise.interfaces.commands.train import adapter as cli_train_adapter
from triplewise.interfaces.commands.train import group as cli_train

for needed in ("torch", "peft", "gguf", "llama_cpp"):
    pytest.importorskip(needed)

pytestmark = pytest.mark.local
app = typer.Typer()
cli_train.register(app)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_llama(tmp_path_factory.mktemp("tiny") / "tiny.gguf")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "data.jsonl"
    line = {
        "stage": "reasoning", "task": "plan",
        "prompt": [{"role": "user", "content": "Plan the look-ups.\nWho directed Alien?"}],
        "completion": [{"role": "assistant", "content": "1. Find the director of Alien."}],
    }  # fmt: skip
    path.write_text((json.dumps(line) + "\n") * 24 + json.dumps(line | {"split": "dev"}) + "\n")
    return path


def run(*args: str) -> Any:
    return CliRunner().invoke(app, ["train", "adapter", *args], catch_exceptions=True)


@pytest.mark.slow
def test_it_tells_what_it_did(base: Path, data: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "a.gguf")
    done = run("--data", str(data), "--base", str(base), "--out", out, "--batch", "8", "--check", "2", "--threads", "1")
    assert done.exit_code == 0, done.output
    assert "3 steps" in done.stdout and "plan 0/1" in done.stdout and f"saved in {out}" in done.stdout
    assert "of 2 prompts" in done.stdout and f"--model llamacpp:{base}+{out}" in done.stdout
    assert "exact: plan 0/1" in done.stderr


@pytest.mark.slow
def test_ctrl_c_stops_after_the_step_and_the_command_goes_on(base: Path, data: Path, tmp_path: Path) -> None:
    program = "from triplewise.interfaces.cli import main; main()"
    arguments = ["--data", str(data), "--base", str(base), "--out", str(tmp_path / "a.gguf"), "--batch", "1"]
    command = [sys.executable, "-c", program, "train", "adapter", *arguments, "--epochs", "20", "--check", "0"]
    with subprocess.Popen([*command, "--threads", "1"], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if "step 20/" in line:
                os.kill(process.pid, signal.SIGINT)
                break
        told = process.stderr.read()
    assert process.returncode == 130 and "the same command goes on" in told and "Traceback" not in told
    again = subprocess.run([*command, "--threads", "1"], capture_output=True, text=True)
    assert again.returncode == 0 and "goes on after step 2" in again.stderr and "480 steps" in again.stdout


def test_mistakes(base: Path, data: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text(data.read_text() + "{}\n")
    out = str(tmp_path / "a.gguf")
    for arguments, problem in (
        (["--data", str(bad), "--base", str(base)], f"{bad}:26: no stage None"),
        (["--data", str(tmp_path / "none.jsonl"), "--base", str(base)], "cannot be read"),
        (["--data", str(data), "--base", str(base), "--stages", "reasoning,dreams"], "no stage 'dreams'"),
        (["--data", str(data), "--base", str(base), "--stages", "instruction"], "no line of the instruction stage"),
        (["--data", str(data), "--base", "gpt-4"], "no base model 'gpt-4'"),
        (["--data", str(data), "--base", str(base), "--full"], "saved as a folder"),
    ):
        done = run(*arguments, "--out", out)
        assert isinstance(done.exception, ConfigError) and problem in str(done.exception)


def test_what_to_use_it_with(base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The base as it was named; the weights of a Hugging Face folder are to be converted first."""
    done = {"steps": 1, "tokens": 880, "seconds": 6.0, "loss": 2.5, "history": [{"step": 1}], "out": "a.gguf"}
    for named, shown in (("embedded", "embedded"), (str(base), str(base)), (str(tmp_path), "BASE.gguf")):
        cli_train_adapter._report(done, named)
        out = capsys.readouterr().out
        assert f"--model llamacpp:{shown}+a.gguf --preset short" in out and "1 step, 880 tokens" in out
