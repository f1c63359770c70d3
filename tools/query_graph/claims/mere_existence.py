"""Claims that a reading confirms by no more than that something is tied to what they name.

"Olga is allergic to neoprene" says nothing that a graph of divers has a word for; that somebody is Olga's buddy is then
the nearest reading, and true of it. Such a reading counts only where the claim says its relation: with the same word,
with one that the encoder finds near, or by saying no more than that there is something. Nor does "Olga is a plumber"
say that yes is told of whether she gets the newsletter.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from triplewise.kg.names import literal_parts, words_of
from triplewise.kg.query.graph import NAME, TYPE, QueryGraph, Variable
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph.linking.known_words import KnownWords
from triplewise.tools.query_graph.linking.mentions import singulars, words_in
from triplewise.tools.query_graph.nearness import Nearness
from triplewise.tools.query_graph.opposites import is_negative, opposed
from triplewise.tools.query_graph.schema_view import SchemaView, Step
from triplewise.tools.text.verb_forms import is_participle, word_set

_NEAR = 0.5
"""Nearness from which on a claim says a relation: of claims about what a graph has no word for the most is 0.47, of
those that say it in other words the least is 0.58."""
_NEAR_YES_NO = 0.22
"""The same of a relation with yes or no, which many words say: of 53 training claims of one three have less, and of 176
sentences about something else, made of things that have such a relation, four fifths."""
_NEAR_ASKED = 0.3
"""The same of a question's: in the training domains "booked by" has 0.22 to "does he snore?", and "number of
passengers" 0.39 to "is she big?"."""
_STEM = 4
_COMPOUND = re.compile(r"\b(?P<first>[^\W\d_]+)-(?=(?P<head>[^\W\d_]+)\b)")
"""What is colour-blind is blind in a way, and has no colour: a compound is of the kind of its last part."""
_SOME = re.compile(
    r"\b(?:(?:is|are|was|were)(?:n['’]?t)? there|there?s|there?['’]s|"
    r"there? (?:is|are|was|were|has|have|had)|some(?:one|body|thing|where)|at least|some of|"
    r"nobody|no one|none|nothing|nowhere|any(?:one|body|thing|where)?|exists?|a single|one of|"
    r"(?<!that )(?<!this )(?<!the )one(?! (?:can|could|may|might|must|should|would|will|does|is|has)\b)(?= \w))\b",
    re.I,
)
"""How a claim says that there is something, or nothing; not the "one" that stands for anybody."""
_THERE_IS_A = re.compile(r"\bthere?(?: i|['’]?)s an?\b", re.I)
"""What then follows must be a thing that the graph has a word for: "there is a dog at Ufer"."""

_HAS_A = re.compile(rf"\b(?:has|have|had|having|got|gets|offers?)\s+(?:an?|any|no)\b|{_THERE_IS_A.pattern}", re.I)
"""How a claim says what its thing has: a bar, and no yes to anything but a bar. Of the 76 training claims with yes or
no eight say so, each with the relation's own word: "has no lift" of "liftInHouse"."""

_NOT = re.compile(r"\w+n['’]t\b")
"""Words that deny what the rest of the claim says."""

_WITH_A = re.compile(r"\b(?:in|at|for|as|on|from|to|into) an? (?P<noun>[^\W\d_]{3,})\b(?![ -][^\W\d_])", re.I)
"""What is done in or for something, which is called by one noun."""
_BY_THE_WAY = word_set("""
    while bit lot way rule time year day week month hour minute moment decade row fact result start change hurry must
    living laugh whole team couple
""")
"""Nouns of phrases like "for a while", which say nothing of what is done."""

_IS_A = re.compile(r"\b(?:is|was|are|were)(?:n['’]?t| not)? an? ", re.I)
"""Who says what something is does not say that it has anything in common with another."""
_IS_SO = re.compile(r"\b(?:is|was|are|were)(?:n['’]?t| not)? (?P<what>[^\W\d_]+)\W*$", re.I)
"""What a claim says that something is; of a word that the graph lacks it is a value, not what has one."""


def merely_exists(schema: SchemaView, query: QueryGraph) -> bool:
    """Whether a claim's reading says of one named thing only that something is tied to it."""
    if not _says_what_is(query):
        return False
    ends = [(p.relation, end, end == p.tail) for p in query.patterns for end in (p.head, p.tail)]
    values = {end: schema.value_kind(r) if tail else None for r, end, tail in ends if not isinstance(end, Variable)}
    named = {end: value for end, value in values.items() if value != "yes-no"}
    if len(named) != 1 or len(values) == len({end for _, end, _ in ends}):
        return False
    (name, value), *_ = named.items()
    is_class = any(r == TYPE and tail and end == name for r, end, tail in ends)
    return value is None and not literal_parts(name) and not is_class


def only_yes_or_no(schema: SchemaView, query: QueryGraph) -> bool:
    """Whether a claim's reading says no more than yes or no of what it names, or of a row of it: of its repair."""
    said = [p for p in query.patterns if p.relation not in (TYPE, NAME) and not isinstance(p.tail, Variable)]
    told = {p for p in said if schema.value_kind(p.relation) == "yes-no"}
    rows = {p.head for p in told if isinstance(p.head, Variable)}
    tied = all(p in told or p.head in rows for p in said)
    whole = len(said) == sum(p.relation not in (TYPE, NAME) for p in query.patterns)
    return _says_what_is(query) and bool(told) and whole and tied


def _of_kind_only(query: QueryGraph) -> bool:
    """Whether a reading says of some, or of none, of a kind that something is tied to them, and nothing of what."""
    ends = [end for p in query.patterns if p.relation != TYPE for end in (p.head, p.tail)]
    kinds = any(p.relation == TYPE for p in query.patterns)
    return kinds and bool(ends) and _says_what_is(query) and all(isinstance(end, Variable) for end in ends)


def _says_what_is(query: QueryGraph) -> bool:
    """Whether a reading compares, counts and takes away nothing; that another is meant is no comparison."""
    compares = query.minus or query.compare or query.order or any(f.op != "not in" for f in query.filters)
    return query.form == "ask" and not compares


def speaks_of_else(
    text: str,
    query: QueryGraph,
    words: KnownWords,
    affinity: Callable[[str], Nearness],
    *,
    asked: bool = False,
) -> str:
    """The first word of a claim that says something else than that what it names is tied to something, or than yes or
    no; "" where its reading is what it says. ``affinity``: how near each relation's words are to a sentence; ``asked``:
    the claim is a question's, which asks whether there is something, and is not sure what."""
    schema = words.names.schema
    yes_no = only_yes_or_no(schema, query)
    of_kind = _of_kind_only(query)
    if not (yes_no or of_kind or merely_exists(schema, query)):
        return ""
    if query.filters and not (asked or _IS_A.search(text)):
        return ""  # it is like another, in what way is hard to tell
    relations = [p.relation for p in query.patterns if p.relation not in (TYPE, NAME)]
    text = _heads_only(text, {w for r in relations for w in words_of(schema.words(r))})
    names = schema.roles.aliases if any(p.relation == NAME for p in query.patterns) else ()
    stems = {_stem(word) for word in words_of(text)}
    own = {_stem(w) for r in (*relations, *names) for w in words_of(schema.words(r)) if len(w) > 2}
    if any(a.startswith(b) or b.startswith(a) for a in own for b in stems if min(len(a), len(b)) >= _STEM or a == b):
        return "" if asked or of_kind or yes_no else _complement(text, query, words, affinity(text))
    spoken_of = [schema.words(r) for r in relations]
    if yes_no and all(opposed(text, words) for words in spoken_of):
        return ""
    near, least = affinity(text), _NEAR_ASKED if asked else _NEAR_YES_NO if yes_no else _NEAR
    if yes_no and (_HAS_A.search(text) or any(map(is_negative, spoken_of))):
        least = _NEAR  # that something is not so, or no more, is said by few words
    value = next(
        (w for m in _IS_SO.finditer(text) if not (words.knows(w := m["what"].lower()) or is_participle(w))), ""
    )
    if of_kind and value:
        return value  # "none of the costumes is purple" says nothing of costumes that have any colour
    if any(near(Step(relation)) >= least for relation in relations if relation in schema.relations):
        return ""
    links = [x for x in words.names.link(text) if x.node in query.entities]
    meant = {i for x in links for i in range(x.first, x.last + 1)}
    some = _SOME.search(text)
    start, end = some.span() if some else (0, 0)
    spoken = [
        w
        for i, w in enumerate(words_in(text))
        if not (i in meant or w.text in STOP_WORDS or start <= w.start < end or _NOT.match(text, w.start))
    ]
    unknown = [w for w in spoken if not words.knows(w.text)]
    if of_kind:
        return text[unknown[0].start : unknown[0].end] if unknown else ""
    new = _THERE_IS_A.search(text) and len(unknown) == len(spoken)
    if not spoken or (some and not (new or yes_no or asked)):
        return ""
    first = (unknown or spoken)[0]
    return text[first.start : first.end]


def _complement(text: str, query: QueryGraph, words: KnownWords, near: Nearness) -> str:
    """The noun with which a claim goes on about its relation, where its reading leaves that open: that Tom worked as
    something is not that he worked in a shop. "" where it may be another word for what the reading has."""
    spoken = words_in(text)
    links = [x for x in words.names.link(text) if x.node in query.entities]
    held = {i for x in links for i in range(x.first, x.last + 1)}
    kinds = {w for p in query.patterns if p.relation == TYPE for w in words_of(words.names.schema.label(str(p.tail)))}
    for match in _WITH_A.finditer(text):
        i = next(i for i, w in enumerate(spoken) if w.end == match.end("noun"))
        noun = spoken[i].text
        said = {noun, *singulars(noun)}
        plain = i in held or not kinds.isdisjoint(said) or not said.isdisjoint(STOP_WORDS | _BY_THE_WAY)
        if not (plain or near.may_paraphrase(noun)):
            return match["noun"]
    return ""


def _heads_only(text: str, spoken: set[str]) -> str:
    """A sentence without the first parts of its compounds, but for those that a relation has as a whole: "food-safe"
    where the relation is "food safe". ``spoken``: the words of the relations."""

    def kept(match: re.Match[str]) -> str:
        both = match["first"].lower() in spoken and match["head"].lower() in spoken
        return f"{match['first']} " if both else ""

    return _COMPOUND.sub(kept, text)


def _stem(word: str) -> str:
    """The first letters of a word, which survive its endings."""
    return word[: max(_STEM, len(word) - 3)]
