"""``openai:`` against a real HTTP server: every fault is a typed error or a success after retries."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import AIMessageChunk, HumanMessage
from pydantic import BaseModel

from triplewise.backends import load_chat_model
from triplewise.backends.openai import is_local
from triplewise.errors import (
    BackendError,
    BackendTimeoutError,
    BadResponseError,
    ConfigError,
    ContextOverflowError,
    RateLimitError,
)

Server = Callable[..., Any]
WAYS = ["invoke", "ainvoke", "stream", "astream"]


def call(model: Any, way: str, text: str = "capital of France?", **kwargs: Any) -> str:
    """The reply's text, by one of the four ways."""
    if way == "invoke":
        return model.invoke(text, **kwargs).text
    if way == "ainvoke":
        return asyncio.run(model.ainvoke(text, **kwargs)).text
    if way == "stream":
        return "".join(chunk.text for chunk in model.stream(text, **kwargs))

    async def collect() -> str:
        return "".join([chunk.text async for chunk in model.astream(text, **kwargs)])

    return asyncio.run(collect())


@pytest.mark.parametrize("way", WAYS)
def test_reply_and_usage(fake_openai: Server, way: str) -> None:
    server = fake_openai(["Paris it is"], cached_tokens=2)
    model = load_chat_model("openai:fake", max_tokens=9, seed=3, top_p=0.5)
    assert call(model, way, stop=["\n"]) == "Paris it is"
    body = server.bodies[0]
    assert (body["temperature"], body["seed"], body["top_p"], body["stop"]) == (0.0, 3, 0.5, ["\n"])
    assert body["max_tokens"] == 9 and "max_completion_tokens" not in body
    assert server.requests == server.answered == 1


@pytest.mark.parametrize("streamed", [False, True])
def test_usage_metadata_with_cached_tokens(fake_openai: Server, streamed: bool) -> None:
    fake_openai(["Paris it is"], cached_tokens=2)
    model = load_chat_model("openai:fake")
    message: Any
    if streamed:
        message = AIMessageChunk("")
        for chunk in model.stream("capital of France?"):
            message = message + chunk
    else:
        message = model.invoke("capital of France?")
    usage = message.usage_metadata
    assert (usage["input_tokens"], usage["output_tokens"]) == (3, 3)
    assert usage["input_token_details"]["cache_read"] == 2


# fault, error, words of the message, requests made with max_retries=1
FAULTS: list[tuple[str, type[Exception], str, int]] = [
    ("429:0.01", RateLimitError, "slow down", 2),
    ("429", RateLimitError, "slow down", 2),
    ("429:500", RateLimitError, "slow down", 1),
    ("500", BackendError, "status 500", 2),
    ("502", BackendError, "status 502", 2),
    ("close", BadResponseError, "disconnected", 2),
    ("400", BackendError, "temperature is not supported", 1),
    ("context", ContextOverflowError, "512 tokens", 1),
    ("401", ConfigError, "incorrect API key", 1),
    ("403", ConfigError, "not allowed", 1),
    ("404", ConfigError, "does not exist", 1),
    ("short", BadResponseError, "without sending complete", 2),
    ("truncated", BadResponseError, "valid reply", 1),
    ("utf8", BadResponseError, "valid reply", 1),
    ("html", BadResponseError, "Sign in", 1),
    ("null", BadResponseError, "valid reply", 1),
    ("empty", BadResponseError, "without choices", 1),
    ("nochoices", BadResponseError, "choices", 1),
    ("error200", BadResponseError, "worker died", 1),
]
STREAM_FAULTS: list[tuple[str, type[Exception], str, int]] = [
    ("cut", BadResponseError, "incomplete", 1),
    ("silent", BadResponseError, "broke off", 1),
    ("empty", BadResponseError, "broke off", 1),
    ("utf8", BadResponseError, "valid reply", 1),
    ("429:0.01", RateLimitError, "slow down", 2),
    ("500", BackendError, "status 500", 2),
    ("401", ConfigError, "incorrect API key", 1),
    ("context", ContextOverflowError, "512 tokens", 1),
]
CASES = [(way, *case) for way in WAYS[:2] for case in FAULTS] + [
    (way, *case) for way in WAYS[2:] for case in STREAM_FAULTS
]


@pytest.mark.parametrize(("way", "fault", "error", "words", "requests"), CASES, ids=lambda v: str(v)[:24])
def test_lasting_fault_is_a_typed_error(
    fake_openai: Server, way: str, fault: str, error: type[Exception], words: str, requests: int
) -> None:
    server = fake_openai(["Paris it is the capital"], [fault] * 9)
    with pytest.raises(error, match=words) as raised:
        call(load_chat_model("openai:fake", max_retries=1), way)
    assert type(raised.value) is error
    assert server.requests == requests
    if isinstance(raised.value, BadResponseError):  # a half reply says nothing against the address
        assert ("ends in /v1" in raised.value.hint) == (fault in ("html", "null", "nochoices", "error200"))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("fault", ["429:0.2", "429", "500", "502", "close"])
def test_passing_fault_is_tried_again(fake_openai: Server, way: str, fault: str) -> None:
    server = fake_openai(["Paris"], [fault])
    assert call(load_chat_model("openai:fake"), way) == "Paris"
    assert server.requests == 2 and server.answered == 1
    if fault == "429:0.2":
        assert server.times[1] - server.times[0] >= 0.2


def test_retries_are_capped(fake_openai: Server) -> None:
    server = fake_openai(["Paris"], ["429:0.01"] * 9)
    with pytest.raises(RateLimitError):
        load_chat_model("openai:fake", max_retries=3).invoke("x")
    assert server.requests == 4


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("fault", ["hang", "drip"])
def test_timeout(fake_openai: Server, way: str, fault: str) -> None:
    fake_openai(["Paris it is"], [fault] * 9)
    model = load_chat_model("openai:fake", timeout=0.3, max_retries=0)
    began = time.monotonic()
    if fault == "drip" and "stream" in way:
        assert call(model, way) == "Paris it is"  # pieces that keep coming are no timeout
    else:
        with pytest.raises(BackendTimeoutError, match=r"0\.3 s"):
            call(model, way)
    assert time.monotonic() - began < 3


@pytest.mark.parametrize("way", WAYS)
def test_nobody_listens(fake_openai: Server, way: str) -> None:
    server = fake_openai()
    server.__exit__()
    with pytest.raises(BackendError, match="cannot be reached") as raised:
        call(load_chat_model("openai:fake", max_retries=0), way)
    server.__enter__()
    assert type(raised.value) is BackendError


def test_many_event_loops(fake_openai: Server) -> None:
    server = fake_openai(["Paris"])
    model = load_chat_model("openai:fake")

    async def several() -> list[str]:
        return [m.text for m in await asyncio.gather(*(model.ainvoke("x") for _ in range(4)))]

    assert [asyncio.run(several()) for _ in range(3)] == [["Paris"] * 4] * 3
    assert model.invoke("x").text == "Paris"
    assert server.answered == 13


def test_calls_in_flight_are_bounded(fake_openai: Server) -> None:
    server = fake_openai(["Paris"], latency=0.02)
    model = load_chat_model("openai:fake", max_concurrency=5)
    asyncio.run(model.abatch([[HumanMessage(str(i))] for i in range(30)]))
    assert server.most_in_flight == 5
    model.batch([[HumanMessage(str(i))] for i in range(30)], config={"max_concurrency": 20})
    assert server.most_in_flight == 5


class Capital(BaseModel):
    """A capital."""

    name: str


@pytest.mark.parametrize("method", ["json_schema", "function_calling"])
def test_structured_output(fake_openai: Server, method: str) -> None:
    call_ = {"id": "c1", "type": "function", "function": {"name": "Capital", "arguments": '{"name": "Paris"}'}}
    reply = '{"name": "Paris"}' if method == "json_schema" else {"content": None, "tool_calls": [call_]}
    fake_openai([reply])
    chain = load_chat_model("openai:fake").with_structured_output(Capital, method=method)
    assert chain.invoke("capital of France?") == Capital(name="Paris")


def test_structured_output_that_breaks_the_schema(fake_openai: Server) -> None:
    fake_openai(['{"nam'])
    with pytest.raises(BadResponseError):
        load_chat_model("openai:fake").with_structured_output(Capital, method="json_schema").invoke("x")


def test_tool_calls_streamed(fake_openai: Server) -> None:
    call_ = {"id": "c1", "type": "function", "function": {"name": "Capital", "arguments": '{"name": "Paris"}'}}
    fake_openai([{"content": "", "tool_calls": [call_]}])
    message: Any = AIMessageChunk("")
    for chunk in load_chat_model("openai:fake").bind_tools([Capital]).stream("x"):
        message = message + chunk
    assert message.tool_calls[0]["args"] == {"name": "Paris"}


@pytest.mark.parametrize(
    "key",
    ["sk-...", "YOUR_KEY", "<your key>", "your-api-key", "sk-your-key-here", "xxxx", "changeme", "$OPENAI_API_KEY"],
)
def test_placeholder_keys_are_refused(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(ConfigError, match="placeholder"):
        load_chat_model("openai:gpt-4o-mini")


def test_key_is_needed_only_away_from_home(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="OPENAI_API_KEY"):
        load_chat_model("openai:gpt-4o-mini")
    with pytest.raises(ConfigError, match=r"api\.example\.com"):
        load_chat_model("openai:x", base_url="https://api.example.com/v1")
    for url in ("http://localhost:8080/v1", "http://192.168.1.5/v1", "http://vllm:8000/v1", "http://[::1]:8080/v1"):
        load_chat_model("openai:x", base_url=url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-proj-abcdef0123456789")
    assert load_chat_model("openai:gpt-4o-mini") is not None


def test_the_key_never_shows(monkeypatch: pytest.MonkeyPatch, fake_openai: Server) -> None:
    server = fake_openai(["ok"], key="sk-proj-abcdef0123456789")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-proj-abcdef0123456789")
    model: Any = load_chat_model("openai:x")
    assert model.invoke("x").text == "ok" and server.answered == 1
    assert "abcdef" not in repr(model) + str(model._identifying_params) + model._get_llm_string()


def test_is_local() -> None:
    assert is_local("localhost") and is_local("127.0.0.1") and is_local("10.0.0.9") and is_local("gpu.local")
    assert not is_local("api.openai.com") and not is_local("8.8.8.8")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"temperature": "hot"}, "temperature"),
        ({"base_url": "localhost:8080"}, "http://localhost"),
        ({"base_url": "http://localhost", "grammer": "x"}, "grammer"),
        ({"base_url": "http://localhost", "timeout": "soon"}, "timeout"),
        ({"base_url": "http://localhost", "max_concurrency": 0}, "max_concurrency"),
    ],
)
def test_bad_settings(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        load_chat_model("openai:x", **{"base_url": "http://localhost", **settings})


def test_token_counts_are_estimates_without_a_download() -> None:
    model = load_chat_model("openai:gpt-4o", base_url="http://localhost")
    assert model.get_num_tokens("abcd" * 10) == 10
    assert model.get_num_tokens_from_messages([HumanMessage("abcd")]) == 5
    with pytest.raises(BackendError):
        model.get_token_ids("abc")
