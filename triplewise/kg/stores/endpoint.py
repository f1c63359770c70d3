"""Any SPARQL 1.1 endpoint as a graph (``--kg sparql:URL``), with few requests.

What is read of one node is read of others in the same request: nodes that came up before and whose names, classes or
counts were not needed yet. A query graph costs one request, two where something must not hold, and one for the names
that its filters compare. At most ``Limits.rows`` rows are read of anything; ``triples`` and ``instances`` of more end
there. Blank nodes come up in answers, but cannot be asked for.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice

from triplewise.errors import BackendError, BadResponseError, ConfigError
from triplewise.kg.base import DirectedRelation, EntityHit
from triplewise.kg.names import fold
from triplewise.kg.query.graph import QueryGraph
from triplewise.kg.schema import RelationRoles, find_roles, reached, with_classes_above
from triplewise.kg.store import NetworkxStore
from triplewise.kg.stores import endpoint_names, endpoint_query
from triplewise.kg.stores.base import RdfStore
from triplewise.kg.stores.client import Limits, Row, SparqlClient
from triplewise.kg.stores.dialects import Dialect, dialect
from triplewise.kg.stores.endpoint_names import TOGETHER
from triplewise.kg.stores.statistics import RelationCount, Statistics
from triplewise.kg.stores.terms import ALIAS, DESCRIPTION, LABELS, LINKS, META, RDF_TYPE, sparql_term
from triplewise.types import Triple

_MAX_KNOWN = 500_000
"""Nodes whose names and counts are kept; beyond, all are forgotten."""
MAX_CLASSES = 2_000
"""Classes below one, or pairs of a class and one above it, that a query names."""
_NOT_META = ", ".join(f"<{m}>" for m in sorted(META))


class EndpointStore(RdfStore):
    """A graph behind a SPARQL endpoint; implements ``KGStore``."""

    def __init__(
        self,
        url: str,
        *,
        dialect: Dialect | None = None,
        limits: Limits | None = None,
        type_relations: Sequence[str] | None = None,
        alias_relations: Sequence[str] | None = None,
    ) -> None:
        self.dialect = dialect or Dialect()
        self.client = SparqlClient(url, limits or Limits(), direct=not self.dialect.as_form)
        self.name = url.split("://", 1)[-1].split("?", 1)[0]
        self._given = type_relations, alias_relations
        self.names = endpoint_names.Names(self)
        self._at: dict[tuple[str, bool], dict[str, int]] = {}
        self._seen: dict[str, None] = {}
        """Nodes that came up, for which counts may be asked."""

    def __repr__(self) -> str:
        return f"EndpointStore({self.client.url!r})"

    def close(self) -> None:
        """Close the connections."""
        self.client.close()

    def select(self, query: str, *, rows: int | None = None) -> list[Row]:
        """The rows of a SELECT query of this package."""
        return self.client.select(self.dialect.query(query), rows=rows)

    # terms ------------------------------------------------------------------------------------

    def term(self, node: str) -> str:
        """A node as SPARQL writes it."""
        return f"<{iri}>" if (iri := self.client.odd.get(node)) else sparql_term(node)

    def terms(self, nodes: Iterable[str]) -> str:
        """Nodes as SPARQL writes them, those left out that cannot be asked for."""
        return " ".join(self.term(n) for n in nodes if not n.startswith("_:"))

    def saw(self, nodes: Iterable[str]) -> None:
        """Note nodes that came up in an answer."""
        if len(self._seen) > _MAX_KNOWN:
            self.forget()
        self._seen.update(dict.fromkeys(nodes))

    def unread(self, known: Container[str], limit: int) -> list[str]:
        """Entities that came up, the last first, and are not ``known``."""
        things = (n for n in reversed(self._seen) if n not in known and not n.startswith(("_:", '"')))
        return list(islice(things, max(0, limit)))

    def forget(self) -> None:
        """Drop what was read of single nodes."""
        self._seen.clear()
        self._at.clear()
        self.names.clear()

    @property
    def told(self) -> str:
        """The path from an entity to the classes that it is told to be of."""
        return "|".join(self.term(r) for r in (RDF_TYPE, *sorted(self.roles.types)))

    @cached_property
    def above(self) -> Mapping[str, Sequence[str]]:
        """Class → the classes just above it, as many as one request gives; no request where the graph has none."""
        found: dict[str, list[str]] = defaultdict(list)
        if subclasses := self.terms(sorted(self.roles.subclasses)):
            for row in self.select(f"SELECT ?c ?d WHERE {{ VALUES ?p {{ {subclasses} }} ?c ?p ?d }}"):
                found[row["c"]].append(row["d"])
        return {c: sorted(set(classes)) for c, classes in found.items()}

    @cached_property
    def _below(self) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for class_id, classes in self.above.items():
            for other in classes:
                found[other].append(class_id)
        return found

    def classes_above(self, own: Iterable[str]) -> tuple[str, ...]:
        """Classes and those above them, the nearest first."""
        return with_classes_above(own, lambda c: self.above.get(c, ()))

    def of_class(self, entity: str, class_id: str, own: str = "?own") -> str:
        """The pattern of an entity, a term, that is of a class or of one below it; ``own``: a variable."""
        below = list(reached([class_id], lambda c: self._below.get(c, ())))[:MAX_CLASSES]
        return f"VALUES {own} {{ {self.terms(below)} }} {entity} {self.told} {own} ."

    def of_any_class(self, entity: str, found: str, own: str) -> str:
        """The pattern of an entity's classes and those above them; ``found`` and ``own`` are variables."""
        told = f"{entity} {self.told} {found} ."
        pairs = [(c, up) for c in self.above for up in self.classes_above([c])[1:]][:MAX_CLASSES]
        known = " ".join(f"({self.terms([c])} {self.terms([up])})" for c, up in pairs if not c.startswith("_:"))
        values = f"VALUES ({own} {found}) {{ {known} }}"
        return f"{{ {told} }} UNION {{ {values} {entity} {self.told} {own} . }}" if known else told

    # the whole graph --------------------------------------------------------------------------

    @cached_property
    def statistics(self) -> Statistics:
        """Counts over the whole graph, in five requests, more for a Wikibase; what the endpoint is too slow for is left
        out."""
        relations = dict(self.relation_counts)
        told = self.told
        classes = {
            row["c"]: _number(row["n"])
            for row in self._try(
                f"SELECT ?c (COUNT(DISTINCT ?e) AS ?n) WHERE {{ ?e {told} ?c }} GROUP BY ?c ORDER BY DESC(?n) ?c"
            )
            if not row.get("c", "_:").startswith("_:")  # of nothing rdflib makes one group, which has no class
        }
        steps: dict[str, dict[DirectedRelation, int]] = defaultdict(dict)
        for inverse, pattern in ((False, "?e ?p ?x"), (True, "?x ?p ?e")) if classes else ():
            query = f"SELECT ?c ?p (COUNT(*) AS ?n) WHERE {{ ?e {told} ?c . {pattern} }} GROUP BY ?c ?p"
            for row in self._try(query):
                if row.get("p", RDF_TYPE) not in META:  # of nothing rdflib makes one group here, too
                    steps[row["c"]][DirectedRelation(row["p"], inverse)] = _number(row["n"])
        for own, count in list(classes.items()):  # what is of two classes below one counts twice there
            around = dict(steps[own])
            for class_id in self.classes_above([own])[1:]:
                classes[class_id] = classes.get(class_id, 0) + count
                steps[class_id] |= around
        self.names.read([*relations, *classes])
        labels = {r: label for r in relations if (label := self.names.label(r))}
        if stated := self.terms(r for r in relations if r not in labels and "/prop/" in r):  # as Wikibases call theirs
            query = f"SELECT ?r ?e WHERE {{ VALUES ?r {{ {stated} }} VALUES ?p {{ {self.terms(LINKS)} }} ?e ?p ?r }}"
            properties = {row["r"]: row["e"] for row in self._try(query)}
            self.names.read(list(properties.values()))
            labels |= {r: label for r, e in properties.items() if (label := self.names.label(e))}
        return Statistics(relations, labels, classes, dict(steps))

    def _try(self, query: str) -> list[Row]:
        try:
            return self.select(query)
        except (ConfigError, BadResponseError):
            raise
        except BackendError:
            return []

    @property
    def content_hash(self) -> str:
        """A hash of the address and of how many triples each relation has: an endpoint may change unseen."""
        counts = sorted((r, c.triples) for r, c in self.statistics.relations.items())
        return hashlib.sha256(f"{self.client.url}\0{counts}".encode()).hexdigest()

    @property
    def roles(self) -> RelationRoles:
        """The relations that tell classes and other names."""
        return self._roles

    @cached_property
    def _roles(self) -> RelationRoles:
        found = find_roles(_Index(self), *self._given)  # which things are classes is not asked of a server
        return replace(found, subclasses=found.subclasses - found.nested, nested=frozenset())

    def __len__(self) -> int:
        return sum(c.triples for c in self.relation_counts.values())

    def relation_ids(self) -> Sequence[str]:
        """All relation ids, those with the most triples first."""
        return tuple(self.relation_counts)

    @cached_property
    def relation_counts(self) -> Mapping[str, RelationCount]:
        """Relation → its triples."""
        rows = self.select("SELECT ?p (COUNT(*) AS ?n) WHERE { ?s ?p ?o } GROUP BY ?p ORDER BY DESC(?n) ?p")
        return {row["p"]: RelationCount(_number(row["n"])) for row in rows if row["p"] not in META}

    def relation_labels(self) -> Mapping[str, str]:
        """The labels that the graph gives its relations."""
        return self.statistics.relation_labels

    @cached_property
    def _nodes(self) -> tuple[str, ...]:
        union = f"{{ ?n ?p ?o }} UNION {{ ?s ?p ?n }} FILTER(?p NOT IN ({_NOT_META}))"
        found = [row["n"] for row in self.select(f"SELECT DISTINCT ?n WHERE {{ {union} }}")]
        self.saw(found)
        return tuple(found)

    def nodes(self) -> Sequence[str]:
        """Ids of entities and literals, as many as one request gives."""
        return self._nodes

    def entities(self) -> Sequence[str]:
        """Ids of entities, as many as one request gives."""
        return tuple(n for n in self._nodes if not self.is_literal(n))

    def class_counts(self) -> Mapping[str, int]:
        """Class → how many entities are of it."""
        return self.statistics.classes

    def type_relations(self, type_id: str) -> frozenset[DirectedRelation]:
        """Relations at entities of a type, on both sides."""
        return frozenset(self.statistics.class_steps.get(type_id, ()))

    def instances(self, type_id: str) -> Sequence[str]:
        """Entities of a type, as many as one request gives."""
        query = f"SELECT DISTINCT ?e WHERE {{ {self.of_class('?e', type_id)} }}"
        found = [row["e"] for row in self.select(query)]
        self.saw(found)
        return tuple(found)

    # nodes ------------------------------------------------------------------------------------

    def has_entity(self, entity: str) -> bool:
        """Whether the id is a node (entity or literal)."""
        if entity in self._seen:
            return True
        if not entity or entity.startswith("_:"):
            return False
        term = self.term(entity)
        out = "" if term.startswith('"') else f"{{ {term} ?p ?o }} UNION "
        names = ", ".join(f"<{m}>" for m in (DESCRIPTION, *LABELS, ALIAS))
        found = self.select(f"SELECT ?p WHERE {{ {out}{{ ?s ?p {term} FILTER(?p NOT IN ({names})) }} }} LIMIT 1")
        if found and entity not in self.relation_counts:
            self._seen[entity] = None
        return bool(found)

    def own_label(self, node: str) -> str | None:
        """The label that the graph gives a node."""
        return self.names.label(node)

    def aliases(self, entity: str) -> Sequence[str]:
        """Other names of an entity."""
        return self.names.aliases(entity)

    def description(self, entity: str) -> str:
        """A sentence about the entity where the graph has one, else ""."""
        return self.names.description(entity)

    def types(self, entity: str) -> Sequence[str]:
        """Type ids of an entity."""
        return self.names.types(entity)

    def display(self, entity: str) -> str:
        """The label, with the id where another node that came up before has it."""
        return self.names.display(entity)

    def resolve_display(self, text: str) -> str | None:
        """The id whose ``display`` is exactly ``text``, else None."""
        if (known := self.names.shown.get(text)) is not None:
            return known
        same = self.namesakes(text, 2)
        return same[0] if len(same) == 1 else None

    def namesakes(self, label: str, limit: int) -> Sequence[str]:
        """Nodes with exactly this label, at most ``limit``."""
        found = [
            h.id for h in self.names.named(label) if h.reason in ("exact label", "id") and self.label(h.id) == label
        ]
        return found[:limit]

    def expect_names(self, texts: Iterable[str]) -> None:
        """Look up texts that will be asked for as names, all in one request."""
        self.names.look_up(texts)

    def named(self, text: str) -> list[EntityHit]:
        """Entities called exactly ``text``, by label, id or alias, up to case where the graph is not too large."""
        return self.names.named(text)

    def fuzzy(self, text: str, limit: int, cutoff: float) -> list[EntityHit]:
        """Entities with a name like ``text`` among those that share a word with it."""
        return self.names.fuzzy(text, limit, cutoff)

    def by_words(self, text: str, limit: int) -> list[EntityHit]:
        """Entities whose names share words with ``text``."""
        return self.names.by_words(text, limit)

    # structure --------------------------------------------------------------------------------

    def counts_at(self, entity: str, *, inverse: bool) -> Mapping[str, int]:
        """Relation → triples of which the entity is the head, or the tail where ``inverse``."""
        if (entity, inverse) not in self._at:
            self.read_counts([entity])
        return self._at.get((entity, inverse), {})

    def read_counts(self, nodes: Sequence[str]) -> None:
        """Count the triples at nodes, and at others that came up, in as few requests as hold them."""
        missing = [n for n in dict.fromkeys(nodes) if (n, False) not in self._at and not n.startswith("_:")]
        known = {n for n, _ in self._at}.union(missing)
        missing += self.unread(known, TOGETHER - len(missing)) if missing else []
        for start in range(0, len(missing), TOGETHER):
            batch = missing[start : start + TOGETHER]
            things = self.terms(n for n in batch if not self.is_literal(n))
            ways = [f"{{ VALUES ?e {{ {things} }} ?e ?p ?x BIND(0 AS ?way) }}"] if things else []
            ways.append(f"{{ VALUES ?e {{ {self.terms(batch)} }} ?x ?p ?e BIND(1 AS ?way) }}")
            query = f"SELECT ?e ?p ?way (COUNT(*) AS ?n) WHERE {{ {' UNION '.join(ways)} }} GROUP BY ?e ?p ?way"
            for node in batch:
                self._at[node, False], self._at[node, True] = {}, {}
            for row in self.select(query):
                if row["p"] not in META:
                    self._at.setdefault((row["e"], _number(row["way"]) == 1), {})[row["p"]] = _number(row["n"])

    def triples(
        self, head: str | None = None, relation: str | None = None, tail: str | None = None
    ) -> Iterator[Triple]:
        """Triples that match, as many as one request gives; None is a wildcard."""
        unasked = any(n is not None and n.startswith("_:") for n in (head, tail))
        if relation in META or unasked or (head is not None and self.is_literal(head)):
            return
        terms = [f"?{n}" if v is None else self.term(v) for n, v in zip("spo", (head, relation, tail), strict=True)]
        free = [t for t in terms if t.startswith("?")]
        skip = f" FILTER(?p NOT IN ({_NOT_META}))" if relation is None else ""
        for row in self.select(f"SELECT {' '.join(free) or '(1 AS ?x)'} WHERE {{ {' '.join(terms)}{skip} }}"):
            triple = Triple(row.get("s", head or ""), row.get("p", relation or ""), row.get("o", tail or ""))
            self.saw((triple.head, triple.tail))
            yield triple

    def statements(self, limit: int) -> list[Triple] | None:
        """All statements, those about names and classes too; None where one request does not give them."""
        cap = min(limit, self.client.limits.rows)
        if len(self) >= cap:
            return None
        found = self.select("SELECT ?s ?p ?o WHERE { ?s ?p ?o }", rows=cap)
        return [Triple(row["s"], row["p"], row["o"]) for row in found] if len(found) < cap else None

    def around(self, entities: Sequence[str]) -> Iterator[Triple]:
        """The triples at some entities."""
        return self.edges(entities, self.client.limits.rows)

    def edges(self, nodes: Sequence[str], limit: int, *, hubs: bool = True) -> Iterator[Triple]:
        """Triples at nodes, at most ``limit`` of each node, relation and direction; without ``hubs`` none where there
        are more."""
        return endpoint_query.edges(self, nodes, limit, hubs)

    def part_for(self, query: QueryGraph, max_rows: int) -> tuple[NetworkxStore, bool]:
        """The part of the graph on which a query graph has the answers of the whole, and whether all of it came."""
        return endpoint_query.part_for(self, query, max_rows)

    def prefetch(self, nodes: Iterable[str]) -> None:
        """Read names and classes of nodes in as few requests as hold them."""
        self.names.read(list(nodes))


class _Index:
    """An endpoint as ``find_roles`` looks at it: relations by their names, a part of their triples."""

    def __init__(self, store: EndpointStore) -> None:
        self.store = store
        self.relation_ids = store.relation_ids
        self.out_relations = store.out_relations
        self.in_relations = store.in_relations

    def pairs(self, relation: str) -> Sequence[tuple[str, str]]:
        return self.store.pairs(relation)

    def head_count(self) -> int:
        query = f"SELECT (COUNT(DISTINCT ?s) AS ?n) WHERE {{ ?s ?p ?o FILTER(?p NOT IN ({_NOT_META})) }}"
        return _number(self.store.select(query)[0]["n"])


def open_endpoint(address: str) -> EndpointStore:
    """``sparql:URL`` or ``sparql+DIALECT:URL`` as a store; raises ConfigError."""
    scheme, _, url = address.partition(":")
    return EndpointStore(url, dialect=dialect(scheme.partition("+")[2] or "plain"))


def _number(literal: str) -> int:
    return int(float(fold(literal).split('"')[1]))
