"""Claims of two named things whose readings go a long way round, where a relation that others have would tell it.

"The client Sam lives in Ripon" is not told by where the chef of his wedding lives: whoever lives somewhere has that
said of himself, and of Sam it is not.
"""

from __future__ import annotations

import re

from triplewise.kg.query.graph import NAME, TYPE, QueryGraph, Variable
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph.linking.known_words import KnownWords
from triplewise.tools.query_graph.linking.mentions import folded_words, words_in
from triplewise.tools.query_graph.schema_view import Step
from triplewise.tools.text.kinship import chains_at, kin_of_label
from triplewise.tools.text.persons import Persons
from triplewise.tools.text.verb_forms import is_third_person

_LEAST = 3
"""Steps of a way from which on it is a long one."""
_SHARES = re.compile(
    r"\b(?:same|other|others|another|else|too|also|both|all|sha(?:re|red|res|ring)|together|with|like|as well|besides|"
    r"(?:half-?)?(?:brother|sister|sibling|cousin|uncle|aunt|nephew|niece|relative)s?|colleagues?|neighbours?|mates?|\w+mates?|fellow|co-?\w+|twins?|pair)\b",
    re.I,
)
"""Words by which a claim speaks of what its thing has in common with others."""
_SAID_BY_ITSELF = 1
"""Steps that need no word of their own: who flew to a place flew with something."""


def longer_way(text: str, query: QueryGraph, words: KnownWords, persons: Persons) -> str:
    """The verb by which a claim says of a person what is told of others directly, where its reading asks it of somebody
    at the end of a longer way; "" for any other claim."""
    schema = words.names.schema
    said = [p for p in query.patterns if p.relation not in (TYPE, NAME)]
    if query.form != "ask" or query.filters or query.minus or len(said) < _LEAST:
        return ""
    spoken = words_in(text)
    for link in words.names.link(text):
        if link.node not in query.entities or link.first < 0 or link.last + 1 >= len(spoken):
            continue
        verb = spoken[link.last + 1]
        between = text[spoken[link.last].end : verb.start]
        if between.strip() or not is_third_person(verb.text) or persons.sure(link.node) == "thing":
            continue
        for pattern in said:
            told = schema.words(pattern.relation)
            direct = words_in(told)[:1]
            ends = isinstance(pattern.tail, str) and pattern.tail != link.node and not isinstance(pattern.head, str)
            if ends and direct and direct[0].text == verb.text:
                heads = schema.heads(pattern.relation)
                if link.node not in heads and any(persons.sure(h) == "person" for h in sorted(heads)[:_LEAST]):
                    return text[verb.start : verb.end]
    return ""


def of_another(text: str, query: QueryGraph, words: KnownWords) -> str:
    """The one thing of which a claim tells, where its reading tells it of another that shares something with it, and no
    word of the claim says so; "" for any other claim. That Ann also gave a drill, which was mended, says nothing of the
    tent that she gave."""
    if _SHARES.search(text) or len(query.patterns) < _LEAST:
        return ""
    out = {e for f in query.filters if f.op == "not in" and isinstance(f.right, tuple) for e in f.right}
    schema = words.names.schema
    ends = {e for p in query.patterns for e in (p.head, "" if schema.value_kind(p.relation) else p.tail)}
    named = {e for e in ends if e and isinstance(e, str)}
    return schema.label(*named) if len(named) == 1 and named <= out else ""


def of_relative(text: str, query: QueryGraph, words: KnownWords) -> str:
    """The word by which a claim says something of a person, where its reading says it of a relative of theirs and no
    word of the claim is one for relatives: that Ann's father died in Ripon does not say that she did. "" for any other
    claim."""
    schema = words.names.schema
    said = [p for p in query.patterns if p.relation not in (TYPE, NAME)]
    kin = [p for p in said if kin_of_label(schema.words(p.relation))]
    if query.form != "ask" or query.minus or len(kin) != 1 or len(said) != len(kin) + 1:
        return ""
    spoken = words_in(text)
    if any(chains_at(spoken, at)[0] for at in range(len(spoken))):
        return ""
    other = next(p for p in said if p not in kin)
    own = {name for name in folded_words(schema.words(other.relation)) if len(name) > _LEAST}
    told = next((w for w in spoken if w.text in own), None)
    named = any(isinstance(end, str) for p in kin for end in (p.head, p.tail))
    return text[told.start : told.end] if told and named and isinstance(other.head, Variable) else ""


def unsaid_way(text: str, query: QueryGraph, words: KnownWords) -> str:
    """The first word of a claim of two named things whose reading takes a longer way between them than the claim has
    words for; "" for any other claim. It is neither so nor not so: "Harriet lives in Abingdon" is not said of those
    whose bicycles she mended."""
    schema = words.names.schema
    said = [p for p in query.patterns if p.relation not in (TYPE, NAME)]
    named = {end for p in said for end in (p.head, p.tail) if isinstance(end, str)}
    if query.form != "ask" or query.filters or query.minus or len(named) != 2 or len(said) < _LEAST:
        return ""
    links = [x for x in words.names.link(text) if x.node in named and x.first >= 0]
    meant = {i for x in links for i in range(x.first, x.last + 1)}
    others = [w for i, w in enumerate(words_in(text)) if i not in meant]
    spoken = [w for w in others if w.text not in STOP_WORDS]
    ends = {t: Step(p.relation, t is p.tail) for p in said for t in (p.head, p.tail) if not isinstance(t, str)}
    nameless = sum(any(map(schema.is_mediator, schema.first(schema.starts(step))[:1])) for step in ends.values())
    short = len(spoken) + _SAID_BY_ITSELF < len(said) - nameless
    first = next(iter((*spoken, *others)), None)
    return text[first.start : first.end] if first and short else ""
