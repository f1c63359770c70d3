"""KG-GPT over HTTP: an answer, a rerun from the cache for nothing, faults on the way, caps; and the server as a process."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from asked_node import asked_node

import triplewise
from triplewise.backends import load_chat_model
from triplewise.backends.usage import Budget, use_budget
from triplewise.errors import BudgetExceededError, RateLimitError

ROOT = Path(__file__).resolve().parent.parent.parent
QUESTION = "who directed [The Third Man]"


def capable(body: dict[str, Any]) -> str:
    node, user = asked_node(body), body["messages"][-1]["content"]
    if node == "segment":
        sentence = user.rpartition("Sentence: ")[2].partition("\n")[0]
        return f"1. {sentence} | The Third Man ; ?answer"
    return "directed by" if node == "select_relations" else "Carol Reed"


def test_a_rerun_costs_nothing(fake_openai: Callable[..., Any], tmp_path: Path) -> None:
    server = fake_openai(capable)
    first = triplewise.ask("films", QUESTION, model=load_chat_model("openai:fake", cache=tmp_path))
    spent = (first.usage.calls, first.usage.prompt_tokens, first.usage.completion_tokens)
    assert spent == (3, server.prompt_tokens, server.completion_tokens)
    again = asyncio.run(triplewise.aask("films", QUESTION, model=load_chat_model("openai:fake", cache=tmp_path)))
    assert server.requests == 3
    assert again.answers == first.answers and again.answers[0].label == "Carol Reed"
    assert (again.usage.calls, again.usage.prompt_tokens, again.usage.cache_hits) == (0, 0, 3)


def test_faults_on_the_way(fake_openai: Callable[..., Any]) -> None:
    server = fake_openai(capable, ["429:0.01", "ok", "500", "502", "ok", "close"])
    result = triplewise.ask("films", QUESTION, model=load_chat_model("openai:fake"))
    assert result.answers[0].label == "Carol Reed" and result.usage.calls == 3 and server.requests == 7


def test_an_outage_is_an_error_not_an_answer(fake_openai: Callable[..., Any]) -> None:
    fake_openai(capable, ["ok"] + ["429:0.01"] * 9)
    with pytest.raises(RateLimitError):
        triplewise.ask("films", QUESTION, model=load_chat_model("openai:fake", max_retries=1))


def test_a_cap_stops_a_run(fake_openai: Callable[..., Any]) -> None:
    server = fake_openai(capable)
    with use_budget(Budget(max_calls=2)) as budget, pytest.raises(BudgetExceededError):
        triplewise.ask("films", QUESTION, model=load_chat_model("openai:fake"))
    assert server.requests == budget.meter.total.calls == 2


def ask(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from triplewise.interfaces.cli import main; main()", "ask", QUESTION]
    return subprocess.run(
        [*command, "--model", "openai:fake", *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_the_server_as_a_process_and_the_command_line(tmp_path: Path) -> None:
    rules = [
        {"match": "^(?s:.*)Entities: The Third Man$", "reply": f"1. {QUESTION} | The Third Man ; ?answer"},
        {"match": "Chosen:$", "reply": "directed by"},
        {"match": "Answer:$", "reply": "Carol Reed"},
    ]
    (tmp_path / "rules.json").write_text(json.dumps(rules))
    command = [sys.executable, str(ROOT / "tests" / "support" / "fake_openai_server.py"), "--port", "0"]
    command += ["--script", str(tmp_path / "rules.json"), "--count", str(tmp_path / "spent.json")]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        url = json.loads(server.stdout.readline())["url"]
        told = json.loads(ask("--json", OPENAI_BASE_URL=url).stdout)
        spent = json.loads((tmp_path / "spent.json").read_text())
        assert told["answers"][0]["label"] == "Carol Reed"
        assert told["usage"]["calls"] == spent["answered"] == 3
        assert told["usage"]["prompt_tokens"] == spent["prompt_tokens"]
        told = json.loads(ask("--json", OPENAI_BASE_URL=url).stdout)  # the cache is on at temperature 0
        assert told["usage"]["calls"] == 0 and told["usage"]["cache_hits"] == 3
        capped = ask(OPENAI_BASE_URL=url, TRIPLEWISE_CACHE="off", TRIPLEWISE_MAX_CALLS="1")
        assert capped.returncode == 1 and "the cap of 1 call is reached" in capped.stderr
        assert "Traceback" not in capped.stderr
        assert json.loads((tmp_path / "spent.json").read_text())["requests"] == 4
    finally:
        server.terminate()
        server.wait(10)
        assert server.stdout is not None
        server.stdout.close()
    down = ask(OPENAI_BASE_URL=url, TRIPLEWISE_CACHE="off", TRIPLEWISE_MAX_RETRIES="0")
    assert down.returncode == 1 and "cannot be reached" in down.stderr
