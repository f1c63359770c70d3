"""The log: one JSON object a line, of what happened and never of what was said.

A line of a request has its route (the template, without ids and queries), status, times and sizes; a line of a turn its
cost. An error is logged as its class and the places in our code: its message may quote a graph or a question.
"""

from __future__ import annotations

import json
import logging
import sys
import time
import traceback
from typing import Any, TextIO

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from triplewise.interfaces.serve.security import Refusal

_log = logging.getLogger("triplewise.serve")
INTERNAL = "Something failed in the server; its log says where."
_QUIET = ("uvicorn.access", "mcp", "httpx", "httpx2", "openai", "httpcore")
"""Loggers whose lines hold paths with queries, or contents."""


class _JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        data: dict[str, Any] = {"time": _utc(record.created), "level": record.levelname.lower()}
        event = getattr(record, "event", None)
        if isinstance(event, dict):
            data |= event
        elif record.name.startswith("uvicorn"):
            data |= {"event": "server", "text": str(record.msg).split("\n")[0][:200]}  # the template, not its arguments
        else:
            data |= {"event": "message", "logger": record.name}
        if record.exc_info and record.exc_info[1] is not None:
            data |= error_fields(record.exc_info[1])
        return json.dumps(data, ensure_ascii=True)


def error_fields(error: BaseException) -> dict[str, Any]:
    """An error's class and where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    return {
        "error": type(error).__name__,
        "at": [f"{f.filename.rsplit('/', 1)[-1]}:{f.lineno} {f.name}" for f in frames],
    }


def configure(stream: TextIO | None = None, *, everything: bool = True) -> None:
    """Send the log to ``stream`` (stderr), other libraries' from warnings on; ``everything``: each request too."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(_JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    _log.setLevel(logging.INFO if everything else logging.WARNING)
    for name in ("uvicorn", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
        logger.setLevel(logging.WARNING)
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.CRITICAL)


def log_event(event: str, **fields: Any) -> None:
    """One line: fields are numbers, flags and words of ours, never texts of a graph or a user."""
    _log.info(event, extra={"event": {"event": event, **fields}})


def log_error(event: str, error: BaseException) -> None:
    """One line of an error that was caught."""
    _log.error(event, extra={"event": {"event": event, **error_fields(error)}})


class RequestLog:
    """ASGI middleware: a line per request when it is over."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, seen = time.perf_counter(), {"status": 0, "bytes": 0}

        async def watched(message: Message) -> None:
            if message["type"] == "http.response.start":
                seen["status"] = message["status"]
            elif message["type"] == "http.response.body":
                seen["bytes"] += len(message.get("body", b""))
            await send(message)

        try:
            await self.app(scope, receive, watched)
        except (OSError, Refusal) as error:  # the client went away, or stopped reading
            log_event("disconnected", error=type(error).__name__)
        except Exception as error:
            log_error("failed", error)  # uvicorn, which would log the message too, need not hear of it
        finally:
            log_event(
                "request",
                method=scope["method"] if scope["method"] in ("GET", "HEAD", "POST", "DELETE") else "other",
                route=getattr(scope.get("route"), "path", "-"),
                status=seen["status"],
                bytes=seen["bytes"],
                ms=round((time.perf_counter() - began) * 1000, 1),
            )


def _utc(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{int(seconds * 1000) % 1000:03d}Z"
