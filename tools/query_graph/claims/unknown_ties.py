"""Claims that tie two things in words that the graph has not: "Ann is married to Ben" is neither so nor not so for whom
Ann reports to, nor so because she stayed in a house that is his.

The nearest reading is then any relation that such two may have, and hardly ever holds. It counts only where a word of
the claim is one of the graph's, or where the encoder finds the claim near one of the reading's relations. Of two people
much more can be said than any graph tells, so that between them nearness has to be greater.

That something was found says more: it supports the claim, unless two people meet in it by more relations than the claim
has words for.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from triplewise.kg.names import literal_parts
from triplewise.kg.query.graph import NAME, TYPE, QueryGraph
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph.linking.known_words import KnownWords
from triplewise.tools.query_graph.linking.mentions import words_in
from triplewise.tools.query_graph.schema_view import Step
from triplewise.tools.text.kinship import kin_of_label
from triplewise.tools.text.persons import Persons
from triplewise.tools.text.roles.converses import LEADING, ROLES, roles_of, says_who_answers
from triplewise.tools.text.roles.mutual import is_mutual

_NEAR = 0.19
"""Nearness below which a claim says none of a reading's relations: of the training domains' claims of two things in
words that their graph has not, which are rightly refuted, none is less near; of 295 claims of love, law and illness
about the same things two fifths are."""
_VOWEL = re.compile(r"[aeiouy]")
"""What words have, and no abbreviations, which the encoder finds near to nothing: "tght" is "taught"."""
_NEAR_PERSONS = 0.355
"""The same of two people: the least of such claims is 0.356, and of 72 about other ties 69 are below."""


def unknown_tie(
    text: str,
    query: QueryGraph,
    words: KnownWords,
    persons: Persons,
    affinity: Callable[[str], Callable[[Step], float]],
    *,
    found: bool = False,
) -> str:
    """The first word of a claim that ties two named things otherwise than by the relations of its reading; "" where
    these may be what it says. ``found``: the graph has what the reading says."""
    said = [p for p in query.patterns if p.relation not in (TYPE, NAME)]
    named = {end for p in said for end in (p.head, p.tail) if isinstance(end, str)}
    compares = query.minus or query.compare or query.order or any(f.op != "not in" for f in query.filters)
    if query.form != "ask" or compares or len(named) != 2 or any(map(literal_parts, named)):
        return ""
    if any(words.names.schema.value_kind(p.relation) == "yes-no" for p in said):
        return ""  # "yes" is nothing that another thing is tied to
    links = [x for x in words.names.link(text) if x.node in named and x.first >= 0]
    meant = {i for x in links for i in range(x.first, x.last + 1)}
    spoken = [w for i, w in enumerate(words_in(text)) if i not in meant and w.text not in STOP_WORDS]
    if not spoken:
        return ""
    schema = words.names.schema
    related = [w for w in spoken if kin_of_label(w.text) and not words.knows(w.text)]
    if related and not any(kin_of_label(schema.words(p.relation)) or is_mutual(schema, p.relation) for p in said):
        return text[related[0].start : related[0].end]  # they are no spouses for having one job
    of_kin = all(kin_of_label(schema.words(p.relation)) for p in said)
    if any(words.knows(w.text) for w in spoken) or (related and of_kin and len(related) == len(spoken)):
        return ""
    told = {role.family for p in said for role in roles_of(schema.words(p.relation)) or ()}
    if any(w.text in ROLES and ROLES[w.text].family in told for w in spoken):
        return ""
    if LEADING in told and says_who_answers(text):
        return ""  # a boss is who somebody reports to
    if not all(_VOWEL.search(schema.words(p.relation).lower()) for p in said):
        return ""
    people = all(persons.sure(node) == "person" for node in named)
    if found and not (people and len(spoken) < len(said)):
        return ""
    if query.denied and not people:
        return ""  # it is seldom denied what nobody would think of
    near, least = affinity(text), _NEAR_PERSONS if people else _NEAR
    if any(near(Step(p.relation)) >= least for p in said):
        return ""
    return text[spoken[0].start : spoken[0].end]
