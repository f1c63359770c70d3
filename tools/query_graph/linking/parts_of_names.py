"""Names by less than most of their words: "the drill" of two drills, a first name, a place by its adjective, "the Old
Bridge" of a longer name; and everyday words that name a state ("done")."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import NamedTuple

from triplewise.kg.stop_words import COMMON_WORDS, STOP_WORDS
from triplewise.tools.query_graph.linking.demonyms import places_of
from triplewise.tools.text.first_names import MEN, WOMEN
from triplewise.tools.text.spelling.english import ENGLISH
from triplewise.tools.text.verb_forms import word_set

MAX_NAME_WORDS = 8
"""A text of more words is a description, not a name."""
MIN_COVERAGE = 0.4
"""Share of a name's weight that must be matched."""
_FIRST_NAME = 0.5
"""The score of a name of which the first name is said."""
_FEW_WORDS = 3
"""Words of a person's name, at most."""
_WHOSE = re.compile(r"\W*[^\W_]+(?:['’]s?)\s")
_SHORT = 0.7
"""The score of a name of which the words before "of" are said."""
_PLACE = 4
"""Words of a place's name, at most."""
_BEING = word_set("t is are was were be been being isn aren wasn weren isnt arent wasnt not already yet all")
_STATES = word_set("done given listed made off on out over played primary released used won worked written")
"""Stop words by which a table may say how something is."""
_GOING_ON = word_set("by with for in on at to of from")
_FIRST_NAMES = (WOMEN | MEN) - COMMON_WORDS - STOP_WORDS
_FEW_BEARERS = 4
"""Things of which "the drill" may mean one."""
_STATE = 3.0
"""Bits of an everyday word that says how something is."""


class Word(NamedTuple):
    """A folded word of a sentence and where it stands."""

    text: str
    start: int
    end: int


class Name(NamedTuple):
    """A name of a node, as it is written and by its folded words."""

    node: str
    text: str
    words: tuple[str, ...]
    is_value: bool


class Part(NamedTuple):
    """A name, by its number, that the words from ``first`` to ``last`` may mean; ``weight``: how telling these are, in
    bits, where it is not that of the first word."""

    number: int
    first: int
    last: int
    score: float = MIN_COVERAGE
    weight: float = 0.0
    is_value: bool = False


def is_whose(name: Name) -> bool:
    """Whether a name says whose something is by its first word: "Nia's goggles"."""
    return len(name.words) > 1 and bool(_WHOSE.match(name.text))


class PartsOfNames:
    """What parts of the names of a graph may mean; ``postings``: word → the numbers of the names that have it."""

    def __init__(self, names: Sequence[Name], postings: Mapping[str, list[int]], class_words: Set[str]) -> None:
        self.names, self.postings, self.class_words = names, postings, class_words

    def said(
        self, sentence: str, words: list[Word], proper: Set[int], whom: Mapping[int, Sequence[int]]
    ) -> Iterator[Part]:
        """What parts of names a sentence says; ``proper``: where the words stand that are written as names; ``whom``:
        the first names, as ``after_whom`` finds them."""
        for n, i in (*self._definite(words), *self._only_part(words, proper)):
            yield Part(n, i, i)
        for i, numbers in whom.items():
            yield from (Part(n, i, i, _FIRST_NAME) for n in numbers)
        for n, i in self._states(words):
            yield Part(n, i, i, 1.0, _STATE, is_value=True)
        for n, first, last in self._before_of(sentence, words):
            weight = sum(math.log2(1 + len(self.names) / len(self.postings[w.text])) for w in words[first : last + 1])
            yield Part(n, first, last, _SHORT, weight)

    @cached_property
    def _whole(self) -> dict[str, list[int]]:
        """The numbers of the names of at most ``_PLACE`` words, by these."""
        found: dict[str, list[int]] = defaultdict(list)
        for number, name in enumerate(self.names):
            if len(name.words) <= _PLACE:
                found[" ".join(name.words)].append(number)
        return found

    @cached_property
    def _by_place(self) -> dict[str, list[int]]:
        """The numbers of the names that may be the adjective of a place, by this place."""
        found: dict[str, list[int]] = defaultdict(list)
        for text, numbers in self._whole.items():
            for place in places_of(text):
                found[place] += numbers
        return found

    def demonyms(self, words: list[Word]) -> Iterator[tuple[int, int]]:
        """(number of a name, word position) where a place is named by its adjective, or what the graph has as an
        adjective by the place; a word that is itself a name is that."""
        for i, word in enumerate(words):
            if word.text in STOP_WORDS or word.text in COMMON_WORDS or word.text in self._whole:
                continue
            for place in places_of(word.text):
                yield from ((number, i) for number in self._whole.get(place, ()))
            for last in range(i + 1, min(i + _PLACE, len(words)) + 1):
                place = " ".join(w.text for w in words[i:last])
                if place not in self._whole:
                    yield from ((number, i) for number in self._by_place.get(place, ()))

    def _definite(self, words: list[Word]) -> Iterator[tuple[int, int]]:
        """(number of a name, word position) where "the" stands before the last word of the name, which no other thing
        has in its own, or which few others end with: "the tart" is the Goat Cheese Tart, however little of its name
        that is, and "the drill" one of two."""
        for i, word in enumerate(words[1:], 1):
            numbers = self.postings.get(word.text, ())
            alone = words[i - 1].text == "the" and not any(w.text in self.postings for w in words[i + 1 : i + 2])
            if not alone or word.text in STOP_WORDS | COMMON_WORDS | self.class_words or len(numbers) > _FEW_BEARERS:
                continue
            if all(self.names[n].words[-1] == word.text and not self.names[n].is_value for n in numbers):
                yield from ((n, i) for n in numbers)

    @cached_property
    def deeds(self) -> frozenset[str]:
        """The words that names of several begin with: "plastering the kitchen" is the job Plaster kitchen."""
        return frozenset(n.words[0] for n in self.names if len(n.words) > 1 and not n.is_value) - STOP_WORDS

    def _states(self, words: list[Word]) -> Iterator[tuple[int, int]]:
        """(number of a name, word position) of an everyday word that is a value by itself, where it says how something
        is: "which jobs are done?"; not of "is done by"."""
        for i, word in enumerate(words):
            numbers = self._whole.get(word.text, ()) if word.text in _STATES and i else ()
            then = words[i + 1].text if i + 1 < len(words) else ""
            if words[i - 1].text in _BEING and then not in _GOING_ON:
                yield from ((n, i) for n in numbers if self.names[n].is_value)

    @cached_property
    def _shorter(self) -> dict[str, list[int]]:
        """The numbers of the names "Old Bridge of Kirrach" by their words before "of", where these are two or more."""
        found: dict[str, list[int]] = defaultdict(list)
        for number, name in enumerate(self.names):
            if (
                not name.is_value
                and 2 <= (at := name.words.index("of") if "of" in name.words else 0) < len(name.words) - 1
            ):
                found[" ".join(name.words[:at])].append(number)
        return found

    def _before_of(self, sentence: str, words: list[Word]) -> Iterator[tuple[int, int, int]]:
        """(number of a name, first and last word) where the words of a name before its "of" stand with capitals: "the
        Old Bridge", whichever it is."""
        for first in range(1, len(words)):
            for last in range(first + 1, min(first + MAX_NAME_WORDS, len(words))):
                if not sentence[words[last].start].isupper() or not sentence[words[first].start].isupper():
                    break
                short = " ".join(w.text for w in words[first : last + 1])
                yield from ((number, first, last) for number in self._shorter.get(short, ()))

    def after_whom(self, words: list[Word], proper: Set[int]) -> dict[int, list[int]]:
        """Word position → numbers of names, of a first name that few names of few words begin with, where all others
        that have it begin with it as well and are longer, or say whose something is: "Nuala's session 13 April",
        "Nuala's goggles". However many are called after her, Nuala is Nuala Byrne."""
        found: dict[int, list[int]] = {}
        for i, word in enumerate(words):
            numbers = self.postings.get(word.text, ())
            known = i in proper or word.text in _FIRST_NAMES or word.text not in ENGLISH.frequency
            if len(numbers) < 2 or not known or word.text in STOP_WORDS or word.text in self.class_words:
                continue
            names = [self.names[n] for n in numbers]
            if any(name.words[0] != word.text for name in names):
                continue
            own = [n for n in numbers if not is_whose(self.names[n])]
            least = min((len(self.names[n].words) for n in own), default=0)
            few = [n for n in own if len(self.names[n].words) == least and not self.names[n].is_value]
            bearers, called = len({self.names[n].node for n in few}), len({name.node for name in names})
            if 0 < bearers < called and bearers <= _FEW_BEARERS and 1 < least <= _FEW_WORDS:
                found[i] = few
        return found

    def _only_part(self, words: list[Word], proper: Set[int]) -> Iterator[tuple[int, int]]:
        """(number of a name, word position) of a word that one thing alone has in its name, however long that is:
        "Ifeoma" of Sister Ifeoma Obi; a first name also in lower case."""
        for i, word in enumerate(words):
            numbers = self.postings.get(word.text, ())
            if not numbers or len(word.text) < 3 or word.text in STOP_WORDS or word.text in self.class_words:
                continue
            name = self.names[numbers[0]]
            strange = word.text not in ENGLISH.frequency or (word.text in _FIRST_NAMES and name.words[0] == word.text)
            if (i in proper or (strange and not name.is_value)) and len({self.names[n].node for n in numbers}) == 1:
                yield numbers[0], i
