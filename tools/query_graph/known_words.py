"""Which words a graph has no word for: "the capital of France" where neither France nor anything like it occurs."""

from __future__ import annotations

import re
from functools import cached_property

from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph.mentions import NameIndex, words_in
from triplewise.tools.query_graph.value_mentions import find_values
from triplewise.tools.query_graph.verbaliser import Verbaliser

_STEM = 5
"""Letters at the beginning of a word that its forms share: "start", "started"."""
_CALENDAR = frozenset(
    (
        "easter",
        "christmas",
        "lent",
        "ramadan",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
    )
)
"""Days that a sentence may name beside a date."""
_CAPITAL = re.compile(r"(?<=[\w,;:] )(?!(?:Mr|Mrs|Ms|Dr|Prof|Sir|Lady|Miss)\b)[A-Z][^\W\d_]{2,}")


class KnownWords:
    """The words of one graph: of names and values, of relations and of classes."""

    def __init__(self, names: NameIndex) -> None:
        self.names = names

    def unknown_name(self, text: str) -> str:
        """The first capitalised word inside a sentence that the graph has no word for; "" where there is none."""
        if text.isupper():
            return ""
        known = {i for x in self.names.link(text) for i in range(x.first, x.last + 1)}
        words = {word.start: (i, word.text) for i, word in enumerate(words_in(text))}
        values = [(v.start, v.end) for v in find_values(text)]
        for match in _CAPITAL.finditer(text):
            i, word = words.get(match.start(), (-1, ""))
            dated = any(start <= match.start() < end for start, end in values)
            if i in known or dated or word in STOP_WORDS | _CALENDAR:
                continue
            if word[:_STEM] not in self._stems:
                return match.group()
        return ""

    @cached_property
    def _stems(self) -> set[str]:
        """How the words of the graph begin."""
        schema = self.names.schema
        verbaliser = Verbaliser(schema)
        spoken = [*map(verbaliser.kind_label, schema.classes), *map(verbaliser.step, schema.relations)]
        return {w[:_STEM] for w in (*self.names.postings, *(w.text for text in spoken for w in words_in(text)))}
