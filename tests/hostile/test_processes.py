"""Calls inside calls, forks, signals and what a model may raise: attack.md 5, 6, 23, 27, 29."""

from __future__ import annotations

import asyncio
import os
import pwd
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest
from fuzzing import Counted

import triplewise
from triplewise.backends.fake import ScriptedChatModel
from triplewise.background import BackgroundLoop, NestedCallError
from triplewise.errors import ConfigError, UserError

FILMS = str(Path(triplewise.__file__).parent / "data" / "films.tsv")
MAIN = [sys.executable, "-m", "triplewise"]


def _model(**settings: Any) -> ScriptedChatModel:
    return ScriptedChatModel(
        responses=lambda messages, kwargs: "1. Alien was directed by someone. | Alien ; ?answer", **settings
    )


def test_ask_inside_ask_is_told_at_once() -> None:
    seen: list[BaseException] = []

    def on_step(name: str) -> None:
        try:
            triplewise.ask("films", "who directed Alien?", model=_model())
        except UserError as error:
            seen.append(error)

    triplewise.ask("films", "who directed Alien?", model=_model(), on_step=on_step)
    assert seen and isinstance(seen[0], NestedCallError) and "on_step" in str(seen[0])
    assert triplewise.ask("films", "who directed Alien?", model=_model()).method == "kg-gpt"  # later calls still work


@pytest.mark.parametrize("kind", [SystemExit, KeyboardInterrupt])
def test_a_loop_outlives_what_a_model_raises(kind: type[BaseException]) -> None:
    loop = BackgroundLoop("test")

    async def inner() -> None:
        raise kind(3)

    async def outer() -> None:
        await asyncio.create_task(inner())

    async def fine() -> int:
        return 7

    for _ in range(3):
        with pytest.raises(kind):
            loop.run(outer())
        assert loop.run(fine()) == 7


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_child_asks_too() -> None:
    question = "who directed Alien?"
    triplewise.ask("films", question, model=_model())
    child = os.fork()
    if not child:
        os._exit(0 if triplewise.ask("films", question, model=_model()).method == "kg-gpt" else 1)
    for _ in range(600):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.05)
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise AssertionError("the child hangs")
    assert os.waitstatus_to_exitcode(status) == 0


WRONG: list[dict[str, Any]] = [
    {"kg": None}, {"kg": 7}, {"question": None}, {"question": b"x"}, {"question": ["x"]}, {"model": None}, {"model": 7},
    {"entities": 7}, {"entities": [7]}, {"preset": 7}, {"preset": None}, {"shots": "2"}, {"shots": 1.5}, {"shots": True},
    {"top_k": "3"}, {"knowledge": 7}, {"method": 7}, {"embedder": 7}, {"on_step": 7}, {"nonsense": 1},
    {"kg": ""}, {"kg": "\0"}, {"kg": "a\0b"}, {"closed_world": "yes"},
]  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_wrong_types_are_told_in_words(wrong: dict[str, Any]) -> None:
    given = {"kg": "films", "question": "who directed Alien?", "model": _model(), **wrong}
    with pytest.raises(UserError) as caught:
        triplewise.ask(given.pop("kg"), given.pop("question"), **given)
    assert len(str(caught.value)) < 400


def test_a_path_is_a_graph() -> None:
    films = Path(triplewise.__file__).parent / "data" / "films.tsv"
    assert triplewise.ask(films, "who directed Alien?", model=_model()).method == "kg-gpt"
    for call in (lambda: triplewise.load_kg(7), lambda: triplewise.load_chat_model(None)):  # type: ignore[arg-type]
        with pytest.raises(ConfigError):
            call()


def _run(*args: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*MAIN, *args], capture_output=True, text=True, env={**os.environ, **env}, timeout=120)


def test_a_width_of_nothing() -> None:
    wide = _run("kg", "find", "Alien", env={"COLUMNS": "0"})
    assert wide.returncode == 0 and "Alien" in wide.stdout


@pytest.mark.parametrize("args", [["kg", "stats", "--json"], ["kg", "stats"], ["format"]], ids=" ".join)
def test_a_pipe_whose_reader_has_gone(args: list[str]) -> None:
    """Printed by us, by rich and by click, the latter two of which exit with 1 themselves."""
    reader = subprocess.Popen([*MAIN, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert reader.stdout is not None and reader.stderr is not None
    reader.stdout.close()
    err = reader.stderr.read()
    reader.stderr.close()
    assert reader.wait(60) == 141 and b"Traceback" not in err


Main = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run_main(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Main:
    """The command line in this process: exit code, what it printed, what it said."""
    from triplewise.interfaces.cli import main

    def call(*args: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["triplewise", *args])
        with pytest.raises(SystemExit) as stop:
            main()
            raise SystemExit(0)
        told = capsys.readouterr()
        return int(stop.value.code or 0), told.out, told.err

    return call


@pytest.mark.parametrize("args", [["kg", "stats"], ["doctor"], ["ask", "who?", "--kg", "~nosuch/x.tsv"], ["index", "--index", "~nosuch/i"]], ids=str)  # fmt: skip
def test_no_home(args: list[str], run_main: Main, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(number: int) -> NoReturn:
        raise KeyError(number)

    for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", nobody)  # a user that the system does not know, as in containers
    code, out, err = run_main(*args)
    assert "Traceback" not in err and "did not foresee" not in err, err
    assert code == 2 if "~" in args[-1] else "films" in out or args == ["doctor"]


@pytest.mark.parametrize("text", ["a = " + "[" * 50_000, "a = " + "9" * 5_000, "\xff", "shots = 'x'", "[prices.x]\nprompt = nan\ncompletion = 1"])  # fmt: skip
def test_settings_files_that_are_none(
    tmp_path: Path, text: str, run_main: Main, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "triplewise.toml").write_text(text, encoding="latin-1")
    monkeypatch.chdir(tmp_path)
    code, _, err = run_main("kg", "stats")
    assert code == 2 and "Traceback" not in err and "did not foresee" not in err, err


@pytest.mark.parametrize(
    "flags",
    [("--valid", "nan"), ("--seed", "9" * 24), ("--dim", "100000000"), ("--learning-rate", "1e19"), ("--learning-rate", "nan"), ("--margin", "inf")],
)  # fmt: skip
def test_numbers_out_of_range(flags: tuple[str, ...], tmp_path: Path, run_main: Main) -> None:
    pytest.importorskip("pykeen")
    code, _, err = run_main("train", "rotate", "--epochs", "2", "--out", str(tmp_path / "m"), *flags)
    assert code == 2 and "did not foresee" not in err and not (tmp_path / "m" / "model.json").exists(), err


def _interrupted(args: list[str], after: float, folder: Path) -> tuple[int, str, float]:
    process = subprocess.Popen(
        [*MAIN, *args], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=folder,
        preexec_fn=_listening,
        env={**os.environ, "PYTHONPATH": str(Path(triplewise.__file__).parent.parent)},
    )  # fmt: skip
    time.sleep(after)
    process.send_signal(signal.SIGINT)
    started = time.monotonic()
    _, err = process.communicate(timeout=60)
    return process.returncode, err, time.monotonic() - started


def _listening() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)


COMMANDS = [
    ["kg", "stats"], ["ask", "Which films did Jane Campion direct?"], ["train", "data", "--out", "d.jsonl", "--tasks", "instruction"],
    ["kg", "import", FILMS, "--store", "s"], ["kg", "find", "Alien"], ["format", "--tokens"], ["doctor"], ["index", "--index", "i"],
    ["verify", "The music of Amélie was composed by Michel Legrand."], ["retrieve", "who directed Alien?", "--index", "i2"],
    ["complete", "Alien", "directed by", "_"], ["align", "--rules-only", "--out", "a.tsv", "--force"], ["chat"], ["new", "agent"], ["mcp"],
    ["serve", "--port", "0"], ["train", "rotate", "--out", "m", "--epochs", "500"], ["kg", "diff", FILMS],
    ["eval", "run", "q.jsonl", "--out", "r"], ["eval", "estimate", "q.jsonl"],
]  # fmt: skip
QUESTIONS = '{"question": "who directed Alien?", "answers": ["Ridley Scott"]}\n'


def _check_interrupts(moments: int, seed: int, folder: Path, commands: list[list[str]]) -> list[float]:
    """Interrupt each command in turn; the seconds from the signal to the end of those that it ended."""
    rng, seconds = random.Random(seed), list[float]()
    (folder / "q.jsonl").write_text(QUESTIONS)
    (folder / "kg.tsv").write_text("Alien\tdirected by\tRidley Scott\n")
    for n in range(moments):
        args = commands[n % len(commands)]
        code, err, took = _interrupted(args, rng.uniform(0.15, 4.0), folder)
        # a command that was done before is done; Python's own start, before any of our code, is not ours
        starting = "triplewise" not in err and (code == -2 or (code == 1 and "init_import_site" in err))
        assert code in (130, 0, 1, 2) or starting, (args, code, err)
        assert "Traceback" not in err or starting, (args, err)
        if code == 130:
            assert took < 3, (args, took, err)  # 0.5 s where the processor is free
            seconds.append(took)
        assert not list(folder.rglob(".*.part")), args
        for made in (folder / name for name in ("m", "s", "r", "i", "agent")):
            shutil.rmtree(made, ignore_errors=True)
    return sorted(seconds)


SWALLOWED = """
import os, signal
from triplewise.interfaces.interrupts import interrupts

class Pressed:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)

with interrupts():
    Pressed()
    print("went on")
"""


def test_ctrl_c_where_nothing_can_raise() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SWALLOWED], capture_output=True, text=True, timeout=120, preexec_fn=_listening
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "triplewise: interrupted\n")


@pytest.mark.slow
def test_ctrl_c_at_some_moments(tmp_path: Path) -> None:
    _check_interrupts(8, 1, tmp_path, COMMANDS)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_ctrl_c_at_200_moments(tmp_path: Path, count: Counted) -> None:
    took = _check_interrupts(200, 2, tmp_path, COMMANDS)
    within = sum(t <= 0.5 for t in took)
    count(
        f"200 Ctrl-C over {len(COMMANDS)} commands: {len(took)} ended by it, all with 130, {within} within 0.5 s, "
        f"median {took[len(took) // 2]:.2f} s, longest {took[-1]:.2f} s; 0 tracebacks, 0 files half-written"
    )
