"""Text that a model's tokenizer would read as structure: ``<|im_start|>``, ``</s>``, ``[INST]`` and their like.

Such a text in a graph's name, a question or a tool's result must stay text. A model in this process knows its own
vocabulary (``pattern_of``); of a server's model only the common families' tokens are known. A token is broken by a
space behind its first character, which a reader hardly sees.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_USUAL = (
    r"<\|",
    r"</?s>",
    r"</?(?:start|end)_of_(?:turn|text)>",
    r"\[/?(?:INST|SYSTEM_PROMPT|TOOL_CALLS|AVAILABLE_TOOLS|TOOL_RESULTS)\]",
    r"<</?SYS>>",
    r"<(?:bos|eos|pad|unk|mask|file_sep|repo_name|reponame|filename|endoftext)>",
    r"</?(?:tool_call|tool_response|think)>",
    r"<｜",
)
USUAL = re.compile("|".join(_USUAL), re.IGNORECASE)
"""The control tokens of the common model families."""


def pattern_of(tokens: Iterable[str]) -> re.Pattern[str]:
    """What to break for a vocabulary with these special tokens, beside the common ones."""
    own = sorted({t for t in tokens if len(t) > 1 and not t.isspace()}, key=len, reverse=True)
    return re.compile("|".join([*(re.escape(t) for t in own), *_USUAL]), re.IGNORECASE)


def harmless(text: str, pattern: re.Pattern[str] = USUAL) -> str:
    """The text with every control token broken."""
    if pattern is USUAL and "<" not in text and "[" not in text:  # almost every prompt
        return text
    for _ in range(3):  # a break cannot make a common token; an odd vocabulary might have one
        if pattern.search(text) is None:
            return text
        text = pattern.sub(lambda match: f"{match.group()[0]} {match.group()[1:]}", text)
    return pattern.sub(" ", text)
