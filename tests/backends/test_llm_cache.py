"""The LLM cache: a rerun costs nothing, keys tell models and parameters apart, damage is never served."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from pydantic import BaseModel

from triplewise.backends import load_chat_model
from triplewise.backends.cache import LLMCache, default_cache_path, stable_json
from triplewise.backends.calling import ReplyFormat, call_model, usage_of
from triplewise.backends.fake import ScriptedChatModel
from triplewise.errors import ConfigError
from triplewise.types import Usage

Server = Callable[..., Any]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache.sqlite"


def scripted(path: Path, *replies: Any, **options: Any) -> ScriptedChatModel:
    return ScriptedChatModel(responses=list(replies), cache=LLMCache(path), **options)


@pytest.mark.parametrize("second", ["invoke", "ainvoke", "batch", "abatch"])
def test_a_rerun_costs_no_call(fake_openai: Server, path: Path, second: str) -> None:
    server = fake_openai(["Paris"], cached_tokens=1)
    first = load_chat_model("openai:fake", cache=path).invoke("capital of France?")
    model = load_chat_model("openai:fake", cache=path)
    again = {
        "invoke": lambda: model.invoke("capital of France?"),
        "ainvoke": lambda: asyncio.run(model.ainvoke("capital of France?")),
        "batch": lambda: model.batch(["capital of France?"])[0],
        "abatch": lambda: asyncio.run(model.abatch(["capital of France?"]))[0],
    }[second]()
    assert (first.text, again.text) == ("Paris", "Paris")
    assert server.requests == 1
    assert usage_of(first) == Usage(calls=1, prompt_tokens=3, cached_tokens=1, completion_tokens=1)
    assert usage_of(again) == Usage(cache_hits=1)
    assert again.response_metadata["finish_reason"] == "stop"


async def test_call_model_counts_a_hit(path: Path) -> None:
    reply = ReplyFormat(parse=str)
    model = scripted(path, "Paris")
    asked = [SystemMessage("Answer."), HumanMessage("capital of France?")]
    first = await call_model(model, asked, reply, node="reason")
    again = await call_model(model, asked, reply, node="reason")
    assert first.step.usage.calls == 1 and first.step.usage.cache_hits == 0
    assert again.value == "Paris" and again.step.usage == Usage(cache_hits=1)
    assert len(model.calls) == 1


async def test_a_graph_that_streams_its_messages_uses_it(path: Path) -> None:
    from langgraph.graph import END, START, MessagesState, StateGraph

    model = scripted(path, "Paris it is")

    async def ask(state: MessagesState) -> dict[str, Any]:
        return {"messages": [await model.ainvoke(state["messages"])]}

    graph = StateGraph(MessagesState).add_node("ask", ask).add_edge(START, "ask").add_edge("ask", END).compile()
    for _ in range(2):
        state = {"messages": [HumanMessage("capital?", id="h")]}
        parts = [m[0].text async for m in graph.astream(state, stream_mode="messages")]  # pyright: ignore
        assert "".join(parts) == "Paris it is"
    assert len(model.calls) == 1


def test_hits_are_new_messages(path: Path) -> None:
    model = scripted(path, "Paris")
    first, *hits = [model.invoke("x") for _ in range(3)]
    assert first.id is not None and [hit.id for hit in hits] == [None, None]
    with sqlite3.connect(path) as connection:
        (value,) = connection.execute("SELECT value FROM replies").fetchone()
    connection.close()
    assert "id" not in json.loads(value)[0]


def test_tool_calls_metadata_and_blocks_survive(path: Path) -> None:
    call = {"name": "find", "args": {"name": "Älien\n", "n": [1, 2.5, None]}, "id": "1", "type": "tool_call"}
    reply = AIMessage(
        [{"type": "text", "text": "wait"}],
        tool_calls=[call],
        response_metadata={"finish_reason": "tool_calls", "logprobs": {"content": [{"token": "a", "logprob": -0.25}]}},
    )
    model = scripted(path, reply)
    first, again = model.invoke("x"), model.invoke("x")
    assert again.tool_calls == first.tool_calls == [call]
    assert again.content == first.content
    assert again.response_metadata["logprobs"]["content"][0]["logprob"] == -0.25


@pytest.mark.parametrize(
    "other",
    [
        {"temperature": 0.5},
        {"max_tokens": 5},
        {"top_p": 0.5},
        {"seed": 7},
        {"base_url": "http://localhost:1/v1"},
        {"model": "other"},
    ],
)
def test_keys_tell_settings_apart(fake_openai: Server, other: dict[str, Any]) -> None:
    server = fake_openai()

    def key(model: str = "fake", **settings: Any) -> str:
        return load_chat_model(f"openai:{model}", **{"base_url": server.url, **settings})._get_llm_string()

    assert key() == key() != key(**other)


def test_keys_tell_messages_and_call_arguments_apart(path: Path) -> None:
    model = scripted(path, *"abcdefg")
    asked = [
        model.invoke("x").text,
        model.invoke("y").text,
        model.invoke([SystemMessage("s"), HumanMessage("x")]).text,
        model.invoke("x", stop=["\n"]).text,
        model.invoke("x", grammar='root ::= "a"').text,
        model.invoke("x", grammar='root ::= "b"').text,
        model.invoke("x", max_tokens=3).text,
    ]
    assert asked == list("abcdefg")
    assert model.invoke("x", grammar='root ::= "a"').text == "e"


def test_stable_json_tells_classes_by_schema() -> None:
    def made(kind: Any) -> Any:
        class Reply(BaseModel):
            name: kind

        return Reply

    assert stable_json({"f": made(str)}) == stable_json({"f": made(str)}) != stable_json({"f": made(int)})
    assert stable_json({"a": 1, "b": 2}) == stable_json({"b": 2, "a": 1})


def test_what_json_cannot_hold_is_not_stored(path: Path) -> None:
    model = scripted(path, AIMessage("a", additional_kwargs={"parsed": object()}), "b")
    assert [model.invoke("x").text, model.invoke("x").text, model.invoke("x").text] == ["a", "b", "b"]


def test_structured_replies_are_right_the_second_time(fake_openai: Server, path: Path) -> None:
    class Capital(BaseModel):
        name: str

    fake_openai(['{"name": "Paris"}'])
    chain = load_chat_model("openai:fake", cache=path).with_structured_output(Capital, method="json_schema")
    assert chain.invoke("x") == chain.invoke("x") == Capital(name="Paris")


def test_errors_are_not_stored(fake_openai: Server, path: Path) -> None:
    server = fake_openai(["Paris"], ["empty", "ok"])
    model = load_chat_model("openai:fake", cache=path)
    with pytest.raises(Exception, match="choices"):
        model.invoke("x")
    assert model.invoke("x").text == "Paris" and server.requests == 2 and len(LLMCache(path)) == 1


def test_a_damaged_row_is_asked_for_again(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    model = scripted(path, "right", "right again")
    model.invoke("x")
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE replies SET value = replace(value, 'right', 'wrong')")
    connection.close()
    assert model.invoke("x").text == "right again"
    assert "damaged" in caplog.text
    assert model.invoke("x").text == "right again"


def test_rows_cannot_be_swapped(path: Path) -> None:
    model = scripted(path, "a", "b", "a again")
    model.invoke("x"), model.invoke("y")
    with sqlite3.connect(path) as connection:
        rows = connection.execute("SELECT key, value, checksum FROM replies").fetchall()
        (k1, v1, c1), (k2, v2, c2) = rows
        connection.execute("UPDATE replies SET value = ?, checksum = ? WHERE key = ?", (v2, c2, k1))
        connection.execute("UPDATE replies SET value = ?, checksum = ? WHERE key = ?", (v1, c1, k2))
    connection.close()
    assert model.invoke("x").text == "a again"


@pytest.mark.parametrize("damage", ["garbage", "middle", "truncated"])
@pytest.mark.parametrize("is_open", [False, True])
def test_a_damaged_file_is_set_aside(path: Path, damage: str, is_open: bool, caplog: pytest.LogCaptureFixture) -> None:
    cache = LLMCache(path)
    model = ScriptedChatModel(responses=lambda m, k: f"right {m[-1].text[:9]}" + " y" * 900, cache=cache)
    for i in range(60):
        model.invoke(f"{i} question")
    cache.close()
    data = bytearray(path.read_bytes())
    if damage == "garbage":
        data = bytearray(b"this is no database at all" * 100)
    elif damage == "middle":
        data[4096:-4096] = b"\xaa" * (len(data) - 8192)
    else:
        data = data[: len(data) // 3]
    path.write_bytes(data)
    if not is_open:
        model.cache = LLMCache(path)
    for i in range(60):
        assert model.invoke(f"{i} question").text.startswith(f"right {i} ")
    assert "damaged" in caplog.text and "kept as cache.sqlite.damaged-" in caplog.text
    assert list(path.parent.glob("cache.sqlite.damaged-*"))
    calls = len(model.calls)
    model.invoke("0 question")
    assert len(model.calls) == calls


def test_other_peoples_files_are_left_alone(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("my notes " * 100)
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE mine (x)")
    connection.close()
    for file in (notes, other):
        before = file.read_bytes()
        with pytest.raises(ConfigError, match="no LLM cache"):
            load_chat_model("fake:echo", cache=file)
        assert file.read_bytes() == before


def test_where_it_is(tmp_path: Path) -> None:
    assert default_cache_path() == Path(os.environ["XDG_CACHE_HOME"]) / "triplewise" / "llm.sqlite"
    load_chat_model("fake:echo", cache=True).invoke("x")
    assert len(LLMCache(default_cache_path())) == 1
    assert LLMCache(tmp_path).path == tmp_path / "llm.sqlite"


def test_when_it_is_on() -> None:
    assert load_chat_model("fake:echo").cache is False or load_chat_model("fake:echo").cache is None
    assert isinstance(load_chat_model("fake:echo", cache=None).cache, LLMCache)
    assert isinstance(load_chat_model("fake:echo", cache=True, temperature=0.7).cache, LLMCache)
    assert not isinstance(load_chat_model("fake:echo", cache=None, temperature=0.7).cache, LLMCache)


def test_a_place_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocker))
    with pytest.raises(ConfigError, match="cannot be used"):
        load_chat_model("fake:echo", cache=True)
    assert load_chat_model("fake:echo", cache=None).invoke("x").text == "x"
    assert "without a cache" in caplog.text


def test_threads_share_it(path: Path) -> None:
    model = ScriptedChatModel(responses=lambda m, k: m[-1].text.upper(), cache=LLMCache(path))
    wrong: list[str] = []

    def work(n: int) -> None:
        for i in range(50):
            text = f"q{(i * n) % 40}"
            if model.invoke(text).text != text.upper():
                wrong.append(text)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and len(LLMCache(path)) == 40


def test_processes_share_it(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    code = f"""
from triplewise.backends.cache import LLMCache
from triplewise.backends.fake import ScriptedChatModel
model = ScriptedChatModel(responses=lambda m, k: m[-1].text.upper(), cache=LLMCache({str(path)!r}))
for i in range(150):
    assert model.invoke(f"q{{i}}").text == f"Q{{i}}"
"""
    running = [subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True) for _ in range(4)]
    for process in running:
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0 and errors == ""
    assert len(LLMCache(path)) == 150


def test_clear(path: Path) -> None:
    model = scripted(path, "a", "b")
    model.invoke("x")
    cache = LLMCache(path)
    cache.clear()
    assert len(cache) == 0 and model.invoke("x").text == "b"


@pytest.fixture(autouse=True)
def _log_level(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
