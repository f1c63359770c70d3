"""An assistant that answers by a script, with the events and the threads of the real one: for tests of the servers.

What it says is looked up in its graph, so that citations are triples of it; names in a sentence choose the answer.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from triplewise.agents.assistant.events import (
    Answered,
    Choices,
    Citation,
    Citations,
    Done,
    Event,
    Failed,
    Option,
    ReadAs,
    Rewritten,
    Spent,
    StepFinished,
    StepStarted,
    Token,
    Warned,
)
from triplewise.errors import UserError
from triplewise.graphs.assistant import Assistant, Message, Overview, Thread
from triplewise.kg import load_kg
from triplewise.kg.base import KGStore
from triplewise.types import Answer, Reading, Usage


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class ScriptedAssistant(Assistant):
    """``latency``: seconds per step. Sentences: "which Alien" asks back, "predict" predicts, "fail" fails, "slow" takes ten
    seconds, "hello" is talk, "nothing" finds nothing, "unsure" only offers a reading; a name of the graph answers with the triples at it."""

    def __init__(
        self, graphs: Mapping[str, KGStore], latency: float = 0.0, state: dict[str, Any] | None = None
    ) -> None:
        self.stores = dict(graphs)
        self.latency = latency
        state = {} if state is None else state
        self.rows: dict[str, Thread] = state.setdefault("rows", {})
        self.said: dict[str, list[Message]] = state.setdefault("said", {})
        self.counter: list[int] = state.setdefault("counter", [0])
        self.pending: dict[str, str] = state.setdefault("pending", {})
        self.tasks: dict[str, asyncio.Event] = {}
        self.stopped_models = 0
        self.asked: list[tuple[str, Any]] = []
        self.given: list[tuple[int | None, list[str]]] = []
        self.closed = False

    def _id(self, prefix: str) -> str:
        self.counter[0] += 1
        return f"{prefix}{self.counter[0]}"

    async def stream(  # type: ignore[override]
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
        self.asked.append((text, list(history or ())))
        self.given.append((reading, list(entities)))
        thread_id = thread_id or self._id("t")
        if thread_id not in self.rows:
            name = kg or next(iter(self.stores))
            self.rows[thread_id] = Thread(thread_id, text[:60], name, now(), now(), 0)
            self.said[thread_id] = []
        if thread_id in self.tasks:
            yield Failed("another turn of this thread is running.", "Wait for it.", "busy")
            yield Done(thread_id, "", "failed")
            return
        if thread_id in self.pending:
            async for event in self._answer(thread_id, text):
                yield event
            return
        self.said[thread_id].append(Message(self._id("u"), "user", text, now()))
        async for event in self._run(thread_id, text, can_ask):
            yield event

    async def _run(self, thread_id: str, text: str, can_ask: bool) -> AsyncIterator[Event]:
        message_id = self._id("m")
        stop = self.tasks[thread_id] = asyncio.Event()
        try:
            async for event in self._events(thread_id, message_id, text, can_ask, stop):
                yield event
        except (asyncio.CancelledError, GeneratorExit):
            self.stopped_models += 1
            raise
        finally:
            del self.tasks[thread_id]

    async def _events(
        self, thread_id: str, message_id: str, text: str, can_ask: bool, stop: asyncio.Event
    ) -> AsyncIterator[Event]:
        yield StepStarted("s1", "router", "Reading the question")
        await asyncio.sleep(self.latency)
        yield StepFinished("s1", "router", "ok", "a question", self.latency)
        if text.startswith("and "):
            yield Rewritten(text, f"Who {text[4:]}", "the subject of the question before")
        if "fail" in text:
            yield Failed("the model did not answer.", "Check the server at OPENAI_BASE_URL.", "backend")
            yield Done(thread_id, message_id, "failed")
            return
        if "slow" in text:
            for _ in range(200):
                if stop.is_set():
                    self.stopped_models += 1
                    yield Done(thread_id, message_id, "stopped")
                    return
                await asyncio.sleep(0.05)
        if "hello" in text.lower():
            async for event in self._finish(thread_id, message_id, "Hello! Ask me about the graph.", "chat", (), ()):
                yield event
            return
        store = self.stores[self.rows[thread_id].kg]
        if "which alien" in text.lower() and can_ask:
            self.pending[thread_id] = text
            options = (Option("Alien", "Alien", "film, 1979"), Option("Aliens", "Aliens", "film, 1986"))
            choices = Choices(message_id, "Which Alien do you mean?", options)
            self._keep(thread_id, message_id, choices.question, {"choices": choices.to_json()})
            yield choices
            yield Spent(Usage(1, 40, 0, 3), self.latency)
            yield Done(thread_id, message_id, "waiting")
            return
        yield StepStarted("s2", "ask_graph", "Asking the graph")
        yield StepStarted("s3", "linker", "Finding the names", "s2")
        await asyncio.sleep(self.latency)
        yield StepFinished("s3", "linker", "ok", "1 name", self.latency)
        found = "" if "nothing" in text else self._entity(store, text)
        yield StepFinished("s2", "ask_graph", "ok" if found else "fallback", "", self.latency)
        if not found:
            words = f"The graph does not say. Looked for: {text[:80]}"
            offered = (Reading("Films of Jane Campion", {"select": "?y"}, ("b",), 0.3),)
            read = ReadAs(message_id, None, offered) if "unsure" in text else None
            if read:
                yield read
            async for event in self._finish(thread_id, message_id, words, "nothing", (), (), read):
                yield event
            return
        async for event in self._facts(thread_id, message_id, store, found, text):
            yield event

    async def _facts(
        self, thread_id: str, message_id: str, store: KGStore, found: str, text: str
    ) -> AsyncIterator[Event]:
        triples = list(store.neighborhood([found], 1))
        kinds: tuple[Any, ...] = ("predicted",) if "predict" in text else ("asserted", "asserted", "inferred")
        cited = tuple(
            Citation(
                i, f"{message_id}#{i}", t.head, t.relation, t.tail,
                (store.display(t.head), store.relation_label(t.relation), store.display(t.tail)),
                kinds[(i - 1) % len(kinds)], 0.83 if "predict" in text else None,
            )
            for i, t in enumerate(triples[:3], 1)
        )  # fmt: skip
        context = tuple(
            Citation(
                0, f"{message_id}#c{i}", t.head, t.relation, t.tail,
                (store.display(t.head), store.relation_label(t.relation), store.display(t.tail)),
            )
            for i, t in enumerate(triples[3:11])
        )  # fmt: skip
        yield Citations(message_id, cited, context)
        reading = Reading(f"What the graph says of {store.display(found)}", {"select": "?x"}, ("a",), 0.8)
        other = Reading(f"Films with {store.display(found)} in their title", {"select": "?y"}, ("b",), 0.1, 2)
        read = ReadAs(message_id, reading, (other,), 0.7)
        yield read
        said = "; ".join(f"{c.labels[0]} – {c.labels[1]} – {c.labels[2]} [{c.n}]" for c in cited) + "."
        for word in said.split(" "):
            yield Token(word + " ")
        if "warn" in text:
            yield Warned("the graph's newest triple is of 2019.")
        async for event in self._finish(
            thread_id, message_id, said, "prediction" if "predict" in text else "answer", cited, context, read
        ):
            yield event

    async def _finish(
        self,
        thread_id: str,
        message_id: str,
        text: str,
        kind: Any,
        cited: tuple[Citation, ...],
        context: tuple[Citation, ...],
        read: ReadAs | None = None,
    ) -> AsyncIterator[Event]:
        answers = tuple(Answer(c.tail, c.labels[2], (c.n - 1,)) for c in cited)
        answered = Answered(message_id, text, kind, answers, method="query-graph")
        spent = Spent(Usage(2, 321, 100, 45, cost=0.0004), 3 * self.latency)
        data = {"answer": answered.to_json(), "usage": spent.to_json()}
        if cited:
            data["citations"] = Citations(message_id, cited, context).to_json()
        if read:
            data["read_as"] = read.to_json()
        self._keep(thread_id, message_id, text, data)
        yield answered
        yield spent
        yield Done(thread_id, message_id)

    def _keep(self, thread_id: str, message_id: str, text: str, data: dict[str, Any]) -> None:
        self.said[thread_id].append(Message(message_id, "assistant", text, now(), "done", json.loads(json.dumps(data))))
        row = self.rows[thread_id]
        self.rows[thread_id] = replace(row, turns=row.turns + 1, updated=now(), waiting=thread_id in self.pending)

    @staticmethod
    def _entity(store: KGStore, text: str) -> str:
        names = sorted(store.entities(), key=lambda e: -len(store.label(e)))
        return next((e for e in names if store.label(e).lower() in text.lower()), "")

    async def _answer(self, thread_id: str, choice: str) -> AsyncIterator[Event]:
        self.pending.pop(thread_id)
        self.said[thread_id].append(Message(self._id("u"), "user", choice, now()))
        async for event in self._run(thread_id, choice, False):
            yield event

    async def resume(self, thread_id: str, choice: str | None = None) -> AsyncIterator[Event]:  # type: ignore[override]
        if thread_id not in self.pending:
            raise UserError("nothing waits in this thread.")
        async for event in self._answer(thread_id, choice or ""):
            yield event

    async def read_as(self, thread_id: str, message_id: str, reading: int) -> AsyncIterator[Event]:  # type: ignore[override]
        self.said[thread_id] = [m for m in self.said[thread_id] if m.id != message_id]
        async for event in self._events(thread_id, message_id, "Jane Campion", False, asyncio.Event()):
            yield event

    async def stop(self, thread_id: str) -> bool:
        if thread_id in self.tasks:
            self.tasks[thread_id].set()
            return True
        return False

    async def close(self) -> None:
        self.closed = True

    async def threads(self, limit: int = 100, before: str | None = None) -> list[Thread]:
        rows = sorted(self.rows.values(), key=lambda r: r.updated, reverse=True)
        return [r for r in rows if before is None or r.updated < before][:limit]

    def _row(self, thread_id: str) -> Thread:
        if thread_id not in self.rows:
            raise UserError("there is no such conversation.")
        return self.rows[thread_id]

    async def messages(self, thread_id: str) -> list[Message]:
        self._row(thread_id)
        return list(self.said[thread_id])

    async def rename(self, thread_id: str, title: str) -> Thread:
        self.rows[thread_id] = replace(self._row(thread_id), title=title)
        return self.rows[thread_id]

    async def export(self, thread_id: str, format: Any = "json") -> str:
        self._row(thread_id)
        return "\n".join(f"{m.role}: {m.text}" for m in self.said[thread_id])

    async def delete(self, thread_id: str) -> None:
        self._row(thread_id)
        for table in (self.rows, self.said, self.pending):
            table.pop(thread_id, None)

    async def fork(self, thread_id: str, message_id: str) -> Thread:
        row, new = self._row(thread_id), self._id("t")
        ids = [m.id for m in self.said[thread_id]]
        self.said[new] = self.said[thread_id][: ids.index(message_id)]
        self.rows[new] = replace(row, id=new, updated=now(), turns=sum(m.role == "assistant" for m in self.said[new]))
        return self.rows[new]

    async def evidence(self, message_id: str) -> list[Citation]:
        for messages in self.said.values():
            for message in messages:
                if message.id == message_id:
                    found = message.data.get("citations", {}).get("citations", [])
                    return [Citation(**{**c, "labels": tuple(c["labels"])}) for c in found]
        raise UserError("there is no such answer.")

    @property
    def graphs(self) -> Mapping[str, KGStore]:
        return self.stores

    async def add_graph(self, kg: KGStore | str, name: str = "") -> str:
        store = load_kg(kg) if isinstance(kg, str) else kg
        self.stores[name or store.name] = store
        return name or store.name

    async def suggestions(self, kg: str | None = None, limit: int = 5) -> list[str]:
        store = self.stores[kg or next(iter(self.stores))]
        return [f"What does the graph say of {store.display(e)}?" for e in list(store.entities())[:limit]]

    async def overview(self, kg: str | None = None) -> Overview:
        name = kg or next(iter(self.stores))
        store = self.stores[name]
        relations = [(store.relation_label(r), sum(1 for _ in store.triples(relation=r))) for r in store.relation_ids()]
        examples = tuple(store.display(e) for e in list(store.entities())[:6])
        return Overview(
            name, len(store), len(store.entities()), (("film", 40), ("person", 60)), tuple(relations[:12]), examples
        )
