"""Whether "he" or "she" is said of a thing of a graph: by what the graph tells of it, a title or a first name."""

from __future__ import annotations

import re
from typing import Literal

from triplewise.tools.query_graph.linking.mentions import fold_word
from triplewise.tools.query_graph.schema_view import SchemaView, Step
from triplewise.tools.text.first_names import MEN, WOMEN
from triplewise.tools.text.verb_forms import word_set

Gender = Literal["he", "she", ""]
_TOLD = re.compile(r"\b(?:gender|sex)\b", re.I)
_HER = word_set("""
    female woman girl she feminine weiblich femme mother wife daughter sister aunt niece grandmother mum mom widow bride
    girlfriend godmother queen princess duchess countess empress actress waitress hostess heroine nun mare ewe cow hen
    sow bitch lioness vixen mrs ms miss lady dame madam madame mme mlle frau signora senora
""")
_HIM = word_set("""
    male man boy he masculine männlich homme father husband son brother uncle nephew grandfather dad widower bridegroom
    boyfriend godfather king prince duke earl baron viscount emperor monk stallion gelding ram bull rooster stag mr lord
    sir herr signor senor
""")
"""Values of a relation for the gender, kinds, titles, and what somebody is to another as a relation tells it."""
_LETTERS: dict[str, Gender] = {"f": "she", "w": "she", "m": "he"}
_BEFORE = word_set("dr doctor prof professor rev reverend st saint capt captain sgt nurse chef coach judge president")
"""Titles of either, after which the first name comes."""
_ROLE = re.compile(r"(?:is |has )?(?P<role>[a-z]+)(?P<of> of)?", re.I)


class Genders:
    """The genders of one graph's things, each looked up once."""

    def __init__(self, schema: SchemaView) -> None:
        self.schema = schema
        self._known: dict[str, Gender] = {}

    def of(self, node: str) -> Gender:
        """The pronoun that stands for a thing; "" where nothing tells."""
        if node not in self._known:
            self._known[node] = self._told(node) or self._named(node)
        return self._known[node]

    def _told(self, node: str) -> Gender:
        store = self.schema.store
        if not store.has_entity(node):
            return ""
        for step in self.schema.steps(node):
            words = self.schema.words(step.relation)
            if not step.inverse and _TOLD.search(words):
                values = [fold_word(store.label(n)) for n in self.schema.go(node, step)]
                told = _LETTERS.get(values[0], "") or _gender(values)
            else:
                told = _role(words, step)
            if told:
                return told
        return _gender([word for kind in store.types(node) for word in map(fold_word, store.label(kind).split())])

    def _named(self, node: str) -> Gender:
        store = self.schema.store
        names = (store.label(node), *store.aliases(node)) if store.has_entity(node) else (store.label(node),)
        return next(filter(None, map(_of_name, names)), "")


def _of_name(name: str) -> Gender:
    words = [fold_word(w) for w in re.findall(r"[^\W\d_]+", name)]
    if words and words[0] in _BEFORE:
        words = words[1:]
    if not words:
        return ""
    if len(words) > 1 and (titled := _gender(words[:1])):
        return titled
    return "she" if words[0] in WOMEN else "he" if words[0] in MEN else ""


def _role(words: str, step: Step) -> Gender:
    """What a relation's name says of an end: "mother" and "has wife" of the tail, "mother of" of the head."""
    found = _ROLE.fullmatch(words)
    if not found or bool(found["of"]) == step.inverse:
        return ""
    return _gender([fold_word(found["role"])])


def _gender(words: list[str]) -> Gender:
    hers, his = not _HER.isdisjoint(words), not _HIM.isdisjoint(words)
    return "" if hers == his else "she" if hers else "he"
