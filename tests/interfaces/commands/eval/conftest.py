"""``triplewise eval`` in an empty folder, over invented films in MetaQA's layout."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from film_runs import Call, N

from triplewise.interfaces.cli import main


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """``call("run", …)``: exit code, stdout and stderr of ``triplewise eval run …`` in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.delenv("TRIPLEWISE_DATA", raising=False)

    def made(*args: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["triplewise", "eval", *map(str, args)])
        try:
            main()
            code = 0
        except SystemExit as stop:
            code = int(stop.code or 0)
        told = capsys.readouterr()
        return code, told.out, told.err

    return made


@pytest.fixture
def metaqa(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Invented films in MetaQA's layout, found before a real MetaQA that the machine may have."""
    monkeypatch.delenv("TRIPLEWISE_DATA", raising=False)
    folder = tmp_path / "data" / "metaqa"
    (folder / "1-hop" / "vanilla").mkdir(parents=True)
    (folder / "kb.txt").write_text("".join(f"Film{i}|directed_by|Person{i}\n" for i in range(N)))
    lines = [f"who directed [Film{i}]\tPerson{i}\n" for i in range(N)]
    (folder / "1-hop" / "vanilla" / "qa_dev.txt").write_text("".join(lines))
    (folder / "1-hop" / "qa_dev_qtype.txt").write_text("movie_to_director\n" * N)
    return folder
