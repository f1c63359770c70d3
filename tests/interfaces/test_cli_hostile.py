"""What a graph or a model says never drives the terminal: escapes, overrides and line breaks in every command."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from triplewise.interfaces.cli import main
from triplewise.kg.names import is_shown, one_line, printable

EVIL = "\x1b]0;owned\x07\x1b[31mEvil\u202egnp.exe\x9b2J\x7f\r\nsecond"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*args: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["triplewise", *map(str, args)])
        monkeypatch.setenv("COLUMNS", "80")
        monkeypatch.setenv("NO_COLOR", "1")
        with pytest.raises(SystemExit) as stop:
            main()
            raise SystemExit(0)
        return int(stop.value.code or 0), *capsys.readouterr()

    return call


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    path = tmp_path / "evil.jsonld"
    thing = {"@id": "http://x/evil", "http://www.w3.org/2000/01/rdf-schema#label": EVIL, "@type": "http://x/Thing"}
    made = {"http://x/made_by": {"@id": "http://x/maker", "http://www.w3.org/2000/01/rdf-schema#label": "Maker" + EVIL}}
    path.write_text(json.dumps([thing | made]))
    return path


@pytest.fixture
def model(tmp_path: Path) -> str:
    path = tmp_path / "script.json"
    rules = [
        {"match": r"Entities: [^\n]*$", "reply": f"{EVIL}\n1. It was made. | ?x ; ?answer"},
        {"match": r"Verdict:$", "reply": f"Verdict: supported\nTriples used: 1\nReason: {EVIL}"},
        {"match": r"", "reply": f"Maker{EVIL}"},
    ]
    path.write_text(json.dumps(rules))
    return f"fake:{path}"


COMMANDS: dict[str, tuple[str, ...]] = {
    "ask": ("ask", "who made it?", "--entity", "http://x/evil", "--trace"),
    "ask --json": ("ask", "who made it?", "--entity", "http://x/evil", "--json"),
    "verify": ("verify", "somebody made it.", "--entity", "http://x/evil", "--trace"),
    "verify --json": ("verify", "somebody made it.", "--entity", "http://x/evil", "--json"),
    "kg stats": ("kg", "stats"),
    "kg stats --json": ("kg", "stats", "--json"),
    "kg find": ("kg", "find", "second"),
    "kg find --json": ("kg", "find", "second", "--json"),
    "doctor": ("doctor",),
    "align": ("align", "--rules-only", "--out", "aligned.jsonl"),
    "an entity that is not there": ("ask", "who?", "--entity", "Evil"),
    "a relation that is not there": ("complete", "http://x/evil", "xyz", "_"),
    "no such model": ("ask", "who?", "--model", EVIL),
    "no such file": ("ask", "who?", "--kg", f"/{EVIL}"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_nothing_raw_reaches_the_terminal(name: str, run: Run, graph: Path, model: str, tmp_path: Path) -> None:
    args = [str(tmp_path / a) if a == "aligned.jsonl" else a for a in COMMANDS[name]]
    args += [] if "--kg" in args else ["--kg", str(graph)]
    args += [] if args[0] in ("kg", "align") or "--model" in args else ["--model", model]
    code, out, err = run(*args)
    assert [c for c in out + err if c != "\n" and not is_shown(c)] == []
    assert "Traceback" not in err and code == (2 if name.startswith(("an ", "a ", "no ")) else 0), err
    if "--json" in args:
        # names are one line for prompts and programs alike; what turns text round is escaped and not lost
        assert _holds(json.loads(out), "Evil\u202egnp.exe") or name == "kg stats --json"
    elif name in ("ask", "verify", "kg find"):
        assert "gnp.exe" in out  # shown, without what would turn it round


def _holds(data: object, text: str) -> bool:
    if isinstance(data, dict):
        return any(_holds(v, text) for v in data.values())
    return any(_holds(v, text) for v in data) if isinstance(data, list) else isinstance(data, str) and text in data


def test_what_is_shown_and_what_not() -> None:
    assert printable("a\tb\r\nc\rd\xa0e") == "a b\nc d e"
    assert one_line("می\u200cخواهم 👩\u200d🚀 नमस्ते") == "می\u200cخواهم 👩\u200d🚀 नमस्ते"
    assert one_line("a\u2028b\ud800\ufeff\u2066c") == "a b\ufffd\ufffd\ufffdc"


@pytest.mark.parametrize("extra", [[], ["--json"]], ids=["text", "json"])
def test_a_terminal_that_is_not_utf_8(extra: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setattr(sys, "argv", ["triplewise", "kg", "find", "Amélie", *extra])
    with pytest.raises(SystemExit) as stop:
        main()
        raise SystemExit(0)
    terminal.flush()
    shown = terminal.buffer.getvalue()  # type: ignore[attr-defined]
    assert not stop.value.code and shown.isascii() and b"Am" in shown
    if extra:
        assert json.loads(shown)[0]["label"] == "Amélie"
