"""``langgraph dev`` over langgraph.json: every graph shows its schemas in the studio, and one is run through the server."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PATHS = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
COMMAND = shutil.which("langgraph", path=PATHS)
SCHEMAS = ("input_schema", "output_schema", "state_schema", "context_schema")
STARTS_IN = 120
"""Seconds."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(COMMAND is None, reason="no langgraph command: pip install --group langgraph"),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx2.Client]:
    """A client of ``langgraph dev``, which reads and writes below the folder that it is started in."""
    assert COMMAND
    folder = tmp_path_factory.mktemp("langgraph")
    shutil.copy(ROOT / "langgraph.json", folder)
    (folder / "graphs").symlink_to(ROOT / "graphs")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        COMMAND, "dev", "--no-browser", "--no-reload", "--host", "127.0.0.1", "--port", str(port),
    ]  # fmt: skip
    found = {"PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))}
    silent = {"LANGGRAPH_CLI_NO_ANALYTICS": "1", "LANGSMITH_TRACING": "false"}
    log = folder / "log"
    with log.open("wb") as written:
        process = subprocess.Popen(
            command, cwd=folder, env={**os.environ, **found, **silent}, stdout=written, stderr=subprocess.STDOUT,
            start_new_session=True,
        )  # fmt: skip
    try:
        with httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=120) as client:
            _wait(client, process, log)
            yield client
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)


def _wait(client: httpx2.Client, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + STARTS_IN
    while True:
        assert process.poll() is None and time.monotonic() < until, log.read_text(errors="replace")[-3000:]
        try:
            if client.get("/ok").status_code == 200:
                return
        except httpx2.TransportError:
            pass
        time.sleep(0.2)


def test_every_graph_shows_its_schemas(server: httpx2.Client) -> None:
    assistants = server.post("/assistants/search", json={"limit": 100}).json()
    listed = json.loads((ROOT / "langgraph.json").read_text())["graphs"]
    assert {a["graph_id"] for a in assistants} == set(listed)
    for assistant in assistants:
        schemas: dict[str, Any] = server.get(f"/assistants/{assistant['assistant_id']}/schemas").json()
        for name in SCHEMAS:
            assert schemas[name] and schemas[name]["properties"], (assistant["graph_id"], name)
        assert schemas["context_schema"]["properties"]["kg"]["default"] == "films", assistant["graph_id"]


def test_a_graph_runs_from_its_json_context(server: httpx2.Client) -> None:
    asked = {
        "assistant_id": "kg-gpt",
        "input": {"question": "who directed Alien?"},
        "context": {"kg": "films", "model": "fake:echo"},
    }
    reply = server.post("/runs/wait", json=asked)
    assert reply.status_code == 200, reply.text
    state = reply.json()
    assert [step["node"] for step in state["steps"]][:2] == ["link", "segment"] and state["text"]
