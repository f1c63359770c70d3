"""Objects of verbs that a graph has no word for: "who teaches karate?" where it has classes, and none of karate.

A reading that takes the verb and leaves open what is done to whom answers another question: who teaches at all. Only
where the verb is a relation's own is this sure, for then the object stands where the graph has its things; in "who does
the loos?" the noun may as well say the relation. A noun that the encoder finds near to the words of a relation or of
the classes at its ends paraphrases these: "who owns the businesses?" of firms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz import fuzz

from triplewise.kg.query.graph import QueryGraph, Variable
from triplewise.kg.stop_words import COMMON_WORDS, STOP_WORDS
from triplewise.tools.query_graph.linking.known_words import KnownWords
from triplewise.tools.query_graph.linking.mentions import Word, singulars, words_in
from triplewise.tools.query_graph.linking.value_mentions import find_values
from triplewise.tools.query_graph.nearness import Nearness
from triplewise.tools.text.roles.doers import LIGHT, family_of, is_active
from triplewise.tools.text.verb_forms import PREPOSITIONS, is_adjective, is_participle, is_third_person, word_set

_ALIKE = 75
"""Likeness in letters to a word of the graph from which on a noun may be that word, misspelt."""
_LONGEST = 3
"""Words of an object, at most; in more there is a clause."""
_BEFORE = 3
"""Words before a verb among which its auxiliaries are."""
_OPENING = word_set("the a an any some our my his her their your its")
"""What an object may begin with; "this" and "that" point at what was said before."""
_NO_NOUNS = word_set("""
    something anything everything nothing someone anyone everyone nobody somebody anybody everybody none himself herself
    itself themselves myself yourself thing things stuff bit lot lots loads plenty one ones single few several each
    every either neither both all another others other else this that these those who what which when where how why
    more most less least better best worse worst earlier earliest later latest sooner besides today tomorrow yesterday
    tonight nowadays here there anywhere somewhere everywhere nowhere yet too again ever never always often still once
    twice even alone together please pls lol btw mate dear then so
""")
"""Pronouns, adverbs and what is said by the way, which are no objects or none of their own."""
_NO_SUBJECTS = word_set("the a an any some our my his her their your its this that these those many few no to")
"""Words behind which a form of a verb is a noun: "the lots came"; not "that", which may stand for the subject."""
_DESCRIBED = word_set("of that which who whom whose where for")
"""What follows a noun that is told by a clause: "the man who looks after it"."""


class UnknownObject(NamedTuple):
    """A noun that a graph lacks, and the family of the verb whose object it is."""

    verb: int | str
    text: str


def unknown_objects(text: str, words: KnownWords, near: Nearness) -> list[UnknownObject]:
    """The objects in a sentence that the graph has no word for; ``near``: the sentence beside its relations."""
    schema = words.names.schema
    verbs = {verb for r in schema.relations if (verb := _verb_of(schema.words(r))) is not None}
    spoken = words_in(text)
    linked = {i for x in words.names.link(text) for i in range(x.first, x.last + 1)}
    found: list[UnknownObject] = []
    for i, word in enumerate(spoken):
        if i in linked or (verb := family_of(word.text)) not in verbs or not _says_deed(spoken, i):
            continue
        noun = _modifiers(list(_object_of(text, spoken, i)), spoken, words)
        values = find_values(text) if noun else []
        dated = any(v.start <= spoken[at].start < v.end for at in noun for v in values)
        if noun and not dated and not any(at in linked or _is_known(spoken[at], words, near) for at in noun):
            found.append(UnknownObject(verb, text[spoken[noun[0]].start : spoken[noun[-1]].end]))
    return found


def object_left_out(query: QueryGraph, objects: Sequence[UnknownObject], words: KnownWords) -> str:
    """The first of the objects that stands where a reading leaves open what a verb of its relations is done to; ""
    where there is none."""
    schema = words.names.schema
    for found in objects:
        for pattern in query.patterns:
            label = schema.words(pattern.relation) if pattern.relation in schema.relations else ""
            end = pattern.head if _is_passive(label) else pattern.tail
            if _verb_of(label) == found.verb and isinstance(end, Variable) and end != query.answer:
                return found.text
    return ""


@lru_cache(maxsize=8192)  # of all relations of a graph, for every sentence
def _verb_of(label: str) -> int | str | None:
    """The family of the verb that a relation is called by: "taught by", "teaches"; None for other relations."""
    words = label.lower().split()
    if _is_passive(label):
        return family_of(words[-2])
    return family_of(words[0]) if len(words) == 1 and is_third_person(words[0]) else None


def _is_passive(label: str) -> bool:
    words = label.lower().split()
    return len(words) > 1 and words[-1] == "by" and is_participle(words[-2])


def _says_deed(words: Sequence[Word], at: int) -> bool:
    """Whether a form of a verb says what its subject does: not "was taught" nor "the farms"."""
    before = [w.text for w in words[max(0, at - _BEFORE) : at]]
    if (
        not before
        or before[-1] in PREPOSITIONS
        or before[-1].isdecimal()
        or (before[-1] in _NO_SUBJECTS and before[-1] != "that")
    ):
        return False
    return is_active(words[at].text, before)


def _object_of(text: str, words: Sequence[Word], verb: int) -> Iterator[int]:
    """Where the words of the noun stand that follows a verb; none where anything else does."""
    found: list[int] = []
    for i in range(verb + 1, len(words)):
        word = words[i].text
        if text[words[i - 1].end : words[i].start].strip():
            break
        if word in _OPENING and not found:
            continue
        if word in _DESCRIBED and found:
            return
        if word in _NO_NOUNS or word in LIGHT or word in PREPOSITIONS or word in STOP_WORDS or word.endswith("ly"):
            break
        if word.endswith("ing") and found:
            return
        found.append(i)
    if found and len(found) <= _LONGEST and not is_adjective(words[found[-1]].text):
        yield from found


def _modifiers(noun: list[int], words: Sequence[Word], known: KnownWords) -> list[int]:
    """Where a noun's words stand without that of its class: "karate" of "karate class", where no karate is known."""
    heads = [i for i in noun if any(w in known.names.class_words for w in (words[i].text, *singulars(words[i].text)))]
    if len(noun) > 1 and heads == noun[-1:]:
        before = noun[:-1]
        return [] if any(is_adjective(words[i].text) or words[i].text in COMMON_WORDS for i in before) else before
    return noun


def _is_known(word: Word, words: KnownWords, near: Nearness) -> bool:
    """Whether a word may be one of the graph's, be it misspelt or paraphrased."""
    if not word.text.isalpha() or len(word.text) < len("key") or words.knows(word.text):
        return True
    if any(fuzz.ratio(word.text, other) >= _ALIKE and word.text[0] == other[0] for other in words.words):
        return True
    return near.may_paraphrase(word.text)
