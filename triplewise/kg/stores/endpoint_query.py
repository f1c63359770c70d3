"""What is read of an endpoint for a query graph, and the triples around nodes, in few requests.

The matches of a query graph's patterns are read by one SELECT, those of its ``minus`` by another; from them a graph in
memory is made, on which the one executor finds the answers that the whole graph gives: filters and orders compare
values as they do everywhere, "1,450 m" with 1000 too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from triplewise.kg.names import entity_label, literal_parts
from triplewise.kg.query.graph import NAME, TYPE, Pattern, QueryGraph, Term, Variable, alternatives
from triplewise.kg.store import NetworkxStore
from triplewise.kg.stores.client import Row
from triplewise.kg.stores.terms import ALIAS, META, sparql_relation, sparql_string
from triplewise.types import Triple

if TYPE_CHECKING:
    from triplewise.kg.stores.endpoint import EndpointStore

_PAIRS = 400
"""Nodes with a relation whose triples one request reads."""
_SAMPLES = 40
"""Hubs of which one request reads a part."""


def part_for(store: EndpointStore, query: QueryGraph, max_rows: int) -> tuple[NetworkxStore, bool]:
    """The part of the graph on which a query graph has the answers of the whole, and whether all of it came."""
    patterns = list(query.patterns)
    found = _Found()
    rows, whole = _solve(store, patterns, query, max_rows)
    found.take(patterns, rows)
    if query.minus and rows:
        more, all_of_them = _solve(store, [*patterns, *query.minus], query, max_rows)
        found.take([*patterns, *query.minus], more)
        rows, whole = [*rows, *more], whole and all_of_them
    compared = {v for f in query.filters if f.op not in ("in", "not in") for v in f.variables}
    if query.order and query.order.measure != "count":
        compared.update(query.order.variables)
    if query.span and query.answer:
        compared |= {query.answer, *((query.span.since,) if isinstance(query.span.since, Variable) else ())}
    store.saw(found.nodes())
    named = [row[v] for row in rows for v in compared if v in row and not literal_parts(row[v])]
    store.prefetch(dict.fromkeys(named))
    labels = {n: label for n in named if (label := store.own_label(n))}
    local = NetworkxStore(
        found.triples, labels=labels, types=found.types, aliases=found.aliases, name=store.name,
        type_relations=(), alias_relations=(),
    )  # fmt: skip
    return local, whole


class _Found:
    """The triples, classes and other names of matches."""

    def __init__(self) -> None:
        self.triples: dict[Triple, None] = {}
        self.types: dict[str, list[str]] = {}
        self.aliases: dict[str, list[str]] = {}

    def take(self, patterns: Sequence[Pattern], rows: Sequence[dict[Variable, str]]) -> None:
        for pattern in patterns:
            for row in rows:
                head, tail = _bound(pattern.head, row), _bound(pattern.tail, row)
                if pattern.relation == TYPE:
                    self._note(self.types, head, tail)
                elif pattern.relation == NAME:
                    self._note(self.aliases, head, entity_label(tail))
                else:
                    self.triples[Triple(head, pattern.relation, tail)] = None

    def nodes(self) -> set[str]:
        return {n for t in self.triples for n in (t.head, t.tail)} | self.types.keys() | self.aliases.keys()

    @staticmethod
    def _note(table: dict[str, list[str]], node: str, text: str) -> None:
        if text not in (known := table.setdefault(node, [])):
            known.append(text)


def _bound(term: Term, row: dict[Variable, str]) -> str:
    return row[term] if isinstance(term, Variable) else term


def _solve(
    store: EndpointStore, patterns: Sequence[Pattern], query: QueryGraph, max_rows: int
) -> tuple[list[dict[Variable, str]], bool]:
    """The matches of patterns, and whether they are all."""
    variables = list(dict.fromkeys(v for p in patterns for v in p.variables))
    names = {v: f"v{i}" for i, v in enumerate(variables)}

    def term(part: Term) -> str:
        return f"?{names[part]}" if isinstance(part, Variable) else store.term(part)

    where = []
    for condition in query.filters:
        if condition.op == "in" and isinstance(condition.right, tuple) and condition.left in names:
            where.append(f"VALUES {term(condition.left)} {{ {store.terms(condition.right)} }}")
    for pattern in patterns:
        tail = term(pattern.tail)
        if pattern.relation == NAME and isinstance(pattern.tail, str):
            tail = f"?n{len(where)}"
            where.append(f"VALUES {tail} {{ {_names(store, pattern.tail)} }}")
        if pattern.relation == TYPE:
            head, own = term(pattern.head), f"?c{len(where)}"
            if isinstance(pattern.tail, Variable):
                where.append(store.of_any_class(head, tail, own))
            else:
                where.append(store.of_class(head, pattern.tail, own))
        else:
            where.append(f"{term(pattern.head)} {_path(store, pattern.relation)} {tail} .")
    chosen = "DISTINCT " + " ".join(f"?{n}" for n in names.values()) if names else "(1 AS ?x)"
    cap = min(max_rows, store.client.limits.rows)
    found: list[Row] = store.select(f"SELECT {chosen} WHERE {{ {' '.join(where)} }}", rows=cap)
    rows = [{v: row[n] for v, n in names.items()} for row in found if len(row) >= len(names)]
    return rows, len(found) < cap


def _names(store: EndpointStore, name: str) -> str:
    """The terms that a name may be: a text, in any language that labels are read in, or a node that it is."""
    text = parts.value if (parts := literal_parts(name)) else name
    tags = ("", *(f"@{tag}" for tag in store.dialect.languages or ("en",)))
    return " ".join([sparql_string(text) + tag for tag in tags] + [store.term(text)])


def _path(store: EndpointStore, relation: str) -> str:
    if relation == NAME:
        return "|".join(store.term(r) for r in (ALIAS, *sorted(store.roles.aliases)))
    return "|".join(map(store.term, alternatives(relation, store.relation_ids)))


def edges(store: EndpointStore, nodes: Sequence[str], limit: int, hubs: bool) -> Iterator[Triple]:
    """Triples at nodes, at most ``limit`` of each node, relation and direction; without ``hubs`` none where there are
    more. One request counts, one reads both directions of what is few, one samples hubs, where they hold all of it."""
    store.read_counts(nodes)
    few: list[_Way] = []
    many: list[_Way] = []
    planned = 0
    for node in dict.fromkeys(nodes):
        for inverse in (False, True):
            for relation, count in store.counts_at(node, inverse=inverse).items():
                (few if count <= limit else many).append(_Way(node, relation, inverse))
                planned += min(count, limit)
                if len(few) >= _PAIRS or planned > store.client.limits.rows // 2:
                    yield from _read(store, few)
                    few, planned = [], 0
    yield from _read(store, few)
    for start in range(0, len(many) if hubs else 0, _SAMPLES):
        yield from _sample(store, many[start : start + _SAMPLES], limit)


class _Way(NamedTuple):
    """The triples of a relation at a node."""

    node: str
    relation: str
    inverse: bool

    def pattern(self, node: str, relation: str) -> str:
        return f"?x {relation} {node}" if self.inverse else f"{node} {relation} ?x"


def _read(store: EndpointStore, ways: Sequence[_Way]) -> Iterator[Triple]:
    parts = []
    for inverse in (False, True):
        pairs = [f"({store.term(w.node)} {sparql_relation(w.relation)})" for w in ways if w.inverse == inverse]
        pattern = "?x ?p ?e" if inverse else "?e ?p ?x"
        if pairs:
            parts.append(f"{{ VALUES (?e ?p) {{ {' '.join(pairs)} }} {pattern} BIND({int(inverse)} AS ?way) }}")
    if parts:
        yield from _triples(store, parts)


def _sample(store: EndpointStore, ways: Sequence[_Way], limit: int) -> Iterator[Triple]:
    parts = []
    for way in ways:
        e, p = store.term(way.node), sparql_relation(way.relation)
        chosen = f"{{ SELECT ?x WHERE {{ {way.pattern(e, p)} }} LIMIT {limit} }}"
        parts.append(f"{{ {chosen} BIND({e} AS ?e) BIND({p} AS ?p) BIND({int(way.inverse)} AS ?way) }}")
    yield from _triples(store, parts)


def _triples(store: EndpointStore, parts: Sequence[str]) -> Iterator[Triple]:
    for row in store.select(f"SELECT ?e ?p ?x ?way WHERE {{ {' UNION '.join(parts)} }}"):
        if row["p"] not in META:
            inverse = '"1"' in row["way"]
            head, tail = (row["x"], row["e"]) if inverse else (row["e"], row["x"])
            store.saw((head, tail))
            yield Triple(head, row["p"], tail)
