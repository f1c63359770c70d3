"""Server-sent events: lines of JSON, comment lines in silence, and a stop of the source when the client goes.

Starlette cancels the response where the connection is closed; the cancellation reaches the source here, so that the
model stops at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

DONE = "data: [DONE]\n\n"


def data_line(value: Any) -> str:
    """One event. JSON escapes line breaks, so that no content can forge a second one."""
    return f"data: {json.dumps(value, ensure_ascii=False, separators=(',', ':'))}\n\n"


async def with_keep_alive(source: AsyncGenerator[str, None], seconds: float) -> AsyncGenerator[str, None]:
    """The source's texts, and a comment line wherever it is silent for ``seconds``."""
    pending: asyncio.Future[str] | None = None
    try:
        while True:
            pending = pending or asyncio.ensure_future(anext(source))
            done, _ = await asyncio.wait({pending}, timeout=seconds)
            if not done:
                yield ": still working\n\n"
                continue
            try:
                text = pending.result()
            except StopAsyncIteration:
                pending = None
                return
            pending = None
            yield text
    finally:
        if pending is not None:
            pending.cancel()
            with contextlib.suppress(asyncio.CancelledError, StopAsyncIteration):
                await pending
        await source.aclose()


class EventStream(StreamingResponse):
    """A response that streams ``source``. At its end, also where a client took nothing, ``source`` is closed, and
    ``events``, out of which it is made."""

    def __init__(self, source: AsyncGenerator[str, None], keep_alive: float, events: AsyncIterator[Any]) -> None:
        headers = {"X-Accel-Buffering": "no", "Cache-Control": "no-store"}
        self.lines = with_keep_alive(source, keep_alive)
        self.events = events
        super().__init__(self.lines, media_type="text/event-stream", headers=headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self.lines.aclose()
            if (close := getattr(self.events, "aclose", None)) is not None:
                await close()
