"""What a claim says that a thing is, beside what its reading holds: "Quill Books is a bakery and has been with us since
2016" may be read as that it has been a client since then."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from triplewise.kg.query.graph import TYPE, QueryGraph
from triplewise.kg.stop_words import COMMON_WORDS, STOP_WORDS
from triplewise.tools.query_graph.claims.unused_names import tied
from triplewise.tools.query_graph.linking.class_names import words_of_class
from triplewise.tools.query_graph.linking.known_words import KnownWords
from triplewise.tools.query_graph.linking.mentions import Word, is_form_of, words_in
from triplewise.tools.query_graph.nearness import Nearness

_IS_A = re.compile(r"\b(?:is|was) an? (?P<what>[^\W\d_]+(?:[ -][^\W\d_]+){0,2}?)(?=,? (?:and|but)\b)", re.I)
"""What is said of a thing before something else is."""


_TO_WHAT = re.compile(
    r"\b(?P<how>with|for|to|on|in|at|by) (?:(?:the|a|an|other|any|all|our|your|little) )*(?P<what>[^\W\d_]{3,})", re.I
)
_ALIKE = 0.6
"""Cosine from which on two nouns may be the same: "toddlers" and "children" have 0.85, "cats" and "children" 0.53."""


def other_object(text: str, query: QueryGraph, words: KnownWords, alike: Callable[[str, Iterable[str]], float]) -> str:
    """The noun of a claim that stands where a yes-no relation of its reading has another: "gets on with cats", where
    the graph tells who is good with children; "" where they may be the same."""
    schema = words.names.schema
    told = [schema.words(p.relation) for p in query.patterns if schema.value_kind(p.relation) == "yes-no"]
    for label in told:
        end = next((m for m in _TO_WHAT.finditer(label) if m.end() == len(label)), None)
        said = [m["what"] for m in _TO_WHAT.finditer(text) if end and m["how"].lower() == end["how"].lower()]
        if end and said and not any(is_form_of(end["what"].lower(), w.text) for w in words_in(text)):
            return "" if alike(said[-1].lower(), [end["what"].lower()]) >= _ALIKE else said[-1]
    return ""


def unsaid_kind(text: str, query: QueryGraph, words: KnownWords, near: Nearness) -> str:
    """The noun by which a claim says what a thing is, where neither its reading nor the graph says so of what the
    reading names; "" for any other claim."""
    match = _IS_A.search(text)
    if not match:
        return ""
    links = [x for x in words.names.link(text) if x.node in query.entities]
    if not any(x.first >= 0 and words_in(text)[x.last].end <= match.start() for x in links):
        return ""  # "there is a roll that ..." says of nothing named what it is
    *before, noun = [(i, w) for i, w in enumerate(words_in(text)) if match.start("what") <= w.start < match.end("what")]
    if any(w.text in STOP_WORDS for _, w in (*before, noun)) or noun[1].text in COMMON_WORDS:
        return ""
    return "" if _is_said(*noun, text, query, words) or _may_say_so(noun[1], words, near) else match["what"]


def _is_said(at: int, noun: Word, text: str, query: QueryGraph, words: KnownWords) -> bool:
    """Whether a reading holds a noun, or one of the things in it is so by the graph."""
    schema = words.names.schema
    kinds = [p.tail for p in query.patterns if p.relation == TYPE and isinstance(p.tail, str)]
    kinds += [kind for node in query.entities for kind in schema.kinds(node) if kind in schema.classes]
    spoken = [w for kind in kinds for w in words_of_class(schema, kind)]
    spoken += [w.text for r in query.relations if r in schema.relations for w in words_in(schema.words(r))]
    links = [x.node for x in words.names.link(text) if x.first <= at <= x.last]
    held = any(node in query.entities or tied(node, e, words.names) for node in links for e in query.entities)
    return held or any(is_form_of(word, noun.text) for word in spoken)


def _may_say_so(noun: Word, words: KnownWords, near: Nearness) -> bool:
    """Whether a noun that the graph has as no name and no class may paraphrase what the reading says."""
    known = noun.text in words.names.postings or noun.text in words.names.class_words
    return not known and near.may_paraphrase(noun.text)
