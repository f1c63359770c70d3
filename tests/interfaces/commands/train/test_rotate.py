"""``triplewise train rotate`` as a user meets it: split kept, metrics printed, JSON, mistakes told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from triplewise.errors import ConfigError, GraphFileError
from triplewise.interfaces.commands.train import group as cli_train
from triplewise.kg import load_kg
from triplewise.tools.links.scorers import load_scorer
from triplewise.train.trainers import rotate

pytest.importorskip("pykeen")
app = typer.Typer()
cli_train.register(app)
SMALL = ["--dim", "16", "--epochs", "4", "--negatives", "64", "--threads", "1"]


def run(*args: str) -> Any:
    return CliRunner().invoke(app, ["train", "rotate", *args], catch_exceptions=True)


def test_the_bundled_graph(tmp_path: Path) -> None:
    out = str(tmp_path / "model")
    done = run("--out", out, *SMALL)
    assert done.exit_code == 0, done.output
    assert "filtered, both" in done.stdout and f"saved in {out}" in done.stdout
    assert "epoch 4/4" in done.stderr and "validation MRR" in done.stderr
    assert load_scorer(out, load_kg("films")).rank("Alien", "directed_by", None)[0]
    again = json.loads(run("--out", out, *SMALL, "--json").stdout)
    assert again["metrics"]["both"]["realistic"]["n"] == 2 * again["test"]
    assert again["epochs"] == 4 and again["settings"]["dim"] == 16 and again["split_seed"] == 0


def test_without_out_it_lies_where_complete_looks(tmp_path: Path) -> None:
    from triplewise.tools.links.scorers import find_scorer

    assert run(*SMALL).exit_code == 0  # tests have a cache folder of their own
    assert find_scorer(load_kg("films")).entities


def test_a_graph_too_thin_to_hold_anything_out(tmp_path: Path) -> None:
    (tmp_path / "thin.tsv").write_text("a\tr\tb\nb\ts\tc\n")
    done = run("--kg", str(tmp_path / "thin.tsv"), "--out", str(tmp_path / "model"), *SMALL)
    assert done.exit_code == 0 and "no metrics: no triple could be held out for a test" in done.stdout


def test_a_benchmark_folder_keeps_its_parts(tmp_path: Path) -> None:
    for name, text in {"train": "a\tr\tb\nb\tr\tc\nc\tr\ta\n", "valid": "a\tr\tc\n", "test": "b\tr\ta\n"}.items():
        (tmp_path / f"{name}.txt").write_text(text)
    done = run("--kg", str(tmp_path), "--out", str(tmp_path / "model"), "--json", *SMALL)
    found = json.loads(done.stdout)
    assert (found["train"], found["valid"], found["test"], found["benchmark"]) == (3, 1, 1, True)
    assert not (tmp_path / "model" / "split.json").exists()


def test_mistakes(tmp_path: Path) -> None:
    out = str(tmp_path / "model")
    assert run("--out", out, *SMALL).exit_code == 0
    for arguments, error in (
        (["--out", out, "--dim", "8", "--epochs", "4"], ConfigError),
        (["--out", out, *SMALL, "--split-seed", "5"], ConfigError),
        (["--out", str(tmp_path / "x"), "--preset", "gpu"], ConfigError),
        (["--out", str(tmp_path / "x"), "--valid", "0.9", "--test", "0.2"], ConfigError),
        (["--kg", str(tmp_path / "none.tsv")], GraphFileError),
    ):
        assert isinstance(run(*arguments).exception, error)
    assert run("--out", out, *SMALL, "--split-seed", "5", "--restart").exit_code == 0


def test_an_interruption_says_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, validated = str(tmp_path / "model"), rotate._Trainer._validate

    def interrupt(self: Any) -> Any:
        if self.state.epoch > stop:
            raise KeyboardInterrupt
        return validated(self)

    stop = 0
    monkeypatch.setattr(rotate._Trainer, "_validate", interrupt)
    first = run("--out", out, *SMALL, "--epochs", "8")  # a validation at 5, at 8
    assert first.exit_code == 130 and "goes on" not in first.stderr
    stop = 5
    second = run("--out", out, *SMALL, "--epochs", "8")
    assert second.exit_code == 130 and second.stderr.splitlines()[-2].startswith("epoch 5/8")
    assert second.stderr.splitlines()[-1] == "The same command goes on from the last validation."
    monkeypatch.undo()
    third = run("--out", out, *SMALL, "--epochs", "8")
    assert third.exit_code == 0 and [line[:9] for line in third.stderr.splitlines()] == ["epoch 8/8"]
