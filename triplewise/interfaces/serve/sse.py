"""Server-sent events: lines of JSON, comment lines in silence, and a stop of the source when the client goes.

Starlette cancels the response where the connection is closed; the cancellation reaches the source here, so that the
model stops at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator
from typing import Any

from starlette.responses import StreamingResponse

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


def event_stream(source: AsyncGenerator[str, None], keep_alive: float) -> StreamingResponse:
    """A response that streams ``source``."""
    headers = {"X-Accel-Buffering": "no", "Cache-Control": "no-store"}
    return StreamingResponse(with_keep_alive(source, keep_alive), media_type="text/event-stream", headers=headers)
