"""Claims of two named things whose readings go a long way round, where a relation that others have would tell it.

"The client Sam lives in Ripon" is not told by where the chef of his wedding lives: whoever lives somewhere has that
said of himself, and of Sam it is not.
"""

from __future__ import annotations

from triplewise.kg.query.graph import NAME, TYPE, QueryGraph
from triplewise.tools.query_graph.linking.known_words import KnownWords
from triplewise.tools.query_graph.linking.mentions import words_in
from triplewise.tools.text.persons import Persons
from triplewise.tools.text.verb_forms import is_third_person

_LEAST = 3
"""Steps of a way from which on it is a long one."""


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
