"""A way that leads to nothing, beside one over one step more that leads to what is asked for."""

from __future__ import annotations

from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.schema_view import SchemaView


def of_told_ways(_schema: SchemaView, _sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that end nowhere where another goes the same steps and one between to what the graph
    tells: the town of her flat is that of the house that the flat is part of."""
    nowhere = [d for d in drafts if "missing" in d.extra and not d.answers and len(_relations(d)) > 1]
    if not nowhere:
        return drafts
    told = [(d.links, _relations(d), _last(d)) for d in drafts if d.answers and d.form == "select" and not d.minus]

    def leads_on(draft: Draft) -> bool:
        own, last = _relations(draft), _last(draft)
        return any(x == draft.links and end == last and own < way and len(way) == len(own) + 1 for x, way, end in told)

    left_out = {id(d) for d in nowhere if leads_on(d)}
    return [d for d in drafts if id(d) not in left_out] if left_out else drafts


def _relations(draft: Draft) -> frozenset[str]:
    return frozenset(relation for _, relation, _ in draft.rows if relation != TYPE)


def _last(draft: Draft) -> tuple[str, ...]:
    """The relations that a draft's answers are at an end of."""
    return tuple(sorted(r for h, r, t in draft.rows if 0 in (h, t) and r != TYPE))
