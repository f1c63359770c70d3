"""Who lacks something is sought among those that could have it: of loans and repairs only loans are brought back."""

from __future__ import annotations

from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, Row
from triplewise.tools.query_graph.schema_view import SchemaView, Step


def of_the_able(schema: SchemaView, _sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts, those that take away by one step over things of the one kind that has it, where they are of several
    kinds."""
    return [_of_one_kind(schema, draft) if _takes_one_step(draft) else draft for draft in drafts]


def of_any_said(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """Where a denial says what many things are called, the drafts that take away what has one of these, if any do."""
    if not sentence.any_of:
        return drafts
    return [d for d in drafts if any(_leads_to(schema, row, sentence.any_of) for row in d.minus)] or drafts


def _leads_to(schema: SchemaView, row: Row, things: frozenset[str]) -> bool:
    """Whether a pattern has any of some things at one of its ends."""
    sides = (Step(row[1]), Step(row[1], inverse=True))
    return row[1] != TYPE and any(not things.isdisjoint(schema.starts(side)) for side in sides)


def _takes_one_step(draft: Draft) -> bool:
    """Whether a draft is a set without what has one step to anything."""
    if draft.form not in ("select", "count") or draft.minus_of != 0 or len(draft.minus) != 1 or draft.kind:
        return False
    head, relation, tail = draft.minus[0]
    return relation != TYPE and isinstance(head, int) and isinstance(tail, int)


def _of_one_kind(schema: SchemaView, draft: Draft) -> Draft:
    """A draft over the answers of the kind that usually has what is taken away; itself where all or none have it."""
    head, relation, _ = draft.minus[0]
    step = Step(relation, inverse=head != 0)
    kinds = {kind for node in schema.first(draft.answers) for kind in schema.kinds(node)}
    able = [kind for kind in kinds if step in schema.usual_steps((kind,))]
    if len(able) != 1 or len(kinds) == 1:
        return draft
    answers = draft.answers & schema.set_of(able[0])
    row = _row_of_kind(schema, draft, able[0], answers)
    return draft.but(rows=(*draft.rows, row), answers=answers) if row and answers else draft


def _row_of_kind(schema: SchemaView, draft: Draft, kind: str, answers: frozenset[str]) -> Row | None:
    """A pattern that says of the answers that they are of a kind: its class, or a relation that only its things have,
    all of those that are asked for among them."""
    if schema.store.instances(kind):
        return (0, TYPE, kind)
    members = schema.set_of(kind)
    own = (s for s in schema.usual_steps((kind,)) if not s.inverse and schema.starts(s) <= members)
    fitting = [s.relation for s in own if answers <= schema.starts(s)]
    said = {relation for _, relation, _ in draft.rows}
    return (0, min(fitting), draft.next_variable or 1) if fitting and not said.intersection(fitting) else None
