"""Readings that take the number of a name for a value of its thing: "The 2021 Cuvée is vegan" as that Georg's Cuvée
2021 was bottled in 2021. What the claim says is not in them, so that they neither support nor refute it."""

from __future__ import annotations

from triplewise.kg.query.graph import NAME, TYPE, QueryGraph
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.kg.values import parse_value
from triplewise.tools.query_graph.mentions import NameIndex, folded_words, words_in
from triplewise.tools.query_graph.value_mentions import ValueMention, find_values


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
