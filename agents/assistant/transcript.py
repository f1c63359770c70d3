"""A thread as a text to save: JSON with everything, or Markdown with the citations under each answer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from triplewise.agents.assistant.threads import Message, Thread
from triplewise.kg.names import one_line, printable


def as_json(thread: Thread, messages: Sequence[Message]) -> str:
    """The thread with all that its messages hold."""
    data = {"format": "triplewise-thread/1", **asdict(thread), "messages": [asdict(m) for m in messages]}
    return json.dumps(data, ensure_ascii=False, indent=1)


def as_markdown(thread: Thread, messages: Sequence[Message]) -> str:
    """The thread to read; names out of the graph are code spans, so that none is markup."""
    lines = [
        f"# {_plain(thread.title) or 'Conversation'}",
        "",
        f"Graph: {_code(thread.kg)} · {thread.created[:10]}",
        "",
    ]
    for message in messages:
        who = "You" if message.role == "user" else "triplewise"
        lines += [f"**{who}:** {_plain(message.text)}", ""]
        for cited in message.data.get("citations", {}).get("citations", ()):
            head, relation, tail = cited["labels"]
            source = "" if cited["source"] == "asserted" else f" ({cited['source']})"
            lines.append(f"- [{cited['n']}] {_code(head)} — {_code(relation)} → {_code(tail)}{source}")
        if message.data.get("citations", {}).get("citations"):
            lines.append("")
    return "\n".join(lines)


def _plain(text: str) -> str:
    text = printable(text)
    return "".join(f"\\{c}" if c in "\\`*_#<>!|" else c for c in text)


def _code(text: str) -> str:
    return f"`{one_line(text).replace('`', chr(39))}`"
