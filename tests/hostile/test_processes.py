"""Calls inside calls, forks, signals and what a model may raise: attack.md 5, 6, 23, 27, 29."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import triplewise
from triplewise.backends.fake import ScriptedChatModel
from triplewise.background import BackgroundLoop, NestedCallError
from triplewise.errors import ConfigError, UserError

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


def _run(*args: str, env: dict[str, str] | None = None, **more: Any) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **(env or {})}
    for name in [name for name, value in environment.items() if value == "-"]:
        del environment[name]
    return subprocess.run([*MAIN, *args], capture_output=True, text=True, env=environment, timeout=120, **more)


def test_a_width_of_nothing_and_a_pipe() -> None:
    wide = _run("kg", "find", "Alien", env={"COLUMNS": "0"})
    assert wide.returncode == 0 and "Alien" in wide.stdout
    reader = subprocess.Popen([*MAIN, "kg", "stats", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert reader.stdout is not None and reader.stderr is not None
    reader.stdout.close()
    err = reader.stderr.read()
    reader.stderr.close()
    assert reader.wait(60) == 141 and b"Traceback" not in err


def test_no_home(tmp_path: Path) -> None:
    for args in (
        ["kg", "stats"],
        ["doctor"],
        ["ask", "who?", "--kg", "~nosuch/x.tsv"],
        ["index", "--index", "~nosuch/i"],
    ):
        done = _run(*args, env={"HOME": "-", "XDG_CACHE_HOME": "-", "XDG_CONFIG_HOME": "-"})
        assert "Traceback" not in done.stderr and "did not foresee" not in done.stderr, done.stderr
    script = "import os, pwd\npwd.getpwuid = lambda n: (_ for _ in ()).throw(KeyError(n))\nfrom triplewise.__main__ import main; main()"
    environment = {k: v for k, v in os.environ.items() if k not in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")}
    done = subprocess.run(
        [sys.executable, "-c", script, "kg", "stats"], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0 and "films" in done.stdout, done.stderr


@pytest.mark.parametrize("text", ["a = " + "[" * 50_000, "a = " + "9" * 5_000, "\xff", "shots = 'x'", "[prices.x]\nprompt = nan\ncompletion = 1"])  # fmt: skip
def test_settings_files_that_are_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "triplewise.toml").write_text(text, encoding="latin-1")
    done = _run("kg", "stats", cwd=tmp_path, env={"PYTHONPATH": str(Path(triplewise.__file__).parent.parent)})
    assert done.returncode == 2 and "Traceback" not in done.stderr and "did not foresee" not in done.stderr, done.stderr


@pytest.mark.parametrize(
    "flags",
    [("--valid", "nan"), ("--seed", "9" * 24), ("--dim", "100000000"), ("--learning-rate", "1e19"), ("--learning-rate", "nan"), ("--margin", "inf")],
)  # fmt: skip
def test_numbers_out_of_range(flags: tuple[str, ...], tmp_path: Path) -> None:
    pytest.importorskip("pykeen")
    done = _run("train", "rotate", "--epochs", "2", "--out", str(tmp_path / "m"), *flags)
    assert (
        done.returncode == 2 and "did not foresee" not in done.stderr and not (tmp_path / "m" / "model.json").exists()
    )


def _interrupted(args: list[str], after: float, folder: Path) -> tuple[int, str, float]:
    process = subprocess.Popen(
        [*MAIN, *args], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=folder, preexec_fn=_listening,
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
    ["kg", "stats"], ["kg", "find", "Alien"], ["format", "--tokens"], ["doctor"], ["index", "--index", "i"],
    ["ask", "Which films did Jane Campion direct?"], ["train", "data", "--out", "d.jsonl", "--tasks", "instruction"],
    ["train", "rotate", "--out", "m", "--epochs", "500"],
]  # fmt: skip


def _check_interrupts(moments: int, seed: int, folder: Path) -> None:
    rng = random.Random(seed)
    for n in range(moments):
        args = COMMANDS[n % len(COMMANDS)]
        code, err, seconds = _interrupted(args, rng.uniform(0.15, 4.0), folder)
        # a command that was done before is done; Python's own start, before any of our code, is not ours
        assert code in (130, 0, 1) or (code == -2 and "triplewise" not in err), (args, code, err)
        if code == 130:
            assert "Traceback" not in err and seconds < 3, (args, seconds, err)  # 0.5 s where the processor is free
        assert not list(folder.rglob(".*.part")), args


def test_ctrl_c_at_some_moments(tmp_path: Path) -> None:
    _check_interrupts(4, 1, tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_ctrl_c_at_200_moments(tmp_path: Path) -> None:
    _check_interrupts(200, 2, tmp_path)
