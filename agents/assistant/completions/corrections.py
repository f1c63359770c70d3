"""A thing or value of an earlier question put right: "Thursday, not Wednesday", "I meant Lund, not Malmö. Who?" """

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from triplewise.agents.assistant.completions.asked_of import kindred, renamed
from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.last_answers import kind_words
from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.edits import swapped
from triplewise.agents.assistant.memory import Memory, Remembered
from triplewise.agents.assistant.references import find_references
from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.linking.mentions import folded_words, words_in
from triplewise.tools.text.verb_forms import plural

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


_MEANT = r"(?:(?:oh|no|sorry|wait|actually)\b\W*)*(?:i meant?|i(?:['’]m| am| was) asking) "
_OF_ALL = re.compile(
    rf"(?:{_MEANT}|(?:no|and|but)\b\W*)(?:(?:of|among|out of|from) )?(?:all(?: of them)?(?: the)?|any)"
    r"(?: (?P<kind>[\w-]+(?: [\w-]+)?))?\W*",
    re.I,
)
""" "No, I meant of all services": not of those alone that were told."""
_WHEN_MEANT = re.compile(rf"{_MEANT}(?P<word>when|where|who|why|how|how many|how much)\W*", re.I)
_THE_ONE = re.compile(rf"{_MEANT}the (?P<which>ones?) (?:(?:that|which|who) )?(?P<rest>[^?,;]+?)\W*", re.I)
""" "No, I meant the one due last", after the one due first."""
_HAS_VERB = re.compile(r"(?:is|are|was|were|has|have|had|does|did|can|will|\w+s|\w+ed|(?-i:[A-Z])\w*)\b", re.I)
"""Begins what is done, or who does it: "the ones Tom mended"."""
_OF_KIND = re.compile(r"^which(?! (?:is|are|was|were|has|have|had|does|do|did)\b)(?: [\w'’-]+)?", re.I)
_ASKED = re.compile(r"^(?:when|where|who|whom|what|which|why|how(?: (?:many|much))?)\b", re.I)


def corrections(things: Things, text: str, memory: Memory) -> Iterator[Interpretation]:
    """The latest question that had the wrong one, asked of the right one; the last one asked of all, or for something
    else."""
    if last := memory.last:
        yield from _of_all(things, text, last)
        said = _THE_ONE.fullmatch(text.strip())
        if said and (same := list(kindred(things, find_references(text), memory))):
            yield from same  # "the one in Marl End", after Rose Cottage in Over Cobley
            return
        if said:
            some = memory.several()
            one, several = kind_words(things, some or last.answers[:1] or last.topics[:1])
            many = said["which"].lower() == "ones"
            be = "" if _HAS_VERB.match(said["rest"]) else "are " if many else "is "
            asked = f"Which {several if many else one} {be}{said['rest']}?"
            yield Interpretation(asked, "among" if some else "alone", "not as before", keep=some)
        if (other := _WHEN_MEANT.fullmatch(text.strip())) and _ASKED.match(last.question):
            asked = _ASKED.sub(other["word"].lower(), last.question, count=1)
            yield Interpretation(asked, "pronoun", f"{other['word'].lower()}, not as before", last.topics[:1])
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
                    renamed(turn.question, things.called(old), name),
                    "swap",
                    f"{things.name(old)} → {name}",
                    query=asked,
                )
                return


def _of_all(things: Things, text: str, last: Remembered) -> Iterator[Interpretation]:
    said, query = _OF_ALL.fullmatch(text.strip()), QueryGraph.from_json(last.query) if last.query else None
    if not said or query is None or (said["kind"] and not things.names_kind(said["kind"])):
        return
    kinds = {things.kind_label(k) for n in last.answers for k in things.kinds(n)}
    words = {w.text for w in words_in(said["kind"] or "")}
    if words and not any(w in words or plural(w) in words for k in kinds for w in folded_words(k)[-1:]):
        asked = _OF_KIND.sub(f"which {said['kind']}", last.question, count=1)  # of another kind than was taken
        if asked != last.question:
            yield Interpretation(asked, "alone", f"of all {said['kind']}")
        return
    kept = tuple(f for f in query.filters if f.op != "in" or f.left != query.answer)
    if kept != query.filters:
        yield Interpretation(
            f"{last.question.rstrip(' ?.')}, of all?", "swap", "of all", query=replace(query, filters=kept)
        )


def _named(things: Things, words: str) -> list[str]:
    """The things and values that some words name."""
    return list(dict.fromkeys(x.node for x in (*things.links(words), *things.values(words))))
