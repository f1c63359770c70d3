"""Who has the most in all, where it is asked who has the most."""

from __future__ import annotations

import re

from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, relation_to
from triplewise.tools.query_graph.candidates.extremes.totals import asked_most, tells_amount
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.text.persons import Persons

_CHARGE = re.compile(r"\b(?:rates?|prices?|fees?|charges?|costs?)\b", re.I)
"""What somebody takes is not what they have paid or raised."""

_SURE = 0.9
"""The score of a link from which on a thing is surely named."""


def of_totals(schema: SchemaView, persons: Persons, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts by which something has the most in all, where there are such: of what is surely named, if anything is.
    None of them where who is asked for, and they answer with what is nobody, or a number of a person's own tells it."""
    totals = [d for d in drafts if d.order and d.order[2] in ("total", "average")]
    narrowed = [d for d in totals if d.filters or any(sentence.links[i].score > _SURE for i in d.links)]
    totals = narrowed or totals
    asked = asked_most(sentence.text) if totals else None
    if not asked or asked.kind:
        return totals or drafts

    def answers_persons(draft: Draft) -> bool:
        return all(map(persons.maybe, schema.first(draft.answers)[:1]))

    def of_own_number(draft: Draft) -> bool:
        relation = relation_to(draft, draft.order[0]) if draft.order and draft.order[2] is None else ""
        own = relation and draft.order and (0, relation, draft.order[0]) in draft.rows
        if not own or _CHARGE.search(schema.words(relation)) or not tells_amount(schema, relation, asked):
            return False
        return all(persons.holds(node) or persons.sure(node) == "person" for node in schema.first(draft.answers)[:1])

    of_persons = [d for d in totals if answers_persons(d)]
    others = [d for d in drafts if not (d.order and d.order[2] in ("total", "average"))]
    return others if not of_persons or any(map(of_own_number, others)) else of_persons
