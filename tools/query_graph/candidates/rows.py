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


def of_rank(sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts in which a place that the sentence names, "second", is one of a row that ties what else it names; all
    of them where there is none."""
    places = {i for i, value in enumerate(sentence.values) if value.rank}
    if not places:
        return drafts
    numbers = {node for i, node in sentence.value_nodes if i in places}
    texts = {sentence.values[i].low for i in places}

    def ties(draft: Draft) -> int:
        """How many named things the row with the place has; who came first is not the first of those who did."""
        if draft.order or not places.intersection(draft.values):
            return 0
        told = {v for v, op, right in draft.filters if op == "=" and right in texts}
        ranked = {h for h, _, t in draft.rows if t in numbers or t in told}
        ends = [(h, t) for h, r, t in draft.rows if r != TYPE and t not in numbers]
        return sum((h in ranked and isinstance(t, str)) or (t in ranked and isinstance(h, str)) for h, t in ends)

    most = max(map(ties, drafts), default=0)
    return [d for d in drafts if ties(d) == most] if most else drafts
