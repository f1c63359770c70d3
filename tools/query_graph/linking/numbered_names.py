"""Names of a class and a number, "Plot 4": one that no thing has is a name that the graph lacks, and no number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from triplewise.tools.query_graph.linking.class_names import words_of_class
from triplewise.tools.query_graph.linking.mentions import Word, words_in
from triplewise.tools.query_graph.schema_view import SchemaView

_NUMBER = re.compile(r"\d+[a-z]?")
_BEFORE = "a an the which what any each every no some many all one another"
_DETERMINING = frozenset(_BEFORE.split())
"""Words after which a class stands for itself: in "a plot 90 metres long" the number is none of its name."""
_CALLED_SO = 0.5
"""Share of a class that must be called by its label and a number for its things to be called so."""


class NumberedNames:
    """The classes of a graph whose things are called by the class and a number."""

    def __init__(self, schema: SchemaView) -> None:
        self.schema = schema
        self._labels = [(kind, tuple(words_of_class(schema, kind))) for kind in schema.classes]
        self._numbers = cache(self._numbers_of)

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
        """The numbers in the names of a class's things; none where few are called so."""
        members, called, found = self.schema.members(kind), 0, set[str]()
        for node in members:
            for name in (self.schema.label(node), *self.schema.store.aliases(node)):
                words = [w.text for w in words_in(name)]
                if tuple(words[:-1]) == label and _NUMBER.fullmatch(words[-1]):
                    called += 1
                    found.add(words[-1])
        return frozenset(found if called >= _CALLED_SO * len(members) else ())
