"""Every command in docs/kicgpt.md runs, over the bundled graph with a scripted model."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from triplewise.interfaces.cli import app, main
from triplewise.interfaces.commands.complete import register

PAGE = Path(__file__).resolve().parents[3] / "docs" / "kicgpt.md"
COMMANDS = [
    line
    for block in re.findall(r"^```sh\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.S | re.M)
    for line in block.splitlines()
]

if not any(c.callback and c.callback.__name__ == "complete" for c in app.registered_commands):
    register(app)


@pytest.mark.parametrize("command", COMMANDS)
def test_command(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [
        {"head": "Alien", "relation": "directed_by", "tail": None, "ranking": ["Jane Campion", "Ridley Scott"]},
        {"head": None, "relation": "directed_by", "tail": "Jane Campion", "ranking": ["Alien", "The Piano"]},
    ]
    Path("rankings.jsonl").write_text("\n".join(json.dumps(r) for r in rows))
    if "--alignment" in command:
        Path("relations.tsv").write_text("directed_by\t[T] made [H].\n")
    rules = [
        {"match": "Yes or No", "reply": "Yes"},
        {"match": "reply only OK", "reply": "OK"},
        {"match": "says what holds", "reply": "[T] directed [H]."},
        {"match": "", "reply": "2, 1"},
    ]
    Path("script.json").write_text(json.dumps(rules))
    monkeypatch.setenv("TRIPLEWISE_MODEL", "fake:script.json")
    monkeypatch.setattr(sys, "argv", shlex.split(command))
    with pytest.raises(SystemExit) as stop:
        main()
        raise SystemExit(0)
    assert not stop.value.code
