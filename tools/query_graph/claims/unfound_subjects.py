"""Claims of one definite thing which their readings do not have: "the tart costs more than 15" is said of one tart.

A definite noun phrase speaks of a thing that is known to speaker and hearer. Where no thing is linked to it, a reading
that leaves its place open is confirmed, or refuted, by anything that fills it, which need not be what is meant.
"""

from __future__ import annotations

import re

from triplewise.kg.query.graph import TYPE, QueryGraph, Variable
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.linking.class_names import words_of_class
from triplewise.tools.query_graph.linking.known_words import KnownWords
from triplewise.tools.query_graph.linking.mentions import words_in
from triplewise.tools.query_graph.nearness import Nearness
from triplewise.tools.text.first_names import MEN, WOMEN
from triplewise.tools.text.spelling.english import ENGLISH
from triplewise.tools.text.verb_forms import is_auxiliary, is_past, is_plural, is_third_person

_THE = re.compile(
    r"^\W*(?P<asked>(?:is|are|was|were|has|had|does|do|did|can)(?:n['’]?t)?\s+)?(?P<the>the\s+)?"
    r"(?P<noun>[^\W\d_]{3,})\b",
    re.I,
)
"""The subject of a claim, or of the question that asks for it, where it is one noun."""
_VERBS = frozenset(("cost", "costs", "will", "isn", "wasn", "hasn", "doesn", "didn"))
"""Forms of verbs that the others are not known by."""


def unfound_subject(text: str, query: QueryGraph, words: KnownWords, near: Nearness) -> str:
    """The noun of a claim's definite subject where its reading has no such thing; "" for any other claim.

    A word of a relation or of a class, or one that is near to these, says what is meant in another way.
    """
    match = _THE.match(text)
    if not match or is_plural(match["noun"]):
        return ""
    if not match["the"] and not _is_name(match["noun"]):
        return ""
    spoken = words_in(text)
    at = next(i for i, w in enumerate(spoken) if w.start == match.start("noun"))
    noun, after = spoken[at].text, spoken[at + 1].text if at + 1 < len(spoken) else ""
    if not (_is_verb(after) or (match["asked"] and (after in STOP_WORDS or cues.COMPARATIVE.fullmatch(after)))):
        return ""
    if any(x.first <= at <= x.last for x in words.names.link(text) if x.node in query.entities):
        return ""
    ends = [end for p in query.patterns if p.relation != TYPE for end in (p.head, p.tail)]
    if not any(isinstance(end, Variable) for end in ends):
        return ""
    if words.says_kind(noun):  # the one of that kind which something named is tied to
        return match["noun"] if all(isinstance(end, Variable) for end in ends) and _several(noun, words) else ""
    named = noun in words.names.postings
    return match["noun"] if named or not near.may_paraphrase(noun) else ""


def _is_name(word: str) -> bool:
    """Whether a word without an article is somebody's or something's name: "Harold", "Tesco", and not "Three"."""
    return word.lower() in WOMEN | MEN or (word.istitle() and word.lower() not in ENGLISH.frequency)


def _several(noun: str, words: KnownWords) -> bool:
    """Whether a noun says a class that has several members."""
    schema = words.names.schema
    kinds = [kind for kind in schema.classes if words_of_class(schema, kind)[-1:] == [noun]]
    return any(len(schema.members(kind)) > 1 for kind in kinds)


def _is_verb(word: str) -> bool:
    return is_auxiliary(word) or is_third_person(word) or is_past(word) or word in _VERBS
