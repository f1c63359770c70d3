"""What tests of the server share: a key, and a server that runs in a thread."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx2 as httpx
from scripted_assistant import ScriptedAssistant

from triplewise.interfaces.serve.service import Service

KEY = "3f9c81d27ab5460e9d1c77aa02be"


@dataclass
class Served:
    """A server that runs in a thread."""

    url: str
    service: Service
    assistant: ScriptedAssistant
    others: list[ScriptedAssistant] = field(default_factory=list)
    lines: Any = None

    @property
    def port(self) -> int:
        return int(self.url.rsplit(":", 1)[1])

    def client(self, **options: Any) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=20, **options)

    def events(self, path: str, body: dict[str, Any]) -> list[dict[str, Any]]:
        with self.client() as client:
            response = client.post(path, json=body)
            assert response.status_code == 200, response.text
            return [json.loads(line[6:]) for line in response.text.splitlines() if line.startswith("data: {")]

    def raw(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)


Serve = Callable[..., Served]
