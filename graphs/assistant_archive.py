"""The graphs of an assistant and the threads about them: all of it that needs no turn."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Literal

from triplewise.agents.assistant.events import Citation
from triplewise.agents.assistant.overview import Overview, overview
from triplewise.agents.assistant.suggestions import suggest
from triplewise.agents.assistant.threads import Message, Thread, Threads
from triplewise.agents.assistant.transcript import as_json, as_markdown
from triplewise.errors import ConfigError
from triplewise.kg import load_kg
from triplewise.kg.base import KGStore


class Archive:
    """Graphs by name, and the threads that were held about them."""

    def __init__(self, kg: KGStore | str | Mapping[str, KGStore | str], threads: str | Path | None) -> None:
        """``kg``, ``threads``: as of ``Assistant``."""
        self._graphs: dict[str, KGStore] = {}
        given = kg if isinstance(kg, Mapping) else {"": kg}
        for name, one in given.items():
            store = load_kg(one) if isinstance(one, str) else one
            self._graphs[name or store.name] = store
        if not self._graphs:
            raise ConfigError("the assistant has no graph.", "Give one with --kg.")
        self._threads = Threads(threads)

    def graph_name(self, name: str | None) -> str:
        """The name of a graph, the first one's for None; raises ConfigError where there is none."""
        if name is None:
            return next(iter(self._graphs))
        if name not in self._graphs:
            raise ConfigError(f"no graph {name!r}.", f"There are: {', '.join(self._graphs)}.")
        return name

    async def threads(self, limit: int = 100, before: str | None = None) -> list[Thread]:
        """Threads, the last used first; ``before``: an ``updated`` time to page on from."""
        return self._threads.recent(limit, before)

    async def messages(self, thread_id: str) -> list[Message]:
        """What was said in a thread. Raises UserError where there is none of that id, as do the next methods."""
        return self._threads.messages(thread_id)

    async def rename(self, thread_id: str, title: str) -> Thread:
        """Give a thread a title."""
        return self._threads.rename(thread_id, title)

    async def export(self, thread_id: str, format: Literal["json", "markdown"] = "json") -> str:
        """A thread as a text to save."""
        thread, said = self._threads.get(thread_id), self._threads.messages(thread_id)
        return as_json(thread, said) if format == "json" else as_markdown(thread, said)

    async def fork(self, thread_id: str, message_id: str) -> Thread:
        """A new thread with all that was said before this message of the user: edit and resend it there."""
        return self._threads.fork(thread_id, message_id)

    async def evidence(self, message_id: str) -> list[Citation]:
        """The citations of an answer, also from earlier runs of the process."""
        _, message = self._threads.message(message_id)
        found = message.data.get("citations", {}).get("citations", ())
        return [Citation(**{**c, "labels": tuple(c["labels"])}) for c in found]

    @property
    def graphs(self) -> Mapping[str, KGStore]:
        """The graphs by name, loaded."""
        return self._graphs

    async def add_graph(self, kg: KGStore | str, name: str = "") -> str:
        """Load another graph (in a worker thread) and return its name."""
        store = await asyncio.to_thread(load_kg, kg) if isinstance(kg, str) else kg
        chosen, number = name or store.name, 1
        while chosen in self._graphs and self._graphs[chosen] is not store:
            number += 1
            chosen = f"{name or store.name} {number}"
        self._graphs[chosen] = store
        return chosen

    async def suggestions(self, kg: str | None = None, limit: int = 5) -> list[str]:
        """Questions that this graph can answer: made from its schema, executed before they are offered."""
        store = self._graphs[self.graph_name(kg)]
        return await asyncio.to_thread(lambda: [s.text for s in islice(suggest(store), limit)])

    async def overview(self, kg: str | None = None) -> Overview:
        """What is in a graph."""
        name = self.graph_name(kg)
        return await asyncio.to_thread(overview, self._graphs[name], name)
