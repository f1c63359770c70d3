"""Which bearer of a name is meant, said after one was taken: "the customer", "the one who teaches"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from triplewise.agents.assistant.completions.asked_of import renamed
from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.edits import swapped
from triplewise.agents.assistant.intents.told_apart import by_age, by_role, called
from triplewise.agents.assistant.memory import Memory, left_out
from triplewise.agents.assistant.namesakes import best_fit
from triplewise.agents.assistant.references import References
from triplewise.kg.query import QueryGraph

_TURNS = 3
"""Turns after which a bearer is still chosen."""
_BEARER = re.compile(
    r"(?:(?:it|that|he|she)(?:['’]s| is| was) )?(?:the|that)\b(?! other\b) "
    r"(?P<words>(?:(?:one|man|woman|person|guy) )?(?:who|that|which|from|with|in|at|on|of|by)\b[^?]*|"
    r"[\w'’-]+(?: [\w'’-]+){0,2}?)(?: one)?(?:,? (?:please|i meant?))?\W*",
    re.I,
)
"""A description and no more: what is asked of it is the last question."""
_WORD = re.compile(
    r"(?:(?:it|that|he|she)(?:['’]s| is| was) )?(?P<words>[\w'’-]+(?: [\w'’-]+)?)(?:,? (?:please|i meant?))?[.!\s]*",
    re.I,
)
"""A word or two without an article, after several bearers were told: "junior", "Asher"."""
_NUMBER = re.compile(r"(?:(?:number|no\.|option) ?)?(?P<number>[1-9])\W*", re.I)
"""The place of a bearer among those that the answer told."""
_OTHER = 0.9
"""Score from which on a word is the name of something else."""
_TOLD_OF = re.compile(r"(?:(?:one|man|woman|person|guy) )?(?:who|that|which|from|with|in|at|on|of|by)\b", re.I)
"""Says a fact of a bearer, where what it names is another thing: "the one from Leeds"."""
_CLAUSE = re.compile(r"\b(?:who|that|which|with)\b", re.I)


def bearers(things: Things, seen: References, memory: Memory) -> Iterator[Interpretation]:
    """The last question asked of the one bearer of its name that the words describe, or that a number counts of those
    that were told: confirmed where it was taken."""
    said, number, last = _BEARER.fullmatch(seen.bare), _NUMBER.fullmatch(seen.bare), memory.last
    word = None if said or number else _WORD.fullmatch(seen.bare)
    if last is None or not (said or number or word) or (seen.ordinal and len(last.answers) > 1):
        return
    query = QueryGraph.from_json(last.query) if last.query else None
    for taken, group in _groups(things, memory):
        if number:
            place, told = int(number["number"]), last.rivals if taken in last.rivals else ()
            node = told[place - 1] if place <= len(told) else ""
        elif word:
            node = _told_by_word(things, group, word["words"]) if taken in last.rivals else ""
        else:
            node = _described(
                things, group, said["words"] if said else "", aged=taken in last.rivals or "?" not in seen.text
            )
        if not node or (node == taken and seen.text.rstrip().endswith("?")):  # "and the engine?" of what has one
            continue
        how = f"{seen.bare.strip(' ?.!')}: {things.name(node)}"
        told = node == taken and things.name(node) in last.question
        text = last.question if told else renamed(last.question, things.called(taken), things.name(node))
        if query is not None and taken in query.entities:
            yield Interpretation(text, "namesake", how, query=swapped(query, taken, node))
        yield Interpretation(text, "namesake", how, given=(node,))
        return


def _described(things: Things, group: Sequence[str], words: str, *, aged: bool) -> str:
    """The bearer that the words tell of; "" for none. ``aged``: whether its age may tell it: "and the oldest?" mostly
    asks of more than the bearers of a name."""
    if node := called(things.kg, group, words):
        return node
    if not _TOLD_OF.match(words) and _names_other(things, group, words):
        return ""
    kg = things.kg
    node = things.described(group, words) if aged else by_role(kg, group, words) or best_fit(kg, group, words)
    return node or (things.doing(group, words) if _CLAUSE.search(words) else "")


def _told_by_word(things: Things, group: Sequence[str], words: str) -> str:
    """The bearer that a bare word tells, where it names nothing else."""
    kg = things.kg
    if (node := called(kg, group, words)) or _names_other(things, group, words):
        return node
    return by_age(kg, group, words, things.by_date) or by_role(kg, group, words)


def _names_other(things: Things, group: Sequence[str], words: str) -> bool:
    """Whether the words are the name of something else."""
    links = things.links(words)
    return any(x.node not in group and x.score > _OTHER for x in links)


def _groups(things: Things, memory: Memory) -> Iterator[tuple[str, Sequence[str]]]:
    """What the last question was about, with the bearers of its name: those that were told, then its namesakes."""
    out = left_out(memory.last) if memory.last else ()
    topics = [n for n in memory.last.topics if n not in out] if memory.last else []
    for turn in reversed(memory.turns[-_TURNS:]):
        if taken := next((n for n in turn.rivals if n in topics), ""):
            yield taken, turn.rivals
    for taken in topics:
        if others := things.namesakes(taken):
            yield taken, (taken, *others)
