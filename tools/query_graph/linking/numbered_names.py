"""Names with a number, "Plot 4" of a class and "TC-2" of letters: one that no thing has is a name that the graph lacks,
and no number."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property

from triplewise.kg.names import literal_parts
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph.linking.class_names import words_of_class
from triplewise.tools.query_graph.linking.mentions import Link, Word, folded_words, is_form_of, words_in
from triplewise.tools.query_graph.linking.told_numbers import names_by_number
from triplewise.tools.query_graph.nameless import numbered
from triplewise.tools.query_graph.schema_view import SchemaView

_NUMBER = re.compile(r"\d+[a-z]?")
_BEFORE = "a an the which what any each every no some many all one another"
_DETERMINING = frozenset(_BEFORE.split())
"""Words after which a class stands for itself: in "a plot 90 metres long" the number is none of its name."""
_CALLED_SO = 0.5
"""Share of a class that must be called by its label and a number for its things to be called so."""
_MANY = 3
"""Things of one kind that the same words mean alike, for them to mean any of these."""
_PART = 0.75
"""The score of a link up to which only a part of a name is said."""
_CODE = re.compile(r"(?<![\w-])(?P<letters>[^\W\d_]{1,4})-?0*(?P<number>\d{1,6})(?![\w-]|[.,]\d)")
_ROWS = 3
"""Rows that are called so at least, for their word to be that of a table."""
_SAID, _TELLING = 0.99, 20.0
_WORD = 4
"""Letters of a word that codes may begin with."""
_ALIKE = 2
"""Things that must be called by the same letters and a number for another number to be that of one more."""


class Codes:
    """The names of a graph that are, or have in them, letters and a number: "TC-2", "B12"."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = names

    def unknown(self, text: str) -> Iterator[tuple[int, int]]:
        """(start, end) in the sentence of each code of which others have the letters and none the number."""
        for match in _CODE.finditer(text):
            numbers = self._numbers.get(match["letters"].lower(), frozenset())
            if len(numbers) >= _ALIKE and match["number"] not in numbers:
                yield match.span()

    @cached_property
    def _numbers(self) -> dict[str, set[str]]:
        """Letters of codes → the numbers behind them, as names have them."""
        found: dict[str, set[str]] = {}
        for name in self._names:
            for match in _CODE.finditer(name):
                found.setdefault(match["letters"].lower(), set()).add(match["number"])
        return found


class NumberedRows:
    """The rows of a graph that are called by one word and a number, as "lesson 3" and "INV-056" are."""

    def __init__(self, schema: SchemaView) -> None:
        found: dict[str, dict[int, list[str]]] = {}
        for node in schema.store.nodes():
            if not literal_parts(node) and (called := numbered(schema.label(node))):
                found.setdefault(called[0], {}).setdefault(called[1], []).append(node)
        self._rows = {stem: rows for stem, rows in found.items() if len(rows) >= _ROWS}
        self._stems = {node: stem for stem, rows in self._rows.items() for nodes in rows.values() for node in nodes}

    def links(self, words: Sequence[Word], links: list[Link]) -> list[Link]:
        """The links of a sentence: a row is meant where its number is said, behind its word or behind what the letters
        of its code begin ("invoice 56" is INV-056), and not where its word alone is: a lesson is none of six."""
        if not self._rows:
            return links
        numbers = frozenset(word.text for word in words if word.text.isdigit())
        kept = [x for x in links if (stem := self._stems.get(x.node)) is None or not _is_stem(stem, x, words, numbers)]
        for at in range(len(words) - 1):
            word, number = words[at].text, words[at + 1].text
            if not number.isdigit() or any(x.first <= at + 1 <= x.last and x.score > _SAID for x in kept):
                continue
            for node in self._of_code(word, int(number)):
                kept.insert(0, Link(node, node, at, at + 1, 1.0, _TELLING))
        return kept

    def _of_code(self, word: str, number: int) -> list[str]:
        """The rows whose code a word and a number say; none where codes of several letters have it."""
        if len(word) < _WORD or word in STOP_WORDS:
            return []
        found = [rows.get(number, []) for stem, rows in self._rows.items() if word != stem and word.startswith(stem)]
        return found[0] if len(found) == 1 and len(found[0]) == 1 else []


def _is_stem(stem: str, link: Link, words: Sequence[Word], numbers: frozenset[str]) -> bool:
    """Whether a link to a row is made by the word before its number alone."""
    said = [words[i].text for i in range(link.first, link.last + 1)] if link.first >= 0 else []
    return len(said) == 1 and is_form_of(stem, said[0]) and not numbers.intersection(folded_words(link.name))


class NumberedNames:
    """The classes of a graph whose things are called by the class and a number."""

    def __init__(self, schema: SchemaView) -> None:
        self.schema = schema
        self._labels = [(kind, tuple(words_of_class(schema, kind))) for kind in schema.classes]
        self._numbers = cache(self._numbers_of)
        self._told = dict(names_by_number(schema))

    def unknown(self, words: Sequence[Word]) -> Iterator[tuple[int, int]]:
        """(start, end) in the sentence of each such name that no thing has."""
        for kind, label in self._labels:
            size = len(label)
            for at in range(len(words) - size) if size else ():
                number = words[at + size]
                if tuple(w.text for w in words[at : at + size]) != label or not _NUMBER.fullmatch(number.text):
                    continue
                named = number.start == words[at + size - 1].end + 1 and not (at and words[at - 1].text in _DETERMINING)
                if named and (known := self._numbers(kind, label)) and number.text not in known:
                    yield words[at].start, number.end

    def _numbers_of(self, kind: str, label: tuple[str, ...]) -> frozenset[str]:
        """The numbers in the names of a class's things, or told of them; none where few are called so."""
        members, called, found = self.schema.members(kind), 0, set[str]()
        for node in members:
            for name in (self.schema.label(node), *self.schema.store.aliases(node), self._told.get(node, "")):
                words = [w.text for w in words_in(name)]
                if words and tuple(words[:-1]) == label and _NUMBER.fullmatch(words[-1]):
                    called += 1
                    found.add(words[-1])
        return frozenset(found if called >= _CALLED_SO * len(members) else ())


def any_of_many(schema: SchemaView, links: Sequence[Link]) -> frozenset[str]:
    """The many things of one kind that the same part of their names means: who has not taken "a belay test" has taken
    none of those that are called "Ewa's belay test" and "Dev's belay test"."""
    of: dict[tuple[int, int, str], set[str]] = defaultdict(set)
    for link in links:
        if link.first >= 0 and link.score < _PART and not link.is_value:
            for kind in schema.kinds(link.node):
                of[link.first, link.last, kind].add(link.node)
    return frozenset[str]().union(*(nodes for nodes in of.values() if len(nodes) >= _MANY))
