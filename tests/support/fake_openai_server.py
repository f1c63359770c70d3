"""A real HTTP server on loopback that speaks OpenAI's chat completions, scripted and with faults; and embeddings.

As a process of its own (prints ``{"port": …}`` on one line, then serves until it is killed)::

    python tests/support/fake_openai_server.py --port 0 --latency 0.2 --script replies.json --count spent.json

In a test::

    server = FakeOpenAI(replies=["Paris"], faults=["500", "ok"])
    with server:  # server.url is the base URL for OPENAI_BASE_URL
        ...
    assert server.requests == 2 and server.answered == 1

Replies: a list (the last one repeats), rules ``[{"match": regex, "reply": text}]`` on the last message,
or a function of the request's body that gives a text or a whole assistant message. Faults are taken one
per request, ``ok`` is none; after the last one every request is answered. ``spent.json`` holds requests,
answered, prompt_tokens and completion_tokens (words), rewritten before each reply is sent.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import re
import socket
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

FAULTS = {
    "ok": "answer",
    "429": "refuse; 'Retry-After' as in 429:1.5",
    "400": "bad request",
    "context": "400, the prompt is too long",
    "401": "wrong key",
    "403": "forbidden",
    "404": "no such model",
    "500": "server error",
    "502": "bad gateway, an HTML page",
    "hang": "accept, and never answer",
    "drip": "one byte of a right reply every 50 ms",
    "truncated": "half of the JSON, with a matching Content-Length",
    "short": "half of the JSON under the whole's Content-Length, then close",
    "utf8": "bytes that are no UTF-8",
    "html": "status 200 with an HTML page",
    "null": "status 200 with the JSON null",
    "empty": "no choices",
    "nochoices": "choices is null",
    "error200": "status 200 with an error object",
    "cut": "a stream that ends in the middle (a plain reply: as 'short')",
    "silent": "a stream that ends early but in an orderly way, without a finish_reason (a plain reply: as 'empty')",
    "close": "close the connection without a byte",
}

Replies = Sequence[Any] | Callable[[dict[str, Any]], Any]


class FakeOpenAI:
    """The server in a thread of its own; a context manager."""

    def __init__(
        self,
        replies: Replies = ("ok",),
        faults: Sequence[str] = (),
        *,
        latency: float = 0.0,
        key: str | None = None,
        count_file: str | Path | None = None,
        cached_tokens: int = 0,
    ) -> None:
        self.replies, self.faults, self.latency, self.key = replies, list(faults), latency, key
        self.count_file = Path(count_file) if count_file else None
        self.cached_tokens = cached_tokens
        self.requests = self.answered = self.prompt_tokens = self.completion_tokens = 0
        self.in_flight = self.most_in_flight = 0
        self.bodies: list[dict[str, Any]] = []
        self.times: list[float] = []
        self.port = 0
        self._given = 0
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> FakeOpenAI:
        started = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._main(started)), daemon=True)
        self._thread.start()
        assert started.wait(10), "the server did not start"
        return self

    def __exit__(self, *exc: object) -> None:
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    async def _main(self, started: threading.Event) -> None:
        self._loop, self._stop, self._tasks = asyncio.get_running_loop(), asyncio.Event(), set[asyncio.Task[None]]()
        server = await self.start("127.0.0.1", 0)
        started.set()
        await self._stop.wait()
        server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def start(self, host: str, port: int) -> asyncio.Server:
        """Listen in the running loop; ``port`` 0 takes a free one."""
        server = await asyncio.start_server(self._connection, host, port, backlog=1024)
        self.port = server.sockets[0].getsockname()[1]
        self.write_count()
        return server

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if hasattr(self, "_tasks") and task:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        sock = writer.get_extra_info("socket")
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            while (head := await _head(reader)) is not None:
                line, headers = head
                body = await reader.readexactly(int(headers.get("content-length", 0)))
                self.in_flight += 1
                self.most_in_flight = max(self.most_in_flight, self.in_flight)
                try:
                    goes_on = await self._request(line, headers, body, writer)
                finally:
                    self.in_flight -= 1
                if not goes_on:
                    break
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _request(self, line: str, headers: dict[str, str], body: bytes, writer: asyncio.StreamWriter) -> bool:
        """Serve one request; False where the connection must be closed after it."""
        method, path, _ = line.split(" ", 2)
        if method == "GET" and path.endswith("/models"):
            await _send(writer, 200, {"object": "list", "data": [{"id": "fake", "object": "model"}]})
            return True
        if method != "POST" or not path.endswith(("/chat/completions", "/embeddings")):
            await _send(writer, 404, {"error": {"message": f"no {method} {path}"}})
            return True
        asked = json.loads(body)
        self.requests += 1
        self.bodies.append(asked)
        self.times.append(time.monotonic())
        fault = self.faults.pop(0) if self.faults else "ok"
        if self.key and headers.get("authorization") != f"Bearer {self.key}":
            fault = "401"
        self.write_count()
        if self.latency:
            await asyncio.sleep(self.latency)
        if (refused := _refusal(fault)) is not None:
            await _send(writer, *refused)
            return True
        if fault == "hang":
            await asyncio.sleep(3600)
        if fault == "close":
            return False
        if path.endswith("/embeddings"):
            await _send(writer, 200, self._embeddings(asked, fault))
            return True
        return await self._answer(asked, fault, writer)

    async def _answer(self, asked: dict[str, Any], fault: str, writer: asyncio.StreamWriter) -> bool:
        message, usage = self._reply(asked)
        self.write_count()
        made = {"id": f"chatcmpl-{self.requests}", "created": int(time.time()), "model": asked.get("model", "fake")}
        if asked.get("stream") and fault not in ("truncated", "short", "html", "null", "nochoices", "error200"):
            return await _stream(writer, made, message, usage, fault, asked)
        finish = "tool_calls" if message.get("tool_calls") else "stop"
        choices: Any = [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}]
        choices = {"empty": [], "silent": [], "nochoices": None}.get(fault, choices)
        reply: Any = {**made, "object": "chat.completion", "choices": choices, "usage": usage}
        if fault == "error200":
            reply = {"error": {"message": "the worker died", "code": 500}}
        data = json.dumps(reply).encode()
        if fault == "utf8":
            data = data.replace(b'"content": "', b'"content": "\xff\xfe')
        data = {"null": b"null", "html": b"<html>Sign in</html>", "truncated": data[: len(data) // 2]}.get(fault, data)
        kind = "text/html" if fault == "html" else "application/json"
        writer.write(_header(200, {"Content-Type": kind, "Content-Length": str(len(data))}))
        if fault in ("short", "cut"):
            writer.write(data[: len(data) // 2])
            await writer.drain()
            return False
        if fault == "drip":
            for byte in data:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(0.05)
            return True
        writer.write(data)
        await writer.drain()
        return True

    def _embeddings(self, asked: dict[str, Any], fault: str) -> Any:
        """16 numbers a text, of its words; ``empty``, ``null`` and ``error200`` are the faults that mean something."""
        texts = asked["input"] if isinstance(asked["input"], list) else [asked["input"]]
        words = [re.findall(r"\w+", text.casefold()) for text in texts]
        data: list[Any] = [
            {"object": "embedding", "index": i, "embedding": [sum(crc32(f"{w}{n}".encode()) % 19 - 9.0 for w in row) for n in range(16)]}
            for i, row in enumerate(words)
        ]  # fmt: skip
        self.answered += 1
        self.prompt_tokens += sum(map(len, words))
        self.write_count()
        if fault in ("null", "error200"):
            return None if fault == "null" else {"error": {"message": "the worker died", "code": 500}}
        spent = {"prompt_tokens": sum(map(len, words)), "total_tokens": sum(map(len, words))}
        data = data[:-1] if fault == "empty" else data
        return {"object": "list", "data": data, "model": asked.get("model", "fake"), "usage": spent}

    def _reply(self, asked: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """The assistant message and its usage; counts them."""
        last = _text(asked["messages"][-1])
        if callable(self.replies):
            reply = self.replies(asked)
        elif self.replies and isinstance(self.replies[0], dict) and "match" in self.replies[0]:
            rules = (rule["reply"] for rule in self.replies if re.search(rule["match"], last, re.S))
            reply = next(rules, "no rule matches")
        else:
            reply = self.replies[min(self._given, len(self.replies) - 1)]
            self._given += 1
        message = {"role": "assistant", "content": reply} if isinstance(reply, str) else {"role": "assistant", **reply}
        prompt = sum(len(_text(m).split()) for m in asked["messages"])
        completion = len((message.get("content") or "").split()) + 5 * len(message.get("tool_calls") or ())
        self.answered += 1
        self.prompt_tokens += prompt
        self.completion_tokens += completion
        return message, {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
            "prompt_tokens_details": {"cached_tokens": min(self.cached_tokens, prompt)},
        }

    def write_count(self) -> None:
        """Write what was spent to the count file, whole or not at all."""
        if self.count_file is None:
            return
        names = ("requests", "answered", "prompt_tokens", "completion_tokens")
        part = self.count_file.with_suffix(".part")
        part.write_text(json.dumps({name: getattr(self, name) for name in names}))
        part.replace(self.count_file)


async def _head(reader: asyncio.StreamReader) -> tuple[str, dict[str, str]] | None:
    data = await reader.readuntil(b"\r\n\r\n") if not reader.at_eof() else b""
    if not data:
        return None
    line, *rest = data.decode("latin-1").rstrip().split("\r\n")
    return line, {k.lower(): v.strip() for k, _, v in (item.partition(":") for item in rest)}


def _text(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else " ".join(part.get("text", "") for part in content)


def _header(status: int, headers: dict[str, str]) -> bytes:
    lines = "".join(f"{k}: {v}\r\n" for k, v in headers.items())
    return f"HTTP/1.1 {status} X\r\n{lines}\r\n".encode()


async def _send(writer: asyncio.StreamWriter, status: int, data: Any, extra: dict[str, str] | None = None) -> None:
    html = isinstance(data, str)
    body = data.encode() if html else json.dumps(data).encode()
    kind = "text/html" if html else "application/json"
    writer.write(_header(status, {"Content-Type": kind, "Content-Length": str(len(body)), **(extra or {})}) + body)
    await writer.drain()


def _refusal(fault: str) -> tuple[int, Any, dict[str, str]] | None:
    name, _, after = fault.partition(":")

    def error(message: str, code: str = "") -> dict[str, Any]:
        return {"error": {"message": message, "type": "error", "code": code}}

    table: dict[str, tuple[int, Any]] = {
        "429": (429, error("slow down", "rate_limit_exceeded")),
        "400": (400, error("temperature is not supported")),
        "context": (400, error("maximum context length is 512 tokens", "context_length_exceeded")),
        "401": (401, error("incorrect API key")),
        "403": (403, error("not allowed")),
        "404": (404, error("the model does not exist", "model_not_found")),
        "500": (500, error("internal error")),
        "502": (502, "<html>Bad gateway</html>"),
    }
    if name not in table:
        assert name in FAULTS, f"no fault {name!r}"
        return None
    return (*table[name], {"Retry-After": after} if after else {})


async def _stream(
    writer: asyncio.StreamWriter,
    made: dict[str, Any],
    message: dict[str, Any],
    usage: dict[str, Any],
    fault: str,
    asked: dict[str, Any],
) -> bool:
    """The message as server-sent events, a word each."""

    def event(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return {**made, "object": "chat.completion.chunk", "choices": [choice]}

    words = re.findall(r"\s*\S+", message.get("content") or "")
    tools = [{"index": i, **call} for i, call in enumerate(message.get("tool_calls") or ())]
    events = [event({"role": "assistant", "content": ""}), *(event({"content": word}) for word in words)]
    events += [event({"tool_calls": tools})] if tools else []
    middle = len(events) // 2 + 1
    events.append(event({}, "tool_calls" if tools else "stop"))
    if (asked.get("stream_options") or {}).get("include_usage"):
        events.append({**made, "object": "chat.completion.chunk", "choices": [], "usage": usage})
    events = {"cut": events[:middle], "silent": events[:middle], "empty": []}.get(fault, events)
    parts = [f"data: {json.dumps(item)}\n\n".encode() for item in events]
    parts += [] if fault in ("cut", "silent") else [b"data: [DONE]\n\n"]
    if fault == "utf8":
        parts[1] = parts[1].replace(b'"content": "', b'"content": "\xff\xfe')
    writer.write(_header(200, {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"}))
    for part in parts:
        writer.write(b"%x\r\n%s\r\n" % (len(part), part))
        await writer.drain()
        if fault == "drip":
            await asyncio.sleep(0.05)
    if fault == "cut":
        return False
    writer.write(b"0\r\n\r\n")
    await writer.drain()
    return True


async def _serve(replies: Replies, options: argparse.Namespace) -> None:
    server = FakeOpenAI(replies, options.fault, latency=options.latency, key=options.key, count_file=options.count)
    listening = await server.start("127.0.0.1", options.port)
    print(json.dumps({"port": server.port, "url": server.url}), flush=True)
    await listening.serve_forever()


def main() -> None:
    """The command line; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each reply")
    parser.add_argument("--reply", default="ok", help="the one reply")
    parser.add_argument("--script", help="JSON file: a list of replies, or of {match, reply}")
    parser.add_argument("--fault", action="append", default=[], help=f"repeatable: {', '.join(FAULTS)}")
    parser.add_argument("--key", help="the key that requests must carry")
    parser.add_argument("--count", help="file for the count of what was spent")
    options = parser.parse_args()
    replies = json.loads(Path(options.script).read_text(encoding="utf-8")) if options.script else [options.reply]
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(replies, options))


if __name__ == "__main__":
    main()
