"""Names with a number, "Plot 4" of a class and "TC-2" of letters: one that no thing has is a name that the graph lacks,
and no number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property

from triplewise.tools.query_graph.linking.class_names import words_of_class
from triplewise.tools.query_graph.linking.mentions import Word, words_in
from triplewise.tools.query_graph.linking.told_numbers import names_by_number
from triplewise.tools.query_graph.schema_view import SchemaView

_NUMBER = re.compile(r"\d+[a-z]?")
_BEFORE = "a an the which what any each every no some many all one another"
_DETERMINING = frozenset(_BEFORE.split())
"""Words after which a class stands for itself: in "a plot 90 metres long" the number is none of its name."""
_CALLED_SO = 0.5
"""Share of a class that must be called by its label and a number for its things to be called so."""
_CODE = re.compile(r"(?<![\w-])(?P<letters>[^\W\d_]{1,4})-?0*(?P<number>\d{1,6})(?![\w-]|[.,]\d)")
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
