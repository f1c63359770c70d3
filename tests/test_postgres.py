"""Postgres for conversations and replies: several servers at once, restarts, outages, and what must stay out of it."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from langchain_core.outputs import ChatGeneration, Generation
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from typer.testing import CliRunner

from triplewise import postgres
from triplewise.agents.assistant.events import Done, Failed
from triplewise.agents.assistant.threads import Threads
from triplewise.backends.cache import LLMCache
from triplewise.backends.fake import ScriptedChatModel
from triplewise.errors import BackendError, ConfigError
from triplewise.graphs.assistant import Assistant
from triplewise.interfaces.cli import app
from triplewise.kg import NetworkxStore

FILMS = NetworkxStore([("Alien", "directed by", "Ridley Scott")], name="films")


@pytest.fixture
def address(postgres_server: Any) -> str:
    return postgres_server.database()


@pytest.fixture
def stopped(postgres_server: Any) -> Any:
    """``stopped()`` stops the server, which runs again after the test."""
    stops = list[bool]()

    def stop() -> None:
        postgres_server.stop()
        stops.append(True)

    yield stop
    if stops:
        postgres_server.start()


def assistant(address: str) -> Assistant:
    return Assistant(FILMS, ScriptedChatModel(responses=["ask"]), agent=False, method="query-graph", threads=address)


async def last(events: AsyncIterator[Any]) -> tuple[Any, ...]:
    """The last two events of a turn."""
    found = [e async for e in events]
    return tuple(found[-2:])


async def test_a_conversation_is_there_on_every_server_and_after_restarts(address: str, postgres_server: Any) -> None:
    one, other = assistant(address), assistant(address)
    await last(one.stream("t", "Who directed Alien?", can_ask=True))
    assert [(t.id, t.turns) for t in await other.threads()] == [("t", 1)]
    postgres_server.stop()
    postgres_server.start()
    await last(other.stream("t", "Who directed Alien?", can_ask=True))
    said = await one.messages("t")
    assert [m.role for m in said] == ["user", "assistant"] * 2 and "Ridley Scott" in said[3].text
    assert (await one.evidence(said[3].id))[0].tail == "Ridley Scott"
    assert (await one.rename("t", "Alien")).title == (await other.threads())[0].title == "Alien"
    assert json.loads(await other.export("t"))["messages"][3]["text"] == said[3].text
    fork = await other.fork("t", said[2].id)
    assert [m.text for m in await one.messages(fork.id)] == [m.text for m in said[:2]]
    await one.delete("t")
    await other.delete(fork.id)
    assert await other.threads() == []
    await one.close()
    await other.close()
    database = postgres.Database(address, "")
    for table in ("thread", "message", "checkpoints", "checkpoint_blobs", "checkpoint_writes"):
        assert database.rows(f"SELECT count(*) FROM {table}") == [(0,)], table
    database.close()


async def test_processes_that_begin_at_once_make_the_tables_once(address: str) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: Threads(address), range(8)))
    serde = JsonPlusSerializer(allowed_msgpack_modules=None)
    savers = await asyncio.gather(*(postgres.saver(address, serde) for _ in range(4)))
    for _, connections in savers:
        await connections.close()
    with ThreadPoolExecutor(8) as pool:
        thread = made[0].open("t", "films").id
        list(pool.map(lambda t: [t.begin(thread, "at once") for _ in range(5)], made))
    said = made[0].messages(thread)
    assert len(said) == 80 and [m.role for m in said] == ["user", "assistant"] * 40
    for threads in made:
        threads.close()


async def test_a_turn_that_cannot_be_kept_is_told(address: str, stopped: Any) -> None:
    made = assistant(address)

    def stop_then_say(messages: Any, arguments: Any) -> str:
        stopped()
        return "chat"

    made.model = ScriptedChatModel(responses=stop_then_say)
    failed, done = await asyncio.wait_for(last(made.stream("t", "hm, well, whatever you say")), 30)
    assert isinstance(failed, Failed) and failed.kind == "backend" and "database" in failed.message
    assert isinstance(done, Done) and done.status == "failed"
    with pytest.raises(BackendError, match="the database failed"):
        await made.threads()
    await made.close()


def test_text_that_postgres_cannot_hold_is_kept_as_it_can(address: str) -> None:
    threads = Threads(address)
    threads.end(threads.begin(threads.open("t", "films").id, "a\0b 'c' %s ? é😀"), "\0", "done", {"x": "\0"})
    assert [m.text for m in threads.messages("t")] == ["a\ufffdb 'c' %s ? é😀", "\ufffd"]
    assert threads.messages("t")[1].data == {"x": "\0"}
    threads.close()


def reply(text: str) -> list[Generation]:
    from langchain_core.messages import AIMessage

    return [ChatGeneration(message=AIMessage(text))]


async def test_replies_are_shared_and_damage_is_found(address: str) -> None:
    one, other = LLMCache(address), LLMCache(address)
    model = ScriptedChatModel(responses=["Paris", "Paris again"], cache=one)
    again = ScriptedChatModel(responses=["never"], cache=other)
    assert model.invoke("capital?").text == again.invoke("capital?").text == (await again.ainvoke("capital?")).text
    assert len(model.calls) == 1 and not again.calls and len(other) == 1 and other.damaged() == 0
    database = postgres.Database(address, "")
    database.rows("UPDATE replies SET value = replace(value, 'Paris', 'Rome')")
    database.close()
    assert other.damaged() == 1 and model.invoke("capital?").text == "Paris again" and other.damaged() == 0
    one.clear()
    assert len(other) == 0
    one.close()
    other.close()


def test_without_its_server_the_cache_steps_aside(
    address: str, postgres_server: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = LLMCache(address)
    cache.update("a", "m", reply("one"))
    postgres_server.stop()
    try:
        assert cache.lookup("a", "m") is None and cache.lookup("a", "m") is None
        assert caplog.text.count("going on without it") == 1
    finally:
        postgres_server.start()
    monkeypatch.setattr(cache, "_ready_at", 0.0)  # as after a minute
    found = cache.lookup("a", "m")
    assert found is not None and found[0].text == "one"
    cache.close()


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # Python 3.12 on: other tests left threads
def test_a_fork_does_not_share_the_connection(address: str) -> None:
    threads = Threads(address)
    threads.open("t", "films")
    child = os.fork()
    if child == 0:
        os._exit(0 if threads.get("t").id == "t" else 1)
    assert os.waitpid(child, 0)[1] == 0 and threads.get("t").id == "t"
    threads.close()


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("postgresql://ada:hunter22@127.0.0.1/x", "holds a password"), ("postgresql://[x/y", "no address"),
        ("postgresql://ada@127.0.0.1:1/x", "cannot be used"),
    ],
)  # fmt: skip
def test_addresses_that_are_refused(postgres_server: Any, place: str, said: str) -> None:
    for kind in (Threads, LLMCache):
        with pytest.raises(ConfigError, match=said) as caught:
            kind(place)
        assert "hunter22" not in str(caught.value)


def test_a_wrong_password_is_told(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPASSWORD", "not this one")
    with pytest.raises(ConfigError, match="authentication failed") as caught:
        Threads(address)
    assert "not this one" not in str(caught.value)


def test_the_command_line_keeps_both_there(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "films.tsv").write_text("Alien\tdirected by\tRidley Scott\n")
    (tmp_path / "script.json").write_text('[{"match": ".", "reply": "ask"}]')
    monkeypatch.setenv("TRIPLEWISE_CACHE", address)
    model = f"fake:{tmp_path / 'script.json'}"
    flags = ["--kg", str(tmp_path / "films.tsv"), "--model", model, "--threads", address, "--thread", "t", "--router"]
    done = CliRunner().invoke(app, ["chat", *flags], input="Who directed Alien?\n")
    assert done.exit_code == 0 and "Ridley Scott" in done.output
    threads = Threads(address)
    assert [m.text for m in threads.messages("t")][1].startswith("Ridley Scott")
    threads.close()
    cache = LLMCache(address)
    assert "triplewise@" not in str(cache.path)
    cache.close()
