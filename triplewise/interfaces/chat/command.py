"""The command ``triplewise chat``: a loop on a terminal, a transcript in a pipe, JSON lines for programs."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triplewise.errors import TriplewiseError
from triplewise.files import home_folder, private_file, private_folder
from triplewise.interfaces.options import Json, MaxCalls, MaxCost, MaxTokens, Model, SkipBad, settings_of
from triplewise.kg.names import one_line
from triplewise.places import threads_file

if TYPE_CHECKING:
    from triplewise.graphs.assistant import Assistant
    from triplewise.interfaces.chat.commands import Session

Graphs = Annotated[list[str] | None, typer.Option("--kg", help="Graph file, folder or 'films'; repeatable.")]
ThreadsFile = Annotated[
    str | None,
    typer.Option("--threads", metavar="PLACE", help="File or postgresql://… of conversations; '' keeps none."),
]
Agent = Annotated[
    bool | None,
    typer.Option("--agent/--router", help="Let the model call tools, or route by rules; default: by model."),
]


def register(app: typer.Typer) -> None:
    """Add ``chat`` to the command line."""

    @app.command()
    def chat(
        kg: Graphs = None,
        model: Model = None,
        method: Annotated[str | None, typer.Option("--method", help="For questions; default: query-graph.")] = None,
        thread: Annotated[str | None, typer.Option("--thread", help="Go on with this conversation.")] = None,
        threads: ThreadsFile = None,
        agent: Agent = None,
        max_calls: MaxCalls = None,
        max_tokens: MaxTokens = None,
        max_cost: MaxCost = None,
        skip_bad_lines: SkipBad = False,
        as_json: Json = False,
    ) -> None:
        """Chat with a graph; in a pipe each line is a message."""
        settings = settings_of(
            kg=kg[0] if kg else None, model=model, max_calls=max_calls, max_tokens=max_tokens, max_cost=max_cost
        )
        from triplewise.backends import load_chat_model
        from triplewise.graphs.assistant import Assistant
        from triplewise.kg import load_kg

        stores = [load_kg(path, skip_bad_lines=skip_bad_lines) for path in (kg or [settings.kg])]
        live = sys.stdin.isatty() and sys.stdout.isatty() and not as_json
        place = threads_file() if threads is None and (live or thread) else threads or None
        assistant = Assistant(
            {_unique(stores, i): store for i, store in enumerate(stores)},
            load_chat_model(settings.model, **settings.model_options()),
            threads=place, method=method or "", agent=agent, caps=settings.budget(),
        )  # fmt: skip
        failed = _run(assistant, thread, live=live, as_json=as_json)
        if failed:
            raise typer.Exit(1)


def _unique(stores: list[Any], i: int) -> str:
    name = stores[i].name
    before = sum(s.name == name for s in stores[:i])
    return name if not before else f"{name} {before + 1}"


def _run(assistant: Assistant, thread: str | None, *, live: bool, as_json: bool) -> bool:
    """Run the loop; whether a turn or a command of a pipe failed."""
    from triplewise.interfaces.chat.commands import Leave, Session
    from triplewise.interfaces.chat.screen import Screen

    session = Session(assistant, Screen(live=live), thread)
    failed = False
    with asyncio.Runner() as runner:
        try:
            if live:
                _talk(runner, session)
            else:
                with suppress(Leave):
                    for number, text in enumerate(filter(None, map(_said, sys.stdin))):
                        if not as_json:
                            _echo(session, text, first=number == 0)
                        runner.run(_json(session, text) if as_json else _plain(session, text))
                        failed = failed or session.screen.failed
        finally:
            runner.run(assistant.close())
    return failed


def _echo(session: Session, text: str, *, first: bool) -> None:
    """A message before its answer, since a pipe shows nobody's typing; a blank line ends the answer before."""
    if not first:
        session.say("")
    session.say(f"> {one_line(text)}")


async def _plain(session: Session, text: str) -> None:
    from triplewise.interfaces.chat.commands import run_command

    if not text.startswith("/"):
        await session.send(text, can_ask=False)
        return
    try:
        await run_command(session, text)
    except TriplewiseError as error:  # the lines that follow are answered all the same
        _say_error(session, error)
        session.screen.failed = True


def _said(line: str) -> str:
    """A line without its ends; "exit" and "quit", as other programs are left, are /quit."""
    text = line.strip()
    return "/quit" if text.lower() in ("exit", "quit", "exit()", "quit()") else text


def _say_error(session: Session, error: TriplewiseError) -> None:
    session.say(f"! {one_line(error.message)} {one_line(error.hint)}".rstrip(), "red")


async def _json(session: Session, text: str) -> None:
    import json

    session.screen.begin()
    async for event in session.assistant.stream(session.thread, text):
        data = event.to_json()
        session.screen.failed = session.screen.failed or data["type"] == "error"
        print(json.dumps(data, ensure_ascii=True), flush=True)
        if data["type"] == "done":
            session.thread = data["thread_id"]


def _talk(runner: asyncio.Runner, session: Session) -> None:
    """Read, answer, until the user leaves. Ctrl-C stops a running answer; at the prompt it clears the line."""
    from triplewise.interfaces.chat.commands import Leave, run_command

    history = _history()
    session.say(f"{', '.join(session.assistant.graphs)}: ask, or /help. Ctrl-C stops an answer, Ctrl-D leaves.", "dim")
    if session.thread is None:
        for text in runner.run(session.assistant.suggestions(limit=3)):
            session.say(f"  {text}", "dim")
    while True:
        try:
            text = _said(input("which? " if session.screen.choices else "> "))
        except EOFError:
            print()
            break
        except KeyboardInterrupt:
            print()
            continue
        if not text:
            continue
        try:
            if text.startswith("/"):
                runner.run(run_command(session, text))
            else:
                runner.run(session.send(text, can_ask=True))
        except Leave:
            break
        except KeyboardInterrupt:
            session.say("(stopped)", "dim")
        except TriplewiseError as error:
            _say_error(session, error)
    if history is not None:
        _save(history)


def _history() -> Path | None:
    """Line editing with the history of earlier sessions, where Python has readline."""
    try:
        import readline
    except ImportError:
        return None
    base = home_folder("XDG_STATE_HOME", ".local/state")
    if base is None:
        return None
    path = base / "triplewise" / "chat_history"
    try:
        private_folder(path.parent)
        private_file(path)
        readline.read_history_file(path)
    except OSError:
        return None
    readline.set_history_length(1_000)
    return path


def _save(path: Path) -> None:
    import readline

    try:
        readline.write_history_file(path)
    except OSError as error:
        print(f"triplewise: the history was not kept: {error.strerror}.", file=sys.stderr)
