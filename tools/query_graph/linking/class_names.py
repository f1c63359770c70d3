"""Classes that a sentence names: by their labels, and by the nouns that these end in."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cached_property

from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph.linking.mentions import (
    Link,
    NameIndex,
    Word,
    folded_words,
    is_form_of,
    same_word,
    singulars,
    words_in,
)
from triplewise.tools.query_graph.schema_view import SchemaView, Step

_NAMED = 0.5
"""The score of a link from which on a thing is named."""
_WHOLE = 0.99
_FEW = 3
"""Things that are called by a word at least, for it to be what they are."""
_SHORT = 4
"""Letters that a short form has at least."""


def words_of_class(schema: SchemaView, kind: str) -> list[str]:
    """The folded words of a class's label; "WaterTap" has two."""
    return folded_words(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", schema.label(kind)))


class ClassNames:
    """The labels of one graph's classes, as sentences are looked through for them."""

    def __init__(self, schema: SchemaView) -> None:
        self.schema = schema
        self._labels = {kind: label for kind in schema.classes if (label := words_of_class(schema, kind))}
        self._having = Counter(word for label in self._labels.values() for word in set(label))

    def link(self, sentence: str, links: Sequence[Link]) -> dict[str, tuple[int, int]]:
        """Class → (first, last) word position of its mention: its label, singular or plural, up to one typing error,
        else the last word of it."""
        words = words_in(sentence)
        found = {**self._by_heads(words, links), **self._by_labels(words)}
        taken = {i for first, last in found.values() for i in range(first, last + 1)}
        return {**self._by_names(words, links, taken), **found}

    def _by_labels(self, words: Sequence[Word]) -> dict[str, tuple[int, int]]:
        found: dict[str, tuple[int, int]] = {}
        for kind, label in self._labels.items():
            size = len(label)
            for i in range(len(words) - size + 1):
                if all(same_word(w, words[i + k].text) for k, w in enumerate(label)):
                    found[kind] = (i, i + size - 1)
                    break
        return found

    def _by_heads(self, words: Sequence[Word], links: Sequence[Link]) -> dict[str, tuple[int, int]]:
        """Where the last word of a label can mean no other and most of the class are called so: "taps" for water taps
        that are the Gate Tap and the Weir Tap."""
        found: dict[str, tuple[int, int]] = {}
        for kind, label in self._labels.items():
            head = label[-1]
            if len(label) == 1 or self._having[head] > 1:
                continue
            at = next((i for i, w in enumerate(words) if is_form_of(head, w.text)), -1)
            if at >= 0 and self._may_be_called(kind, head, {x.node for x in links if _is_whole(x, at)}):
                found[kind] = (at, at)
        return found

    def _by_names(self, words: Sequence[Word], links: Sequence[Link], taken: set[int]) -> dict[str, tuple[int, int]]:
        """Where a word is what most things of one class are called by, as carriages that are Coach 6 and Coach 12, or
        the short form of its label: "locos" for locomotives."""
        taken = taken | {i for x in links if x.score > _WHOLE for i in range(x.first, x.last + 1)}
        found: dict[str, tuple[int, int]] = {}
        for i, word in enumerate(words):
            numbered = i + 1 < len(words) and words[i + 1].text[:1].isdigit()
            if i in taken or numbered or word.text in STOP_WORDS:
                continue
            for form in (word.text, *singulars(word.text)):
                kinds = self._called.get(form) or self._short_for(form)
                if len(kinds) == 1 and not self._is_of_relation(form):
                    found.setdefault(kinds[0], (i, i))
        return found

    @cached_property
    def _called(self) -> dict[str, list[str]]:
        """Word → the classes of which most things have it in their names, beside a number or another word, if it is
        in no name of any other class."""
        found: dict[str, list[str]] = defaultdict(list)
        for kind in self.schema.classes:
            names = [folded_words(self.schema.label(m)) for m in self.schema.members(kind)]
            shared = Counter(word for name in names if len(name) > 1 for word in set(name) if len(word) > 3)
            for word, number in shared.items():
                if number >= _FEW and word.isalpha():
                    found[word].append(kind if 2 * number > len(names) else "")
        return {word: kinds for word, kinds in found.items() if "" not in kinds}

    def _short_for(self, form: str) -> list[str]:
        """The classes whose label a short form that ends in "o" begins: "photo", "loco"."""
        if len(form) < _SHORT or not form.endswith("o"):
            return []
        return [
            k for k, label in self._labels.items() if len(label) == 1 and label[0] != form and label[0].startswith(form)
        ]

    def _is_of_relation(self, form: str) -> bool:
        return any(is_form_of(form, w) for r in self.schema.relations for w in folded_words(self.schema.words(r)))

    def _may_be_called(self, kind: str, head: str, named: set[str]) -> bool:
        """Whether things of a class are called so, what is ``named`` by the word is one of them, and no relation to
        other things is called so, as "nearest tap" may be."""
        if not named and not self._is_of_relation(head):
            return True  # "how many labels are there?" of record labels, and of nothing else
        members = self.schema.set_of(kind)
        called = sum(head in folded_words(self.schema.label(m)) for m in members)
        if 2 * called <= len(members) or not named <= members:
            return False
        relations = [
            r for r in self.schema.relations if any(is_form_of(head, w) for w in folded_words(self.schema.words(r)))
        ]
        return all(self.schema.starts(Step(r, inverse=True)) <= members for r in relations)


def _is_whole(link: Link, at: int) -> bool:
    return link.first <= at <= link.last and link.score > 0.99


def is_only_a_kind(names: NameIndex, noun: str, owner: str) -> bool:
    """Whether a noun is a class of the graph and no relation of the one who is named: "Ann's boat" where boats have
    owners and Ann has no boat."""
    schema = names.schema
    kinds = [c for c in schema.classes if (label := words_of_class(schema, c)) and is_form_of(label[-1], noun)]
    steps = {s for x in names.link(owner) if x.score > _NAMED for s in schema.steps(x.node)}
    own = {word for s in steps if not s.inverse for word in folded_words(schema.words(s.relation))}
    return bool(kinds and steps) and not any(is_form_of(word, noun) for word in own)
