"""What a turn looks like on a terminal: steps while they run, text as it comes, citations, choices, cost.

Everything out of a graph or a model is printed as plain text without control characters. On a narrow terminal the table
of citations becomes lines; without a terminal answers, citations and readings are printed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from triplewise.agents.assistant.events import (
    Answered,
    Choices,
    Citation,
    Citations,
    Done,
    Event,
    Failed,
    ReadAs,
    Rewritten,
    Spent,
    StepFinished,
    StepStarted,
    Token,
    Warned,
)
from triplewise.agents.query_graph.executor import ANOTHER_WAY
from triplewise.interfaces.read_as import read_as
from triplewise.kg.names import one_line, printable

if TYPE_CHECKING:
    from triplewise.types import Usage

NARROW = 70
"""Columns below which citations are lines and not a table."""
_SHOWN = 12


class Screen:
    """Prints events. ``live``: a person watches."""

    def __init__(self, console: Console | None = None, *, live: bool | None = None) -> None:
        self.live = sys.stdout.isatty() if live is None else live
        self.console = console or Console(highlight=False, soft_wrap=not self.live, emoji=False, markup=False)
        self._streamed = ""
        self._step = False
        self._status_line = self.live and os.environ.get("TERM") != "dumb"
        self.citations: Sequence[Citation] = ()
        self.read: ReadAs | None = None
        self._read_before: ReadAs | None = None
        self.choices: Choices | None = None
        self.done: Done | None = None
        self.failed = False

    def begin(self) -> None:
        """Forget the turn before, but for its readings, which small talk leaves as they are."""
        self._read_before = self.read
        self._streamed, self.choices, self.read, self.done, self.failed = "", None, None, None, False
        self.citations = ()

    def show(self, event: Event) -> None:
        """Print one event."""
        match event:
            case StepStarted():
                self._status(event.label)
            case StepFinished():
                pass
            case Rewritten():
                self._line(f"({one_line(event.how)}: {one_line(event.text)})", "dim")
            case Token():
                self._token(event.text)
            case Choices():
                self._choices(event)
            case Citations():
                self.citations = event.citations
            case ReadAs():
                self.read = event
            case Answered():
                self._answer(event)
            case Warned():
                how = " /readings lists them, /read N takes one." if event.text == ANOTHER_WAY else ""
                self._line(f"! {one_line(event.text)}{how}", "yellow")
            case Failed():
                self.failed = True
                self._line(f"! {one_line(event.message)} {one_line(event.hint)}".rstrip(), "red")
            case Spent():
                self._spent(event)
            case Done():
                self._clear()
                self.done = event
                if event.status == "stopped":
                    self._line("(stopped)", "dim")
            case _:
                pass

    def _status(self, label: str) -> None:
        if self._status_line and not self._streamed:
            width = max(10, self.console.width - 4)
            print(f"\r\033[K  {one_line(label)[:width]} …", end="", flush=True)
            self._step = True

    def _clear(self) -> None:
        if self._step:
            print("\r\033[K", end="", flush=True)
            self._step = False

    def _token(self, text: str) -> None:
        if self.live:
            self._clear()
            print(printable(text), end="", flush=True)
            self._streamed += text

    def _line(self, text: str, style: str = "") -> None:
        self._clear()
        if self._streamed and not self._streamed.endswith("\n"):
            print()
            self._streamed += "\n"
        self.console.print(Text(text, style=style))

    def _answer(self, event: Answered) -> None:
        self._clear()
        if self._streamed.strip() == event.text.strip() and self._streamed:
            print()
        else:
            self._line(printable(event.text), "bold" if self.live else "")
        self._streamed = "\n"
        self._evidence()
        if event.kind == "chat":
            self.read = self._read_before
            return
        if said := read_as(self.read):
            self._line(said if self.live else f"({said})", "dim")
        if self.live and self.read and self.read.others:
            other = " other" if self.read.reading else ""
            self._line(f"{len(self.read.others)}{other} readings: /readings", "dim")

    def _evidence(self) -> None:
        shown = self.citations[:_SHOWN]
        if not shown:
            return
        if self.live and self.console.width >= NARROW:
            table = Table(box=None, padding=(0, 1), show_header=False, pad_edge=True)
            for _ in range(4):
                table.add_column(overflow="fold")
            for c in shown:
                head, relation, tail = (one_line(x) for x in c.labels)
                source = "" if c.source == "asserted" else f" ({_source(c)})"
                table.add_row(Text(f"[{c.n}]", "dim"), Text(head), Text(f"— {relation} →", "cyan"), Text(tail + source))
            self.console.print(table)
        else:
            for c in shown:
                self.console.print(Text(citation_line(c)))
        if len(self.citations) > _SHOWN:
            self._line(f"… and {len(self.citations) - _SHOWN} more: /evidence", "dim")

    def _choices(self, event: Choices) -> None:
        self.choices = event
        self._line(one_line(event.question), "bold")
        for number, option in enumerate(event.options, 1):
            hint = f" ({one_line(option.hint)})" if option.hint else ""
            self.console.print(Text.assemble((f"  {number}. ", "cyan"), one_line(option.label), (hint, "dim")))

    def _spent(self, event: Spent) -> None:
        if self.live:
            self._line(cost_line(event.usage, event.seconds), "dim")


def citation_line(c: Citation) -> str:
    """``[n] head — relation → tail`` on one line."""
    head, relation, tail = (one_line(x) for x in c.labels)
    return f"[{c.n}] {head} — {relation} → {tail}" + ("" if c.source == "asserted" else f" ({_source(c)})")


def _source(c: Citation) -> str:
    return c.source if c.score is None else f"{c.source}, score {c.score:.3f}"


def cost_line(usage: Usage, seconds: float) -> str:
    """What a turn cost, in words."""
    parts = [f"{seconds:.1f} s"]
    if usage.calls:
        tokens = usage.prompt_tokens + usage.completion_tokens
        parts += [f"{usage.calls} call{'s' * (usage.calls != 1)}", f"{tokens:,} tokens"]
    if usage.cost is not None:
        parts.append(f"${usage.cost:.4f}")
    return " · ".join(parts)
