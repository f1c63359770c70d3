"""Entity linking for query graphs: every node that words of the sentence may mean, ambiguity kept.

Names match by their words, weighted by rarity, so that parts of names, lower case, dropped accents, typing errors,
initials and possessives find them; words of classes ("depot", "line") count little. Nothing is decided here: the graph
and the ranker choose among the candidates.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from triplewise.kg.names import fold, literal_parts
from triplewise.kg.stop_words import COMMON_WORDS, STOP_WORDS
from triplewise.kg.values import parse_value
from triplewise.tools.query_graph.linking.demonyms import places_of
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.text.spelling.english import ENGLISH
from triplewise.tools.text.verb_forms import doing, word_set

_WORD = re.compile(r"[^\W_]+")
_FOLDED = str.maketrans({"ł": "l", "ø": "o", "ß": "ss", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th"})
_BRACKET = re.compile(r"\s*\([^()]*\)$")
MAX_NAME_WORDS = 8
"""A text of more words is a description, not a name."""
_PER_SPAN = 5
"""Candidates kept for one span."""
_MAX_LINKS = 10
"""Links kept for a sentence."""
_SHORT = 0.7
"""The score of a name of which the words before "of" are said."""
_MIN_COVERAGE = 0.4
"""Share of a name's weight that must be matched."""
_PLACE = 4
"""Words of a place's name, at most."""
_BEING = word_set("t is are was were be been being isn aren wasn weren isnt arent wasnt not already yet all")
_STATES = word_set("done given listed made off on out over played primary released used won worked written")
"""Stop words by which a table may say how something is."""
_GOING_ON = word_set("by with for in on at to of from")
_WITH_NOT = word_set("isn aren wasn weren hasn haven hadn don doesn didn")
_DENYING = frozenset(("not", "no", "non", "never"))
_FEW_BEARERS = 4
"""Things of which "the drill" may mean one."""
_STATE = 3.0
"""Bits of an everyday word that says how something is."""
_CLASS_WORD, _STOP_WORD = 0.25, 0.1
"""Weight of a class word and of a stop word in a name, relative to their rarity."""


_Hits = dict[int, list[tuple[int, str, float]]]
"""The number of a name → (word position, word of the name, quality)."""


class Word(NamedTuple):
    """A folded word of a sentence and where it stands."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Link:
    """A node that a span of the sentence may mean.

    ``score`` in (0, 1]: the share of the name that the words cover, less for typing errors. ``first`` and ``last`` are
    word positions; ``weight`` is how telling the matched words are, in bits.
    """

    node: str
    name: str
    first: int
    last: int
    score: float
    weight: float
    is_value: bool = False

    def overlaps(self, other: Link) -> bool:
        """Whether the two share a word."""
        return self.first <= other.last and other.first <= self.last


def words_in(sentence: str) -> list[Word]:
    """The folded words of a sentence; a possessive ending is no word."""
    return list(_words_in(sentence))


@lru_cache(maxsize=8192)  # each step of reading a sentence asks for its words, and for those of relations
def _words_in(sentence: str) -> tuple[Word, ...]:
    found: list[Word] = []
    for match in _WORD.finditer(sentence):
        before = sentence[match.start() - 1 : match.start()]
        if match.group() in ("s", "S") and before in ("'", "’"):
            continue
        found.append(Word(fold_word(match.group()), match.start(), match.end()))
    return tuple(found)


def fold_word(word: str) -> str:
    """Case- and accent-folded, with letters that do not decompose spelt out."""
    return fold(word).translate(_FOLDED)


@dataclass(frozen=True, slots=True)
class _Name:
    node: str
    text: str
    words: tuple[str, ...]
    is_value: bool


class NameIndex:
    """The names of all things and text values of a graph, by their words; built once per graph."""

    def __init__(self, schema: SchemaView) -> None:
        self.schema = schema
        store = schema.store
        self.names: list[_Name] = []
        self.postings: dict[str, list[int]] = defaultdict(list)
        self.class_words = {w for c in schema.classes for w in folded_words(store.label(c))}
        self._weight = cache(self._weigh)
        self._links = lru_cache(maxsize=64)(self._find_links)  # what reads a sentence asks for them several times
        seen: set[tuple[str, tuple[str, ...]]] = set()
        for node in store.nodes():
            if store.is_name(node) or store.is_class(node) or schema.is_mediator(node):
                continue
            if not (store.types(node) or store.out_relations(node) or store.in_relations(node)):
                continue  # it is only named, as the relations of a vocabulary are: nothing can be asked of it
            label = store.label(node)
            is_value = literal_parts(node) is not None or not (store.types(node) or store.out_relations(node))
            if is_value and parse_value(label).kind != "text":
                continue
            for text in dict.fromkeys((label, _BRACKET.sub("", label), *store.aliases(node))):
                words = tuple(folded_words(text))
                if words and len(words) <= MAX_NAME_WORDS and (node, words) not in seen:
                    seen.add((node, words))
                    for word in set(words):
                        self.postings[word].append(len(self.names))
                    self.names.append(_Name(node, text, words, is_value))

    @cached_property
    def _vocabulary(self) -> list[str]:
        return [w for w in self.postings if len(w) >= 4 and not w.isdigit()]

    def _weigh(self, word: str) -> float:
        weight = math.log2(1 + len(self.names) / max(1, len(self.postings.get(word, ()))))
        if word in self.class_words:
            return weight * _CLASS_WORD
        return weight * (_STOP_WORD if word in STOP_WORDS else 1.0)

    def _matches(self, words: list[Word]) -> dict[int, list[tuple[str, float]]]:
        """Position in the sentence → (word of a name, quality)."""
        found: dict[int, list[tuple[str, float]]] = defaultdict(list)
        for i, word in enumerate(words):
            text = word.text
            if text == "t" and i and words[i - 1].text in _WITH_NOT and "not" in self.postings:
                found[i].append(("not", 0.95))
            if text in self.postings:
                found[i].append((text, 1.0))
                if text in STOP_WORDS or len(text) < 4:
                    continue
            for form in singulars(text):
                if form in self.postings:
                    found[i].append((form, 0.95))
            found[i] += [(form, 0.9) for form in doing(text) if form in self._deeds and not found[i]]
            if found[i] or len(text) < 4 or text in STOP_WORDS | COMMON_WORDS:
                continue
            scorer = OSA.normalized_similarity  # two letters that changed places are one error
            for near, score, _ in process.extract(text, self._vocabulary, scorer=scorer, limit=4, score_cutoff=0.72):
                found[i].append((near, score**2))
        for i in range(len(words) - 1):  # "sea eagle" for "Seaeagle"
            joined = words[i].text + words[i + 1].text
            if joined in self.postings and len(joined) >= 5:
                found[i].append((joined, 0.95))
        return found

    def link(self, sentence: str) -> list[Link]:
        """The links of a sentence, the strongest first; several may share words."""
        return list(self._links(sentence))

    def _find_links(self, sentence: str) -> list[Link]:
        words = words_in(sentence)
        matches = self._matches(words)
        where: _Hits = defaultdict(list)
        for i, found in matches.items():
            for word, quality in found:
                for number in self.postings[word] if len(self.postings[word]) <= 3000 else ():
                    where[number].append((i, word, quality))
        for number, i in self._demonyms(words):
            where[number] = [(i, word, 1.0) for word in self.names[number].words]
        proper = written_as_names(sentence, words)
        found = {n: link for n, hits in where.items() if (link := self._link(self.names[n], hits, words, proper))}
        for n, i in (*self._definite(words), *self._only_part(words, proper)):
            weight = self._weight(words[i].text)
            found.setdefault(n, Link(self.names[n].node, self.names[n].text, i, i, _MIN_COVERAGE, weight))
        for n, i in self._states(words):
            found.setdefault(n, Link(self.names[n].node, self.names[n].text, i, i, 1.0, _STATE, is_value=True))
        for n, first, last in self._before_of(sentence, words):
            weight = sum(math.log2(1 + len(self.names) / len(self.postings[w.text])) for w in words[first : last + 1])
            found.setdefault(n, Link(self.names[n].node, self.names[n].text, first, last, _SHORT, weight))
        number = {(link.node, link.name): n for n, link in found.items()}
        strongest = _strongest(list(found.values()))
        return [self._by_itself(x, strongest, number[x.node, x.name], where, words, proper) for x in strongest]

    def _by_itself(
        self, link: Link, links: list[Link], number: int, where: _Hits, words: list[Word], proper: Set[int]
    ) -> Link:
        """A link where its name stands by itself, if it first stands within another: the Ludlow of "Ludlow Castle was
        made by somebody from Ludlow"."""
        within = [x for x in links if x.last - x.first > link.last - link.first and _covers(x, link) and x.score == 1]
        free = [hit for hit in where[number] if not any(x.first <= hit[0] <= x.last for x in within)]
        other = self._link(self.names[number], free, words, proper) if within and free else None
        return other if other and other.score >= link.score else link

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

    def _demonyms(self, words: list[Word]) -> Iterator[tuple[int, int]]:
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
    def _deeds(self) -> frozenset[str]:
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

    def _only_part(self, words: list[Word], proper: Set[int]) -> Iterator[tuple[int, int]]:
        """(number of a name, word position) of a word that one thing alone has in its name, however long that is:
        "Ifeoma" of Sister Ifeoma Obi."""
        for i, word in enumerate(words):
            numbers = self.postings.get(word.text, ())
            if not numbers or len(word.text) < 3 or word.text in STOP_WORDS or word.text in self.class_words:
                continue
            named = i in proper or (word.text not in ENGLISH.frequency and not self.names[numbers[0]].is_value)
            if named and len({self.names[n].node for n in numbers}) == 1:
                yield numbers[0], i

    def _link(
        self, name: _Name, hits: list[tuple[int, str, float]], words: list[Word], proper: Set[int]
    ) -> Link | None:
        """The link that words of a sentence make to a name; ``proper``: where the words stand that are written as
        names."""
        total = sum(self._weight(w) for w in name.words)
        if sum({w: self._weight(w) for _, w, _ in hits}.values()) < _MIN_COVERAGE * total:
            return None
        reach = len(name.words) + 1
        best: tuple[float, int, int] | None = None
        in_order = False
        for start, _, _ in hits:
            taken: dict[str, tuple[float, int]] = {}
            for i, word, quality in hits:
                if start <= i < start + reach and quality > taken.get(word, (0.0, 0))[0]:
                    taken[word] = (quality, i)
            weight = sum(self._weight(w) * q for w, (q, _) in taken.items())
            last = max(i for _, i in taken.values())
            positions = [taken[w][1] for w in name.words if w in taken]
            as_called = positions == sorted(positions)  # of "Ada Moss Ella Moss" not "Moss Ella"
            if (
                best is None
                or weight > best[0] + 1e-9
                or (weight > best[0] - 1e-9 and (last - start, in_order) < (best[2] - best[1], as_called))
            ):
                best, in_order = (weight, start, last), as_called
        if best is None or not total:
            return None
        weight, first, last = best
        score = min(1.0, weight / total)
        if score < _MIN_COVERAGE or weight < 0.5:
            return None
        if first == last and first not in proper and not _may_name(name, words[first], score):
            return None
        if name.words[0] in _DENYING and name.words[0] not in {word for _, word, _ in hits}:
            return None  # what is "started" is not what is "not started"
        return Link(name.node, name.text, first, last, score, weight, name.is_value)


def written_as_names(sentence: str, words: Sequence[Word]) -> set[int]:
    """Where words stand within a sentence that have a capital letter; none where others than names have one, too."""
    capitals = {i for i, w in enumerate(words) if sentence[w.start].isupper() and i and w.text not in STOP_WORDS}
    return capitals if 2 * len(capitals) < len(words) and not sentence.isupper() else set()


def _may_name(name: _Name, word: Word, score: float) -> bool:
    """Whether a single everyday word can be meant as a name: only where it is the whole name."""
    everyday = word.text in STOP_WORDS or word.text in COMMON_WORDS
    return not everyday or (len(name.words) == 1 and score > 0.99 and word.text not in STOP_WORDS)


def _strongest(links: list[Link]) -> list[Link]:
    by_node: dict[str, Link] = {}
    for link in sorted(links, key=lambda x: (-x.score * x.weight, x.last - x.first, x.node)):
        by_node.setdefault(link.node, link)
    kept: list[Link] = []
    for link in sorted(by_node.values(), key=lambda x: (-x.weight * x.score, -x.score, x.last - x.first, x.node)):
        rivals = [k for k in kept if k.overlaps(link)]
        if len(rivals) >= _PER_SPAN or len(kept) >= 3 * _MAX_LINKS:
            continue
        if any(_covers(k, link) and link.weight * link.score < 0.4 * k.weight * k.score for k in rivals):
            continue
        kept.append(link)
    return kept[:_MAX_LINKS]


def _covers(a: Link, b: Link) -> bool:
    return a.first <= b.first and b.last <= a.last


def folded_words(text: str) -> list[str]:
    """The words of a name, folded; as in a sentence, a possessive ending is none: "Georg's Cuvée" is named by two."""
    return [w.text for w in words_in(text)]


def singulars(word: str) -> list[str]:
    """What a word may be the plural of."""
    forms = []
    if len(word) > 3 and word.endswith("s"):
        forms.append(word[:-1])
        if word.endswith("es"):
            forms.append(word[:-2])
        if word.endswith("ies"):
            forms.append(word[:-3] + "y")
    return forms


def same_word(name: str, said: str) -> bool:
    """Whether a word of a label was said, in the plural or with a typing error perhaps."""
    if is_form_of(name, said):
        return True
    if len(said) >= 5 and len(name) >= 4:
        return max(fuzz.ratio(name, form) for form in (said, *singulars(said))) >= 84
    return False


def is_form_of(name: str, said: str) -> bool:
    """Whether a word of a label was said as it is or in the plural."""
    return name == said or name in singulars(said) or (name.endswith("y") and said == f"{name[:-1]}ies")
