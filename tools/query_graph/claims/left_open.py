"""What a claim leaves open: "Lena was hired" is read as that there is a day on which she was, and who asks whether she
was is best told the day."""

from __future__ import annotations

from dataclasses import replace

from triplewise.kg.query.graph import TYPE, Filter, QueryGraph, Variable
from triplewise.tools.query_graph.schema_view import SchemaView, Step

_OPEN = Variable("x")
"""What a question's reading asks for, and what there is by the claim that is made of it (``Draft.query``)."""


def left_open(schema: SchemaView, query: QueryGraph) -> QueryGraph | None:
    """The question for what a claim says that there is; None for claims that say more than that.

    Such are those with a second name, with a value or a comparison, with yes or no, and denied ones.
    """
    said = [p for p in query.patterns if p.relation != TYPE]
    named = {end for p in said for end in (p.head, p.tail) if not isinstance(end, Variable)}
    if query.form != "ask" or query.denied or query.minus or any(f.op != "not in" for f in query.filters):
        return None
    if len(named) != 1 or not any(_OPEN in p.variables for p in said):
        return None
    if any(schema.value_kind(p.relation) == "yes-no" for p in said):
        return None
    return replace(query, form="select", answer=_OPEN)


def as_claim(schema: SchemaView, query: QueryGraph) -> QueryGraph | None:
    """The claim that a thing has a yes, of a question that asks for the yes or no: "paid?" is whether it is so. None
    for any other question."""
    said = [p for p in query.patterns if p.relation != TYPE]
    if query.form != "select" or query.minus or query.order or query.filters or len(said) != 1:
        return None
    [pattern] = said
    if schema.value_kind(pattern.relation) != "yes-no" or not isinstance(pattern.head, str):
        return None
    if pattern.tail != query.answer or len(schema.go(pattern.head, Step(pattern.relation))) != 1:
        return None
    return replace(query, form="ask", answer=None, filters=(Filter(_OPEN, "=", "yes"),))
