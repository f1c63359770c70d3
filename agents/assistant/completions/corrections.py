"""A thing or value of an earlier question put right: "Thursday, not Wednesday", "I meant Lund, not Malmö. Who?" """

from __future__ import annotations

import re
from collections.abc import Iterator

from triplewise.agents.assistant.completions.asked_of import renamed
from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.edits import swapped
from triplewise.agents.assistant.memory import Memory
from triplewise.kg.query import QueryGraph

_TURNS = 6
"""Turns after which a question is still put right."""
_NAMES = r"[^,.;:?!]+?"
_CORRECTED = re.compile(
    rf"(?:^|(?<=[:.!?;,] ))(?:(?:i|we) meant? )?"
    rf"(?:(?P<new>{_NAMES}),? (?:and )?(?:not|instead of|rather than) (?P<old>{_NAMES})|"
    rf"not (?P<wrong>{_NAMES})(?:,| but) (?P<right>{_NAMES}))(?=\s*(?:[,.;:?!]|$))",
    re.I,
)
_NO_MORE = re.compile(
    r"\b(?:sorry|oops|no|wait|actually|(?:back|go) (?:up|back)|hang on|hold on|scratch that|my mistake|i meant?|please|"
    r"again|so|then|and|who|whom|what|which|where|when|how many)\b|\W",
    re.I,
)
"""What may stand beside a correction: else the sentence asks something of its own."""


def corrections(things: Things, text: str, memory: Memory) -> Iterator[Interpretation]:
    """The latest question that had the wrong one, asked of the right one."""
    said = _CORRECTED.search(text)
    if not said or _NO_MORE.sub("", text[: said.start()] + text[said.end() :]):
        return
    wrong = _named(things, said.group("old") or said.group("wrong"))
    right = _named(things, said.group("new") or said.group("right"))
    for turn in reversed(memory.turns[-_TURNS:]) if len(right) == 1 else ():
        if not turn.query:
            continue
        query = QueryGraph.from_json(turn.query)
        for old in wrong:
            if (asked := swapped(query, old, right[0])) != query:
                name = things.name(right[0])
                yield Interpretation(
                    renamed(turn.question, things.kg.label(old), name),
                    "swap",
                    f"{things.name(old)} → {name}",
                    query=asked,
                )
                return


def _named(things: Things, words: str) -> list[str]:
    """The things and values that some words name."""
    return list(dict.fromkeys(x.node for x in (*things.links(words), *things.values(words))))
