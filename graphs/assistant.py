"""The assistant: chat with one or more graphs. What interfaces rely on is the class ``Assistant`` and its events.

::

    assistant = Assistant({"films": load_kg("films")}, "llamacpp:embedded", threads="threads.sqlite")
    async for event in assistant.stream(None, "Who directed Alien?", can_ask=True):
        print(event.to_json())

A turn is a run of a state machine (router or tool-calling agent, by the model's traits) whose checkpoints live until
the turn is over; what was said, and the evidence, is kept once, in tables of its own (``agents/assistant/threads.py``).
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.types import Command

from triplewise.agents.assistant.answers import verbalise
from triplewise.agents.assistant.events import (
    Answered,
    Citations,
    Done,
    Event,
    Failed,
    Option,
    ReadAs,
    Spent,
    Token,
)
from triplewise.agents.assistant.intents.choices import choose
from triplewise.agents.assistant.intents.intent import asks_of_choice
from triplewise.agents.assistant.intents.small_talk import number_taken
from triplewise.agents.assistant.memory import Remembered, reading_from, remember
from triplewise.agents.assistant.overview import Overview
from triplewise.agents.assistant.state import AssistantContext, AssistantOptions, can_call_tools
from triplewise.agents.assistant.threads import Message, Thread
from triplewise.errors import ConfigError, UserError
from triplewise.graphs import assistant_router
from triplewise.graphs.assistant_archive import Archive
from triplewise.graphs.assistant_methods import best_method, follow_ups_of, run_other
from triplewise.graphs.assistant_turns import (
    Checkpoints,
    Turn,
    failure,
    memory_of,
    remaining,
    remembered_texts,
    run_turn,
    said_before,
    spent,
)
from triplewise.kg.base import KGStore
from triplewise.types import Caps

__all__ = ["Assistant", "Message", "Overview", "Thread"]
_STATELESS = 1_000
"""Conversations of clients that keep them themselves, whose memory is kept here for their next request."""


class Assistant(Archive):
    """Turns over graphs, and the threads that they belong to. Safe for many threads at a time, on one event loop."""

    def __init__(
        self,
        kg: KGStore | str | Mapping[str, KGStore | str],
        model: BaseChatModel | str = "llamacpp:embedded",
        *,
        threads: str | Path | None = None,
        method: str = "",
        agent: bool | None = None,
        caps: Caps | None = None,
        thread_caps: Caps | None = None,
        scorer: Any = None,
        retriever: Any = None,
    ) -> None:
        """``kg``: a store or path, or several by name. ``threads``: an SQLite file or ``postgresql://…``; None keeps
        threads in memory. ``method``: for questions, "" for the best there is. ``agent``: True for the tool-calling
        agent, False for the router, None by the model's traits. ``caps`` bound one turn, ``thread_caps`` one thread."""
        super().__init__(kg, threads)
        if isinstance(model, str):
            from triplewise.backends import load_chat_model

            model = load_chat_model(model)
        self.model: BaseChatModel = model
        self.method = method or best_method(model)
        self.agent = can_call_tools(model) if agent is None else agent
        self._caps, self._thread_caps = caps or Caps(), thread_caps or Caps()
        self._scorer, self._retriever = scorer, retriever
        self._checkpoints = Checkpoints(threads)
        self._running: dict[str, asyncio.Task[None]] = {}
        self._stateless: OrderedDict[int, list[dict[str, Any]]] = OrderedDict()

    # turns -----------------------------------------------------------------------------------------

    async def stream(
        self,
        thread_id: str | None,
        text: str,
        *,
        can_ask: bool = False,
        kg: str | None = None,
        history: Sequence[tuple[str, str]] | None = None,
        reading: int | None = None,
        entities: Sequence[str] = (),
    ) -> AsyncIterator[Event]:
        """Run one turn. ``thread_id`` None opens a thread (its id is in ``Done``); an unknown one is created under that
        id. ``can_ask``: whether the client can answer ``Choices``; else the likeliest is taken, and said. ``kg``: which
        graph (default: the thread's, else the first). ``history``: earlier (role, text) of a client that keeps the
        conversation itself; then nothing is kept here. ``reading``, ``entities``: as of ``triplewise.ask``. Where the
        thread waits for a choice, ``text`` may be the answer; after an answer it may be the number of a reading.
        Closing the iterator stops the turn."""
        try:
            graph = self.graph_name(kg)
            if reading is not None and reading < 1:
                raise ConfigError(f"reading is {reading}; readings are counted from 1.")
            if not any(c.isalnum() for c in text):
                raise UserError("the message is empty.", "Say something in words.")
            given = {"reading": reading or 0, "entities": list(entities)}
            if thread_id is None and history is not None:
                events = self._run_stateless(text, graph, history, given)
            else:
                thread = self._threads.open(thread_id, graph)
                if kg is not None and thread.kg != graph:
                    self._threads.use_graph(thread.id, graph)
                elif thread.kg in self._graphs:
                    graph = thread.kg
                if thread.id in self._running:
                    yield Failed("this thread is still answering.", "Wait, or stop it first.", "busy")
                    yield Done(thread.id, "", "failed")
                    return
                option = self._option(thread, text, graph)
                if option is not None and (asked := asks_of_choice(text)):
                    await self._choose(thread.id, option)
                    events = self._begin(thread, text, graph, can_ask, given, asked)
                elif option is not None:
                    events = self._resume(thread.id, option)
                else:
                    events = self._begin(thread, text, graph, can_ask, given)
        except UserError as error:
            yield failure(error)
            yield Done(thread_id or "", "", "failed")
            return
        async for event in events:
            yield event

    async def resume(self, thread_id: str, choice: str | None = None) -> AsyncIterator[Event]:
        """Go on with the turn that waits, with an option's id (or its label or number); with None, go on with a turn
        that was cut off before its answer, by a kill for instance."""
        try:
            thread = self._threads.get(thread_id)
            if choice is None:
                events = self._again(thread)
            else:
                option = self._option(thread, choice, thread.kg)
                if option is None:
                    raise UserError("no choice of that name is waited for.", "Take the id of one of the options.")
                events = self._resume(thread_id, option)
        except UserError as error:
            yield failure(error)
            yield Done(thread_id, "", "failed")
            return
        async for event in events:
            yield event

    async def read_as(self, thread_id: str, message_id: str, reading: int) -> AsyncIterator[Event]:
        """Answer a message's question anew by its other reading ``reading`` (position in ``ReadAs.others``); the
        message then holds this answer."""
        try:
            owner, message = self._threads.message(message_id)
            read = message.data.get("read_as") or {}
            others = [reading_from(r) for r in read.get("others", ())]
            if owner != thread_id or not 0 <= reading < len(others):
                raise UserError(f"message {message_id!r} has no other reading {reading}.")
            kg = self._graphs[self.graph_name(self._threads.get(thread_id).kg)]
            *earlier, memory = message.data.get("memory") or [{}]
            before = [reading_from(read["reading"])] if read["reading"] else []
            readings = (*before, *others)
            result = await run_other(kg, self.model, memory.get("question", ""), readings, others[reading].number)
        except UserError as error:
            yield failure(error)
            yield Done(thread_id, message_id, "failed")
            return
        shown = verbalise(kg, result, message_id)
        task = "verify" if result.verdict else "ask"
        kept = replace(remember(kg, memory.get("said", ""), result, task), message=message_id)
        events = (
            Citations(message_id, shown.citations),
            ReadAs(message_id, result.reading, result.other_readings, result.margin),
            Answered(message_id, shown.text, shown.kind, shown.answers, shown.verdict, method=result.method),
            Spent(result.usage, 0.0),
        )
        data = {**message.data, "memory": [*earlier, kept.to_json()], **{e.type: e.to_json() for e in events}}
        self._threads.end(message_id, shown.text, "done", data)
        yield Token(shown.text)
        for event in events:
            yield event
        yield Done(thread_id, message_id)

    async def stop(self, thread_id: str) -> bool:
        """Stop the running turn, and the model, within a second; False where none runs."""
        task = self._running.get(thread_id)
        if task is None:
            return False
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        return True

    async def close(self) -> None:
        """Stop all turns and close the file."""
        for thread in list(self._running):
            await self.stop(thread)
        await self._checkpoints.close()
        self._threads.close()

    async def delete(self, thread_id: str) -> None:
        """Delete a thread with its evidence."""
        await self.stop(thread_id)
        for message in self._threads.delete(thread_id):
            await self._checkpoints.forget(message)

    def _begin(
        self, thread: Thread, text: str, graph: str, can_ask: bool, given: Mapping[str, Any], asked: str = ""
    ) -> AsyncIterator[Event]:
        """A turn that says ``text``; ``given``: how it is to be read; ``asked``: the part of it that is left to answer,
        where that is not all."""
        before = self._threads.messages(thread.id)
        message = self._threads.begin(
            thread.id, text, {"run": {"kg": graph, "can_ask": can_ask, "asked": asked, **given}}
        )
        return self._run(thread.id, message, before, asked or text, graph, can_ask, given)

    def _again(self, thread: Thread) -> AsyncIterator[Event]:
        said = self._threads.messages(thread.id)
        if thread.id in self._running or len(said) < 2 or said[-1].status not in ("running", "stopped", "failed"):
            raise UserError("no turn of this thread was cut off.", "Send a message.")
        run = said[-2].data.get("run", {})
        graph = self.graph_name(run.get("kg"))
        text = run.get("asked") or said[-2].text
        given = {"reading": run.get("reading", 0), "entities": run.get("entities", [])}
        return self._run(thread.id, said[-1].id, said[:-2], text, graph, bool(run.get("can_ask")), given)

    def _run(
        self, thread: str, message: str, before: Sequence[Message], text: str, graph: str, can_ask: bool,
        given: Mapping[str, Any],
    ) -> AsyncIterator[Event]:  # fmt: skip
        inputs = {
            **given,
            "messages": [*said_before(before), HumanMessage(text)],
            "memory": memory_of(before),
            "message": message,
        }
        caps = remaining(self._caps, self._thread_caps, spent(before))
        return self._stream(thread, message, inputs, graph, can_ask, caps)

    async def _choose(self, thread: str, option: Option) -> None:
        """End the turn that waits with its choice alone: the reply asks something else of it."""
        waiting = self._threads.messages(thread)[-1]
        offered = [o["id"] for o in waiting.data.get("choices", {}).get("options", ())]
        rivals = (option.id, *(n for n in offered if n != option.id))
        chosen = Remembered(
            waiting.text, waiting.text, topics=(option.id,), chosen=(option.id,), message=waiting.id, rivals=rivals
        )
        self._threads.end(waiting.id, waiting.text, "done", {**waiting.data, "memory": [chosen.to_json()]})
        await self._checkpoints.forget(waiting.id)

    def _resume(self, thread: str, option: Option) -> AsyncIterator[Event]:
        said = self._threads.messages(thread)
        graph = self.graph_name(said[-2].data.get("run", {}).get("kg"))
        caps = remaining(self._caps, self._thread_caps, spent(said))
        kept = dict(said[-1].data)
        kept.pop("choices", None)
        return self._stream(thread, said[-1].id, Command(resume=option.id), graph, True, caps, kept)

    def _stream(
        self, thread: str, message: str, inputs: Any, graph: str, can_ask: bool, caps: Caps,
        kept: dict[str, Any] | None = None,
    ) -> AsyncIterator[Event]:  # fmt: skip
        queue: asyncio.Queue[Event] = asyncio.Queue()
        turn = Turn(message, inputs, self._context(graph, can_ask), caps, queue.put_nowait, data=kept or {})

        async def work() -> None:
            try:
                await run_turn(self._machine, turn, self._checkpoints, resumed=isinstance(inputs, Command))
            finally:
                try:
                    self._threads.end(message, turn.text, turn.status, turn.data)
                except Exception as error:  # a full disk, a database that went away: the client is told all the same
                    turn.status = "failed"
                    queue.put_nowait(failure(error))
                self._running.pop(thread, None)
                queue.put_nowait(Done(thread, message, turn.status))  # pyright: ignore[reportArgumentType]
                if turn.status != "waiting":
                    await self._checkpoints.forget(message)

        self._running[thread] = asyncio.get_running_loop().create_task(work())
        return _drain(queue, self._running[thread])

    def _machine(self, checkpointer: Any) -> Any:
        return assistant_router.build(AssistantContext, checkpointer)

    def _context(self, graph: str, can_ask: bool) -> AssistantContext:
        kg = self._graphs[graph]
        return AssistantContext(kg, self.model, self.method, can_ask, self.agent, self._scorer, self._retriever)

    def _option(self, thread: Thread, text: str, graph: str) -> Option | None:
        """The option that a text means, where the thread waits for one."""
        if not thread.waiting:
            return None
        choices = self._threads.messages(thread.id)[-1].data.get("choices", {})
        found = [Option(**o) for o in choices.get("options", ())]
        kg = self._graphs[self.graph_name(graph)]
        return choose(kg, text, found, follow_ups_of(kg).by_date)

    async def _run_stateless(
        self, text: str, graph: str, history: Sequence[tuple[str, str]], given: Mapping[str, Any]
    ) -> AsyncIterator[Event]:
        kg = self._graphs[graph]
        said = tuple(history)
        known = self._stateless.get(hash((graph, said)))
        if known is None and number_taken(text) and not self.agent:
            known = await self._asked_again(graph, said)
        if known is None:
            known = await asyncio.to_thread(remembered_texts, said, lambda t: self._things(kg, t))
        messages = [HumanMessage(t) if role == "user" else AIMessage(t) for role, t in said]
        queue: asyncio.Queue[Event] = asyncio.Queue()
        inputs = {**given, "messages": [*messages, HumanMessage(text)], "memory": known, "message": ""}
        turn = Turn("", inputs, self._context(graph, False), self._caps, queue.put_nowait)

        async def work() -> None:
            try:
                await run_turn(self._machine, turn, self._checkpoints)
            finally:
                memory = [*known, *turn.data.get("memory", ())]
                self._stateless[hash((graph, (*said, ("user", text), ("assistant", turn.text))))] = memory
                while len(self._stateless) > _STATELESS:
                    self._stateless.popitem(last=False)
                queue.put_nowait(Done("", "", turn.status))  # pyright: ignore[reportArgumentType]

        async for event in _drain(queue, asyncio.get_running_loop().create_task(work())):
            yield event

    async def _asked_again(self, graph: str, history: Sequence[tuple[str, str]]) -> list[dict[str, Any]] | None:
        """What is remembered of the last question whose readings a reply numbers. Where that is no longer known here,
        after a restart for instance, the question is read once more."""
        said = list(history)
        while len(said) > 2 and number_taken(said[-2][1]):
            del said[-2:]
        if [role for role, _ in said[-2:]] != ["user", "assistant"]:
            return None
        key = hash((graph, tuple(said)))
        if key not in self._stateless:
            async for _ in self._run_stateless(said[-2][1], graph, said[:-2], {}):
                pass
        return self._stateless.get(key)

    def _things(self, kg: KGStore, text: str) -> list[str]:
        return list(dict.fromkeys(link.node for link in follow_ups_of(kg).own_links(text)))


async def _drain(queue: asyncio.Queue[Event], task: asyncio.Task[None]) -> AsyncIterator[Event]:
    """The events of a running turn; where nobody listens any more it is stopped."""
    try:
        while True:
            event = await queue.get()
            yield event
            if isinstance(event, Done):
                return
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await task


def make_graph() -> Any:
    """Entry point for ``langgraph.json``: the state machine alone, with a context of strings."""
    return assistant_router.build(AssistantOptions)
