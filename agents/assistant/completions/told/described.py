"""The one of what was told, or of the bearers of a name, that words describe: "the Velden one", "the cheap one"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.completions.told.extremes import extreme_of, told_extreme
from triplewise.agents.assistant.memory import Memory
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph.linking.mentions import folded_words

_FOCUS = 4
"""Things that were spoken of whose namesakes may be meant."""
_LISTED = range(2, 21)
"""Answers of which one is chosen by words."""
_ONE = re.compile(r"\b(?:the|that|this) (?P<words>(?!other\b)[\w'’-]+(?: [\w'’-]+){0,2}?) one\b", re.I)
_MEANT = re.compile(r"\bi mean(?:t)? (?:the|our|my|that) (?P<words>[\w'’-]+(?: [\w'’-]+){0,2})\W*$", re.I)
"""What was meant of what was spoken of, by its words: "I mean the horse"."""
_DENIED = re.compile(r"\bnot\b|n['’]t\b|\bnever\b|\b(?:instead of|rather than|but)\b", re.I)


def described(things: Things, words: str, memory: Memory) -> tuple[str, Sequence[str]]:
    """The one of the last answers, or of the namesakes of what was spoken of, that words fit best, and what it was
    chosen from; "" for none."""
    for turn in reversed(memory.turns[-3:]):
        nodes = turn.answers
        if len(nodes) in _LISTED and (node := things.described(nodes, words) or extreme_of(things, nodes, words)):
            return node, nodes
    if node := told_extreme(words, memory):
        return node, ()
    return bearer_described(things, words, memory.focus()[:_FOCUS]) or ("", ())


def bearer_described(things: Things, words: str, nodes: Sequence[str]) -> tuple[str, Sequence[str]] | None:
    """The one bearer of the name of one of these that words fit best, and all its bearers."""
    for old in nodes:
        if (others := things.namesakes(old)) and (node := things.described((old, *others), words)):
            return node, (old, *others)
    return None


def picked_before(things: Things, before: str, memory: Memory) -> list[str]:
    """What the sentences before the question pick of what was spoken of: "I prefer the blue one. Who has it now?" It is
    one of what was told, else the only one of the kind of what was spoken of last that is called so. "I mean the horse"
    is of the Weeping Horse that was spoken of."""
    said = _ONE.search(before)
    if said is None and (meant := _MEANT.search(before)):
        words = set(folded_words(meant["words"]))
        return [n for n in memory.focus() if words <= set(folded_words(things.kg.label(n)))][:1]
    if said is None or _DENIED.search(before):
        return []
    if node := described(things, said["words"], memory)[0]:
        return [node]
    words = set(folded_words(said["words"])) - STOP_WORDS
    kind = next(iter(things.kg.types(n)[0] for n in memory.focus()[:1] if things.kg.types(n)), "")
    called = [n for n in things.names.schema.members(kind) if words <= things.nouns(n)] if kind and words else []
    return called if len(called) == 1 else []
