"""Joining sub-sentences over a graph: KG-GPT's evidence graph G_E, whole and executed (section 2.2).

Each sub-sentence is a clause ``(end, {relations}, end)`` without a direction; variables shared by
clauses join them::

    (She, {written_by}, ?writer)  (?film, {written_by}, ?writer)  (?film, {directed_by}, ?answer)

Clauses are expanded from their bound ends, then semi-joined until nothing changes, which is exact
for acyclic patterns. A variable never stands for an entity that the sentence names: the films that
share a director with a film are the other films.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from triplewise.kg.base import KGStore
from triplewise.types import Triple


@dataclass(frozen=True, slots=True)
class Term:
    """An end of a clause: an entity id, or a variable with an optional type id; nothing matches an ``unknown`` one."""

    entity: str = ""
    variable: str = ""
    type: str = ""
    unknown: bool = False


@dataclass(frozen=True, slots=True)
class Clause:
    """Two terms and the relations that may link them, in either direction."""

    left: Term
    right: Term
    relations: tuple[str, ...]


class Row(NamedTuple):
    """One match of a clause: the values of its two ends and the triple that holds them."""

    left: str
    right: str
    triple: Triple


MAX_READINGS = 5_000
"""Most combinations of one relation and direction per clause that are tried."""
Bindings = dict[str, dict[str, None]]
"""Variable → its values in the order in which they were found: the same in every process, unlike a set's."""
Reading = tuple[tuple[str, bool], ...]
"""One way to read the clauses: per clause the relation, and whether the clause's left end is the triple's head."""


@dataclass(frozen=True, slots=True)
class Match:
    """The joined sub-graph: rows per clause (empty where a clause has no match) and bindings."""

    clauses: tuple[Clause, ...]
    rows: tuple[tuple[Row, ...], ...]
    bindings: dict[str, frozenset[str]]

    @property
    def unmatched(self) -> tuple[int, ...]:
        """Indices of the clauses that no triple matches together with the others."""
        return tuple(i for i, rows in enumerate(self.rows) if not rows)

    def triples(self) -> list[Triple]:
        """All matched triples, in clause order, each once."""
        return list(dict.fromkeys(row.triple for rows in self.rows for row in rows))

    def values(self, variable: str) -> list[str]:
        """What the variable is bound to, in the order of the rows."""
        bound = self.bindings.get(variable, frozenset())
        ends = (value for rows in self.rows for row in rows for value in (row.left, row.right))
        return [value for value in dict.fromkeys(ends) if value in bound]

    def proof(self, variable: str, value: str) -> list[Triple]:
        """One triple per clause that together prove ``variable = value``; [] if there is none."""
        assignment = {variable: value}
        proof: list[Triple] = []
        order = _connected_order(self.clauses, variable)
        return proof if self._extend(order, assignment, proof) else []

    def _extend(self, order: Sequence[int], assignment: dict[str, str], proof: list[Triple]) -> bool:
        if not order:
            return True
        clause = self.clauses[order[0]]
        ends = (clause.left.variable, clause.right.variable)
        for row in self.rows[order[0]]:
            new = {}
            for name, value in zip(ends, (row.left, row.right), strict=True):
                if name and assignment.get(name, value) != value:
                    break
                if name and name not in assignment:
                    new[name] = value
            else:
                proof.append(row.triple)
                if self._extend(order[1:], assignment | new, proof):
                    return True
                proof.pop()
        return False

    def readings(self) -> Iterator[tuple[Reading, Match]]:
        """The readings that have matches, each with its sub-match; the best relations first.

        Relations rank by their position in their clause, so the first reading is of the relations that the
        relation selector ranked highest. At most ``MAX_READINGS`` readings are tried.
        """
        options = []
        for clause, rows in zip(self.clauses, self.rows, strict=True):
            seen = {(row.triple.relation, row.triple.head == row.left) for row in rows}
            rank = {relation: i for i, relation in enumerate(clause.relations)}
            options.append(sorted(seen, key=lambda choice: (rank[choice[0]], not choice[1])))
        for places in islice(_by_sum([len(o) for o in options]), MAX_READINGS):
            reading = tuple(o[place] for o, place in zip(options, places, strict=True))
            rows = [
                [row for row in rows if (row.triple.relation, row.triple.head == row.left) == choice]
                for rows, choice in zip(self.rows, reading, strict=True)
            ]
            match = _reduce(self.clauses, rows)
            if not match.unmatched:
                yield reading, match


def _by_sum(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All tuples of numbers below ``sizes``, by their sum, then in order; one by one, for there may be millions."""
    most = [size - 1 for size in sizes]

    def of(total: int, at: int) -> Iterator[tuple[int, ...]]:
        if at == len(most):
            yield ()
            return
        rest = sum(most[at + 1 :])
        for first in range(max(0, total - rest), min(most[at], total) + 1):
            for others in of(total - first, at + 1):
                yield (first, *others)

    if all(sizes):
        for total in range(sum(most) + 1):
            yield from of(total, 0)


def join(kg: KGStore, clauses: Sequence[Clause]) -> Match:
    """Match the clauses against the graph; a clause without a match does not empty the others."""
    named = {term.entity for clause in clauses for term in (clause.left, clause.right) if term.entity}
    bindings: Bindings = {}
    rows: list[list[Row]] = [[] for _ in clauses]
    pending = [i for i, clause in enumerate(clauses) if not (clause.left.unknown or clause.right.unknown)]
    while pending:
        index = min(pending, key=lambda i: _cost(kg, clauses[i], bindings))
        pending.remove(index)
        clause = clauses[index]
        found = [row for row in _expand(kg, clause, bindings) if _fits(kg, clause, row, bindings, named)]
        if not found:
            continue
        rows[index] = found
        for term, values in ((clause.left, (r.left for r in found)), (clause.right, (r.right for r in found))):
            if term.variable:
                bindings[term.variable] = dict.fromkeys(values)
    return _reduce(clauses, rows)


def connected_components(clauses: Sequence[Clause]) -> list[list[int]]:
    """Indices of clauses connected by shared variables, a list for each component; one is true or false as a whole."""
    found: list[list[int]] = []
    for i, clause in enumerate(clauses):
        names = {clause.left.variable, clause.right.variable} - {""}
        near = [g for g in found if any(names & {clauses[j].left.variable, clauses[j].right.variable} for j in g)]
        found = [g for g in found if g not in near] + [sorted([*(j for g in near for j in g), i])]
    return sorted(found)


def _cost(kg: KGStore, clause: Clause, bindings: Bindings) -> float:
    costs = [float("inf")]
    for term in (clause.left, clause.right):
        if term.entity:
            costs.append(1)
        elif term.variable in bindings:
            costs.append(1 + len(bindings[term.variable]))
        elif term.type:
            costs.append(1e6 + len(kg.instances(term.type)))
    return min(costs)


def _values(kg: KGStore, term: Term, bindings: Bindings) -> Iterable[str] | None:
    if term.entity:
        return (term.entity,)
    if term.variable in bindings:
        return bindings[term.variable]
    return kg.instances(term.type) if term.type else None


def _expand(kg: KGStore, clause: Clause, bindings: Bindings) -> Iterator[Row]:
    """Rows of a clause, from the end that has fewer values; none where neither end is bound."""
    left, right = _values(kg, clause.left, bindings), _values(kg, clause.right, bindings)
    if left is None and right is None:
        return
    from_left = right is None or (left is not None and len(list(left)) <= len(list(right)))
    for value in (left if from_left else right) or ():
        for relation in clause.relations:
            for triple in kg.triples(head=value, relation=relation):
                yield Row(value, triple.tail, triple) if from_left else Row(triple.tail, value, triple)
            for triple in kg.triples(relation=relation, tail=value):
                yield Row(value, triple.head, triple) if from_left else Row(triple.head, value, triple)


def _fits(kg: KGStore, clause: Clause, row: Row, bindings: Bindings, named: set[str]) -> bool:
    for term, value in ((clause.left, row.left), (clause.right, row.right)):
        if term.entity:
            if value != term.entity:
                return False
            continue
        if value in named or (term.variable in bindings and value not in bindings[term.variable]):
            return False
        if term.type and (types := kg.types(value)) and term.type not in types:
            return False
    return True


def _reduce(clauses: Sequence[Clause], rows: Sequence[Sequence[Row]]) -> Match:
    """Semi-join all matched clauses on their shared variables until nothing changes."""
    current = [list(r) for r in rows]
    while True:
        bindings: dict[str, set[str]] = {}
        for clause, found in zip(clauses, current, strict=True):
            if not found:
                continue
            for name, side in ((clause.left.variable, 0), (clause.right.variable, 1)):
                if name:
                    values = {row.right if side else row.left for row in found}
                    bindings[name] = bindings[name] & values if name in bindings else values
        kept = [
            [
                row
                for row in found
                if (not clause.left.variable or row.left in bindings[clause.left.variable])
                and (not clause.right.variable or row.right in bindings[clause.right.variable])
            ]
            for clause, found in zip(clauses, current, strict=True)
        ]
        if all(len(a) == len(b) for a, b in zip(kept, current, strict=True)):
            frozen = {name: frozenset(values) for name, values in bindings.items()}
            return Match(tuple(clauses), tuple(tuple(r) for r in kept), frozen)
        current = kept


def _connected_order(clauses: Sequence[Clause], variable: str) -> list[int]:
    """Clause indices so that each shares a variable with an earlier one where possible."""
    known, order, left = {variable}, list[int](), list(range(len(clauses)))
    while left:
        index = next((i for i in left if {clauses[i].left.variable, clauses[i].right.variable} & known), left[0])
        left.remove(index)
        order.append(index)
        known |= {clauses[index].left.variable, clauses[index].right.variable} - {""}
    return order
