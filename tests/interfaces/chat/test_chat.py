"""triplewise chat as a process: a pipe, JSON lines, a narrow terminal without colour; and triplewise new."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import cast

import pytest

from triplewise.agents.assistant.events import Answered, ReadAs, Warned
from triplewise.agents.query_graph.executor import ANOTHER_WAY
from triplewise.errors import UserError
from triplewise.graphs.assistant import Assistant
from triplewise.interfaces.chat.commands import Session, run_command
from triplewise.interfaces.chat.screen import Screen
from triplewise.types import Reading

ROOT = Path(__file__).resolve().parent.parent.parent.parent


def environment(home: Path, **more: str) -> dict[str, str]:
    return {
        **os.environ, "PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(home / "data"), "XDG_STATE_HOME": str(home / "state"),
        **more,
    }  # fmt: skip


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "triplewise", *arguments]


def fake(tmp_path: Path) -> str:
    path = tmp_path / "script.json"
    path.write_text(json.dumps([{"match": ".", "reply": "ask"}]))
    return f"fake:{path}"


def test_a_pipe_gets_answers_and_citations(tmp_path: Path) -> None:
    said = "Hello!\nsearch for Blade\n/about Blade Runner 2049\n/about\n"
    done = subprocess.run(
        command("chat", "--router", "--model", fake(tmp_path)), input=said, capture_output=True, text=True,
        env=environment(tmp_path), timeout=200,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "> Hello!" and lines[1].startswith("Hello.")  # a transcript to read
    assert lines[2:5] == ["", "> search for Blade", "I found: Blade Runner, Blade Runner 2049."]
    assert any(line.startswith("[1] Blade Runner 2049 — ") for line in lines) and "\x1b" not in done.stdout
    assert not (tmp_path / "data").exists()  # a pipe keeps nothing unless asked to


def test_a_wrong_command_of_a_pipe_is_told_and_the_next_line_answered(tmp_path: Path) -> None:
    said = f"/nope\nHello!\n/export {tmp_path}/none/x.md\nsearch for Blade\nexit\nsearch for Alien\n"
    done = subprocess.run(
        command("chat", "--router", "--model", fake(tmp_path), "--threads", ""), input=said, capture_output=True,
        text=True, env=environment(tmp_path), timeout=200,
    )  # fmt: skip
    assert done.returncode == 1 and not done.stderr, done.stderr
    told = [line for line in done.stdout.splitlines() if line and not line.startswith(">")]
    first, hello, written, found = told
    assert first == "! no command /nope. See /help." and hello.startswith("Hello.")
    assert "cannot be written: No such file or directory." in written and found.startswith("I found: Blade Runner")


async def test_readings_that_were_only_offered_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    session = Session(cast(Assistant, None), Screen(live=False))
    session.screen.read = ReadAs("m", None, (Reading("who looks after Bramble", {}, ("Petra Vond",)),))
    await run_command(session, "/readings")
    assert capsys.readouterr().out.splitlines() == [
        " 1. who looks after Bramble = Petra Vond", "/read N answers by another one"
    ]  # fmt: skip


async def test_readings_are_numbered_as_ask_numbers_them(capsys: pytest.CaptureFixture[str]) -> None:
    session = Session(cast(Assistant, None), Screen(live=False))
    first, second, third = (Reading(text, {}, ("yes",), number=n) for n, text in enumerate("abc", 1))
    session.screen.read = ReadAs("m", second, (first, third))
    await run_command(session, "/readings")
    assert capsys.readouterr().out.splitlines()[:3] == [" 1. a = yes", "*2. b = yes", " 3. c = yes"]
    with pytest.raises(UserError):
        await run_command(session, "/read 2")  # it was taken


def test_a_pipe_tells_how_a_question_was_read(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Screen(live=False)
    screen.begin()
    read = ReadAs("m", Reading("who looks after Bramble", {}), (Reading("what Bramble eats", {}, number=2),))
    for event in (Warned(ANOTHER_WAY), read, Answered("m", "Petra Vond.", "answer")):
        screen.show(event)
    warned, answer, said = capsys.readouterr().out.splitlines()
    assert warned.endswith("/read N takes one.") and answer == "Petra Vond."
    assert said == "(read as: who looks after Bramble)"
    screen.begin()
    screen.show(Answered("n", "You are welcome.", "chat"))
    assert capsys.readouterr().out.splitlines() == ["You are welcome."] and screen.read == read


def test_programs_get_json_lines_and_threads_stay(tmp_path: Path) -> None:
    arguments = ("chat", "--router", "--json", "--model", fake(tmp_path), "--threads", str(tmp_path / "t.sqlite"))
    done = subprocess.run(
        command(*arguments), input="Hello!\n", capture_output=True, text=True, env=environment(tmp_path), timeout=200
    )  # fmt: skip
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert events[-1]["type"] == "done" and {"answer", "token", "usage"} <= {e["type"] for e in events}
    thread = events[-1]["thread_id"]
    more = subprocess.run(
        command(*arguments, "--thread", thread), input="thanks\n", capture_output=True, text=True,
        env=environment(tmp_path), timeout=200,
    )  # fmt: skip
    assert json.loads(more.stdout.splitlines()[-1])["thread_id"] == thread


def test_a_narrow_terminal_without_colour(tmp_path: Path) -> None:
    child, terminal = pty.fork()
    if child == 0:
        more = {"TERM": "vt100", "NO_COLOR": "1", "COLUMNS": "40"}
        os.execve(
            sys.executable, command("chat", "--router", "--model", fake(tmp_path)), environment(tmp_path, **more)
        )  # fmt: skip
    said = ["tell me about Blade Runner 2049\n", "/threads\n", "/nonsense\n", "/quit\n"]
    shown, deadline = "", time.monotonic() + 120
    while time.monotonic() < deadline:
        ready, _, _ = select.select([terminal], [], [], 0.2)
        if ready:
            try:
                shown += os.read(terminal, 65536).decode(errors="replace")
            except OSError:
                break
        elif said and shown.rstrip("\r\n").endswith("> "):
            os.write(terminal, said.pop(0).encode())
            shown += "\n"
    os.close(terminal)
    assert os.waitpid(child, 0)[1] == 0
    assert "[1] Blade Runner 2049" in shown and "no command /nonsense" in shown and "* 1. tell me about" in shown
    assert "\x1b[3" not in shown and "\x1b[9" not in shown  # no colour; steps are cleared by \x1b[K
    assert (tmp_path / "data" / "triplewise" / "threads.sqlite").is_file()


def test_new_makes_a_project_whose_commands_work(tmp_path: Path) -> None:
    made = subprocess.run(
        command("new", "my-cafe"), cwd=tmp_path, env=environment(tmp_path), capture_output=True, text=True
    )
    assert made.returncode == 0 and "python -m my_cafe" in made.stdout
    project = tmp_path / "my-cafe"
    assert json.loads((project / "langgraph.json").read_text())["graphs"] == {
        "my-cafe": "./my_cafe/graph.py:make_graph"
    }
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"], cwd=project, env=environment(tmp_path),
        capture_output=True, text=True, timeout=250,
    )  # fmt: skip
    assert tested.returncode == 0, tested.stdout
    script = tmp_path / "tell.json"
    script.write_text(json.dumps(["Mina Castellan runs it."]))
    asked = subprocess.run(
        [sys.executable, "-m", "my_cafe", "Who runs Harbour Light?", "--model", f"fake:{script}"], cwd=project,
        env=environment(tmp_path), capture_output=True, text=True, timeout=100,
    )  # fmt: skip
    assert asked.stdout.splitlines()[0] == "Mina Castellan runs it.", asked.stderr
    again = subprocess.run(
        command("new", "my-cafe"), cwd=tmp_path, env=environment(tmp_path), capture_output=True, text=True
    )
    assert again.returncode == 2 and "there already" in again.stderr


@pytest.mark.parametrize("name", ["", "1st", "class", "../x", "triplewise", "a b", "a\tb", "cafe-", "\u212ait"])
def test_a_name_that_is_none_is_refused(tmp_path: Path, name: str) -> None:
    from triplewise.errors import ConfigError
    from triplewise.interfaces.new.command import scaffold

    with pytest.raises(ConfigError):
        scaffold(name, tmp_path)
