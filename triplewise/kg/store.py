"""The in-memory store: a networkx MultiDiGraph, with integer-coded indexes beside it.

``store.graph`` holds an edge per triple (the relation is its key) for whoever wants networkx's
algorithms; it is frozen, so that it cannot come to differ from the look-ups. These go through
dictionaries keyed by (entity, relation); questions about many hops go through NumPy arrays in
compressed sparse row form. The graph, the arrays and the search index are built on first use.
"""

from __future__ import annotations

import hashlib
import threading
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from triplewise.errors import UnknownEntityError, UnknownRelationError
from triplewise.kg.base import DirectedRelation, EntityHit
from triplewise.kg.display import entity_hint, relation_names, unique_names
from triplewise.kg.names import entity_label, fold, literal_parts, name_line, relation_words
from triplewise.kg.row_classes import find_row_classes
from triplewise.kg.schema import find_roles, with_classes_above
from triplewise.types import Triple

if TYPE_CHECKING:
    import networkx as nx

    from triplewise.kg.arrays import Arrays
    from triplewise.kg.search import EntityIndex


class NetworkxStore:
    """A read-only graph in memory; implements ``KGStore``. Triples keep the file's order, each once."""

    def __init__(
        self,
        triples: Iterable[Triple | tuple[str, str, str]],
        *,
        labels: Mapping[str, str] | None = None,
        aliases: Mapping[str, Sequence[str]] | None = None,
        types: Mapping[str, Sequence[str]] | None = None,
        descriptions: Mapping[str, str] | None = None,
        relation_labels: Mapping[str, str] | None = None,
        name: str = "graph",
        skipped: Sequence[tuple[int, str]] = (),
        type_relations: Collection[str] | None = None,
        alias_relations: Collection[str] | None = None,
        row_classes: Collection[str] | None = None,
    ) -> None:
        """``type_relations``, ``alias_relations``: ids of the relations that tell classes and other names; None: found
        by their names and shapes (``triplewise.kg.schema``). Their triples stay in the graph. ``row_classes``:
        those of ``types`` that only the names of rows tell; None: they are found (``triplewise.kg.row_classes``)."""
        self.name = name
        self.skipped = tuple(skipped)
        """Lines that the loader left out: (line number, reason)."""
        self._labels = dict(labels or {})
        self._aliases = {e: tuple(a) for e, a in (aliases or {}).items()}
        self._types = {e: tuple(t) for e, t in (types or {}).items()}
        self._descriptions = dict(descriptions or {})
        self._relation_labels = dict(relation_labels or {})
        self._tails: dict[tuple[str, str], list[str]] = {}
        self._heads: dict[tuple[str, str], list[str]] = {}
        self._out: dict[str, list[str]] = {}
        self._in: dict[str, list[str]] = {}
        nodes: dict[str, None] = {}
        relations: dict[str, list[str]] = {}
        seen: set[tuple[str, str, str]] = set()
        for triple in triples:
            head, relation, tail = triple
            key = (head, relation, tail)
            if key in seen:
                continue
            seen.add(key)
            nodes[head] = nodes[tail] = None
            if (tails := self._tails.get((head, relation))) is None:
                self._tails[head, relation] = [tail]
                relations.setdefault(relation, []).append(head)
                self._out.setdefault(head, []).append(relation)
            else:
                tails.append(tail)
            if (heads := self._heads.get((tail, relation))) is None:
                self._heads[tail, relation] = [head]
                self._in.setdefault(tail, []).append(relation)
            else:
                heads.append(head)
        schema = relations.keys() | {t for ts in self._types.values() for t in ts}
        for entity in (*self._types, *self._labels, *self._aliases):
            if entity not in schema:  # a class or relation that is named or typed is no entity for that
                nodes.setdefault(entity)
        self._nodes = nodes
        self._relations = relations
        """Relation → its heads, each once."""
        self._size = len(seen)
        self._lock = threading.RLock()
        self.roles = find_roles(self, type_relations, alias_relations)
        self._read_roles()
        if row_classes is None:
            found = self._row_classes()
            self._types |= {row: (kind,) for row, kind in found.items()}
            row_classes = found.values()
        self.roles = replace(self.roles, row_classes=frozenset(row_classes))

    def _row_classes(self) -> dict[str, str]:
        """Node → class, of those without one whose names tell it."""
        rows = (node for node in self._out if node not in self._types)
        return find_row_classes(rows, self.out_relations, lambda r: len(self._relations[r]), self._nodes)

    def _read_roles(self) -> None:
        """Classes and other names out of the relations that tell them, and the classes above those."""
        for relation in self.roles.types:
            nested = relation in self.roles.nested
            for head, tail in self.pairs(relation):
                if nested and (head, relation) in self._heads and self.roles.subclasses.issuperset(self._out[head]):
                    continue  # a class, below another one
                if tail not in (known := self._types.get(head, ())):
                    self._types[head] = (*known, tail)
        for relation in self.roles.aliases:
            for head, tail in self.pairs(relation):
                if (name := self.label(tail)) not in (known := self._aliases.get(head, ())):
                    self._aliases[head] = (*known, name)
        if self.roles.subclasses:
            closed: dict[tuple[str, ...], tuple[str, ...]] = {}
            for entity, own in self._types.items():
                if entity in self._nodes:
                    if own not in closed:
                        closed[own] = with_classes_above(own, self._just_above)
                    self._types[entity] = closed[own]

    def _just_above(self, class_id: str) -> Iterator[str]:
        """The classes that the subclass relations lead to from a class."""
        for relation in sorted(self.roles.subclasses):
            yield from self._tails.get((class_id, relation), ())

    def pairs(self, relation: str) -> list[tuple[str, str]]:
        """(head, tail) of each triple of a relation, in file order of the heads."""
        return [(h, t) for h in self._relations.get(relation, ()) for t in self._tails[h, relation]]

    def in_relations(self, entity: str) -> Sequence[str]:
        """Relation ids of which the entity is the tail, in file order."""
        return self._in.get(entity, ())

    def head_count(self) -> int:
        """How many things are the head of a triple."""
        return len(self._out)

    def is_class(self, node: str) -> bool:
        """Whether a node is a class and nothing else: it has instances, and only classes above it."""
        return node in self._instances and self.roles.subclasses.issuperset(self._out.get(node, ()))

    def is_name(self, node: str) -> bool:
        """Whether a node is only another name of something: all that leads to it are alias relations."""
        return not self._out.get(node) and bool(found := self._in.get(node)) and self.roles.aliases.issuperset(found)

    @classmethod
    def from_triples(cls, triples: Iterable[Triple | tuple[str, str, str]], **options: Any) -> NetworkxStore:
        """A store of these triples; the options are the constructor's."""
        return cls(triples, **options)

    def __len__(self) -> int:
        return self._size

    def __getstate__(self) -> dict[str, Any]:
        """For copies and other processes: the graph itself, without its lock and what is built on first use."""
        built = {name for name in vars(type(self)) if isinstance(vars(type(self))[name], cached_property)}
        return {name: value for name, value in vars(self).items() if name != "_lock" and name not in built}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _lock=threading.RLock())

    def __repr__(self) -> str:
        return f"NetworkxStore({self.name!r}, {self._size} triples)"

    @cached_property
    def graph(self) -> nx.MultiDiGraph:
        """The graph as networkx knows it, frozen: nodes are ids, edge keys are relation ids."""
        import networkx as nx

        graph: nx.MultiDiGraph = nx.MultiDiGraph(name=self.name)
        graph.add_nodes_from(self._nodes)
        for triple in self.triples():
            graph.add_edge(triple.head, triple.tail, key=triple.relation)
        return nx.freeze(graph)

    @property
    def content_hash(self) -> str:
        """SHA-256 (hex) over the sorted triples, labels, aliases and types."""
        return self._hash

    @cached_property
    def _hash(self) -> str:
        digest = hashlib.sha256()
        lines: list[tuple[str, ...]] = [("t", *t) for t in self.triples()]
        lines += [("l", e, x) for e, x in self._labels.items()]
        lines += [("a", e, x) for e, xs in self._aliases.items() for x in xs]
        lines += [("c", e, x) for e, xs in self._types.items() for x in xs]
        for line in sorted(lines):  # no delimited file holds a NUL, so names cannot shift the parts
            digest.update("\0".join((*line, "")).encode("utf-8", "surrogatepass"))
        return digest.hexdigest()

    @cached_property
    def _entities(self) -> tuple[str, ...]:
        return tuple(e for e in self._nodes if not self.is_literal(e))

    def entities(self) -> Sequence[str]:
        """All entity ids (no literals), in file order."""
        return self._entities

    def nodes(self) -> Iterable[str]:
        """All ids, entities and literals, in file order."""
        return self._nodes.keys()

    def relation_ids(self) -> Sequence[str]:
        """All relation ids, in file order."""
        return tuple(self._relations)

    def has_entity(self, entity: str) -> bool:
        """Whether the id is a node (entity or literal)."""
        return entity in self._nodes

    def is_literal(self, entity: str) -> bool:
        """Whether the id is a literal's quoted form."""
        return entity.startswith('"') and literal_parts(entity) is not None

    def _check(self, entity: str) -> None:
        if entity not in self._nodes:
            raise UnknownEntityError(f"no entity has the id {entity!r}.", "Search for it with: triplewise kg find NAME")

    # names ------------------------------------------------------------------------------------

    def label(self, entity: str) -> str:
        """The bare label, on one line; two entities may have the same."""
        return name_line(self._labels.get(entity) or entity_label(entity))

    @cached_property
    def _displays(self) -> tuple[dict[str, str], dict[str, str]]:
        """(id → display where it differs from the label, display → id)."""
        return unique_names(self._nodes, self.label, lambda entity, label: entity_hint(self, entity, label))

    def display(self, entity: str) -> str:
        """The label made unique where it clashes, e.g. "Planet of the Apes (2001)"."""
        with self._lock:
            return self._displays[0].get(entity) or self.label(entity)

    def resolve_display(self, text: str) -> str | None:
        """The id whose ``display`` is exactly ``text``, else None."""
        with self._lock:
            return self._displays[1].get(text)

    @cached_property
    def _relation_names(self) -> dict[str, str]:
        return relation_names(self._relations, self._relation_labels)

    def relation_label(self, relation: str) -> str:
        """A relation in words, unique among the relations."""
        try:
            return self._relation_names[relation]
        except KeyError:
            raise UnknownRelationError(
                f"no relation has the id {relation!r}.", "See them all with: triplewise kg stats"
            ) from None

    def aliases(self, entity: str) -> Sequence[str]:
        """Other names of an entity."""
        return self._aliases.get(entity, ())

    def description(self, entity: str) -> str:
        """A sentence about the entity where the graph or a text file has one, else ""."""
        return name_line(self._descriptions[entity]) if entity in self._descriptions else ""

    # types ------------------------------------------------------------------------------------

    def types(self, entity: str) -> Sequence[str]:
        """Type ids of an entity."""
        return self._types.get(entity, ())

    @cached_property
    def _instances(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, list[str]] = defaultdict(list)
        for entity, types in self._types.items():
            for type_id in types if entity in self._nodes else ():
                found[type_id].append(entity)
        return {t: tuple(e) for t, e in found.items()}

    def instances(self, type_id: str) -> Sequence[str]:
        """Entities of a type."""
        return self._instances.get(type_id, ())

    @cached_property
    def _type_names(self) -> dict[str, str]:
        names: dict[str, str] = {}
        for type_id in self._instances:
            name = fold(" ".join(relation_words(self.label(type_id)).split()))
            for form in (name, f"{name}s", f"{name}es", f"{name[:-1]}ies" if name.endswith("y") else name):
                names.setdefault(form, type_id)
            names[fold(self.label(type_id))] = type_id
        return names

    def find_type(self, text: str) -> str | None:
        """The type whose label is ``text`` (case- and accent-folded, singular or plural)."""
        return self._type_names.get(fold(text.replace("_", " ")))

    @cached_property
    def _type_relations(self) -> dict[str, frozenset[DirectedRelation]]:
        found: dict[str, set[DirectedRelation]] = defaultdict(set)
        for entity, types in self._types.items():
            around = self._around(entity)
            for type_id in types:
                found[type_id] |= around
        return {t: frozenset(r) for t, r in found.items()}

    def type_relations(self, type_id: str) -> frozenset[DirectedRelation]:
        """Relations at entities of a type, on both sides: the paper's TypeDBpedia (KG-GPT, B.1)."""
        return self._type_relations.get(type_id, frozenset())

    # structure --------------------------------------------------------------------------------

    def out_relations(self, entity: str) -> Sequence[str]:
        """Relation ids of which the entity is the head, in file order."""
        return self._out.get(entity, ())

    def _around(self, entity: str) -> set[DirectedRelation]:
        found = {DirectedRelation(r, False) for r in self._out.get(entity, ())}
        found.update(DirectedRelation(r, True) for r in self._in.get(entity, ()))
        return found

    def relations(self, entity: str) -> frozenset[DirectedRelation]:
        """Relations at one entity, both directions."""
        self._check(entity)
        return frozenset(self._around(entity))

    def neighbors(self, entity: str) -> set[str]:
        """Entities one edge away, either direction."""
        self._check(entity)
        found = {t for r in self._out.get(entity, ()) for t in self._tails[entity, r]}
        found.update(h for r in self._in.get(entity, ()) for h in self._heads[entity, r])
        return found

    def degree(self, entity: str) -> int:
        """Number of triples at the entity, either side."""
        self._check(entity)
        out = sum(len(self._tails[entity, r]) for r in self._out.get(entity, ()))
        return out + sum(len(self._heads[entity, r]) for r in self._in.get(entity, ()))

    @cached_property
    def _arrays(self) -> Arrays:
        from triplewise.kg.arrays import Arrays

        return Arrays(self._nodes, self._relations, self.triples())

    def relations_within(self, entity: str, hops: int) -> frozenset[str]:
        """Relation ids on any path of at most ``hops`` edges from the entity, either direction."""
        self._check(entity)
        if hops < 1:
            return frozenset()
        if hops == 1:
            return frozenset(d.relation for d in self._around(entity))
        with self._lock:
            arrays = self._arrays
        return arrays.relations_within(entity, hops)

    def triples(
        self, head: str | None = None, relation: str | None = None, tail: str | None = None
    ) -> Iterator[Triple]:
        """Triples that match; None is a wildcard. At least one argument avoids a full scan."""
        if head is not None and tail is not None:
            for r in (relation,) if relation is not None else self._out.get(head, ()):
                tails, heads = self._tails.get((head, r), ()), self._heads.get((tail, r), ())
                if tail in tails if len(tails) < len(heads) else head in heads:  # the shorter list, beside a hub
                    yield Triple(head, r, tail)
        elif head is not None:
            for r in (relation,) if relation is not None else self._out.get(head, ()):
                for t in self._tails.get((head, r), ()):
                    yield Triple(head, r, t)
        elif tail is not None:
            for r in (relation,) if relation is not None else self._in.get(tail, ()):
                for h in self._heads.get((tail, r), ()):
                    yield Triple(h, r, tail)
        elif relation is not None:
            for h in self._relations.get(relation, ()):
                for t in self._tails[h, relation]:
                    yield Triple(h, relation, t)
        else:
            for h, relations in self._out.items():
                for r in relations:
                    for t in self._tails[h, r]:
                        yield Triple(h, r, t)

    def neighborhood(self, seeds: Iterable[str], hops: int, limit: int | None = None) -> list[Triple]:
        """Triples within ``hops`` edges of the seeds, nearest first, at most ``limit``."""
        frontier = list(dict.fromkeys(seeds))
        for seed in frontier:
            self._check(seed)
        if limit is not None and limit < 1:
            return []
        reached, found = set(frontier), dict[Triple, None]()
        for _ in range(hops):
            following: list[str] = []
            for entity in frontier:
                for way in (self.triples(head=entity), self.triples(tail=entity)):
                    for triple in way:
                        found[triple] = None
                        if limit is not None and len(found) >= limit:
                            return list(found)
                        other = triple.tail if triple.head == entity else triple.head
                        if other not in reached:
                            reached.add(other)
                            following.append(other)
            frontier = following
        return list(found)

    # search -----------------------------------------------------------------------------------

    @cached_property
    def index(self) -> EntityIndex:
        """The entity search index, built on first use."""
        from triplewise.kg.search import EntityIndex

        return EntityIndex(self)

    def _search_index(self) -> EntityIndex:
        with self._lock:
            return self.index

    def named(self, text: str) -> list[EntityHit]:
        """Entities called exactly ``text``, by label, id or alias, up to case and accents."""
        return self._search_index().candidates(text)

    def fuzzy(self, text: str, limit: int, cutoff: float) -> list[EntityHit]:
        """Entities with a name like ``text``; ``cutoff`` is the least similarity, 0 to 100."""
        return self._search_index().fuzzy(text, limit, cutoff)

    def search(self, text: str, limit: int = 10) -> list[EntityHit]:
        """Entities by name: exact, alias, folded, then fuzzy and BM25, best first."""
        return self._search_index().search(text, limit)
