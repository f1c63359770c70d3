"""What all routes share: the assistants, the turns that run, and the evidence of answers that no thread keeps.

The page talks to one ``Assistant`` with threads. Clients that keep the conversation themselves (``/v1``, MCP) talk to
assistants in memory, one per method, whose threads are dropped after each answer.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import secrets
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from triplewise.agents.assistant.events import Citation, Citations, Done, Event, Failed, Spent
from triplewise.errors import BackendError, BudgetExceededError, TriplewiseError, UserError
from triplewise.interfaces.serve.logs import INTERNAL, log_error, log_event
from triplewise.interfaces.serve.options import ServeOptions

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from triplewise.graphs.assistant import Assistant
    from triplewise.kg.base import KGStore

KEPT_EVIDENCE = 2_000
"""Answers without a thread whose evidence can still be looked at."""
KEPT_WAITING = 100
"""Turns of clients without threads that wait for a choice."""

Events = AsyncIterator[Event]

MakeAssistant = Callable[[Mapping[str, "KGStore"], str], "Assistant"]
"""Makes an assistant in memory over these graphs, for a method ("" for the best there is)."""


class BusyError(TriplewiseError):
    """As many turns run as may."""


class Service:
    """One server's state; ``assistant`` keeps threads, ``make`` makes the others; ``chat`` is the model ``model``."""

    def __init__(
        self,
        assistant: Assistant,
        make: MakeAssistant,
        options: ServeOptions,
        *,
        model: str = "",
        chat: BaseChatModel | None = None,
        methods: tuple[str, ...] = (),
    ) -> None:
        self.assistant = assistant
        self.options = options
        self.model = model
        self.chat = chat
        self.methods = methods
        self.started = time.time()
        self.running = 0
        self._make = make
        self._others: dict[str, Assistant] = {}
        self._evidence: OrderedDict[str, tuple[Citation, ...]] = OrderedDict()
        self._waiting: OrderedDict[str, str] = OrderedDict()
        self._secret = hashlib.sha256(b"evidence\0" + options.key.encode()).digest()

    @property
    def graphs(self) -> Mapping[str, KGStore]:
        """The graphs by name."""
        return self.assistant.graphs

    async def close(self) -> None:
        """Stop all turns and close the files."""
        for assistant in (*self._others.values(), self.assistant):
            await assistant.close()

    # turns -------------------------------------------------------------------------------------------

    async def turn(self, events: Callable[[], Events], client: str) -> Events:
        """The events of one turn, counted, logged, and stopped where the consumer goes away; errors as ``Failed``."""
        async with self._place():
            began, status, spent, failure = time.perf_counter(), "stopped", None, ""
            try:
                async with ending(events()) as stream:
                    async for event in stream:
                        if isinstance(event, Done):
                            status = event.status
                        elif isinstance(event, Spent):
                            spent = event.usage
                        elif isinstance(event, Failed):
                            failure = event.kind
                        elif isinstance(event, Citations):
                            self._keep(event)
                        yield event
            except TriplewiseError as error:
                status, failure = "failed", type(error).__name__
                yield failed(error)
            except Exception as error:
                status, failure = "failed", type(error).__name__
                log_error("turn failed", error)
                yield Failed(INTERNAL, kind="internal")
            finally:
                log_event(
                    "turn",
                    client=client,
                    status=status,
                    failure=failure or None,
                    seconds=round(time.perf_counter() - began, 3),
                    calls=spent.calls if spent else None,
                    tokens=spent.prompt_tokens + spent.completion_tokens if spent else None,
                )

    @asynccontextmanager
    async def _place(self) -> AsyncIterator[None]:
        self.check_room()
        self.running += 1
        try:
            yield
        finally:
            self.running -= 1

    def check_room(self) -> None:
        """Raise BusyError where as many turns run as may."""
        if self.running >= self.options.max_turns:
            raise BusyError(f"{self.running} turns are running.", "Try again in a moment.")

    # clients that keep the conversation themselves ---------------------------------------------------

    def other(self, method: str = "") -> Assistant:
        """The assistant in memory for a method."""
        if method not in self._others:
            self._others[method] = self._make(self.graphs, method)
        return self._others[method]

    async def once(
        self,
        text: str,
        *,
        method: str = "",
        kg: str | None = None,
        history: list[tuple[str, str]] | None = None,
        can_ask: bool = False,
        reading: int | None = None,
        entities: Sequence[str] = (),
    ) -> Events:
        """A turn that leaves nothing behind but its evidence, and a thread where it waits for a choice. ``history``:
        what a conversation has said before; None where the turn stands alone."""
        stream = self.other(method).stream(
            None, text, can_ask=can_ask, kg=kg, history=history, reading=reading, entities=entities
        )
        async with ending(self._forgetting(stream, method)) as events:
            async for event in events:
                yield event

    async def choose(self, thread_id: str, choice: str) -> Events:
        """Go on with a turn of ``once`` that waits."""
        if (method := self._waiting.pop(thread_id, None)) is None:
            raise UserError("that question is no longer open.", "Ask it again.")
        async with ending(self._forgetting(self.other(method).resume(thread_id, choice), method)) as events:
            async for event in events:
                yield event

    async def _forgetting(self, stream: Events, method: str) -> Events:
        answer = new_id()  # of an answer that belongs to no thread, and so has no id of its own
        async with ending(stream) as events:
            async for event in events:
                if isinstance(event, Done):
                    await self._forget(method, event)
                yield replace(event, message_id=answer) if getattr(event, "message_id", None) == "" else event

    async def _forget(self, method: str, done: Done) -> None:
        if done.status == "waiting":
            self._waiting[done.thread_id] = method
            while len(self._waiting) > KEPT_WAITING:
                thread_id, of = self._waiting.popitem(last=False)
                with contextlib.suppress(UserError):
                    await self.other(of).delete(thread_id)
        elif done.thread_id:
            with contextlib.suppress(UserError):
                await self.other(method).delete(done.thread_id)

    async def add_graph(self, path: str, name: str) -> str:
        """Load a graph for all assistants and return its name."""
        name = await self.assistant.add_graph(path, name)
        for assistant in self._others.values():
            await assistant.add_graph(self.graphs[name], name)
        return name

    # evidence ----------------------------------------------------------------------------------------

    def _keep(self, event: Citations) -> None:
        context = tuple(replace(c, n=0) for c in event.context)
        self._evidence[event.message_id] = (*event.citations, *context)
        self._evidence.move_to_end(event.message_id)
        while len(self._evidence) > KEPT_EVIDENCE:
            self._evidence.popitem(last=False)

    async def evidence(self, message_id: str) -> list[Citation]:
        """The triples of an answer, those near its proof with n = 0; UserError where there is no such answer."""
        if message_id in self._evidence:
            return list(self._evidence[message_id])
        try:
            return await self.assistant.evidence(message_id)
        except UserError:
            raise UserError("there is no such answer, or its evidence is no longer kept.", "Ask once more.") from None

    def signature(self, message_id: str) -> str:
        """What a link to an answer's evidence carries in place of the key."""
        return hmac.new(self._secret, message_id.encode(), "sha256").hexdigest()[:32] if self.options.key else ""

    def may_see(self, message_id: str, signature: str, authorized: bool) -> bool:
        """Whether evidence may be shown: to all where there is no key, else by the key or a link's signature."""
        return authorized or not self.options.key or hmac.compare_digest(self.signature(message_id), signature)

    def evidence_url(self, base: str, message_id: str) -> str:
        """The address of an answer's evidence page."""
        signature = self.signature(message_id)
        return f"{base.rstrip('/')}/evidence/{message_id}" + (f"?s={signature}" if signature else "")


@asynccontextmanager
async def ending(events: Events) -> AsyncIterator[Events]:
    """The events of a turn; it is stopped where they are not read to their end."""
    try:
        yield events
    finally:
        if (close := getattr(events, "aclose", None)) is not None:
            await close()


def failed(error: TriplewiseError) -> Failed:
    """An error as the event that tells of it."""
    if isinstance(error, UserError):
        return Failed(error.message, error.hint, "user")
    if isinstance(error, BackendError):
        return Failed(error.message, error.hint, "backend")
    if isinstance(error, BudgetExceededError):
        return Failed(error.message, error.hint, "budget")
    return Failed(error.message, error.hint, "busy" if isinstance(error, BusyError) else "internal")


def new_id() -> str:
    """An id that nobody can guess."""
    return secrets.token_hex(12)
