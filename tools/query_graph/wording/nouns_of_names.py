"""A noun that stands in names and is no class: "which tents are out?" asks for those of the items that are called so.

Such a question is asked of the class, "which items are out?", and of the answers those are kept.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cached_property

from triplewise.kg.query.execute import execute
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph.linking.known_words import KnownWords
from triplewise.tools.query_graph.linking.mentions import folded_words, singulars
from triplewise.tools.query_graph.ranking import Ranked
from triplewise.tools.text.verb_forms import plural

_ASKED = re.compile(
    r"\b(?:which|what|how\s+many|list(?:\s+all)?(?:\s+the)?|any|show\s+me(?:\s+all)?(?:\s+the)?)\s+(?:other\s+|of\s+the\s+)?"
    r"(?P<noun>[^\W\d_]{3,}s)\b(?!\s+of\b|['’])",
    re.I,
)
"""In the plural: "which office?" may mean the one that is called a department."""
_MOST = 40
"""Things of one noun, at most: what more are called is a class that has a name of its own."""


class NounsOfNames:
    """The nouns with which the names of several things of one class end."""

    def __init__(self, words: KnownWords) -> None:
        self._words, self._schema = words, words.names.schema

    @cached_property
    def _called(self) -> dict[str, frozenset[str]]:
        """The last word of names of two words or more → the things that are called so. A number at the end is no word
        of it, and neither is a name of one word, as a role is."""
        found: dict[str, set[str]] = defaultdict(set)
        for name in self._words.names.names:
            words = [w for w in name.words if len(w) > 1 and not w.isdigit()]
            if not name.is_value and len(name.words) > 1 and words and words[-1] not in STOP_WORDS:
                found[words[-1]].add(name.node)
        return {noun: frozenset(nodes) for noun, nodes in found.items() if 1 < len(nodes) <= _MOST}

    def in_words_of_class(self, text: str) -> tuple[str, frozenset[str]]:
        """A question with the name of their class in the place of such a noun, and the things that are called so; as it
        is, and none, where it asks for no such noun, or the graph has another meaning for it."""
        for found in _ASKED.finditer(text):
            [noun] = folded_words(found["noun"])[:1] or [""]
            if self._words.says_kind(noun):
                continue
            nodes = next((self._called[form] for form in singulars(noun) if form in self._called), frozenset[str]())
            if kind := self._class_of(nodes):
                start, end = found.span("noun")
                return f"{text[:start]}{plural(kind)}{text[end:]}", nodes
        return text, frozenset()

    def _class_of(self, nodes: frozenset[str]) -> str:
        """The largest class that all of some things have, and others too; "" where there is none."""
        shared = [set(self._schema.kinds(node)) & set(self._schema.classes) for node in nodes]
        kinds = set[str].intersection(*shared) if shared else set[str]()
        larger = [k for k in sorted(kinds) if not self._schema.set_of(k) <= nodes]
        largest = max(larger, key=lambda k: len(self._schema.set_of(k)), default="")
        return " ".join(folded_words(self._schema.store.label(largest))) if largest else ""

    def kept(self, readings: list[Ranked], nodes: frozenset[str]) -> list[Ranked]:
        """The readings with these things alone among their answers; without those that have no such answers."""
        found: list[Ranked] = []
        for reading in readings:
            draft = reading.draft.but(filters=(*reading.draft.filters, (0, "in", tuple(sorted(nodes)))))
            answers = reading.draft.answers & nodes
            if draft.order:
                answers = frozenset(execute(self._schema.store, draft.query()).ids)
            if answers:
                found.append(Ranked(draft.but(answers=answers), reading.text, reading.score, reading.probability))
        return found
