"""Readings of one nameless row that ties two things.

"How many points did Quickstep get in the Spring Opener?" asks for the points of the row of this boat and this race, and
not for points of the boat that another row of the race has too.
"""

from __future__ import annotations

from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, End, Row
from triplewise.tools.query_graph.candidates.paths import Path
from triplewise.tools.query_graph.schema_view import SchemaView, Step


def shared_rows(schema: SchemaView, one: Path, other: Path) -> frozenset[str]:
    """The nameless rows from which two paths take the same last step, to a value; none where each takes it from rows of
    its own. Rows that have a thing in common may well be two."""
    step = one.steps[-1]
    if step != other.steps[-1] or min(len(one.steps), len(other.steps)) < 2 or other.dropped:
        return frozenset()
    if step.inverse or not schema.value_kind(step.relation):
        return frozenset()
    rows = one.before & other.before
    return rows if all(map(schema.is_mediator, rows)) else frozenset()


def from_row(
    row: End | Step, rows: tuple[Row, ...], route: tuple[End | Step, ...]
) -> tuple[tuple[Row, ...], tuple[End | Step, ...]]:
    """A path's patterns and route, its last step left to another path that takes it from the same row."""
    own = route[-3]

    def put(end: End | Step) -> End | Step:
        return row if end == own and isinstance(end, int) else end

    left = tuple((put(h), r, put(t)) for h, r, t in rows[:-1])
    return left, tuple(map(put, route))  # pyright: ignore[reportReturnType]


def of_rank(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts in which a place that the sentence names, "second" or "last", is one of a row that ties what else it
    names; all of them where there is none."""
    places = {i for i, value in enumerate(sentence.values) if value.rank}
    if not places and not sentence.last_by:
        return drafts
    numbers = {node for i, node in sentence.value_nodes if i in places}
    texts = {sentence.values[i].low for i in places}
    named: set[End] = {link.node for link in sentence.links}

    def ranked(draft: Draft) -> set[End]:
        """The rows with the place; who came first is not the first of those who did."""
        if sentence.last_by:
            by = draft.order[0] if draft.order and draft.order[1:] == (True, None) else None
            return {h for h, r, t in draft.rows if t == by and r in sentence.last_by}
        if draft.order or not places.intersection(draft.values):
            return set()
        told = {v for v, op, right in draft.filters if op == "=" and right in texts}
        return {h for h, _, t in draft.rows if t in numbers or t in told}

    def ties(draft: Draft) -> int:
        """How many named things such a row has, itself or by what tells of its things: the name of its race."""
        met = ranked(draft)
        size = -1 if met else 0
        rows = [row for row in draft.rows if row[1] != TYPE and row[2] not in numbers]
        while size < len(met):
            size = len(met)
            met |= {t for h, r, t in rows if h in met and schema.functional(Step(r))}
            met |= {h for h, r, t in rows if t in met and schema.functional(Step(r, inverse=True))}
        return len(met & named)

    most = max(map(ties, drafts), default=0)
    return [d for d in drafts if ties(d) == most] if most else drafts
