"""Who has the most of what was asked last: after "what do we pay him an hour?", "and who gets the most?"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.memory import Remembered
from triplewise.agents.assistant.references import References
from triplewise.kg.query import QueryGraph
from triplewise.kg.query.graph import TYPE, Order, Pattern, Variable

_THE_MOST = re.compile(
    r"(?:who|which one|what)(?: else)? "
    r"(?:gets?|got|has|have|is|was|pays?|paid|earns?|earned|makes?|costs?|takes?|took|does|did) "
    r"(?:the )?(?P<end>most|least|highest|lowest|fewest)(?:,? then)?\W*",
    re.I,
)
_LEAST = ("least", "lowest", "fewest")


def the_most_of_that(things: Things, seen: References, last: Remembered) -> Iterator[Interpretation]:
    """The one of its kind with the most, or the least, of the number that one relation told of a thing."""
    said = _THE_MOST.fullmatch(seen.bare)
    query = QueryGraph.from_json(last.query) if last.query else None
    if said is None or query is None or query.form != "select" or query.order or query.minus:
        return
    rows = [p for p in query.patterns if p.relation not in {TYPE, *things.kg.roles.types}]
    if len(rows) != 1 or not isinstance(rows[0].head, str) or rows[0].tail != query.answer:
        return
    if things.names.schema.value_kind(rows[0].relation) != "number":
        return
    x, amount = Variable("x"), Variable("amount")
    kinds = [Pattern(x, TYPE, kind) for kind in things.kg.types(rows[0].head)[:1]]
    asked = QueryGraph(
        (*kinds, Pattern(x, rows[0].relation, amount)), x, order=Order(amount, said["end"].lower() not in _LEAST)
    )
    yield Interpretation(f"{last.question.rstrip(' ?.')}, {seen.bare}", "swap", "of all", query=asked)
