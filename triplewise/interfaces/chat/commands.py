"""The slash commands of ``triplewise chat``: a name, what it takes, what it says about itself, and what it does."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

from triplewise.agents.assistant.events import Event
from triplewise.errors import ConfigError, UserError
from triplewise.graphs.assistant import Assistant, Thread
from triplewise.interfaces.chat.screen import Screen, citation_line
from triplewise.kg.names import one_line


class Leave(Exception):
    """The user wants to leave."""


class Session:
    """One conversation on a screen. ``thread``: its id, None before the first message."""

    def __init__(self, assistant: Assistant, screen: Screen, thread: str | None = None, kg: str | None = None) -> None:
        self.assistant, self.screen, self.thread, self.kg = assistant, screen, thread, kg
        self.listed: list[Thread] = []

    def say(self, text: str, style: str = "") -> None:
        """Print a line of our own."""
        from rich.text import Text

        self.screen.console.print(Text(text, style=style))

    async def play(self, events: AsyncIterator[Event]) -> None:
        """Show a turn's events to their end; leaving early stops the turn."""
        self.screen.begin()
        async with aclosing(events) as stream:  # pyright: ignore[reportArgumentType]
            async for event in stream:
                self.screen.show(event)
        if self.screen.done and self.screen.done.thread_id:
            self.thread = self.screen.done.thread_id

    async def send(self, text: str, *, can_ask: bool) -> None:
        """Send a message."""
        await self.play(self.assistant.stream(self.thread, text, can_ask=can_ask, kg=self.kg))
        self.kg = None

    def needed(self) -> str:
        """The thread's id; raises UserError before the first message."""
        if self.thread is None:
            raise UserError("nothing was said yet.")
        return self.thread


@dataclass(frozen=True, slots=True)
class Command:
    """A slash command; ``run`` gets the session and what stands after the name."""

    takes: str
    help: str
    run: Callable[[Session, str], Awaitable[None]]


async def _help(session: Session, _: str) -> None:
    width = max(len(f"/{n} {c.takes}") for n, c in COMMANDS.items())
    for name, command in COMMANDS.items():
        usage = f"/{name} {command.takes}".strip()
        if session.screen.console.width < 60:
            session.say(f"{usage}: {command.help}")
        else:
            session.say(f"{usage:<{width}}  {command.help}")


async def _threads(session: Session, _: str) -> None:
    session.listed = await session.assistant.threads(20)
    for number, thread in enumerate(session.listed, 1):
        mark = "*" if thread.id == session.thread else " "
        session.say(
            f"{mark}{number:>2}. {one_line(thread.title) or '(empty)'} · {thread.turns} · {thread.updated[:16]}"
        )


async def _open(session: Session, which: str) -> None:
    found = session.listed or await session.assistant.threads(100)
    picked = [t for i, t in enumerate(found, 1) if which in (str(i), t.id)]
    if not picked:
        raise UserError(f"no thread {which!r}.", "List them with /threads.")
    session.thread = picked[0].id
    for message in (await session.assistant.messages(picked[0].id))[-6:]:
        session.say(f"{'you' if message.role == 'user' else 'triplewise'}: {one_line(message.text)}", "dim")
    if picked[0].open:
        await session.play(session.assistant.resume(picked[0].id))


async def _new(session: Session, _: str) -> None:
    session.thread = None
    session.say("A new conversation.", "dim")


async def _rename(session: Session, title: str) -> None:
    await session.assistant.rename(session.needed(), title)


async def _delete(session: Session, _: str) -> None:
    await session.assistant.delete(session.needed())
    session.thread, session.listed = None, []
    session.say("Deleted.", "dim")


async def _export(session: Session, place: str) -> None:
    text = await session.assistant.export(session.needed(), "json" if place.endswith(".json") else "markdown")
    if not place:
        session.say(text)
        return
    session.say(f"Written to {_save(place, text)}.", "dim")


def _save(place: str, text: str) -> Path:
    """Write a new file; nothing is overwritten."""
    path = Path(place).expanduser()
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text + "\n")
    except FileExistsError:
        raise ConfigError(f"{path} is there already.", "Name another file.") from None
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror or error}.", "Name another file.") from None
    return path


async def _kg(session: Session, name: str) -> None:
    if name and name not in session.assistant.graphs:
        name = await session.assistant.add_graph(name)
    if name:
        session.kg = name
    for known, store in session.assistant.graphs.items():
        session.say(f"{'*' if known == name else ' '} {known}: {len(store):,} triples")


async def _evidence(session: Session, number: str) -> None:
    for cited in session.screen.citations:
        if not number or number == str(cited.n):
            session.say(citation_line(cited))


async def _readings(session: Session, _: str) -> None:
    read = session.screen.read
    if read is None:
        raise UserError("the last answer has no reading.")
    taken = (read.reading,) if read.reading else ()
    for reading in sorted((*taken, *read.others), key=lambda r: r.number):
        answers = ", ".join(one_line(a) for a in reading.answers[:3]) or "nothing"
        mark, style = ("*", "bold") if reading in taken else (" ", "")
        session.say(f"{mark}{reading.number}. {one_line(reading.text)} = {answers}", style)
    if read.others:
        session.say("/read N answers by another one", "dim")


async def _read(session: Session, number: str) -> None:
    read = session.screen.read
    others = [str(other.number) for other in read.others] if read else []
    if read is None or number not in others:
        raise UserError(f"no other reading {number!r}.", "List them with /readings.")
    await session.play(session.assistant.read_as(session.needed(), read.message_id, others.index(number)))


async def _edit(session: Session, text: str) -> None:
    said = await session.assistant.messages(session.needed())
    asked = [m for m in said if m.role == "user"]
    if not text:
        session.say(f"Write it anew: /edit {one_line(asked[-1].text)}", "dim")
        return
    session.thread = (await session.assistant.fork(session.needed(), asked[-1].id)).id
    await session.send(text, can_ask=True)


async def _retry(session: Session, _: str) -> None:
    said = await session.assistant.messages(session.needed())
    if said[-1].status in ("running", "stopped", "failed"):
        await session.play(session.assistant.resume(session.needed()))
    else:
        await _edit(session, [m for m in said if m.role == "user"][-1].text)


async def _about(session: Session, name: str) -> None:
    if name:
        await session.send(f"tell me about {name}", can_ask=True)
        return
    seen = await session.assistant.overview(session.kg)
    session.say(f"{seen.kg}: {seen.triples:,} triples, {seen.entities:,} things", "bold")
    if seen.classes:
        session.say("kinds: " + ", ".join(f"{name} ({n})" for name, n in seen.classes[:12]))
    session.say("relations: " + ", ".join(f"{name} ({n})" for name, n in seen.relations[:12]))
    for text in await session.assistant.suggestions(session.kg, 4):
        session.say(f"ask: {text}")


async def _quit(session: Session, _: str) -> None:
    raise Leave


COMMANDS: dict[str, Command] = {
    "help": Command("", "this list", _help),
    "about": Command("[NAME]", "what is in the graph, and what can be asked; or what it tells of a thing", _about),
    "evidence": Command("[N]", "the triples of the last answer", _evidence),
    "readings": Command("", "how the last question can be read, numbered as by ask; * was taken", _readings),
    "read": Command("N", "answer by another reading", _read),
    "edit": Command("TEXT", "ask the last question in other words, in a copy of the thread", _edit),
    "retry": Command("", "ask the last question again, or go on where it was cut off", _retry),
    "new": Command("", "begin another conversation", _new),
    "threads": Command("", "earlier conversations", _threads),
    "open": Command("N", "go on with one of them", _open),
    "rename": Command("TITLE", "name this conversation", _rename),
    "export": Command("[FILE]", "save it: .md or .json", _export),
    "delete": Command("", "delete it", _delete),
    "kg": Command("[NAME|FILE]", "the graphs; ask another one", _kg),
    "quit": Command("", "leave (also Ctrl-D)", _quit),
}


async def run_command(session: Session, line: str) -> None:
    """Run a line that begins with a slash; raises UserError on an unknown one."""
    name, _, rest = line[1:].strip().partition(" ")
    known = [n for n in COMMANDS if n == name] or [n for n in COMMANDS if name and n.startswith(name)]
    if len(known) != 1:
        raise UserError(f"no command /{one_line(name)}.", "See /help.")
    await COMMANDS[known[0]].run(session, rest.strip())
