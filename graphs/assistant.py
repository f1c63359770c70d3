"""The assistant: chat with one or more graphs. What interfaces rely on is the class ``Assistant`` and its events.

::

    assistant = Assistant({"films": load_kg("films")}, "llamacpp:embedded", threads="threads.sqlite")
    async for event in assistant.stream(None, "Who directed Alien?", can_ask=True):
        print(event.to_json())

A turn is a run of a state machine (router or tool-calling agent, by the model's traits) whose checkpoints live until
the turn is over; what was said, and the evidence, is kept once, in tables of its own (``agents/assistant/threads.py``).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from langchain_core.language_models import BaseChatModel

from triplewise.agents.assistant.events import Citation, Event
from triplewise.kg.base import KGStore
from triplewise.types import Caps


@dataclass(frozen=True, slots=True)
class Thread:
    """A conversation. Times are ISO 8601 in UTC; ``waiting``: its last turn waits for a choice."""

    id: str
    title: str
    kg: str
    created: str
    updated: str
    turns: int
    waiting: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a thread. ``data``: for the assistant's, the JSON of its events but tokens and steps, by type
    (``{"answer": …, "citations": …, "read_as": …, "usage": …, "choices": …}``)."""

    id: str
    role: Literal["user", "assistant"]
    text: str
    created: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Overview:
    """What is in a graph, for a first page: sizes, classes with counts, relations with counts, as labels."""

    kg: str
    triples: int
    entities: int
    classes: tuple[tuple[str, int], ...]
    relations: tuple[tuple[str, int], ...]
    examples: tuple[str, ...]


class Assistant:
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
        """``kg``: a store or path, or several by name. ``threads``: an SQLite file; None keeps threads in memory.
        ``method``: for questions, "" for the best there is. ``agent``: True for the tool-calling agent, False for the
        router, None by the model's traits. ``caps`` bound one turn, ``thread_caps`` one thread."""
        raise NotImplementedError

    async def stream(
        self,
        thread_id: str | None,
        text: str,
        *,
        can_ask: bool = False,
        kg: str | None = None,
        history: Sequence[tuple[str, str]] = (),
    ) -> AsyncIterator[Event]:
        """Run one turn. ``thread_id`` None opens a thread (its id is in ``Done``); an unknown one is created under that
        id. ``can_ask``: whether the client can answer ``Choices``; else the likeliest is taken, and said. ``kg``: which
        graph (default: the thread's, else the first). ``history``: earlier (role, text) of a client that keeps the
        conversation itself; then nothing is kept here. Where the thread waits for a choice, ``text`` may be the answer.
        Closing the iterator stops the turn."""
        raise NotImplementedError
        yield Event()

    async def resume(self, thread_id: str, choice: str) -> AsyncIterator[Event]:
        """Go on with the turn that waits, with an option's id (or its label or number)."""
        raise NotImplementedError
        yield Event()

    async def read_as(self, thread_id: str, message_id: str, reading: int) -> AsyncIterator[Event]:
        """Answer a message's question anew by its other reading ``reading`` (position in ``ReadAs.others``)."""
        raise NotImplementedError
        yield Event()

    async def stop(self, thread_id: str) -> bool:
        """Stop the running turn, and the model, within a second; False where none runs."""
        raise NotImplementedError

    async def close(self) -> None:
        """Stop all turns and close the file."""
        raise NotImplementedError

    # threads ---------------------------------------------------------------------------------------

    async def threads(self, limit: int = 100, before: str | None = None) -> list[Thread]:
        """Threads, the last used first; ``before``: an ``updated`` time to page on from."""
        raise NotImplementedError

    async def messages(self, thread_id: str) -> list[Message]:
        """What was said in a thread. Raises UserError where there is none of that id, as do the next methods."""
        raise NotImplementedError

    async def rename(self, thread_id: str, title: str) -> Thread:
        """Give a thread a title."""
        raise NotImplementedError

    async def export(self, thread_id: str, format: Literal["json", "markdown"] = "json") -> str:
        """A thread as a text to save."""
        raise NotImplementedError

    async def delete(self, thread_id: str) -> None:
        """Delete a thread with its evidence."""
        raise NotImplementedError

    async def fork(self, thread_id: str, message_id: str) -> Thread:
        """A new thread with all that was said before this message of the user: edit and resend it there."""
        raise NotImplementedError

    # evidence and graphs -----------------------------------------------------------------------------

    async def evidence(self, message_id: str) -> list[Citation]:
        """The citations of an answer, also from earlier runs of the process."""
        raise NotImplementedError

    @property
    def graphs(self) -> Mapping[str, KGStore]:
        """The graphs by name, loaded."""
        raise NotImplementedError

    async def add_graph(self, kg: KGStore | str, name: str = "") -> str:
        """Load another graph (in a worker thread) and return its name."""
        raise NotImplementedError

    async def suggestions(self, kg: str | None = None, limit: int = 5) -> list[str]:
        """Questions that this graph can answer: made from its schema, executed before they are offered."""
        raise NotImplementedError

    async def overview(self, kg: str | None = None) -> Overview:
        """What is in a graph."""
        raise NotImplementedError
