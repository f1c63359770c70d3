"""Whether the graph supports a claim's query graph, refutes it, or leaves it open.

A match supports it. Without one, the claim is refuted only where the lists that would have to hold the missing triple
are complete as far as the graph shows: partial completeness (Galárraga et al. 2013, AMIE) takes a thing's list of a
relation as complete where the thing has any, and here a relation's other side where nearly all of the kind have it. Of
the few that lack it, one that the rest of the claim names leaves the claim open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import permutations
from typing import Literal

from triplewise.kg.query.execute import Execution, execute
from triplewise.kg.query.graph import NAME, TYPE, Filter, Pattern, QueryGraph, Term, Variable
from triplewise.kg.query.search import as_told, filter_holds, matching
from triplewise.kg.values import compare
from triplewise.tools.query_graph.linking.within import Places
from triplewise.tools.query_graph.schema_view import SchemaView, Step
from triplewise.tools.text.roles.mutual import is_mutual
from triplewise.types import Triple, Verdict

State = Literal["present", "absent", "unknown"]
_COVERED = 0.8
"""Share of the things of a kind that have a relation from which on the graph is taken to list it for all of them."""
_COMPARED = 0.5
"""The same where a claim says what is first or last by a value: what has none known is not held against it."""
_MAX_ROWS = 5_000
_SHOWN = 10
"""Things that prove that all are so."""
_MAX_ORDERS = 24


class Judge:
    """Verdicts over one graph."""

    def __init__(self, schema: SchemaView, *, closed_world: bool = False, places: Places | None = None) -> None:
        """``places``: those of the graph, where they are at hand already."""
        self.schema, self.store, self.closed_world = schema, schema.store, closed_world
        self.places = places or Places(schema)
        self._lacking = lru_cache(maxsize=None)(self._find_lacking)
        self._is_mutual = lru_cache(maxsize=None)(partial(is_mutual, schema))

    def verdict(self, query: QueryGraph) -> tuple[Verdict, Execution, tuple[Triple, ...]]:
        """(verdict, execution, the triples that refute where nothing matches)."""
        state, done, against = self.state(query)
        if state == "unknown":
            return "not_enough_evidence", done, ()
        if state == "absent" and _has_exceptions(query):
            against = self._regular(query) or against
        return ("supported" if (state == "present") != query.denied else "refuted"), done, against

    def state(self, query: QueryGraph) -> tuple[State, Execution, tuple[Triple, ...]]:
        """Whether the query's patterns hold, are ruled out by complete lists, or neither."""
        done = execute(self.store, query)
        if query.form == "count" and query.compare:
            if compare(str(done.number), *query.compare):
                certain = self._ruled_out(query)[0] or query.compare[0] in (">", ">=")
                return ("present" if certain or done.number else "unknown"), done, ()
            closed, seen = self._ruled_out(query)
            more = query.compare[0] in ("<", "<=") or (
                query.compare[0] == "=" and compare(str(done.number), ">", query.compare[1])
            )
            return ("absent" if closed or more else "unknown"), done, seen
        if done.found:
            if query.denied and _only_lacks(query) and not self.closed_world:
                return "unknown", done, ()
            return "present", done, ()
        if self.closed_world:
            return "absent", done, ()
        if otherwise := self._told_otherwise(query):
            return "absent", done, otherwise
        if self._is_of_others(query) or self.places.is_there(query):
            return "unknown", done, ()
        closed, seen = self._ruled_out(query)
        seen = (closed and self._excluded(query)) or seen
        return ("absent" if closed or self.says_nobody(query) else "unknown"), done, seen

    def _excluded(self, query: QueryGraph) -> tuple[Triple, ...]:
        """What a claim says, with what it says is not so: the loan that Bo is said to have still, and its return; () of
        a claim that says nothing of the kind, and where the graph has no such thing."""
        if query.form != "ask" or not query.minus:
            return ()
        such = replace(query, patterns=(*query.patterns, *query.minus), minus=())
        return next((found.proof for found in execute(self.store, such).found), ())

    def _told_otherwise(self, query: QueryGraph) -> tuple[Triple, ...]:
        """The no of each row of what a claim names, where the claim says yes of one: what has one repair, which is not
        done, has not been mended. () for any other claim, and where a row lacks it."""
        kind = self.schema.value_kind
        told = [p for p in query.patterns if isinstance(p.tail, str) and kind(p.relation) == "yes-no"]
        rest = tuple(p for p in query.patterns if p not in told)
        if query.form != "ask" or query.minus or query.filters or len(told) != 1 or len(rest) != 1:
            return ()
        row, named = told[0].head, rest[0].tail
        if not isinstance(row, Variable) or rest[0].head != row or isinstance(named, Variable):
            return ()
        rows = execute(self.store, QueryGraph(rest, row)).ids
        against = [list(self.store.triples(node, told[0].relation)) for node in rows]
        return tuple(t for found in against for t in found) if against and all(against) else ()

    def _is_of_others(self, query: QueryGraph) -> bool:
        """Whether a query asks of a class for a relation that the graph tells of other things only."""
        kinds = {p.head: p.tail for p in query.patterns if p.relation == TYPE and isinstance(p.tail, str)}
        asked = [
            (kinds[p.head], p.relation) for p in query.patterns if p.head in kinds and p.relation not in (TYPE, NAME)
        ]
        return any(self.schema.heads(relation).isdisjoint(self.schema.members(kind)) for kind, relation in asked)

    def _ruled_out(self, query: QueryGraph) -> tuple[bool, tuple[Triple, ...]]:
        """Whether in some order of the patterns every list that is looked through is complete; one list of each."""
        patterns = list(query.patterns)
        for number, order in enumerate(permutations(patterns)):
            if number == _MAX_ORDERS:
                break
            closed, seen = self._walk(order, query)
            if closed:
                return True, seen
        return False, ()

    def _regular(self, query: QueryGraph) -> tuple[Triple, ...]:
        """The triples of what is as a claim without exceptions says."""
        variable = query.filters[0].left if query.filters else query.patterns[0].variables[0]
        patterns = (*query.patterns, *query.minus)
        filters = query.filters if query.minus else query.filters[1:]
        such = QueryGraph(patterns, variable, filters=filters)
        return tuple(dict.fromkeys(t for f in execute(self.store, such).found[:_SHOWN] for t in f.proof))

    def _walk(self, patterns: Sequence[Pattern], query: QueryGraph) -> tuple[bool, tuple[Triple, ...]]:
        """Along the patterns of a query in some order. Where it has exceptions, a thing of the claim's class that lacks
        a relation leaves open whether it is one, unless it is as the claim says."""
        strict, share = _has_exceptions(query), _COMPARED if _says_extreme(query) else _COVERED
        rows: list[dict[Variable, str]] = [{}]
        lacking: list[dict[Variable, str]] = []  # rows of things of which the graph does not say what a pattern asks
        met: list[dict[Variable, str]] = []  # those that another pattern names
        seen: dict[Pattern, tuple[Triple, ...]] = {}
        otherwise: list[Triple] = []  # how rows go on where the claim says something else, and what led there
        for number, pattern in enumerate(patterns):
            on_lacking = self._still_asked(lacking, pattern, query)
            met = self._still_asked(met, pattern, query)
            if pattern.relation in (TYPE, NAME) and not strict:
                lacking = on_lacking
            else:
                lacking, met = [], met + on_lacking
            following: list[dict[Variable, str]] = []
            for row in rows:
                head, tail = _bound(row, pattern.head), _bound(row, pattern.tail)
                named = not isinstance(pattern.head, Variable)
                closed, known = self._complete(pattern.relation, head, tail, share, named=named)
                if not closed:
                    return False, ()
                seen[pattern] = known or seen.get(pattern, ())
                if head is None and isinstance(pattern.head, Variable) and pattern.relation not in (TYPE, NAME):
                    lacking += [{**row, pattern.head: h} for h in self._lacking(pattern.relation, share) or ()]
                extended = self._still_asked([row], pattern, query)
                following += extended
                if known and not extended and len(otherwise) < _SHOWN:
                    otherwise += (*self._as_bound(patterns[:number], row), *known)
            rows = following[:_MAX_ROWS]
        return not met, tuple(dict.fromkeys(otherwise or (t for known in seen.values() for t in known)))

    def _still_asked(
        self, rows: Sequence[dict[Variable, str]], pattern: Pattern, query: QueryGraph
    ) -> list[dict[Variable, str]]:
        """The rows with each way in which the graph has a pattern, those left out that no filter or ``minus`` lets be
        what the query asks for: a boat that is insured is no exception to "all boats of Ann's are insured"."""
        extended = (new for row in rows for new in self._extended(row, pattern))
        such = (new for new in extended if all(self._holds(f, new) for f in query.filters))
        return [new for new in such if not self._taken_away(query.minus, new)][:_MAX_ROWS]

    def _taken_away(self, minus: Sequence[Pattern], row: dict[Variable, str]) -> bool:
        """Whether a row has what ``minus`` takes away; not told while one of its variables is not bound."""
        ends = [(_bound(row, p.head), p.relation, _bound(row, p.tail)) for p in minus]
        return bool(ends) and all(h and t and bool(self._found(h, r, t)) for h, r, t in ends)

    def _extended(self, row: dict[Variable, str], pattern: Pattern) -> Iterator[dict[Variable, str]]:
        """The row with each way in which the graph has the pattern."""
        for h, t in self._found(_bound(row, pattern.head), pattern.relation, _bound(row, pattern.tail)):
            new = dict(row)
            if isinstance(pattern.head, Variable):
                new[pattern.head] = h
            if isinstance(pattern.tail, Variable):
                if new.get(pattern.tail, t) != t:
                    continue
                new[pattern.tail] = t
            yield new

    def _found(self, head: str | None, relation: str, tail: str | None) -> list[tuple[str, str]]:
        store = self.store
        if relation == TYPE:
            if head is not None:
                return [(head, t) for t in store.types(head) if tail in (None, t)]
            return [(h, tail) for h in store.instances(tail)] if tail else []
        if relation == NAME or not all(e is None or store.has_entity(e) for e in (head, tail)):
            return []
        return [(t.head, t.tail) for t in matching(store, head, relation, tail)]

    def _complete(
        self, relation: str, head: str | None, tail: str | None, share: float, *, named: bool
    ) -> tuple[bool, tuple[Triple, ...]]:
        """Whether the list that holds, or would hold, this triple is complete; and what it holds.

        ``share``: of the things of a kind that have the relation, from which on all are listed. ``named``: the claim
        itself is about this head. What has a class at all has them listed.
        """
        if relation == TYPE and named:
            classes = tuple(as_told(self.store, t) for t in matching(self.store, head, TYPE, None))
            return bool(classes), classes[:5]
        if relation in (TYPE, NAME):
            return True, ()
        if head is not None:
            known = tuple(matching(self.store, head, relation, None)) if self.store.has_entity(head) else ()
            known = known or self._of_partner(relation, tail)
            return bool(known), known[:5]
        return self._lacking(relation, share) is not None, ()

    def _of_partner(self, relation: str, one: str | None) -> tuple[Triple, ...]:
        """The triples of a tie that each has with one other at most, told from either end: Bo, who is engaged to Ann,
        is not engaged to Cy."""
        if one is None or not self._is_mutual(relation):
            return ()
        steps = (Step(relation), Step(relation, inverse=True))
        if not all(map(self.schema.functional, steps)) or not self.store.has_entity(one):
            return ()
        return (*matching(self.store, one, relation, None), *matching(self.store, None, relation, one))

    def _find_lacking(self, relation: str, share: float) -> frozenset[str] | None:
        """The few things of the kind that has a relation which do not have it; None where they are not few."""
        heads = {t.head for t in matching(self.store, None, relation, None)}
        kinds: dict[str, int] = {}
        for head in heads:
            for kind in self.schema.kinds(head):
                kinds[kind] = kinds.get(kind, 0) + 1
        if not kinds:
            return None
        like = {m for kind, n in kinds.items() if n > 0.2 * len(heads) for m in self.schema.members(kind)}
        return frozenset(like - heads) if len(heads) >= share * max(1, len(like | heads)) else None

    def says_nobody(self, query: QueryGraph) -> bool:
        """Whether a claim says that nothing is so, and not that a named thing lacks something: "nobody rents from Ann"
        is taken to be so where nobody is said to (of 37 such claims in the training corpus 34 are supported). That
        nobody is married to Ann says that she is married to nobody, which is of her."""
        told = [p for p in query.patterns if p.relation not in (TYPE, NAME)]
        plain = bool(told) and not query.minus and not query.filters
        if not (query.denied and plain and all(isinstance(p.head, Variable) for p in query.patterns)):
            return False
        return not any(isinstance(p.tail, str) and self._is_mutual(p.relation) for p in told)

    def _as_bound(self, patterns: Sequence[Pattern], row: dict[Variable, str]) -> Iterator[Triple]:
        """The triples that patterns are in a row which has all their variables."""
        for pattern in patterns:
            head, tail = _bound(row, pattern.head), _bound(row, pattern.tail)
            if pattern.relation not in (TYPE, NAME) and head is not None and tail is not None:
                yield as_told(self.store, Triple(head, pattern.relation, tail))

    def _holds(self, condition: Filter, row: dict[Variable, str]) -> bool:
        """Whether a row satisfies a filter; True while a variable of it is not bound."""
        if any(v not in row for v in condition.variables):
            return True
        right = row[condition.right] if isinstance(condition.right, Variable) else None
        return filter_holds(self.store, condition, row[condition.left], right)


def _has_exceptions(query: QueryGraph) -> bool:
    """Whether a claim says that nothing is other than it says: all, only, or none with such a value."""
    return query.denied and (bool(query.minus) or any(not isinstance(f.right, Variable) for f in query.filters))


def _says_extreme(query: QueryGraph) -> bool:
    """Whether a claim says that nothing has more, or less, of a value than something that it names."""
    return query.denied and any(isinstance(f.right, Variable) and f.op in ("<", ">", "<=", ">=") for f in query.filters)


def _only_lacks(query: QueryGraph) -> bool:
    """Whether what ``minus`` takes away is a relation that the patterns do not have: what the graph does not say of a
    thing makes it no exception."""
    return bool(query.minus) and not {p.relation for p in query.minus} & {p.relation for p in query.patterns}


def _bound(row: dict[Variable, str], term: Term) -> str | None:
    """What stands for a term in a row; None for a variable that has no value yet."""
    return row.get(term) if isinstance(term, Variable) else term
