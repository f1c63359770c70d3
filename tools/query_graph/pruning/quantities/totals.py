"""Who has the most in all, or stayed the longest, where that is asked."""

from __future__ import annotations

import re

from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, relation_to
from triplewise.tools.query_graph.candidates.extremes.lasting import asked_of_all
from triplewise.tools.query_graph.candidates.extremes.totals import asked_kind, asked_most, tells_amount
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.text.persons import Persons

_CHARGE = re.compile(r"\b(?:rates?|prices?|fees?|charges?|costs?)\b", re.I)
"""What somebody takes is not what they have paid or raised."""

_SURE = 0.9
"""The score of a link from which on a thing is surely named."""


def of_totals(schema: SchemaView, persons: Persons, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts by which something has the most in all, or lasted the longest, where there are such: of what is surely
    named, if anything is. None of them where who is asked for, and they answer with what is nobody, or a number of a
    person's own tells it."""
    totals, others = [d for d in drafts if _adds_up(d)], [d for d in drafts if not _adds_up(d)]
    narrowed = [d for d in totals if d.filters or any(sentence.links[i].score > _SURE for i in d.links)]
    totals = narrowed or totals
    if not totals or asked_kind(sentence.text) or asked_of_all(sentence.text):
        return totals or drafts
    asked = asked_most(sentence.text)

    def answers_persons(draft: Draft) -> bool:
        return all(map(persons.maybe, schema.first(draft.answers)[:1]))

    def of_own_number(draft: Draft) -> bool:
        relation = relation_to(draft, draft.order[0]) if draft.order and draft.order[2] is None else ""
        own = relation and draft.order and (0, relation, draft.order[0]) in draft.rows
        if not (own and asked) or _CHARGE.search(schema.words(relation)) or not tells_amount(schema, relation, asked):
            return False
        return all(persons.holds(node) or persons.sure(node) == "person" for node in schema.first(draft.answers)[:1])

    of_persons = [d for d in totals if answers_persons(d)]
    return others if not of_persons or any(map(of_own_number, others)) else of_persons


def _adds_up(draft: Draft) -> bool:
    """Whether a draft orders by totals or averages, or by the time between days."""
    return bool(draft.order) and (draft.order_since is not None or draft.order[2] in ("total", "average"))
