"""Both things of a class, or all three, by their names: "who drinks in both pubs?" where the graph has two, "who came
to both fair meetings?" where it has a fair meeting 1 and 2."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cached_property

from triplewise.tools.query_graph.linking.mentions import folded_words, is_form_of
from triplewise.tools.query_graph.schema_view import SchemaView

_MOST = 3
_NUMBERS = {"both": 2, "all two": 2, "all three": 3, "all 3": 3}
_ALL = re.compile(
    r"\b(?P<all>both|all\s+(?:two|three|3))\s+(?:of\s+)?(?:(?:the|our|my)\s+)?(?P<before>(?:[^\W\d_]+\s+){0,2}?)"
    r"(?P<noun>[^\W\d_]+s|[^\W\d_]*(?:men|people))\b"
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
        before, noun = folded_words(found["before"]), found["noun"].lower()
        label = self._schema.store.label
        classes = ((folded_words(label(kind)), self._schema.set_of(kind)) for kind in self._schema.classes)
        for called, things in (*(() if before else classes), *self._numbered.items()):
            said = called[-1:] and is_form_of(called[-1], noun) and (not before or before == [*called[:-1]])
            if len(things) == number and said:
                *names, last = map(label, sorted(things))
                joined = f"{', '.join(names)} and {last}"
                told = f"both {joined}" if number == 2 else joined
                return f"{text[: found.start()]}{told}{text[found.end() :]}"
        return text

    @cached_property
    def _numbered(self) -> dict[tuple[str, ...], set[str]]:
        """What is called by several words and a number: the words, folded → the things."""
        found: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for node in self._schema.store.entities():
            *words, number = folded_words(self._schema.store.label(node)) or [""]
            if len(words) > 1 and number.isdigit() and int(number) <= _MOST:
                found[tuple(words)].add(node)
        return found
