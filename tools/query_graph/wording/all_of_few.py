"""Both things of a class, or all three, by their names: "who drinks in both pubs?" where the graph has two."""

from __future__ import annotations

import re

from triplewise.tools.query_graph.linking.mentions import folded_words, is_form_of
from triplewise.tools.query_graph.schema_view import SchemaView

_NUMBERS = {"both": 2, "all two": 2, "all three": 3, "all 3": 3}
_ALL = re.compile(
    r"\b(?P<all>both|all\s+(?:two|three|3))\s+(?:of\s+)?(?:(?:the|our|my)\s+)?(?P<noun>[^\W\d_]+s|[^\W\d_]*(?:men|people))\b"
    r"(?!['’]|\s+and\b)",
    re.I,
)


class AllOfFew:
    """The classes of one graph that have no more things than a sentence counts."""

    def __init__(self, schema: SchemaView) -> None:
        self._schema = schema

    def in_names(self, text: str) -> str:
        """A question with the names of all things of a class where it says how many these are; others stay as they
        are, as does one where the graph has more or fewer."""
        if not (found := _ALL.search(text)):
            return text
        number = _NUMBERS[" ".join(found["all"].lower().split())]
        noun = found["noun"].lower()
        for kind in self._schema.classes:
            called, things = folded_words(self._schema.store.label(kind)), sorted(self._schema.set_of(kind))
            if len(things) == number and any(is_form_of(word, noun) for word in called[-1:]):
                *names, last = map(self._schema.store.label, things)
                joined = f"{', '.join(names)} and {last}"
                said = f"both {joined}" if number == 2 else joined
                return f"{text[: found.start()]}{said}{text[found.end() :]}"
        return text
