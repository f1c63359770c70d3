"""``triplewise train data`` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from triplewise.errors import ConfigError, GraphFileError
from triplewise.interfaces.commands.train import group as cli_train

app = typer.Typer()
cli_train.register(app)


def run(*args: str) -> Any:
    return CliRunner().invoke(app, ["train", "data", *args], catch_exceptions=True)


def test_the_bundled_graph(tmp_path: Path) -> None:
    out = tmp_path / "films.jsonl"
    done = run("--out", str(out), "-n", "50", "--dev", "10")
    assert done.exit_code == 0, done.output
    assert "instruction       50" in done.stdout and f"{out}: " in done.stdout
    meta = json.loads((tmp_path / "films.meta.json").read_text())
    assert meta["graph"] == "films" and meta["seed"] == 0 and len(meta["graph_sha256"]) == 64
    assert meta["lines"] == len(out.read_text().splitlines())
    again = json.loads(run("--out", str(tmp_path / "again.jsonl"), "-n", "50", "--dev", "10", "--json").stdout)
    assert again["sha256"] == meta["sha256"]


def test_a_graph_of_one_s_own(tmp_path: Path) -> None:
    kg = tmp_path / "plant.tsv"
    kg.write_text("".join(f"Pump {i}\tfeeds_into\tTank {i % 7}\nTank {i % 7}\thasInspector\tAda\n" for i in range(40)))
    out = tmp_path / "plant.jsonl"
    assert run("--kg", str(kg), "--out", str(out), "-n", "40", "--tasks", "plan,relationship").exit_code == 0
    text = out.read_text()
    assert "feeds into" in text and "inspector" in text


def test_mistakes(tmp_path: Path) -> None:
    out = str(tmp_path / "x.jsonl")
    for arguments, error in (
        (["--tasks", "poems"], ConfigError),
        (["--kg", str(tmp_path / "none.tsv")], GraphFileError),
    ):
        assert isinstance(run("--out", out, *arguments).exception, error)
    assert not list(tmp_path.iterdir())
    with pytest.raises(ConfigError, match="cannot be written"):
        raise run("--out", str(tmp_path / "no" / "x.jsonl"), "--tasks", "plan", "-n", "5").exception
