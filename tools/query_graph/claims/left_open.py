"""What a claim leaves open: "Lena was hired" is read as that there is a day on which she was, and who asks whether she
was is best told the day. So weak a reading fits anything, "does Lena snore?" too, so that its words must be near."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from triplewise.kg.query.graph import NAME, TYPE, QueryGraph, Variable
from triplewise.kg.values import parse_value
from triplewise.tools.query_graph.schema_view import SchemaView, Step

_OPEN = Variable("x")
"""What a question's reading asks for, and what there is by the claim that is made of it (``Draft.query``)."""
_NEAR = 0.3
"""The nearness to a question from which on a relation may be what it asks about. In the training
domains "booked by" has 0.22 to "does he snore?", and "number of passengers" 0.39 to "is she big?"."""


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


def beside_the_point(schema: SchemaView, query: QueryGraph, nearness: Callable[[Step], float]) -> bool:
    """Whether a claim only says of one thing that it has some relation, or yes or no for it, which a question does not
    speak of; a second name or a value ties a claim to its sentence."""
    said = [p for p in query.patterns if p.relation not in (TYPE, NAME)]
    ends = {end for p in said for end in (p.head, p.tail) if not isinstance(end, Variable)}
    named = {end for end in ends if parse_value(schema.store.label(end)).kind != "yes-no"}
    if query.form != "ask" or query.minus or any(f.op != "not in" for f in query.filters) or len(named) > 1:
        return False
    return bool(said) and all(nearness(Step(p.relation)) < _NEAR for p in said)
