"""The one executor of query graphs: the answers on any store, each with the triples that prove it.

Patterns are joined one after the other, the one with the fewest unbound ends first and among these the one whose
bound end has the fewest triples; rows that break a filter are dropped as soon as it can be told.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from triplewise.kg.base import KGStore
from triplewise.kg.names import literal_parts, quote_literal
from triplewise.kg.query.graph import NAME, TYPE, Filter, Order, Pattern, QueryGraph, Term, Variable
from triplewise.kg.values import compare, parse_value
from triplewise.types import Triple

MAX_ROWS = 50_000
"""Rows of a join; beyond them the execution stops and says so."""

Row = dict[Variable, str]


@dataclass(frozen=True, slots=True)
class Found:
    """One answer and the triples of one match that proves it."""

    id: str
    proof: tuple[Triple, ...]


@dataclass(frozen=True, slots=True)
class Execution:
    """What a query graph gives. ``found``: the answers; for "count" and "ask" what was counted or found.

    ``number`` is the count, ``holds`` whether the claim does (None for "select" and for a plain count).
    ``truncated``: the join was cut at the cap, so that answers may be missing and a count may be too low.
    """

    found: tuple[Found, ...]
    number: int
    holds: bool | None = None
    truncated: bool = False

    @property
    def ids(self) -> tuple[str, ...]:
        """The answers' ids, in the order in which they were found."""
        return tuple(f.id for f in self.found)


def execute(store: KGStore, query: QueryGraph, *, max_rows: int = MAX_ROWS) -> Execution:
    """Run a query graph; ``max_rows`` caps the rows of the join."""
    join = _Join(store, max_rows)
    rows = join.rows(query.patterns, query.filters)
    if query.minus:
        rows = [row for row in rows if not join.any(query.minus, row)]
    if query.order and query.answer:
        rows = _best(store, rows, query.answer, query.order)
    proofs: dict[str, Row] = {}
    for row in rows:
        key = row[query.answer] if query.answer else "\0".join(row.values())
        proofs.setdefault(key, row)
    found = tuple(Found(key if query.answer else "", join.proof(query.patterns, row)) for key, row in proofs.items())
    holds = None
    if query.form == "ask":
        holds = bool(found) != query.denied
    elif query.compare:
        holds = compare(str(len(found)), *query.compare)
    return Execution(found, len(found), holds, join.truncated)


class _Join:
    def __init__(self, store: KGStore, max_rows: int) -> None:
        self.store, self.max_rows, self.truncated = store, max_rows, False

    def rows(self, patterns: Sequence[Pattern], filters: Sequence[Filter] = (), start: Row | None = None) -> list[Row]:
        rows: list[Row] = [dict(start or {})]
        left = list(patterns)
        while left and rows:
            pattern = min(left, key=lambda p: self._cost(p, rows[0]))
            left.remove(pattern)
            following: list[Row] = []
            for row in rows:
                for new in self._step(row, pattern):
                    if self._passes(new, filters):
                        following.append(new)
                if len(following) > self.max_rows:
                    self.truncated = True
                    del following[self.max_rows :]
                    break
            rows = following
        return rows

    def any(self, patterns: Sequence[Pattern], start: Row) -> bool:
        return bool(self.rows(patterns, (), start))

    def _cost(self, pattern: Pattern, row: Row) -> tuple[int, int]:
        """Unbound ends, then the triples at the bound end, so that a hub comes last."""
        ends = [_bound(t, row) for t in (pattern.head, pattern.tail)]
        known = [e for e in ends if e is not None]
        degree = min((self.store.degree(e) if self.store.has_entity(e) else 0 for e in known), default=len(self.store))
        return len(ends) - len(known), degree

    def _step(self, row: Row, pattern: Pattern) -> Iterator[Row]:
        head, tail = _bound(pattern.head, row), _bound(pattern.tail, row)
        for h, t in self._pairs(head, pattern.relation, tail):
            new = dict(row)
            if isinstance(pattern.head, Variable):
                new[pattern.head] = h
            if isinstance(pattern.tail, Variable):
                if new.get(pattern.tail, t) != t:  # ?x r ?x
                    continue
                new[pattern.tail] = t
            yield new

    def _pairs(self, head: str | None, relation: str, tail: str | None) -> Iterator[tuple[str, str]]:
        store = self.store
        if relation == TYPE:
            yield from _typed(store, head, tail)
        elif relation == NAME:
            yield from _named(store, head, tail)
        elif all(end is None or store.has_entity(end) for end in (head, tail)):
            yield from ((t.head, t.tail) for t in store.triples(head, relation, tail))

    def _passes(self, row: Row, filters: Sequence[Filter]) -> bool:
        return all(f.left not in row or _holds(self.store, f, row) for f in filters)

    def proof(self, patterns: Sequence[Pattern], row: Row) -> tuple[Triple, ...]:
        """The triples of a match; classes and other names that are no triples of the graph are left out."""
        return tuple(
            dict.fromkeys(
                Triple(h, p.relation, t)
                for p in patterns
                if p.relation not in (TYPE, NAME)
                if (h := _bound(p.head, row)) is not None and (t := _bound(p.tail, row)) is not None
            )
        )


def _bound(term: Term, row: Row) -> str | None:
    return row.get(term) if isinstance(term, Variable) else term


def _holds(store: KGStore, condition: Filter, row: Row) -> bool:
    left, right = row[condition.left], condition.right
    if isinstance(right, tuple):
        return (left in right) == (condition.op == "in")
    if isinstance(right, Variable):
        if right not in row:
            return True
        if condition.op == "not in":
            return left != row[right]
        other = store.label(row[right])
    else:
        other = str(right)
    if condition.op == "year":
        value = parse_value(store.label(left))
        return value.kind in ("date", "year") and value.key[:1] == parse_value(other).key[:1]
    return compare(store.label(left), condition.op, other)


def _typed(store: KGStore, head: str | None, tail: str | None) -> Iterator[tuple[str, str]]:
    if head is not None:
        yield from ((head, t) for t in store.types(head) if tail in (None, t))
    elif tail is not None:
        yield from ((e, tail) for e in store.instances(tail))
    else:
        yield from ((e, t) for e in store.entities() for t in store.types(e))


def _named(store: KGStore, head: str | None, tail: str | None) -> Iterator[tuple[str, str]]:
    if head is not None:
        found = ((head, quote_literal(a)) for a in store.aliases(head))
    elif tail is not None:
        parts = literal_parts(tail)
        text = parts.value if parts else tail
        found = ((h.id, tail) for h in store.named(text) if text in store.aliases(h.id))
    else:
        found = ((e, quote_literal(a)) for e in store.entities() for a in store.aliases(e))
    yield from ((h, t) for h, t in found if tail in (None, t))


def _best(store: KGStore, rows: list[Row], answer: Variable, order: Order) -> list[Row]:
    """The rows of the first ``limit`` answers by the order, ties of the last kept."""
    keys: dict[str, tuple[float, ...]] = {}
    if order.count:
        counted: dict[str, set[str]] = defaultdict(set)
        for row in rows:
            counted[row[answer]].add(row[order.by])
        keys = {a: (float(len(found)),) for a, found in counted.items()}
    else:
        for row in rows:
            key = parse_value(store.label(row[order.by])).key
            if key and (row[answer] not in keys or (key > keys[row[answer]]) == order.descending):
                keys[row[answer]] = key
    if not keys:
        return []
    ranked = sorted(keys.values(), reverse=order.descending)
    last = ranked[min(order.limit, len(ranked)) - 1]
    kept = {a for a, key in keys.items() if (key >= last if order.descending else key <= last)}
    if order.count:
        return [row for row in rows if row[answer] in kept]
    return [
        row for row in rows if row[answer] in kept and parse_value(store.label(row[order.by])).key == keys[row[answer]]
    ]
