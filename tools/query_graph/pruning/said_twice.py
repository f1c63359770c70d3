"""A relation that is said twice, the one inside the other, is gone over twice: "the boss of Ilse's boss" is two steps
from Ilse, and not one, and so is whom Ilse's boss answers to."""

from __future__ import annotations

from collections.abc import Sequence, Set

from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.linking.mentions import Link, Word, words_in
from triplewise.tools.query_graph.schema_view import Step
from triplewise.tools.text.roles.converses import steps_up

_STEM = 4
"""Letters that the forms of a word share: "trained", "trainer"."""
_HALF = 0.5
"""The score of a link from which on it may be meant: of a full name the first or the last."""
_WHOLE = 0.99
"""The score of a link from which on the whole of a name is said."""
_BETWEEN = """
    of by to from into under for on at the a an his her their its who whom that which whoever was is were are has had
    been person persons man woman people one someone somebody
"""
_LINKING = frozenset(_BETWEEN.split())
"""Words that may stand between the two, beside names and the nouns of classes."""
_OTHERS = frozenset(("else", "other", "others", "another", "too", "also", "same", "both"))
"""Words by which the second is said of something else."""


def not_in_two_ways(sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that take a number of the sentence for a value and for a part of a name: the ten of
    "under 10 pounds" is no "10-inch"."""
    words = words_in(sentence.text)

    def clashes(link: Link, at: int) -> bool:
        value = sentence.values[at]
        if link.score > _WHOLE or link.first < 0:
            return False
        return all(value.start <= words[i].start < value.end for i in range(link.first, link.last + 1))

    pairs = {(i, k) for i, x in enumerate(sentence.links) for k in range(len(sentence.values)) if clashes(x, k)}
    if not pairs:
        return drafts
    return [d for d in drafts if not any((i, k) in pairs for i in d.links for k in d.values)] or drafts


def of_all_steps(sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts that go as often over a relation, one step after the other, as the sentence says it; all where it says
    none twice, or the graph has no such way."""
    up = steps_up(sentence.text)
    times, alone = (up, True) if up > 1 else _times(sentence)
    if times < 2:
        return drafts
    found = [d for d in drafts if max(map(_in_a_row, d.routes), default=0) == times]
    ending = [d for d in found if alone and len(d.routes) == 1 and len(d.steps) in (times, 2 * times)]
    return ending or found or drafts


def _times(sentence: Sentence) -> tuple[int, bool]:
    """How often a word, or a form of it, is said of one thing, with nothing in between that speaks of another; and
    whether nothing else is said."""
    words = words_in(sentence.text)
    if not _OTHERS.isdisjoint(w.text for w in words):
        return 1, False
    named = {i for x in sentence.links if x.score >= _HALF for i in range(x.first, x.last + 1)}
    spoken = frozenset(named)
    named |= {i for first, last in sentence.classes.values() for i in range(first, last + 1)}
    most, alone = 1, False
    for at, word in enumerate(words):
        if at in named or word.text in STOP_WORDS or len(word.text) < _STEM:
            continue
        times, last = 1, at
        for following in range(at + 1, len(words)):
            said = words[following].text
            if "," in sentence.text[words[following - 1].end : words[following].start]:
                break
            if following not in named and _is_form(word.text, said):
                times, last = times + 1, following
            elif following not in named and said not in _LINKING:
                break
        if times > most and _is_said_of(words, at, last, spoken):
            rest = [i for i in range(len(words)) if not at <= i <= last and i not in named]
            most, alone = times, all(words[i].text in STOP_WORDS for i in rest)
    return most, alone


def _is_said_of(words: Sequence[Word], first: int, last: int, named: Set[int]) -> bool:
    """Whether words are said of a named thing, among or right beside them: not "hung side by side"."""
    around = set(range(first, last + 1))
    for way, at in ((-1, first - 1), (1, last + 1)):
        while 0 <= at < len(words) and words[at].text in _LINKING and at not in named:
            at += way
        around.add(at)
    return not around.isdisjoint(named)


def _is_form(one: str, other: str) -> bool:
    """Whether two words are forms of one: they begin alike, but for what may be an ending."""
    stem = max(_STEM, min(len(one), len(other)) - 3)
    return len(other) >= _STEM and one[:stem] == other[:stem]


def _in_a_row(route: tuple[int | str | Step, ...]) -> int:
    """How often a route takes the same step, or the same two over a row that ties things, one after the other."""
    steps = [step for step in route if isinstance(step, Step)]
    most = 1
    for size in (1, 2):
        for start in range(len(steps)):
            part, times = steps[start : start + size], 1
            while part == steps[start + times * size : start + (times + 1) * size]:
                times += 1
            most = max(most, times)
    return most
