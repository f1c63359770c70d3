"""Entity linking for query graphs: every node that words of the sentence may mean, ambiguity kept.

Names match by their words, weighted by rarity, so that parts of names, lower case, dropped accents, typing errors,
initials and possessives find them; words of classes ("depot", "line") count little. Nothing is decided here: the graph
and the ranker choose among the candidates.
"""

from __future__ import annotations

import calendar
import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from triplewise.kg.names import fold, literal_parts
from triplewise.kg.stop_words import COMMON_WORDS, STOP_WORDS
from triplewise.kg.values import parse_value
from triplewise.tools.query_graph.linking.parts_of_names import (
    MAX_NAME_WORDS,
    MIN_COVERAGE,
    Name,
    PartsOfNames,
    Word,
    is_whose,
)
from triplewise.tools.query_graph.linking.told_numbers import names_by_number
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.text.spelling.english import ENGLISH
from triplewise.tools.text.verb_forms import doing, plural, word_set

_WORD = re.compile(r"[^\W_]+")
_FOLDED = str.maketrans({"ł": "l", "ø": "o", "ß": "ss", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th"})
_BRACKET = re.compile(r"\s*\([^()]*\)$")
_PER_SPAN = 5
"""Candidates kept for one span."""
_MAX_LINKS = 10
"""Links kept for a sentence."""
_WITH_NOT = word_set("isn aren wasn weren hasn haven hadn don doesn didn")
_DENYING = frozenset(("not", "no", "non", "never"))
DAYS_AND_MONTHS = frozenset(n.lower() for n in (*calendar.day_name, *calendar.month_name))
"""Words that are never another one with a typing error: "Tuesday" is no "Thursday"."""
_ROUND = word_set("round past opposite flat down up outside inside")
"""What may say how something is, and before an article only where: "round the table"."""
_DETERMINERS = word_set("the a an my our your his her its their this that these those")
_VALUE = 3.0
"""Bits of a stop word that is a value beside the word of its relation."""
_USUAL = 5_000
"""How often a word must be met to be taken for itself."""
_SURELY_MEANT = 100_000
"""How often a word is written that is no other with a typing error: "spent" is not the value "sent"."""
_NEARLY_ALL = 0.99
"""The score of a link from which on all of a name is said."""
_CLASS_WORD, _STOP_WORD = 0.25, 0.1
"""Weight of a class word and of a stop word in a name, relative to their rarity."""


_Hits = dict[int, list[tuple[int, str, float]]]
"""The number of a name → (word position, word of the name, quality)."""


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


class _Written(NamedTuple):
    """Where words of a sentence stand that are written as names are, and which of them are everyday words else."""

    names: Set[int]
    everyday: Set[int]


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


class NameIndex:
    """The names of all things and text values of a graph, by their words; built once per graph."""

    def __init__(self, schema: SchemaView) -> None:
        self.schema = schema
        store = schema.store
        self.names: list[Name] = []
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
                    self.names.append(Name(node, text, words, is_value))
        for node, text in names_by_number(schema):
            if (node, words := tuple(folded_words(text))) not in seen:
                seen.add((node, words))
                for word in words:
                    self.postings[word].append(len(self.names))
                self.names.append(Name(node, text, words, is_value=False))
        self._parts = PartsOfNames(self.names, self.postings, self.class_words)

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
            found[i] += [(form, 0.9) for form in doing(text) if form in self._parts.deeds and not found[i]]
            if found[i] or len(text) < 4 or text in STOP_WORDS | COMMON_WORDS | DAYS_AND_MONTHS:
                continue
            if ENGLISH.frequency.get(text, 0) >= _SURELY_MEANT:
                continue
            if not self.class_words.isdisjoint((text, *singulars(text))):
                continue  # "tack" is no "Jack" where there is a table of it
            scorer = OSA.normalized_similarity  # two letters that changed places are one error
            usual = ENGLISH.frequency.get(text, 0) >= _USUAL  # "flower" is no "Lower" whose first letter went wrong
            for near, score, _ in process.extract(text, self._vocabulary, scorer=scorer, limit=4, score_cutoff=0.72):
                if not usual or near[0] == text[0]:
                    found[i].append((near, score**2))
        for i in range(len(words) - 1):  # "sea eagle" for "Seaeagle"
            joined = words[i].text + words[i + 1].text
            if joined in self.postings and len(joined) >= 5:
                found[i].append((joined, 0.95))
        return found

    def _singular(
        self, words: Sequence[Word], matches: Mapping[int, list[tuple[str, float]]]
    ) -> Iterator[tuple[int, int, str]]:
        """(name, position, its word) of the names that are a plural of which the singular is said: "a nut allergy" of
        who can't eat nuts."""
        for i, word in enumerate(words):
            if not matches.get(i) and len(word.text) > 2 and word.text not in STOP_WORDS:
                many = plural(word.text)
                yield from ((n, i, many) for n in self.postings.get(many, ()) if len(self.names[n].words) == 1)

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
        for number, i, many in self._singular(words, matches):
            where[number].append((i, many, 0.9))
        for number, i in self._parts.demonyms(words):
            where[number] = [(i, word, 1.0) for word in self.names[number].words]
        proper = written_as_names(sentence, words)
        written = _Written(proper, _everyday_names(sentence, words))
        found = {n: link for n, hits in where.items() if (link := self._link(self.names[n], hits, words, written))}
        whom = self._parts.after_whom(words, proper)
        for part in self._parts.said(sentence, words, proper, whom):
            name, weight = self.names[part.number], part.weight or self._weight(words[part.first].text)
            link = Link(name.node, name.text, part.first, part.last, part.score, weight, part.is_value)
            found.setdefault(part.number, link)
        theirs = [n for n, x in found.items() if x.first == x.last and x.first in whom and is_whose(self.names[n])]
        for n in theirs:  # "who drove Nia?" speaks of none of Nia's goggles
            del found[n]
        number = {(link.node, link.name): n for n, link in found.items()}
        strongest = self._without_longer(_strongest(list(found.values())))
        return [self._by_itself(x, strongest, number[x.node, x.name], where, words, written) for x in strongest]

    def _without_longer(self, links: list[Link]) -> list[Link]:
        """Links without those of longer names where the words are the whole name of a thing of their kind: "the Frost
        Owls" are not the Frost Owls Academy. What stands in brackets tells things of one name apart."""
        whole = [x for x in links if x.score == 1.0 and x.last > x.first and not x.is_value]

        def is_longer(link: Link, one: Link) -> bool:
            name = folded_words(one.name)
            begins = folded_words(link.name)[: len(name)] == name and (one.first, one.last) == (link.first, link.last)
            return begins and not set(self.schema.kinds(one.node)).isdisjoint(self.schema.kinds(link.node))

        return [
            x for x in links
            if x.score > _NEARLY_ALL or x.is_value or "(" in x.name or not any(is_longer(x, one) for one in whole)
        ]  # fmt: skip

    def _by_itself(
        self, link: Link, links: list[Link], number: int, where: _Hits, words: list[Word], written: _Written
    ) -> Link:
        """A link where its name stands by itself, if it first stands within another: the Ludlow of "Ludlow Castle was
        made by somebody from Ludlow"."""
        within = [x for x in links if x.last - x.first > link.last - link.first and _covers(x, link) and x.score == 1]
        free = [hit for hit in where[number] if not any(x.first <= hit[0] <= x.last for x in within)]
        other = self._link(self.names[number], free, words, written) if within and free else None
        return other if other and other.score >= link.score else link

    def _link(
        self, name: Name, hits: list[tuple[int, str, float]], words: list[Word], written: _Written
    ) -> Link | None:
        """The link that words of a sentence make to a name."""
        total = sum(self._weight(w) for w in name.words)
        if sum({w: self._weight(w) for _, w, _ in hits}.values()) < MIN_COVERAGE * total:
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
        of_relation = first == last and self._stands_before_relation(name, words[last + 1 : last + 2], score)
        as_name = len(name.words) == 1 and first in written.everyday and score > _NEARLY_ALL
        weight = max(weight, _VALUE) if of_relation or as_name else weight
        if score < MIN_COVERAGE or weight < 0.5:
            return None
        known = of_relation or as_name or first in written.names
        if first == last and not known and not _may_name(name, words[first], score):
            return None
        after = {w.text for w in words[last + 1 : last + 2]}
        if first == last and words[first].text in _ROUND and after & _DETERMINERS:
            return None  # "round the table" says of nothing that it is round
        if name.words[0] in _DENYING and name.words[0] not in {word for _, word, _ in hits}:
            return None  # what is "started" is not what is "not started"
        return Link(name.node, name.text, first, last, score, weight, name.is_value)

    def _stands_before_relation(self, name: Name, after: Sequence[Word], score: float) -> bool:
        """Whether a stop word that is all of a value is followed by what the graph calls it: the "first" of "on the
        first floor" where a column "floor" has it."""
        if not name.is_value or len(name.words) > 1 or score < _NEARLY_ALL or not after:
            return False
        words = (self.schema.words(r) for r in self.schema.store.in_relations(name.node))
        return any(after[0].text in folded_words(text) for text in words)


def written_as_names(sentence: str, words: Sequence[Word]) -> set[int]:
    """Where words stand within a sentence that have a capital letter; none where others than names have one, too."""
    capitals = {i for i, w in enumerate(words) if sentence[w.start].isupper() and i and w.text not in STOP_WORDS}
    return capitals if 2 * len(capitals) < len(words) and not sentence.isupper() else set()


def _everyday_names(sentence: str, words: Sequence[Word]) -> set[int]:
    """Where everyday words stand within a sentence as names are written: a horse called "Star"."""
    written = {i for i, w in enumerate(words) if sentence[w.start].isupper() and i and len(w.text) > 2}
    return {i for i in written if words[i].text in STOP_WORDS} if 2 * len(written) < len(words) else set()


def _may_name(name: Name, word: Word, score: float) -> bool:
    """Whether a single everyday word can be meant as a name: only where it is the whole name."""
    everyday = word.text in STOP_WORDS or word.text in COMMON_WORDS
    return not everyday or (len(name.words) == 1 and score > _NEARLY_ALL and word.text not in STOP_WORDS)


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
    return list(_folded_words(text))


@lru_cache(maxsize=8192)
def _folded_words(text: str) -> tuple[str, ...]:
    return tuple(w.text for w in _words_in(text))


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
    if len(said) >= 5 and len(name) >= 4 and (not said.endswith("ed") or name.endswith("ed")):  # "dived" is no dive
        return max(fuzz.ratio(name, form) for form in (said, *singulars(said))) >= 84
    return False


@lru_cache(maxsize=65_536)  # each pruner asks it of all relations and all words
def is_form_of(name: str, said: str) -> bool:
    """Whether a word of a label was said as it is or in the plural."""
    return name == said or name in singulars(said) or (name.endswith("y") and said == f"{name[:-1]}ies")
