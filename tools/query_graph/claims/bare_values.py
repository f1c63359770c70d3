"""Claims that say of a thing no more than a number: "Nancy is under fifty" is of her, not of the places in her class.

Of something else that is tied to the thing, a claim must say what: "Nancy's class has under fifty places". And a number
that stands in the thing's name is no value of it: "the 2021 Cuvée is vegan" does not say that it was bottled in 2021.
"""

from __future__ import annotations

from triplewise.kg.query.graph import NAME, TYPE, QueryGraph, Variable
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.kg.values import parse_value
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.linking.mentions import NameIndex, folded_words, words_in
from triplewise.tools.query_graph.linking.value_mentions import ValueMention, find_values

_VERBS_AND_NOUNS = """
    act acted actor actors author authors award awards city co country created creator creators director directors
    described died directed film films genre genres given knew know language languages list listed lived lives made
    movie movies people person play played plays script show shows star starred starring stars story tell told topic
    topics type types win won words work worked works writer writers written wrote
"""
_FUNCTION_WORDS = STOP_WORDS.difference(_VERBS_AND_NOUNS.split())
"""What a claim may have beside a thing and a number without saying of what the number is: who "directed four shows"
says it."""
_MONEY = frozenset("€$£")
"""A price says what it is of."""


def value_of_else(text: str, query: QueryGraph, names: NameIndex) -> str:
    """The value of a claim that names nothing but a thing and a number, where its reading gives the number of something
    else; "" for any other."""
    numbers = [v for v in find_values(text) if v.kind == "number" and not _MONEY.intersection(text[v.start : v.end])]
    limited = {f.left for f in query.filters if isinstance(f.right, str)}
    named = [x for x in names.link(text) if x.first >= 0 and x.node in query.entities]
    if not numbers or not named or not (limited or query.compare):
        return ""
    meant = {i for x in named for i in range(x.first, x.last + 1)}
    for i, word in enumerate(words_in(text)):
        valued = any(v.start <= word.start < v.end for v in numbers)
        if i not in meant and not valued and word.text not in _FUNCTION_WORDS and not _compares(word.text):
            return ""
    only = {f.left for f in query.filters if f.op == "not in" and query.denied}  # nothing else has the named one's
    own = {p.tail for p in query.patterns if not isinstance(p.head, Variable) or p.head in only}
    return "" if limited and limited <= own and not query.compare else text[numbers[0].start : numbers[0].end]


def _compares(word: str) -> bool:
    return any(p.fullmatch(word) for p in (cues.LESS, cues.MORE))


def value_of_name(text: str, query: QueryGraph, names: NameIndex) -> str:
    """The first word of a claim that its reading leaves out, where this says no more than a number that the claim has
    only in a name; "" for any other reading."""
    limits = {parse_value(f.right).key for f in query.filters if isinstance(f.right, str)}
    if len(limits) != 1 or len([p for p in query.patterns if p.relation not in (TYPE, NAME)]) != 1:
        return ""
    words = words_in(text)
    named = [x for x in names.link(text) if x.first >= 0 and x.node in query.entities]
    meant = [v for v in find_values(text) if any(parse_value(form).key in limits for form in (*v.texts, v.low, v.high))]

    def is_named(value: ValueMention) -> bool:
        at = {i for i, w in enumerate(words) if value.start <= w.start < value.end}
        said = {words[i].text for i in at}
        near = (x for x in named if at <= set(range(x.first - 1, x.last + 2)))
        return any(said <= set(folded_words(x.name)) and at != {*range(x.first, x.last + 1)} for x in near)

    if not meant or not all(map(is_named, meant)):
        return ""
    in_name = {i for x in named for i in range(x.first, x.last + 1)}
    left = [
        w
        for i, w in enumerate(words)
        if i not in in_name and w.text not in STOP_WORDS and not any(v.start <= w.start < v.end for v in meant)
    ]
    return text[left[0].start : left[0].end] if left else text[meant[0].start : meant[0].end]
