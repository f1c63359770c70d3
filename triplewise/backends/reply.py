"""The one reader of replies: a model's message as text that a parser may be given, bounded and well formed.

Parsers are linear in what they read, or nearly; here what they read is bounded: a model's thinking is left out,
long stretches of white space are shortened, and what is longer than any reply is refused. A reply that was cut
at its limit of tokens is told as such wherever it cannot be used, so that nobody looks for the cause elsewhere.
"""

from __future__ import annotations

import re

from langchain_core.messages import BaseMessage

from triplewise.errors import ReplyError

MAX_CHARACTERS = 20_000
"""Of a reply without its thinking; the longest that any node asks for has a quarter of them."""
_LOOKED_AT = 1_000_000
"""Characters of a reply with its thinking."""
_WHITE = re.compile(r"\s{40,}")
QUOTED = 2_000
"""Characters of a bad reply that are shown to the model when it is asked again."""
_SURROGATES = re.compile("[\ud800-\udfff]")


def well_formed(text: str) -> str:
    """The text with lone surrogates replaced: no server, file or database takes them."""
    if text.isascii():
        return text
    return _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text)


def read_reply(message: BaseMessage) -> str:
    """A reply's text; raises ReplyError where it is longer than any reply may be."""
    text = message.text
    if len(text) <= _LOOKED_AT:
        text = _WHITE.sub(lambda run: "\n\n" if "\n" in run.group() else "  ", _without_thinking(text))
    if len(text) > MAX_CHARACTERS:
        raise ReplyError(f"It has {len(text):,} characters, more than any reply needs.")
    return well_formed(text)


def _without_thinking(text: str) -> str:
    """What follows a model's <think>…</think>; all of it where that is never closed, so that a parser can say so."""
    if text.lstrip()[:7].lower() != "<think>":
        return text
    _, closed, rest = text.rpartition("</think>")
    return rest.lstrip() if closed else text


def was_cut(message: BaseMessage) -> bool:
    """Whether the reply ended at its limit of tokens and not by itself."""
    return message.response_metadata.get("finish_reason") in ("length", "max_tokens")


def estimated_tokens(text: str) -> int:
    """Tokens of a text where no count is known: one for four bytes of UTF-8."""
    return -(-len(text.encode("utf-8", "replace")) // 4)
