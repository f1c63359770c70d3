"""Names with a number, "Plot 4" of a class and "TC-2" of letters: one that no thing has is a name that the graph lacks,
and no number."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import islice

from triplewise.kg.names import literal_parts
from triplewise.kg.row_classes import numbered
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph.linking.class_names import words_of_class
from triplewise.tools.query_graph.linking.mentions import Link, Word, folded_words, is_form_of, words_in
from triplewise.tools.query_graph.linking.told_numbers import names_by_number
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
"""The score from which on a link says all of a name, and the weight of one that says a row by its number."""
_PROBE = 10
"""Rows that are looked at for what calls them."""
_LETTERS = 3
"""Letters of a code that tell by themselves the word that they begin."""
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
        self.schema = schema
        found: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
        for node in schema.store.nodes():
            if not literal_parts(node) and (called := numbered(schema.label(node))):
                found[called[0]][called[1]].append(node)
        self._rows = {stem: rows for stem, rows in found.items() if len(rows) >= _ROWS}
        self._stems = {node: stem for stem, rows in self._rows.items() for nodes in rows.values() for node in nodes}

    def _are_called(self, stem: str, word: str) -> bool:
        """Whether a word calls the rows of a code: it is their class, in a relation that leads to them ("after_loan"),
        or what is done in them ("repaired_by" for a repair)."""
        rows = [row for rows in islice(self._rows[stem].values(), _PROBE) for row in rows]
        steps = {step for row in rows for step in self.schema.steps(row)}
        calling = {
            w for row in rows for kind in self.schema.store.types(row) for w in words_of_class(self.schema, kind)
        }
        calling |= {w for s in steps if s.inverse for w in folded_words(self.schema.words(s.relation))}
        done = {w for s in steps if not s.inverse for w in folded_words(self.schema.words(s.relation))}
        return any(is_form_of(known, word) for known in calling) or not done.isdisjoint((f"{word}ed", f"{word}d"))

    def links(self, words: Sequence[Word], links: list[Link]) -> list[Link]:
        """The links of a sentence: a row is meant where its number is said, behind its word or behind what the letters
        of its code begin ("invoice 56" is INV-056), and not where its word alone is: a lesson is none of six."""
        if not self._rows:
            return links
        said = [
            Link(node, self.schema.label(node), at, at + 1, 1.0, _TELLING)
            for at in range(len(words) - 1)
            if not any(x.first <= at + 1 <= x.last and x.score > _SAID for x in links)
            for node in self._called(words[at].text, words[at + 1].text)
        ]
        return [*said, *(x for x in links if not self._is_any(x, words))]

    def _is_any(self, link: Link, words: Sequence[Word]) -> bool:
        """Whether a link to a row is made by the word before its number alone."""
        stem = self._stems.get(link.node)
        return stem is not None and 0 <= link.first == link.last and is_form_of(stem, words[link.first].text)

    def _called(self, word: str, number: str) -> list[str]:
        """The row that a word and a number say; none where codes of several letters have it. Few letters ("L-005") may
        begin many a word: they say the one that calls such rows."""
        if not number.isdigit() or word in STOP_WORDS or word.endswith("ed"):
            return []  # "repaired 2 things"
        begun = (s for s in self._rows if word.startswith(s) and int(number) in self._rows[s])
        stems = [s for s in begun if word == s or len(s) >= _LETTERS or self._are_called(s, word)]
        found = [node for stem in stems for node in self._rows[stem][int(number)]]
        return found if len(found) == 1 else []


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
