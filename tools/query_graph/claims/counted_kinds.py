"""Claims of a number of things of a kind that their readings do not count: "Ann has four kids" is no claim of her four
bikes, nor "Ann is in charge of two people" of two events.

What somebody "has" is told by the noun alone; beside another verb the noun may paraphrase what is counted: of books,
"four pieces were lent".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from triplewise.kg.query.graph import TYPE, QueryGraph
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.kg.values import parse_value
from triplewise.tools.query_graph.linking.class_names import words_of_class
from triplewise.tools.query_graph.linking.known_words import KnownWords
from triplewise.tools.query_graph.linking.mentions import Word, is_form_of, singulars, words_in
from triplewise.tools.query_graph.linking.value_mentions import find_values
from triplewise.tools.query_graph.nearness import Nearness
from triplewise.tools.query_graph.schema_view import Step
from triplewise.tools.text.kinship import chains_at, kin_of_label
from triplewise.tools.text.persons import Persons
from triplewise.tools.text.verb_forms import PREPOSITIONS, is_adjective, is_past, word_set

_HAS = re.compile(
    r"\b(?:has|have|had|got)\s+(?:(?:at (?:least|most)|(?:more|less|fewer) than|only|just|exactly)\s+)?$", re.I
)
_PERSONS = word_set("people persons folk folks men women")
_ANY = word_set("things items times others ones thing time other one entries records cases kinds sorts types different")
"""Nouns of things of any kind, and what is no noun."""


def not_counted(text: str, query: QueryGraph, words: KnownWords, persons: Persons, near: Nearness) -> str:
    """The noun of a claim's number where its reading counts something else; "" where it may count just that."""
    if not query.compare:
        return ""
    said = [v for v in find_values(text) if v.kind == "number"]
    said = [v for v in said if parse_value(query.compare[1]).key in {parse_value(t).key for t in (*v.texts, v.low)}]
    for value in said:
        noun = _noun_behind(text, value.end)
        owned = bool(_HAS.search(text[: value.start])) and bool(words.names.schema.classes)
        if noun and _is_else(noun.text, query, words, persons, near, owned=owned):
            return text[noun.start : noun.end]
    return ""


def _noun_behind(text: str, end: int) -> Word | None:
    """The last word of the noun phrase right behind a number, where it is in the plural."""
    noun: Word | None = None
    for word in words_in(text):
        if word.start < end:
            continue
        said = word.text in STOP_WORDS - _PERSONS or word.text in PREPOSITIONS or is_past(word.text)
        if said or (noun and text[noun.end : word.start].strip()) or (noun and not is_adjective(noun.text)):
            break
        noun = word
    if noun is None or noun.text in _ANY:
        return None
    return noun if singulars(noun.text) or noun.text in _PERSONS or _is_relative(noun.text) else None


def _is_relative(noun: str) -> bool:
    return bool(chains_at([Word(noun, 0, len(noun))], 0)[1])


def _is_else(noun: str, query: QueryGraph, words: KnownWords, persons: Persons, near: Nearness, *, owned: bool) -> bool:
    schema = words.names.schema
    counted = list(_counted(query, words))
    if noun in _PERSONS:
        return bool(counted) and all(persons.sure(node) == "thing" for node in counted)
    spoken = [w.text for r in query.relations if r in schema.relations for w in words_in(schema.words(r))]
    spoken += [w for node in counted for kind in schema.kinds(node) for w in words_of_class(schema, kind)]
    if any(is_form_of(word, noun) for word in spoken):
        return False
    kin = _is_relative(noun)
    related = {r for r in schema.relations if kin_of_label(schema.words(r))} if kin else set()
    if related:  # a graph of relatives tells them by these alone
        return related.isdisjoint(query.relations)
    return (kin or owned) and not words.knows(noun) and not near.may_paraphrase(noun)


def _counted(query: QueryGraph, words: KnownWords) -> Iterator[str]:
    """Some of the things that may stand where a reading counts."""
    schema = words.names.schema
    for pattern in query.patterns:
        if pattern.relation == TYPE and pattern.head == query.answer and isinstance(pattern.tail, str):
            yield from schema.members(pattern.tail)[:1]
        elif query.answer in (pattern.head, pattern.tail) and pattern.relation in schema.relations:
            yield from sorted(schema.starts(Step(pattern.relation, inverse=pattern.head != query.answer)))[:3]
