"""Names in place of what stands for them: pronouns, "the horse", "the Velden one", and what a sentence leaves out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.things import WH, Things
from triplewise.agents.assistant.memory import Memory
from triplewise.agents.assistant.references import References, find_references, replace_pronouns
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.mentions import Link, fold_word

MAX_FOCUS = 4
"""Things that a pronoun is tried with."""
_DEFINITE = re.compile(
    r"(?<!\bis )(?<!\bwas )(?<!\bare )(?<!['’]s )(?<!\bas )(?<!\bbe )\b(?:the|that|this) (?P<noun>[a-z][\w'’-]{2,})\b"
    r"(?=\s*(?:[?.!,;:]|$)|\s+(?:is|was|has|had|have|do|does|did|will|can|go|goes|get|gets|come|comes|run|runs|made|now|then|"
    r"too|again|herself|himself|itself|at all|and|or)\b)"
)
"""A noun that is not what something is said to be, and not said more exactly: "the horse", not "the horse of"."""
_DESCRIBED = re.compile(
    r"\b(?:the|that) (?P<words>(?!other\b)[\w'’-]+(?: [\w'’-]+){0,2}?) one\b(?!s)"
    r"|^(?:the|that) (?P<first>[\w'’-]+(?: [\w'’-]+){0,2}),",
    re.I,
)


def pronouns(things: Things, seen: References, memory: Memory, focus: list[str]) -> Iterator[Interpretation]:
    """The sentence with a name for each pronoun; ``focus``: what may be meant, what the turn itself named first."""
    if not seen.pronouns:
        return
    last = memory.last
    if seen.plural and last is not None and 2 <= len(last.answers) <= 4:
        names = " and ".join(things.name(a) for a in last.answers)
        yield Interpretation(replace_pronouns(seen.bare, names), "pronoun", f"they: {names}", tuple(last.answers))
    elif seen.plural and last is not None and len(last.answers) == len(last.topics) == 1:
        both = (*last.topics, *last.answers)
        names = " and ".join(things.name(n) for n in both)
        yield Interpretation(replace_pronouns(seen.bare, names), "pronoun", f"they: {names}", both)
    word, *others = seen.words
    for node in things.fitting(word, focus)[:MAX_FOCUS]:
        name = things.name(node)
        second = next((n for o in others[:1] if o != "they" for n in things.fitting(o, focus) if n != node), "")
        also = things.name(second) if second else ""
        how = f"{word}: {name}" + (f"; {others[0]}: {also}" if also else "")
        text = replace_pronouns(seen.bare, name or seen.bare[slice(*seen.pronouns[0])], also)
        yield Interpretation(text, "pronoun", how, (node, *((second,) if second else ())))


def ellipses(things: Things, seen: References, memory: Memory) -> Iterator[Interpretation]:
    """The sentence said of each thing that was spoken of: "born when?" """
    for node in memory.focus()[:MAX_FOCUS]:
        name = things.name(node)
        text = f"{seen.bare.rstrip(' ?!.')}, {name}?" if name else seen.bare
        yield Interpretation(text, "ellipsis", f"about {name or 'the same'}", (node,))


def with_names(things: Things, bare: str, memory: Memory) -> str:
    """The sentence with a name for "the horse", where that is a word of what was spoken of, the latest first."""

    def put(match: re.Match[str]) -> str:
        word = fold_word(match.group("noun"))
        if word in STOP_WORDS or things.links(match.group()):
            return match.group()
        node = next((n for n in known if word in things.nouns(n)), "")
        return things.name(node) or match.group()

    answers = (a for t in reversed(memory.turns[-3:]) if len(t.answers) <= 20 for a in t.answers)
    known = [n for n in dict.fromkeys((*memory.focus(6), *answers)) if memory.is_thing(n)]
    return _DEFINITE.sub(put, bare) if known else bare


def put_first(things: Things, seen: References, links: Sequence[Link], memory: Memory) -> Iterator[Interpretation]:
    """What a sentence names before it asks: "P-0340, how big was that?", "the Velden one, how far is it?" """
    one = _DESCRIBED.search(seen.bare)
    if one and not things.links(one.group()):
        node = _described(things, one.group("words") or one.group("first"), memory)
        if node and (name := things.name(node)):
            rest = seen.bare[one.end() :].strip(" ,")
            if one.start() or not rest:
                text = f"{seen.bare[: one.start()]}{name}{seen.bare[one.end() :]}"
            elif find_references(rest).pronouns:
                text = replace_pronouns(rest, name)
            else:
                text = f"{rest.rstrip(' ?!.')}, {name}?"
            yield Interpretation(text, "pronoun", f"{one.group().strip(' ,')}: {name}", (node,))
            return
    nodes = {x.node for x in links}
    if len(nodes) != 1 or not seen.pronouns or seen.plural:
        return
    start = seen.pronouns[0][0]
    clause = max((m.end() for m in re.finditer(r"[,.;:!?] ", seen.bare[:start])), default=0)
    if (
        clause
        and all(x.node in nodes for x in things.links(seen.bare[:clause]))
        and not things.links(seen.bare[clause:])
    ):
        (node,) = nodes
        name = things.name(node)
        text = replace_pronouns(seen.bare[clause:], name)
        yield Interpretation(text, "pronoun", f"{seen.words[0]}: {name}", (node,))


def _described(things: Things, words: str, memory: Memory) -> str:
    """The one of the last answers, or of the namesakes of what was spoken of, that words fit best; "" for none."""
    for turn in reversed(memory.turns[-3:]):
        if 2 <= len(turn.answers) <= 20 and (node := things.described(turn.answers, words)):
            return node
    for old in memory.focus()[:MAX_FOCUS]:
        if (others := things.namesakes(old)) and (node := things.described((old, *others), words)):
            return node
    return ""


def compares_with(text: str) -> bool:
    """Whether a sentence compares something with what it names, and names no other: "So above Saaz." """
    told = cues.direction(text, False) or cues.direction(text, True) or re.search(r"\bthan\b", text, re.I)
    return bool(told) and not WH.search(text)
