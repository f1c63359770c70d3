"""Which words a graph has no word for: "the capital of France" where neither France nor anything like it occurs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph.linking.mentions import NameIndex, singulars, words_in
from triplewise.tools.query_graph.linking.numbered_names import Codes, NumberedNames
from triplewise.tools.query_graph.linking.value_mentions import find_values
from triplewise.tools.query_graph.verbaliser import Verbaliser

_STEM = 5
"""Letters at the beginning of a word that its forms share: "start", "started"."""
_DAYS = """
    easter christmas eve lent ramadan new monday tuesday wednesday thursday friday saturday sunday mondays tuesdays
    wednesdays thursdays fridays saturdays sundays january february march april may june july august september october
    november december
"""
_CALENDAR = frozenset(_DAYS.split())
"""Days that a sentence may name beside a date."""
_CAPITAL = re.compile(r"(?<=[\w,;:] )(?!(?:Mr|Mrs|Ms|Dr|Prof|Sir|Lady|Miss|Madame?|Doctor|God)\b)[A-Z][^\W\d_]{2,}")


class KnownWords:
    """The words of one graph: of names and values, of relations and of classes."""

    def __init__(self, names: NameIndex) -> None:
        self.names = names
        self._numbered = NumberedNames(names.schema)
        self._codes = Codes(name.text for name in names.names)

    def knows(self, word: str) -> bool:
        """Whether a folded word begins as one of the graph's does; words that carry a question are known."""
        return word in STOP_WORDS or any(form[:_STEM] in self._stems for form in (word, *singulars(word)))

    @cached_property
    def words(self) -> frozenset[str]:
        """The folded words of names, relations and classes."""
        return self._of_kinds.union(self.names.postings)

    def says_kind(self, word: str) -> bool:
        """Whether a folded word begins as one of the graph's relations or classes does."""
        stems = {kind[:_STEM] for kind in self._of_kinds}
        return any(form[:_STEM] in stems for form in (word, *singulars(word)))

    @cached_property
    def _of_kinds(self) -> frozenset[str]:
        """The folded words of relations and classes."""
        verbaliser = Verbaliser(self.names.schema)
        schema = self.names.schema
        spoken = [*map(verbaliser.kind_label, schema.classes), *map(verbaliser.step, schema.relations)]
        return frozenset(w.text for text in spoken for w in words_in(text))

    def said_in_relations(self, *words: str) -> bool:
        """Whether a relation has one of some words in its own: "nick name", "called"."""
        schema = self.names.schema
        return any(w.text in words for r in schema.relations for w in words_in(schema.words(r)))

    def unknown_name(self, text: str) -> str:
        """The first name in a sentence that the graph lacks; "" where there is none.

        "Plot 44" where other plots are called so, "TC-3" where there are TC-1 and TC-2, or a capitalised word inside it
        that the graph has no word for.
        """
        for start, end in self.unknown_numbers(text):
            return text[start:end]
        if text.isupper():
            return ""
        linked = {i for x in self.names.link(text) for i in range(x.first, x.last + 1)}
        return next((word for i, word in self.strangers(text).items() if i not in linked), "")

    def unknown_numbers(self, text: str) -> Iterator[tuple[int, int]]:
        """(start, end) in a sentence of each name with a number that no thing has: "Plot 44", "TC-3"."""
        yield from self._numbered.unknown(words_in(text))
        yield from self._codes.unknown(text)

    def strangers(self, text: str) -> dict[int, str]:
        """Position → the capitalised word inside a sentence that the graph has no word for; no abbreviation."""
        positions = {word.start: (i, word.text) for i, word in enumerate(words_in(text))}
        values = [(v.start, v.end) for v in find_values(text)]
        found: dict[int, str] = {}
        for match in _CAPITAL.finditer(text):
            i, word = positions.get(match.start(), (-1, ""))
            if sum(map(str.isupper, match.group())) > 1:
                continue  # an abbreviation
            dated = any(start <= match.start() < end for start, end in values)
            if not (dated or word in _CALENDAR or self.knows(word)):
                found[i] = match.group()
        return found

    @cached_property
    def _stems(self) -> set[str]:
        """How the words of the graph begin."""
        return {word[:_STEM] for word in self.words}
