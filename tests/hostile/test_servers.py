"""Servers that drip, redirect, echo, flood or lie: attack.md 7, 8, 11, 12, 18, 20, 25."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import triplewise.backends.openai  # noqa: F401  loaded before any clock runs
from triplewise.backends import load_chat_model
from triplewise.backends.calling import _charged, usage_of
from triplewise.config import load_settings
from triplewise.errors import (
    BackendError,
    BackendTimeoutError,
    BadResponseError,
    ConfigError,
    RefusedReplyError,
    TriplewiseError,
)
from triplewise.redaction import SHOWN, redact
from triplewise.types import Price

KEY = "sk-proj-0123456789abcdefghij"
Handler = Callable[[socket.socket, threading.Event], None]


@contextmanager
def raw_server(handle: Handler) -> Iterator[str]:
    """A TCP server that reads a request's head and then does as the handler says, once per connection."""
    listening, stop = socket.create_server(("127.0.0.1", 0)), threading.Event()

    def one(sock: socket.socket) -> None:
        with contextlib.suppress(OSError), sock:
            data = b""
            while b"\r\n\r\n" not in data:
                data += sock.recv(65_536)
            handle(sock, stop)

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=one, args=(listening.accept()[0],), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
    finally:
        stop.set()
        listening.close()


def _drip(data: bytes) -> Handler:
    def handle(sock: socket.socket, stop: threading.Event) -> None:
        for i in range(len(data) * 1000):
            if stop.wait(0.02):
                return
            sock.sendall(data[i % len(data) :][:1])

    return handle


def _reply(content: str, **more: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": content, **more.pop("message", {})}
    choice = {"index": 0, "message": message, "finish_reason": more.pop("finish_reason", "stop")}
    return {"id": "1", "object": "chat.completion", "created": 1, "model": "x", "choices": [choice], **more}


def _says(reply: Any, status: str = "200 OK", headers: str = "") -> Handler:
    body = reply if isinstance(reply, bytes) else json.dumps(reply).encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n{headers}\r\n"

    def handle(sock: socket.socket, stop: threading.Event) -> None:
        sock.sendall(head.encode() + body)

    return handle


def _ask(url: str, way: str, **settings: Any) -> Any:
    model = load_chat_model("openai:x", base_url=url, **{"max_retries": 0, **settings})
    return model.invoke("hello") if way == "sync" else asyncio.run(model.ainvoke("hello"))


DRIPS = {
    "status line": b"HTTP/1.1 200 OK",
    "headers": b"HTTP/1.1 200 OK\r\nX-A: ",
    "100 continue": b"HTTP/1.1 100 Continue\r\n\r\n",
    "sse nobody asked for": b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + b": ping\n" * 300,
    "body": b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n" + b" " * 9_000,
}


@pytest.mark.parametrize("way", ["sync", "async"])
@pytest.mark.parametrize("what", DRIPS)
def test_a_drip_ends_at_the_deadline(what: str, way: str) -> None:
    started = time.monotonic()
    with raw_server(_drip(DRIPS[what])) as url, pytest.raises(BackendTimeoutError):
        _ask(url, way, timeout=0.5)
    assert time.monotonic() - started < 5


def test_a_stream_ends_too(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + b": ping\n" * 3000
    with raw_server(_drip(data)) as url:
        model = load_chat_model("openai:x", base_url=url, timeout=0.4, max_retries=0)
        started = time.monotonic()
        with pytest.raises(BackendTimeoutError):
            list(model.stream("hello"))
        assert time.monotonic() - started < 15


def test_doctor_does_not_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    from triplewise.interfaces.commands.doctor import _server

    with raw_server(_drip(DRIPS["headers"])) as url:
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        started = time.monotonic()
        assert _server(load_settings(model="openai:x")).state == "fail"
        assert time.monotonic() - started < 8


@pytest.mark.parametrize("way", ["sync", "async"])
def test_redirects_are_refused(way: str, fake_openai: Any) -> None:
    other = fake_openai(["stolen"])
    with raw_server(_says({}, "307 Temporary Redirect", f"Location: {other.url}/chat/completions\r\n")) as url:
        with pytest.raises(BackendError, match="redirects to"):
            _ask(url, way)
    assert other.requests == 0


@pytest.mark.parametrize("way", ["sync", "async"])
def test_a_reply_has_bounds(way: str) -> None:
    body = b'{"choices": "' + b"x" * 17 * 2**20
    with raw_server(_says(body)) as url, pytest.raises(BadResponseError, match="more than 16 MiB"):
        _ask(url, way)

    def endless(sock: socket.socket, stop: threading.Event) -> None:
        sock.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while not stop.is_set():
            sock.sendall(b"10000\r\n" + b"x" * 65_536 + b"\r\n")

    with raw_server(endless) as url, pytest.raises(BadResponseError, match="more than 16 MiB"):
        _ask(url, way)
    with raw_server(_says(b"x", headers="Content-Encoding: gzip\r\n")) as url:
        with pytest.raises(BadResponseError, match="compressed"):
            _ask(url, way)


@pytest.mark.parametrize("way", ["sync", "async"])
def test_a_key_that_is_echoed_is_taken_out(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with raw_server(_says(_reply(f"your key is {KEY}", system_fingerprint=KEY))) as url:
        message = _ask(url, way)
        assert KEY not in repr(message) and SHOWN in message.text
    with raw_server(_says({"error": {"message": f"bad key Bearer {KEY}"}}, "401 Unauthorized")) as url:
        with pytest.raises(ConfigError) as refused:
            _ask(url, way)
        assert KEY not in str(refused.value) and KEY[:12] not in str(refused.value)


@pytest.mark.parametrize("key", [f"{KEY}\rx", f"{KEY}\nX-A: 1", f"{KEY}é", f"{KEY} x", f"{KEY}\x00"])
def test_a_key_that_no_header_takes(key: str) -> None:
    with pytest.raises(ConfigError, match="no key has") as caught:
        load_chat_model("openai:x", base_url="http://127.0.0.1:9/v1", api_key=key)
    assert KEY not in str(caught.value)


def test_a_password_in_the_address_is_not_shown() -> None:
    with pytest.raises(BackendError) as caught:
        _ask("http://me:hunter22@127.0.0.1:9/v1", "async")
    assert "hunter22" not in str(caught.value) and "127.0.0.1:9" in str(caught.value)
    assert "hunter22" not in str(TriplewiseError("see http://me:hunter22@host/x"))
    assert redact(f"Authorization: Bearer {KEY}") == f"Authorization: Bearer {SHOWN}"


@pytest.mark.parametrize(
    "url", ["http://a\r\nX: 1/v1", "http://[::1/v1", "http://a b/v1", "http://é/v1", "http://a:99999/v1"]
)
def test_addresses_that_are_none(url: str) -> None:
    with pytest.raises(ConfigError, match="OPENAI_BASE_URL"):
        load_chat_model("openai:x", base_url=url)


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:1", "garbage://", "http://", "http://[::1", ":::"])
def test_proxies_that_cannot_be_used(proxy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", proxy)
    monkeypatch.setenv("no_proxy", "")
    with pytest.raises(ConfigError, match="proxy"):
        load_chat_model("openai:x", base_url="http://gpu:9/v1")


USAGES: list[Any] = [
    {"prompt_tokens": -5, "completion_tokens": 1}, {"prompt_tokens": "many"}, [], "x", 7, {"prompt_tokens": 10**30},
    {"prompt_tokens": 1.5}, {"prompt_tokens": 3, "prompt_tokens_details": 4}, {"prompt_tokens": True}, None,
    {"prompt_tokens": 3, "completion_tokens": 1, "total_tokens": 4, "prompt_tokens_details": {"cached_tokens": -1}},
]  # fmt: skip


@pytest.mark.parametrize("way", ["sync", "async"])
@pytest.mark.parametrize("usage", USAGES, ids=str)
def test_odd_usage_still_counts(usage: Any, way: str) -> None:
    with raw_server(_says(_reply("Ridley Scott", usage=usage))) as url:
        message = _ask(url, way)
    assert message.text == "Ridley Scott"
    charged = _charged(usage_of(message), [message], message)
    assert charged.prompt_tokens > 0 and charged.completion_tokens >= 0


BODIES: list[Any] = [
    b'{"choices": ' + b"[" * 100_000, b'{"choices": ' + b'{"a":' * 50_000, b"9" * 100_000, b"\xff\xfe", b"",
    _reply("x", choices=[None]), _reply("x", choices=[{"message": 7}]), _reply("x", choices={"a": 1}),
    {"choices": [{"message": {"role": "assistant", "content": {"a": 1}}}]},
    b'{"choices": [{"index": ' + b"9" * 5_000 + b'}]}',
]  # fmt: skip


@pytest.mark.usefixtures("collected")
@pytest.mark.parametrize("way", ["sync", "async"])
@pytest.mark.parametrize("number", range(len(BODIES)))
def test_bodies_that_are_no_reply(number: int, way: str) -> None:
    with raw_server(_says(BODIES[number])) as url, pytest.raises(BackendError):
        _ask(url, way)


def test_surrogates_in_a_reply_are_replaced() -> None:
    with raw_server(_says(_reply("a\ud800b"))) as url:
        from triplewise.backends.reply import read_reply

        assert read_reply(_ask(url, "async")) == "a\ufffdb"


@pytest.mark.parametrize("way", ["sync", "async"])
@pytest.mark.parametrize(
    "reply",
    [_reply("", message={"refusal": "I cannot help with that"}), _reply("Ridl", finish_reason="content_filter")],
    ids=["refusal", "filter"],
)
def test_a_refusal_is_no_answer(reply: dict[str, Any], way: str) -> None:
    with raw_server(_says(reply)) as url, pytest.raises(RefusedReplyError, match=r"refused|filter"):
        _ask(url, way)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1.0, True, "1"])
def test_prices_that_are_none(value: Any) -> None:
    with pytest.raises(ConfigError, match="price"):
        Price(value, 1.0)
