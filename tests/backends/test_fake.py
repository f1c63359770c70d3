"""The scripted model: lists, rules, functions, faults, tool calls, streaming, usage, specs."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk

from triplewise.backends import load_chat_model
from triplewise.backends.fake import ScriptedChatModel
from triplewise.errors import BackendError, BackendTimeoutError, ConfigError


def test_list_in_order_then_an_error() -> None:
    model = ScriptedChatModel(responses=["a b", "c"])
    first = model.invoke("one two three")
    assert first.text == "a b"
    assert first.usage_metadata == {"input_tokens": 3, "output_tokens": 2, "total_tokens": 5}
    assert model.invoke("x").text == "c"
    with pytest.raises(BackendError, match="2 replies"):
        model.invoke("x")
    assert [messages[0].text for messages, _ in model.calls] == ["one two three", "x", "x"]


@pytest.mark.parametrize("rules", [[("capital", "Paris"), ("", "no idea")], {"capital": "Paris", "": "no idea"}])
def test_rules(rules: Any) -> None:
    model = ScriptedChatModel(responses=rules)
    assert [model.invoke(q).text for q in ("capital of France?", "hm?")] == ["Paris", "no idea"]


def test_no_rule_matches() -> None:
    with pytest.raises(BackendError, match="hm"):
        ScriptedChatModel(responses={"capital": "Paris"}).invoke("hm?")


def test_function_sees_messages_and_arguments() -> None:
    model = ScriptedChatModel(responses=lambda messages, kwargs: f"{messages[-1].text} {kwargs['grammar']}")
    assert model.invoke("x", grammar="root ::= y").text == "x root ::= y"


def test_faults_are_raised() -> None:
    model = ScriptedChatModel(responses=[BackendTimeoutError("too slow"), "ok"])
    with pytest.raises(BackendTimeoutError):
        model.invoke("x")
    assert model.invoke("x").text == "ok"


@pytest.mark.parametrize("text", ["", " ", "one", "a  b\nc \n", "\n\nfirst second"])
def test_streams_are_the_whole_reply(text: str) -> None:
    model = ScriptedChatModel(responses=[text, text, text])
    assert "".join(c.text for c in model.stream("x")) == text

    async def collect() -> str:
        return "".join([c.text async for c in model.astream("x")])

    assert asyncio.run(collect()) == text == asyncio.run(model.ainvoke("x")).text


def test_tool_calls_invoked_and_streamed() -> None:
    call = {"name": "find", "args": {"name": "Alien"}, "id": "1", "type": "tool_call"}
    model = ScriptedChatModel(responses=[AIMessage("", tool_calls=[call])] * 2)
    assert model.invoke("x").tool_calls == [call]
    message: Any = AIMessageChunk("")
    for chunk in model.stream("x"):
        message = message + chunk
    assert message.tool_calls == [call]


def test_stop_and_latency() -> None:
    model = ScriptedChatModel(responses=["one\ntwo"] * 2, latency=0.05)
    began = time.perf_counter()
    assert model.invoke("x", stop=["\n"]).text == "one"
    assert asyncio.run(model.ainvoke("x", stop=["\n"])).text == "one"
    assert time.perf_counter() - began >= 0.1


def test_specs(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text('["a"]')
    assert load_chat_model(f"fake:{script}").invoke("x").text == "a"
    script.write_text('[{"match": "x", "reply": "b"}]')
    assert load_chat_model(f"fake:{script}", temperature=0.5).invoke("x").text == "b"
    assert load_chat_model("fake:echo", timeout=3).invoke("hello").text == "hello"


@pytest.mark.parametrize("text", ["", "{", "{}", "[]", "[1]", '[{"match": "("}]', '[{"match": "(", "reply": ""}]'])
def test_bad_scripts(tmp_path: Path, text: str) -> None:
    (tmp_path / "script.json").write_text(text)
    with pytest.raises(ConfigError, match="fake"):
        load_chat_model(f"fake:{tmp_path}/script.json")


@pytest.mark.parametrize("spec", ["", "gpt-4o", "openai:", "anthropic:claude", "fake:/nowhere.json", ":x"])
def test_unknown_specs(spec: str) -> None:
    with pytest.raises(ConfigError) as raised:
        load_chat_model(spec)
    if "fake" not in spec:
        assert "llamacpp:embedded" in raised.value.hint and "openai:MODEL" in raised.value.hint
