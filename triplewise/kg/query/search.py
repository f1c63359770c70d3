"""The matches of a query graph's patterns on any store.

First every variable gets its possible values, outwards from the named nodes, and loses those that some pattern, filter
or ``minus`` leaves without a partner (the semi-joins of Yannakakis 1981). Where the patterns form trees and no other
condition ties two variables, what is left are the answers, and a hub costs one look at each of its triples however many
ways lead on from it. Elsewhere a backtracking search over these values decides. Proofs are looked up when they are
asked for.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice

from triplewise.kg.base import KGStore
from triplewise.kg.names import literal_parts, quote_literal
from triplewise.kg.query.graph import NAME, TYPE, Filter, Pattern, Term, Variable, alternatives
from triplewise.kg.values import compare, parse_value
from triplewise.types import Triple

MAX_ROWS = 50_000
"""Values of one variable, and bindings that a search tries; beyond them the execution stops and says so."""

Row = dict[Variable, str]
Values = dict[str, None]
"""A set that keeps its order, so that answers come in the same order each time."""
_SAMPLE = 20
_REVISIONS = 4
"""Of one pattern on a cycle: there the values are only narrowed, and the search decides."""


def matching(store: KGStore, head: str | None, relation: str, tail: str | None) -> Iterator[Triple]:
    """The triples that match, ``TYPE`` and ``NAME`` leading to classes and other names; None is a wildcard."""
    if relation == TYPE:
        return _typed(store, head, tail)
    if relation == NAME:
        return _named(store, head, tail)
    if all(end is None or store.has_entity(end) for end in (head, tail)):
        first, *others = alternatives(relation, store.relation_ids)
        if not others:
            return store.triples(head, first, tail)
        return chain.from_iterable(store.triples(head, r, tail) for r in (first, *others))
    return iter(())


def as_told(store: KGStore, triple: Triple) -> Triple:
    """A triple as the graph has it: of a class by its own relation ("is_a"), and of several relations by the one that
    holds."""
    if triple.relation != TYPE:
        several = len(alternatives(triple.relation, store.relation_ids)) > 1
        return next(matching(store, *triple), triple) if several else triple
    told = (t for r in sorted(store.roles.types) for t in store.triples(triple.head, r, triple.tail))
    return next(told, triple) if store.has_entity(triple.tail) else triple


def plain_name(pattern: Pattern) -> Pattern:
    """A ``NAME`` pattern with the name as the literal that it is, whether it was written in quotes or not."""
    if pattern.relation != NAME or isinstance(pattern.tail, Variable):
        return pattern
    parts = literal_parts(pattern.tail)
    return replace(pattern, tail=quote_literal(parts.value if parts else pattern.tail))


def filter_holds(store: KGStore, condition: Filter, left: str, right: str | None = None) -> bool:
    """Whether a filter holds for a node; ``right``: the node of the variable on its right side, where it has one."""
    if isinstance(condition.right, tuple):
        return (left in condition.right) == (condition.op == "in")
    if right is not None and condition.op == "not in":
        return left != right
    label, other = store.label(left), str(condition.right) if right is None else store.label(right)
    if condition.op == "year":
        value, year = parse_value(label), parse_value(other)
        dated = value.kind in ("date", "year") and year.kind in ("date", "year", "number")
        return dated and value.key[0] == year.key[0]
    return compare(label, condition.op, other)


class Search:
    """The matches of patterns under conditions; ``start`` gives values to variables beforehand."""

    def __init__(
        self,
        store: KGStore,
        patterns: Sequence[Pattern],
        filters: Sequence[Filter] = (),
        minus: Sequence[Pattern] = (),
        *,
        start: Mapping[Variable, Values] | None = None,
        max_rows: int,
    ) -> None:
        self.store, self.max_rows, self.truncated = store, max_rows, False
        self.patterns = [plain_name(p) for p in patterns]
        self.minus = minus
        self.edges = list(dict.fromkeys(p for p in self.patterns if len(set(p.variables)) == 2))
        self.around: dict[Variable, list[Pattern]] = {v: [] for p in self.patterns for v in p.variables}
        for edge in self.edges:
            for variable in edge.variables:
                self.around[variable].append(edge)
        self.own: dict[Variable, list[Filter]] = defaultdict(list)
        self.tied: dict[Variable, list[Filter]] = defaultdict(list)
        self.of_minus = [f for f in filters if not self.around.keys() >= set(f.variables)]
        for condition in filters:
            for variable in condition.variables if condition not in self.of_minus else ():
                (self.tied if isinstance(condition.right, Variable) else self.own)[variable].append(condition)
        self.shared = [v for v in self.around if any(v in p.variables for p in minus)]
        self.is_tree = not self.tied and len(self.shared) < 2 and self._acyclic()
        self.values: dict[Variable, Values] = {}
        self.possible = self._narrow(start or {})

    def _acyclic(self) -> bool:
        group = {v: v for v in self.around}

        def root(variable: Variable) -> Variable:
            while group[variable] != variable:
                variable = group[variable]
            return variable

        for edge in self.edges:
            a, b = (root(v) for v in edge.variables)
            if a == b:
                return False
            group[a] = b
        return True

    # values -----------------------------------------------------------------------------------

    def _narrow(self, start: Mapping[Variable, Values]) -> bool:
        """Find the values of all variables; False where nothing can match."""
        for variable, values in start.items():
            self._keep(variable, values)
        for variable, conditions in self.own.items():
            for condition in conditions:
                if condition.op == "in" and isinstance(condition.right, tuple):
                    self._keep(variable, condition.right)
        single = [p for p in self.patterns if len(set(p.variables)) < 2]
        for pattern in sorted(single, key=self._named_degree):
            if not self._apply(pattern):
                return False
        return self._settle(self.edges) and self._subtract() and all(self.values.values())

    def _named_degree(self, pattern: Pattern) -> int:
        named = [t for t in (pattern.head, pattern.tail) if isinstance(t, str) and self.store.has_entity(t)]
        return min((self.store.degree(t) for t in named), default=len(self.store))

    def _keep(self, variable: Variable, values: Iterable[str]) -> None:
        """The values that are also known ones, or that pass the variable's own filters where none are known."""
        known = self.values.get(variable)
        kept = (v for v in values if v in known) if known is not None else self._passing(variable, values)
        self.values[variable] = self._capped(kept)

    def _passing(self, variable: Variable, values: Iterable[str]) -> Iterable[str]:
        conditions = self.own.get(variable)
        if not conditions:
            return values
        return (v for v in values if all(filter_holds(self.store, c, v) for c in conditions))

    def _capped(self, values: Iterable[str]) -> Values:
        kept = dict.fromkeys(values)
        if len(kept) > self.max_rows:
            self.truncated = True
            kept = dict.fromkeys(islice(kept, self.max_rows))
        return kept

    def _apply(self, pattern: Pattern) -> bool:
        """A pattern with at most one variable; False where it leaves nothing."""
        head, tail = (None if isinstance(t, Variable) else t for t in (pattern.head, pattern.tail))
        if not pattern.variables:
            return self._exists(head, pattern.relation, tail)
        variable = pattern.variables[0]
        known = self.values.get(variable)
        if known is not None and len(known) <= self._named_degree(pattern):  # each value, not each triple of a hub
            ends: Iterable[str] = (v for v in known if self._exists(head or v, pattern.relation, tail or v))
        else:
            found = matching(self.store, head, pattern.relation, tail)
            if len(pattern.variables) == 2:
                ends = (t.head for t in found if t.head == t.tail)
            else:
                ends = (t.tail for t in found) if tail is None else (t.head for t in found)
        self._keep(variable, ends)
        return bool(self.values[variable])

    def _exists(self, head: str | None, relation: str, tail: str | None) -> bool:
        return next(matching(self.store, head, relation, tail), None) is not None

    def _settle(self, edges: Sequence[Pattern]) -> bool:
        """Revise patterns between two variables until none takes a value away; False where a variable has none left."""
        waiting, revised = list(edges), defaultdict[Pattern, int](int)
        while waiting:
            edge = min(waiting, key=self._smallest)
            waiting.remove(edge)
            revised[edge] += 1
            for variable, fewer in zip(edge.variables, self._revise(edge), strict=True):
                if not fewer:
                    return False
                if len(fewer) != len(self.values.get(variable, ())):
                    waiting += [
                        e
                        for e in self.around[variable]
                        if e != edge and e not in waiting and (self.is_tree or revised[e] < _REVISIONS)
                    ]
                self.values[variable] = fewer
        return True

    def _smallest(self, edge: Pattern) -> int:
        return min((len(self.values[v]) for v in edge.variables if v in self.values), default=len(self.store) + 1)

    def _revise(self, edge: Pattern) -> tuple[Values, Values]:
        """The heads and the tails that have a partner."""
        (head, tail), relation = edge.variables, edge.relation
        heads, tails = self.values.get(head), self.values.get(tail)
        store = self.store
        if heads is None and tails is None:
            found = list(matching(store, None, relation, None))
        elif heads is not None and (tails is None or self._work(heads) <= self._work(tails)):
            found = [t for h in heads for t in matching(store, h, relation, None)]
        else:
            found = [t for v in tails or () for t in matching(store, None, relation, v)]
        if heads is None:
            heads = dict.fromkeys(self._passing(head, dict.fromkeys(t.head for t in found)))
        if tails is None:
            tails = dict.fromkeys(self._passing(tail, dict.fromkeys(t.tail for t in found)))
        kept_tails = self._capped(t.tail for t in found if t.tail in tails and t.head in heads)
        return self._capped(t.head for t in found if t.head in heads and t.tail in kept_tails), kept_tails

    def _work(self, values: Values) -> float:
        """About how many triples the values have."""
        degrees = [self.store.degree(v) if self.store.has_entity(v) else 1 for v in islice(values, _SAMPLE)]
        return sum(degrees) / max(1, len(degrees)) * len(values)

    def _subtract(self) -> bool:
        """Take away what ``minus`` excludes where it meets the patterns in one variable or in none."""
        if not self.minus or len(self.shared) > 1:
            return True
        if not self.shared:
            return not self._excluded({})
        (variable,) = self.shared
        search = Search(
            self.store, self.minus, self.of_minus, start={variable: self.values[variable]}, max_rows=self.max_rows
        )
        excluded = {row[variable] for row in search.rows((variable,))}
        self.truncated |= search.truncated
        if not excluded:
            return True
        self.values[variable] = {v: None for v in self.values[variable] if v not in excluded}
        return bool(self.values[variable]) and self._settle(self.around[variable])

    def _excluded(self, row: Row) -> bool:
        start = {v: {row[v]: None} for v in self.shared}
        search = Search(self.store, self.minus, self.of_minus, start=start, max_rows=self.max_rows)
        excluded = next(search.rows(()), None) is not None
        self.truncated |= search.truncated
        return excluded

    # matches ----------------------------------------------------------------------------------

    def rows(self, asked: tuple[Variable, ...]) -> Iterator[Row]:
        """One match for each combination of values of the asked variables, at least these variables bound."""
        if not self.possible:
            return
        if self.is_tree and len(asked) < 2:  # each value that is left is part of a match
            yield from ({asked[0]: value} for value in self.values[asked[0]]) if asked else ({},)
            return
        first = list(dict.fromkeys((*self._path(*asked[:2]), *asked))) if len(asked) > 1 else list(asked)
        order = self._order(first)
        budget = [self.max_rows]
        seen: set[tuple[str, ...]] = set()
        for begun in self._matches(order[: len(first)], {}, budget):
            key = tuple(begun[v] for v in asked)
            if key not in seen:
                row = begun if self.is_tree else next(self._matches(order, dict(begun), budget), None)
                if row is not None:
                    seen.add(key)
                    yield row
        if budget[0] < 0:
            self.truncated = True

    def _path(self, start: Variable, goal: Variable) -> list[Variable]:
        """The variables on the shortest way between two, so that one is reached from the other by triples."""
        before: dict[Variable, Variable | None] = {start: None}
        waiting = deque([start])
        while waiting and goal not in before:
            here = waiting.popleft()
            for edge in self.around[here]:
                for variable in edge.variables:
                    if variable not in before:
                        before[variable] = here
                        waiting.append(variable)
        path: list[Variable] = []
        at: Variable | None = goal
        while at is not None:
            path.append(at)
            at = before.get(at)
        return path[::-1] if path[-1] == start else [start, goal]

    def _order(self, first: Sequence[Variable]) -> list[Variable]:
        """All variables: after the first ones that next to one of them which has fewest values, and so on."""
        order = list(first)
        while left := [v for v in self.around if v not in order]:

            def rank(variable: Variable) -> tuple[bool, int]:
                apart = not any(v in order for edge in self.around[variable] for v in edge.variables)
                return apart, len(self.values[variable])

            order.append(min(left, key=rank))
        return order

    def _matches(self, order: Sequence[Variable], row: Row, budget: list[int]) -> Iterator[Row]:
        """The ways to give values to the variables in this order; the row has those of the first."""
        if len(row) == len(order):
            if len(row) < len(self.around) or len(self.shared) < 2 or not self._excluded(row):
                yield dict(row)
            return
        variable = order[len(row)]
        for value in self._next_values(variable, row):
            budget[0] -= 1
            if budget[0] < 0:
                break
            row[variable] = value
            if not self.tied or self._tied_hold(variable, row):
                yield from self._matches(order, row, budget)
            del row[variable]

    def _next_values(self, variable: Variable, row: Row) -> Iterator[str]:
        possible = self.values[variable]
        ends = [(row.get(e.variables[0]), e.relation, row.get(e.variables[1])) for e in self.around[variable]]
        ends = [end for end in ends if end[0] is not None or end[2] is not None]
        if not ends:
            yield from possible
            return
        lead = ends[0] if len(ends) == 1 else min(ends, key=lambda end: self._degree(end[0] or end[2] or ""))
        others = [end for end in ends if end is not lead]
        for triple in matching(self.store, *lead):
            value = triple.head if lead[0] is None else triple.tail
            if value in possible and all(self._exists(h or value, r, t or value) for h, r, t in others):
                yield value

    def _degree(self, node: str) -> int:
        return self.store.degree(node) if self.store.has_entity(node) else 0

    def _tied_hold(self, variable: Variable, row: Row) -> bool:
        return all(
            filter_holds(self.store, c, row[c.left], row[c.right])
            for c in self.tied.get(variable, ())
            if isinstance(c.right, Variable) and c.left in row and c.right in row
        )

    def proofs(self, rows: Sequence[Row]) -> Iterator[tuple[Triple, ...]]:
        """For each row the triples of a match with it.

        Other names are no triples, and a thing's class is told only where nothing else is, or where it is what a
        pattern says of a named thing.
        """
        order = self._order(list(rows[0])) if rows else []
        for row in rows:
            full = next(self._matches(order, dict(row), [self.max_rows]), row)
            ends = [(_bound(p.head, full), p.relation, _bound(p.tail, full)) for p in self.patterns]
            whole = [Triple(h, r, t) for h, r, t in ends if h is not None and t is not None and r != NAME]
            alone = all(t.relation == TYPE for t in whole)
            said = {p.head for p in self.patterns if not isinstance(p.head, Variable)}
            yield tuple(
                dict.fromkeys(as_told(self.store, t) for t in whole if t.relation != TYPE or alone or t.head in said)
            )


def _bound(term: Term, row: Row) -> str | None:
    return row.get(term) if isinstance(term, Variable) else term


def _typed(store: KGStore, head: str | None, tail: str | None) -> Iterator[Triple]:
    """Only what is an entity of the graph has a class: a class of classes, or a value, has none."""
    if head is None and tail is not None:
        yield from (Triple(e, TYPE, tail) for e in store.instances(tail) if not store.is_literal(e))
    elif head is None:
        yield from (Triple(e, TYPE, t) for e in store.entities() for t in store.types(e))
    elif store.has_entity(head) and not store.is_literal(head):
        yield from (Triple(head, TYPE, t) for t in store.types(head) if tail in (None, t))


def _named(store: KGStore, head: str | None, tail: str | None) -> Iterator[Triple]:
    """Only what is an entity of the graph has other names."""
    if head is None and tail is not None:
        parts = literal_parts(tail)
        heads: Iterable[str] = (hit.id for hit in store.named(parts.value)) if parts else ()
    else:
        heads = store.entities() if head is None else (head,) if store.has_entity(head) else ()
    for entity in heads:
        if not store.is_literal(entity):
            names = (quote_literal(alias) for alias in store.aliases(entity))
            yield from (Triple(entity, NAME, name) for name in names if tail in (None, name))
