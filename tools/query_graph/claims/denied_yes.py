"""What a claim says of a thing to which the graph says no: that Ann hired boat 3 does not say that she has paid for it.

A reading by another relation of the same two things leaves the verb unsaid. Where this is the one word of a relation
that has yes or no, its value counts.
"""

from __future__ import annotations

from triplewise.kg.query.graph import QueryGraph
from triplewise.kg.values import parse_value
from triplewise.tools.query_graph.linking.mentions import NameIndex, words_in
from triplewise.tools.text.verb_forms import is_participle

_NO = parse_value("no").key


def denied_yes(text: str, query: QueryGraph, names: NameIndex) -> str:
    """The first word of a claim that is a participle and a relation of yes or no by which its reading says nothing,
    where the graph says no of a thing that the reading names; "" where there is none."""
    schema, held = names.schema, query.relations
    if query.form != "ask":
        return ""
    for word in words_in(text):
        for relation in schema.relations if is_participle(word.text) else ():
            if schema.words(relation).lower() != word.text or schema.value_kind(relation) != "yes-no":
                continue
            things = [e for e in query.entities if schema.store.has_entity(e)] if relation not in held else []
            told = [t.tail for e in things for t in schema.store.triples(head=e, relation=relation)]
            if any(parse_value(schema.label(tail)).key == _NO for tail in told):
                return text[word.start : word.end]
    return ""
