"""What a sentence names itself is not what it asks for: "which company makes boots?" is not answered with boots."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from triplewise.kg.names import words_of
from triplewise.kg.query import execute
from triplewise.kg.values import parse_value
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, without
from triplewise.tools.query_graph.linking.mentions import Link, folded_words, words_in
from triplewise.tools.query_graph.schema_view import SchemaView

_BESIDES = re.compile(
    r"\b(?:besides|(?:apart|aside) from|other than|except(?:ing)?(?: for)?|excluding|not counting)\s+(?:the\s+)?", re.I
)
_AND = re.compile(r"\s*(?:,|\band\b|\bor\b|\bnor\b)(?:\s+and\b)?\s*(?:the\s+)?", re.I)
_OWN = re.compile(r"['’]")
_OR = re.compile(r"\bor\b", re.I)
_FEW = 5
"""Answers that a sentence may name all of."""
_PART = 0.5
"""Share of a name that must be said of the only thing that is called so."""


def not_named(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those of which the sentence names all answers, where others are left. Of 4,172 training
    questions 74 name their answers: all let choose between two that are named, which stay."""
    if _OR.search(sentence.text):
        return drafts
    said, best = words_of(sentence.text), _best_named(schema, sentence)
    whole: dict[str, bool] = {}

    def is_named(node: str) -> bool:
        if node not in whole:
            label = schema.label(node)
            whole[node] = node in best or (parse_value(label).kind == "text" and _holds(said, words_of(label)))
        return whole[node]

    def names_its_answers(draft: Draft) -> bool:
        if draft.form != "select" or draft.order or not 0 < len(draft.answers) <= _FEW:
            return False
        return all(map(is_named, draft.answers)) and not _lets_choose(schema, sentence, draft)

    return [d for d in drafts if not names_its_answers(d)] or drafts


def besides_named(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts whose answers are of the kind of what a question sets aside, without it: "who was there besides Owen?"
    asks for the others, and not for what Owen has to do with them. All where it sets nothing aside, or none is."""
    aside = _set_aside(sentence)
    nodes = {sentence.links[i].node for i in aside}
    kinds = {kind for n in nodes for kind in schema.kinds(n)}

    def names_it(draft: Draft) -> bool:
        return any(end in nodes for h, _, t in (*draft.rows, *draft.minus) for end in (h, t))

    found: list[Draft] = []
    for draft in drafts:
        out = draft.answers & nodes
        alike = out or any(kinds.intersection(schema.kinds(n)) for n in schema.first(draft.answers)[:1])
        if not alike or draft.form == "ask" or names_it(draft):
            continue
        left = draft.but(
            filters=(*draft.filters, *without(0, nodes)), links=tuple(dict.fromkeys((*draft.links, *aside)))
        )
        ids = execute(schema.store, left.but(form="select").query()).ids if draft.order else draft.answers - out
        found.append(left.but(answers=frozenset(ids)))
    return found or drafts


def _set_aside(sentence: Sentence) -> list[int]:
    """The places of the links behind "besides" and the like, one after the other."""
    words, found = words_in(sentence.text), list[int]()
    for match in _BESIDES.finditer(sentence.text):
        at = match.end()
        while here := [i for i, x in enumerate(sentence.links) if x.first >= 0 and words[x.first].start == at]:
            at = max(words[sentence.links[i].last].end for i in here)
            if _OWN.match(sentence.text, at):
                break
            found += here
            joined = _AND.match(sentence.text, at)
            at = joined.end() if joined else -1
    return found


def _best_named(schema: SchemaView, sentence: Sentence) -> set[str]:
    """The things that words of a sentence name best, by a part of their labels too: "Gus", of Gus Tiller alone."""
    words = words_in(sentence.text)
    found: dict[tuple[int, int], list[Link]] = defaultdict(list)
    for link in sentence.links:
        if link.first >= 0 and not link.is_value:
            found[link.first, link.last].append(link)
    only = (links[0] for links in found.values() if len({x.node for x in links}) == 1)
    return {
        link.node
        for link in only
        if link.score >= _PART
        and {words[i].text for i in range(link.first, link.last + 1)} <= set(folded_words(schema.label(link.node)))
    }


def _lets_choose(schema: SchemaView, sentence: Sentence, draft: Draft) -> bool:
    """Whether the sentence names another thing of the answers' kind, or a thing that is called as the answer is."""
    kinds = {k for n in draft.answers for k in schema.kinds(n)}
    labels = {schema.label(n) for n in draft.answers}
    for link in sentence.links:
        if link.node in draft.answers:
            continue
        if schema.label(link.node) in labels or (link.score > 0.6 and kinds & set(schema.kinds(link.node))):
            return True
    return False


def _holds(said: Sequence[str], words: Sequence[str]) -> bool:
    """Whether words stand in a sentence one after the other."""
    size = len(words)
    return size > 0 and any(said[i : i + size] == list(words) for i in range(len(said) - size + 1))
