"""A candidate reading while it is being made: patterns over numbered variables, its answers, and where it came from."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from triplewise.kg.query.graph import Filter, Form, Measure, Order, Pattern, QueryGraph, Span, Variable
from triplewise.kg.query.span import SpanUnit
from triplewise.tools.query_graph.candidates.paths import Path
from triplewise.tools.query_graph.schema_view import Step

Operation = Literal["select", "count", "order", "minus", "filter", "compare", "ask"]
End = int | str
"""A variable by its number (0 is the answer), or a node's id."""
Row = tuple[End, str, End]
Condition = tuple[int, str, str | int | tuple[str, ...]]
"""A variable, an operator, and a value, another variable or things."""


IN_NO_MONTH = "in no month"
"""Marks a reading by which nothing was in the month that is named, by the relation that is said."""
IN_MONTH = "in month"
"""Marks a reading by which something was in the month that is named, or on one of the days or in one of the years."""


class Draft(NamedTuple):
    """One candidate reading.

    ``links``: positions of the links that it uses; ``values``: of the value mentions; ``classes``: mentioned classes.
    ``steps``: the steps along its patterns, classes left out; ``routes``: chains of ends and steps for its words, each
    from a named thing to a variable. ``answers``: what executing it gives; for "count" what is counted.
    """

    rows: tuple[Row, ...]
    answers: frozenset[str]
    steps: tuple[Step, ...] = ()
    routes: tuple[tuple[End | Step, ...], ...] = ()
    links: tuple[int, ...] = ()
    values: tuple[int, ...] = ()
    classes: tuple[str, ...] = ()
    form: Form = "select"
    filters: tuple[Condition, ...] = ()
    unsaid: tuple[Condition, ...] = ()
    """Conditions that its words leave out: what paths dropped on their way, and filters before the last one."""
    said: tuple[str, ...] = ()
    """Conditions in words whose patterns and filters are too many to read: "member of at least 2"."""
    minus: tuple[Row, ...] = ()
    minus_of: int | None = 0
    """The variable that ``minus`` calls 0; None where ``minus`` fits more than was taken away, which ``unsaid`` has."""
    minus_route: tuple[End | Step, ...] = ()
    order: tuple[int, bool, Measure | None] | None = None
    """Variable, descending, and what is measured where it is not its value."""
    order_since: int | None = None
    """The variable from whose day to that of the order's variable the time is what orders."""
    kind: str = ""
    """The class that a pattern asks of the answer."""
    denied: bool = False
    compare: tuple[str, str] | None = None
    span: tuple[int | str | None, SpanUnit] | None = None
    """For "span": the variable or day from which on it is (None for the first answer), and its unit."""
    hops: int = 1
    prior: float = 0.0
    """What the stages before the ranker think of it."""
    extra: tuple[str, ...] = ()
    """Marks for features and for what prunes: "missing", "unnamed kind", IN_MONTH, IN_NO_MONTH."""

    @property
    def next_variable(self) -> int:
        """A number that no variable has."""
        used = [e for row in (*self.rows, *self.minus) for e in (row[0], row[2]) if isinstance(e, int)]
        return max(used, default=-1) + 1

    def but(self, **changes: object) -> Draft:
        """A copy with these fields changed."""
        return Draft._make(map(changes.pop, Draft._fields, self))  # as _replace, without its check for other names

    def query(self) -> QueryGraph:
        """The query graph: variable 0 is ?x, the others ?a, ?b …"""
        return QueryGraph(
            patterns=tuple(_pattern(row) for row in self.rows),
            answer=None if self.form == "ask" else _variable(0),
            form=self.form,
            filters=tuple(
                Filter(_variable(left), op, _variable(right) if isinstance(right, int) else right)
                for left, op, right in self._conditions()
            ),
            minus=self._minus_patterns(),
            order=self._order(),
            denied=self.denied,
            compare=self.compare,
            span=self._span(),
        )

    def _conditions(self) -> Iterator[Condition]:
        """All filters, but for a list of what ``minus`` begins with where the query has no such pattern."""
        rows = (*self.rows, *self.minus) if self.minus_of is not None else self.rows
        there = {end for h, _, t in rows for end in (h, t)}
        return (c for c in dict.fromkeys((*self.filters, *self.unsaid)) if c[1] != "in" or c[0] in there)

    def _order(self) -> Order | None:
        if self.order is None:
            return None
        variable, descending, measure = self.order
        since = None if self.order_since is None else _variable(self.order_since)
        return Order(_variable(variable), descending, 1, measure, since)

    def _span(self) -> Span | None:
        since, unit = self.span or (None, "days")
        return Span(_variable(since) if isinstance(since, int) else since, unit) if self.form == "span" else None

    def _minus_patterns(self) -> tuple[Pattern, ...]:
        of = self.minus_of
        if of is None:
            return ()
        return tuple(_pattern((of if h == 0 else h, r, of if t == 0 else t)) for h, r, t in self.minus)


def _variable(number: int) -> Variable:
    return Variable("x" if number == 0 else "abcdefghijklmnopqrstuvw"[number - 1])


def asking(draft: Draft, variable: int) -> QueryGraph:
    """The query graph of a draft that asks for another of its variables."""
    return replace(draft.query(), answer=_variable(variable))


def _pattern(row: Row) -> Pattern:
    head, relation, tail = row
    return Pattern(
        _variable(head) if isinstance(head, int) else head, relation, _variable(tail) if isinstance(tail, int) else tail
    )


def row_of(start: End, step: Step, end: End) -> Row:
    """The pattern of a step from ``start`` to ``end``."""
    return (end, step.relation, start) if step.inverse else (start, step.relation, end)


def walk_rows(
    start: End, steps: Sequence[Step], end: int, fresh: int
) -> tuple[tuple[Row, ...], tuple[End | Step, ...]]:
    """The patterns of a path whose last node is the variable ``end``; the ones between get numbers from ``fresh``."""
    rows: list[Row] = []
    route: list[End | Step] = [start]
    at: End = start
    for number, step in enumerate(steps):
        following = end if number == len(steps) - 1 else fresh + number
        rows.append(row_of(at, step, following))
        route += [step, following]
        at = following
    return tuple(rows), tuple(route)


def said(draft: Draft, *without: Row) -> Hashable:
    """What a draft says, but for some patterns; two that say the same are equal in it."""
    rows = frozenset(draft.rows).difference(without)
    return rows, draft.form, draft.filters, frozenset(draft.minus), draft.order, draft.order_since, draft.compare


def without(variable: int, nodes: Iterable[str]) -> tuple[Condition, ...]:
    """That a variable is none of these nodes; no condition where there are none."""
    listed = tuple(sorted(nodes))
    return ((variable, "not in", listed),) if listed else ()


def alternatives(draft: Draft) -> list[tuple[int, tuple[str, ...]]]:
    """The variables with which the ways of a draft begin, what it takes away among them, and that are any of some
    things, with these."""
    starts = {route[0] for route in (*draft.routes, draft.minus_route) if route}
    return [
        (v, right) for v, op, right in draft.filters if v and v in starts and op == "in" and isinstance(right, tuple)
    ]


def denied_any(draft: Draft) -> tuple[str, ...]:
    """The things with any of which begins what a draft takes away; () where it takes away no such thing."""
    return next((nodes for v, nodes in alternatives(draft) if draft.minus and v == draft.minus_route[0]), ())


def relation_to(draft: Draft, variable: int) -> str:
    """The relation whose tail a variable is, "" where it is that of none."""
    return next((r for _, r, t in draft.rows if t == variable and isinstance(t, int)), "")


def at_least_one(variable: int) -> Condition:
    """That a number counts something: nobody says of 0 fatalities that there were some."""
    return (variable, ">", "0")


def dropped_by(path: Path, end: int, fresh: int) -> tuple[Condition, ...]:
    """What a path left out on its way, its variables numbered as by ``walk_rows``."""
    found: tuple[Condition, ...] = ()
    for after, nodes in path.dropped:
        found += without(end if after == len(path.steps) else fresh + after - 1, nodes)
    return found


def answering(draft: Draft, variable: int, answers: frozenset[str]) -> Draft:
    """A draft that answers with another of its variables: the two change their numbers."""
    number = {0: variable, variable: 0}

    def end(part: End | Step) -> End | Step:
        return number.get(part, part) if isinstance(part, int) else part

    def conditions(found: tuple[Condition, ...]) -> tuple[Condition, ...]:
        return tuple((number.get(v, v), op, end(r) if isinstance(r, int) else r) for v, op, r in found)  # pyright: ignore[reportReturnType]

    return draft.but(
        rows=tuple((end(h), r, end(t)) for h, r, t in draft.rows),
        routes=tuple(tuple(end(part) for part in route) for route in draft.routes),
        filters=conditions(draft.filters), unsaid=conditions(draft.unsaid), answers=answers, kind="",
        minus_of=draft.minus_of if draft.minus_of is None else number.get(draft.minus_of, draft.minus_of),
    )  # fmt: skip


def move_answer(draft: Draft, step: Step) -> Draft:
    """A draft whose answer is one step on: what was variable 0 becomes a fresh one."""
    return answer_mover(draft)(step)


def answer_mover(draft: Draft) -> Callable[..., Draft]:
    """What makes of a step, and of fields that change with it, the draft whose answer is that step on from this one's:
    what all steps share is done once."""
    fresh = draft.next_variable or 1
    rows = [(fresh if h == 0 else h, r, fresh if t == 0 else t) for h, r, t in draft.rows]
    routes = [tuple([fresh if e == 0 else e for e in route]) for route in draft.routes]
    freed = draft.but(
        filters=tuple([(fresh if v == 0 else v, op, right) for v, op, right in draft.filters]),
        unsaid=tuple([(fresh if v == 0 else v, op, right) for v, op, right in draft.unsaid]),
        minus_of=fresh if draft.minus_of == 0 else draft.minus_of,
        order=draft.order and (fresh if draft.order[0] == 0 else draft.order[0], *draft.order[1:]),
        kind="",
    )

    def move(step: Step, **changes: object) -> Draft:
        return freed.but(rows=(*rows, row_of(fresh, step, 0)), routes=(*routes, (fresh, step, 0)), **changes)

    return move
