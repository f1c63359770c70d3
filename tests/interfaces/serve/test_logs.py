"""The log tells what happened and never what was said; the server stops in order."""

from __future__ import annotations

import io
import json
import logging
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx2 as httpx
import pytest
from served import KEY, Serve

from triplewise.interfaces.serve import logs

SUPPORT = Path(__file__).resolve().parents[2] / "support"


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """The log as text; the loggers are put back after the test."""
    stream = io.StringIO()
    root = logging.getLogger()
    names = ("triplewise.serve", "uvicorn", "uvicorn.error", *logs._QUIET)
    kept = {name: (logging.getLogger(name).level, list(logging.getLogger(name).handlers)) for name in names}
    handlers, level = list(root.handlers), root.level
    logs.configure(stream)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)
    for name, (was, own) in kept.items():
        logging.getLogger(name).setLevel(was)
        logging.getLogger(name).handlers[:] = own


def test_a_line_per_request_and_turn_without_contents(serve: Serve, log: io.StringIO) -> None:
    served = serve(key=KEY)
    said = "Who made Blade Runner, by the way of SECRETWORD?"
    with served.client(headers={"Authorization": f"Bearer {KEY}"}) as client:
        client.post("/api/turn", json={"text": said})
        client.post("/v1/chat/completions", json={"messages": [{"role": "user", "content": said}]})
        client.get("/api/graphs/films/node", params={"id": "Blade Runner"})
        client.get("/api/threads/SECRETWORD")
        client.get("/SECRETWORD?SECRETWORD")
        client.post("/api/turn", json={"text": {"SECRETWORD": 1}})
        client.post("/api/turn", content=b"SECRETWORD", headers={"Content-Type": "application/json"})
        client.request("SECRETWORD", "/")
        client.get("/api/start", headers={"Host": "SECRETWORD.example", "Cookie": "SECRETWORD"})
    time.sleep(0.2)
    text = log.getvalue()
    for hidden in ("SECRETWORD", "Blade Runner", "Ridley", KEY):
        assert hidden not in text, hidden
    lines = [json.loads(line) for line in text.splitlines()]
    requests = [line for line in lines if line.get("event") == "request"]
    assert {"/api/turn", "/v1/chat/completions", "/api/graphs/{name}/node", "/api/threads/{thread_id}", "-"} <= {
        r["route"] for r in requests
    }
    turns = [line for line in lines if line.get("event") == "turn"]
    assert [t["client"] for t in turns] == ["page", "openai"] and turns[0]["tokens"] == 366


def test_an_error_is_its_class_and_place(serve: Serve, log: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    served = serve(max_turns=9)

    def broken(*args: object, **options: object) -> object:
        raise RuntimeError("SECRETWORD")

    monkeypatch.setattr(served.assistant, "overview", broken)
    with served.client() as client:
        assert client.get("/api/start").status_code == 500
    time.sleep(0.1)
    text = log.getvalue()
    assert "SECRETWORD" not in text
    [failed] = [json.loads(line) for line in text.splitlines() if '"failed"' in line]
    assert failed["error"] == "RuntimeError" and any("test_logs.py" in place for place in failed["at"])


@pytest.mark.parametrize("sent", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)])
def test_told_to_stop_it_ends_turns_and_goes(sent: signal.Signals, tmp_path: Path) -> None:
    code = f"import sys; sys.path.append({str(SUPPORT)!r}); import serve_child"
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "HOME": str(tmp_path)},
    )
    assert process.stdout and process.stderr
    url = process.stdout.readline().split()[2]
    with (
        httpx.Client(base_url=url, timeout=20) as client,
        client.stream("POST", "/api/turn", json={"text": "slow"}) as response,
    ):
        lines = response.iter_lines()
        next(lines)
        began = time.monotonic()
        process.send_signal(sent)
        with pytest.raises(httpx.HTTPError):
            list(lines)
            raise httpx.ReadError("the stream ended")
    code_of_end = process.wait(15)
    assert time.monotonic() - began < 10
    errors = process.stderr.read()
    process.stdout.close()
    process.stderr.close()
    assert code_of_end in (0, -sent, 130), (code_of_end, errors)
    assert "Traceback" not in errors
    assert "stopped" in [json.loads(line).get("event") for line in errors.splitlines()]
    assert "closed" in (tmp_path / "closed").read_text()
