"""Talk that needs no graph: greetings, thanks, help, and what is beside the point; nothing is invented."""

from __future__ import annotations

import re
from collections.abc import Sequence

from triplewise.agents.assistant.intents.small_talk import is_help
from triplewise.agents.assistant.references import THANKS
from triplewise.kg.base import KGStore
from triplewise.kg.names import one_line

_THANKS = re.compile(rf"\b{THANKS}\b", re.I)
_BYE = re.compile(r"\b(?:bye|goodbye|see you|that(?:['’]s| is) all|off then)\b", re.I)
_HELLO = re.compile(r"^\W*(?:hi(?:ya)?|hello|hey|yo|good (?:morning|evening|afternoon|day)|morning|evening)\b", re.I)


def reply_to(text: str, kg: KGStore, suggestions: Sequence[str] = ()) -> str:
    """A reply to small talk."""
    if is_help(text):
        return what_i_do(kg, suggestions)
    if _THANKS.search(text):
        return "You are welcome."
    if _BYE.search(text):
        return "Goodbye."
    if _HELLO.search(text):
        return f"Hello. Ask me what the graph {one_line(kg.name)!r} tells." + _offer(suggestions)
    return "All right." + _offer(suggestions)


def reply_to_complaint(reading: str) -> str:
    """What was read, in words, where something was, and what can be done about it."""
    if not reading:
        return "Then please say it in other words."
    other = "take another of its readings by its number (in a terminal /readings lists them), or say it in other words"
    return f"I read it as: {reading}. If that is not what you meant, {other}."


def what_i_do(kg: KGStore, suggestions: Sequence[str] = ()) -> str:
    """What can be asked of this graph."""
    kinds = dict.fromkeys(one_line(kg.label(t)) for e in kg.entities()[:2000] for t in kg.types(e)[:1])
    of = f" about things of the kinds {', '.join(list(kinds)[:8])}" if kinds else ""
    return (
        f"I answer questions{of} from the {len(kg):,} triples of the graph {one_line(kg.name)!r}, check statements "
        f"against them, and show the triples that prove it. What they do not tell, I do not know.{_offer(suggestions)}"
    )


def _offer(suggestions: Sequence[str]) -> str:
    return f" For instance: {suggestions[0]}" if suggestions else ""
