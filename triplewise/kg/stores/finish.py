"""The end of an import: roles of relations, counts and names, out of the loaded graph by queries to Oxigraph."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from triplewise.kg.base import DirectedRelation
from triplewise.kg.names import entity_label
from triplewise.kg.row_classes import called_classes, find_row_classes, row_class
from triplewise.kg.schema import RelationRoles, find_roles
from triplewise.kg.stores import folder, statistics
from triplewise.kg.stores.name_index import NameIndex
from triplewise.kg.stores.oxigraph import Terms, best_labels, foreign, relation_label
from triplewise.kg.stores.statistics import RelationCount, Statistics
from triplewise.kg.stores.terms import ALIAS, LABELS, LINKS, META, OWN, RDF_TYPE, own_iri, sparql_relation

_MAX_DISTINCT = 3_000_000
"""Triples of a relation up to which its distinct heads and tails are counted, which takes memory."""
_MAX_PAIRS = 300_000
"""Triples of a relation that are looked at to tell its role."""
_NOT_META = f"FILTER(?p NOT IN ({', '.join(f'<{m}>' for m in sorted(META))}))"


def finish(
    path: Path,
    db: Any,
    manifest: folder.Manifest,
    type_relations: Sequence[str] | None,
    alias_relations: Sequence[str] | None,
    progress: Callable[[str, float], None],
) -> None:
    """Fill the index of a store and the roles in its manifest."""
    terms = Terms(folder.pyoxigraph())
    progress("count", 0.0)
    relations = _relations(db, terms)
    roles = find_roles(_Loaded(db, terms, relations), type_relations, alias_relations)
    manifest.type_relations = sorted(roles.types)
    manifest.alias_relations = sorted(roles.aliases)
    manifest.nested_relations = sorted(roles.nested)
    manifest.row_classes = _tell_row_classes(db, terms, relations, roles, manifest.row_classes)
    idle = _idle_properties(db, terms)
    counts = _statistics(db, terms, relations, roles, idle)
    progress("index", 0.0)
    index = NameIndex(path / folder.INDEX, write=True)
    index.db.executescript(statistics.SCHEMA)
    statistics.write_statistics(index.db, counts)
    index.db.commit()
    index.build(
        _nodes(db, terms, counts, idle),
        _labels(index.db, db, terms),
        _aliases(index.db, db, terms, roles),
        (n for n in _tails(db, terms, roles.aliases) if _only_name(db, terms, n, roles)),
    )
    index.db.execute("DROP TABLE told")
    index.db.commit()
    index.close()


def _tell_row_classes(
    db: Any, terms: Terms, relations: dict[str, RelationCount], roles: RelationRoles, before: dict[str, str]
) -> dict[str, str]:
    """State the classes that only the names of rows tell, folded word → class; ``before``: those of earlier imports,
    which are found anew."""
    for kind in before.values():
        for quad in list(db.quads_for_pattern(None, terms.relation(RDF_TYPE), terms.node(kind), None)):
            if row_class(entity_label(terms.id(quad.subject)), before) == kind:
                db.remove(quad)
    told = "|".join(map(sparql_relation, (RDF_TYPE, *sorted(roles.types))))
    ours = f'FILTER(STRSTARTS(STR(?s), "{OWN}") && NOT EXISTS {{ ?s {told} ?c }})'
    rows = [terms.id(row[0]) for row in db.query(f"SELECT DISTINCT ?s WHERE {{ ?s ?p ?o {_NOT_META} {ours} }}")]

    def own(row: str) -> set[str]:
        quads = db.quads_for_pattern(terms.node(row), None, None, None)
        return relations.keys() & {terms.id(quad.predicate) for quad in quads}

    found = find_row_classes(rows, own, lambda r: relations[r].heads or 0, _nodes_of_triples(db, terms))
    default = terms.engine.DefaultGraph()
    relation = terms.relation(RDF_TYPE)
    db.bulk_extend(
        [terms.engine.Quad(terms.node(row), relation, terms.node(kind), default) for row, kind in found.items()]
    )
    return called_classes(found)


def _relations(db: Any, terms: Terms) -> dict[str, RelationCount]:
    found = {}
    for row in db.query("SELECT ?p (COUNT(*) AS ?n) WHERE { ?s ?p ?o } GROUP BY ?p ORDER BY DESC(?n) ?p"):
        relation, triples = terms.id(row[0]), int(row[1].value)
        if relation in META:
            continue
        heads = tails = None
        if triples <= _MAX_DISTINCT:
            distinct = "(COUNT(DISTINCT ?s) AS ?heads) (COUNT(DISTINCT ?o) AS ?tails)"
            [counted] = db.query(f"SELECT {distinct} WHERE {{ ?s {sparql_relation(relation)} ?o }}")
            heads, tails = int(counted[0].value), int(counted[1].value)
        found[relation] = RelationCount(triples, heads, tails)
    return found


def _statistics(
    db: Any, terms: Terms, relations: dict[str, RelationCount], roles: RelationRoles, idle: set[str]
) -> Statistics:
    told = f"?e {'|'.join(sparql_relation(r) for r in (RDF_TYPE, *sorted(roles.types)))} ?c"
    if roles.nested:  # a class is no thing of the class above it
        nested = "|".join(map(sparql_relation, sorted(roles.nested)))
        own = ", ".join(f"<{r}>" for r in META) + "".join(f", {sparql_relation(r)}" for r in sorted(roles.subclasses))
        has_more = f"EXISTS {{ ?e ?has ?own_tail FILTER(?has NOT IN ({own})) }}"
        told += f" FILTER({has_more} || NOT EXISTS {{ ?below {nested} ?e }})"
    if roles.subclasses:
        above = "|".join(sparql_relation(r) for r in sorted(roles.subclasses))
        listed = f'FILTER(?c = ?own || !STRSTARTS(STR(?c), "{own_iri("_:")}"))'
        told = f"{{ SELECT DISTINCT ?e ?c WHERE {{ {told.replace('?c', '?own')} . ?own ({above})* ?c {listed} }} }}"
    classes = {}
    for row in db.query(f"SELECT ?c (COUNT(DISTINCT ?e) AS ?n) WHERE {{ {told} }} GROUP BY ?c ORDER BY DESC(?n) ?c"):
        classes[terms.id(row[0])] = int(row[1].value)
    for node in idle:
        for quad in db.quads_for_pattern(terms.node(node), terms.relation(RDF_TYPE), None, None):
            classes[terms.id(quad.object)] -= 1
    classes = {c: n for c, n in classes.items() if n}
    steps: dict[str, dict[DirectedRelation, int]] = defaultdict(dict)
    for inverse, pattern in ((False, "?e ?p ?x"), (True, "?x ?p ?e")):
        query = f"SELECT ?c ?p (COUNT(*) AS ?n) WHERE {{ {told} . {pattern} }} GROUP BY ?c ?p"
        for row in db.query(query):
            if (relation := terms.id(row[1])) not in META:
                steps[terms.id(row[0])][DirectedRelation(relation, inverse)] = int(row[2].value)
    labels = {r: label for r in relations if (label := relation_label(db, terms, r))}
    return Statistics(relations, labels, classes, dict(steps))


def _nodes(db: Any, terms: Terms, counts: Statistics, idle: set[str]) -> Iterator[str]:
    yield from _nodes_of_triples(db, terms)
    told = " ".join(f"<{m}>" for m in (*LABELS, ALIAS, RDF_TYPE))
    for row in db.query(f"SELECT DISTINCT ?n WHERE {{ VALUES ?p {{ {told} }} ?n ?p ?o }}"):
        node = terms.id(row[0])
        if node not in counts.relations and node not in counts.classes and node not in idle:
            yield node


def _nodes_of_triples(db: Any, terms: Terms) -> Iterator[str]:
    both = f"{{ ?n ?p ?o }} UNION {{ ?s ?p ?n }} {_NOT_META}"
    for row in db.query(f"SELECT DISTINCT ?n WHERE {{ {both} }}"):
        yield terms.id(row[0])


def _idle_properties(db: Any, terms: Terms) -> set[str]:
    """The properties of a Wikibase that no triple is about: they are no things of the graph."""
    links = " ".join(f"<{link}>" for link in LINKS)
    found = {terms.id(row[0]) for row in db.query(f"SELECT DISTINCT ?n WHERE {{ VALUES ?p {{ {links} }} ?n ?p ?o }}")}
    loaded = _Loaded(db, terms, {})
    return {n for n in found if not loaded.out_relations(n) and not loaded.in_relations(n)}


def _labels(index: sqlite3.Connection, db: Any, terms: Terms) -> Iterator[tuple[str, str]]:
    """(node, label) of all that have one; leaves what the labels and aliases tell in a table."""
    index.execute("DROP TABLE IF EXISTS told")
    index.execute("CREATE TABLE told (id TEXT, alias INTEGER, foreign_ INTEGER, rank INTEGER, text TEXT)")
    for number, relation in enumerate((*LABELS, ALIAS)):
        rows = []
        for quad in db.quads_for_pattern(None, terms.relation(relation), None, None):
            language = getattr(quad.object, "language", None) or ""
            rows.append((terms.id(quad.subject), number == len(LABELS), foreign(language), number, quad.object.value))
            if len(rows) == 10_000:
                index.executemany("INSERT INTO told VALUES (?, ?, ?, ?, ?)", rows)
                rows.clear()
        index.executemany("INSERT INTO told VALUES (?, ?, ?, ?, ?)", rows)
    index.commit()
    index.execute("CREATE INDEX told_id ON told (id, alias, foreign_, rank, text)")
    last = None
    for id, text in index.execute("SELECT id, text FROM told WHERE NOT alias ORDER BY id, foreign_, rank, text"):
        if id != last:
            yield id, text
        last = id


def _aliases(index: sqlite3.Connection, db: Any, terms: Terms, roles: RelationRoles) -> Iterator[tuple[str, str]]:
    """(node, text) of all labels and aliases; the index leaves out a node's label."""
    yield from index.execute("SELECT id, text FROM told ORDER BY id, alias, foreign_, rank, text")
    for relation in sorted(roles.aliases):
        for quad in db.quads_for_pattern(None, terms.relation(relation), None, None):
            tail = terms.id(quad.object)
            label = best_labels(db, terms, tail)[0] if not tail.startswith('"') else None
            yield terms.id(quad.subject), label or entity_label(tail)


def _tails(db: Any, terms: Terms, relations: frozenset[str]) -> Iterator[str]:
    for relation in sorted(relations):
        for row in db.query(f"SELECT DISTINCT ?o WHERE {{ ?s {sparql_relation(relation)} ?o }}"):
            yield terms.id(row[0])


def _only_name(db: Any, terms: Terms, node: str, roles: RelationRoles) -> bool:
    loaded = _Loaded(db, terms, {})
    return not loaded.out_relations(node) and roles.aliases.issuperset(loaded.in_relations(node))


class _Loaded:
    """The loaded graph as ``find_roles`` looks at it."""

    def __init__(self, db: Any, terms: Terms, relations: dict[str, RelationCount]) -> None:
        self.db, self.terms, self.relations = db, terms, relations

    def relation_ids(self) -> Sequence[str]:
        return tuple(self.relations)

    def pairs(self, relation: str) -> Sequence[tuple[str, str]]:
        quads = self.db.quads_for_pattern(None, self.terms.relation(relation), None, None)
        return [(self.terms.id(q.subject), self.terms.id(q.object)) for q in islice(quads, _MAX_PAIRS)]

    def _around(self, pattern: str) -> Sequence[str]:
        rows = self.db.query(f"SELECT DISTINCT ?p WHERE {{ {pattern} {_NOT_META} }}")
        return tuple(self.terms.id(row[0]) for row in rows)

    def out_relations(self, entity: str) -> Sequence[str]:
        node = str(self.terms.node(entity))
        return () if node.startswith('"') else self._around(f"{node} ?p ?o")

    def in_relations(self, entity: str) -> Sequence[str]:
        return self._around(f"?s ?p {self.terms.node(entity)!s}")

    def head_count(self) -> int:
        [row] = self.db.query(f"SELECT (COUNT(DISTINCT ?s) AS ?n) WHERE {{ ?s ?p ?o {_NOT_META} }}")
        return int(row[0].value)
