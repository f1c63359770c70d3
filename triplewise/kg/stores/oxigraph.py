"""A graph on disk, in Oxigraph (RocksDB) with an index of names and counts in SQLite beside it.

Built by ``triplewise kg import`` (``triplewise.kg.stores.importer``), changed by ``kg add`` and ``kg remove``
(``triplewise.kg.stores.edits``). Opened read-only; a writer beside it does no harm (``triplewise.kg.stores.folder``).
Memory does not grow with the graph. Numbers are kept by their value: ``"01"^^xsd:integer`` is ``"1"^^xsd:integer``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from triplewise.errors import GraphFileError
from triplewise.kg.base import DirectedRelation, EntityHit
from triplewise.kg.schema import RelationRoles, reached, subclass_relations, with_classes_above
from triplewise.kg.stores import folder
from triplewise.kg.stores.base import RdfStore
from triplewise.kg.stores.name_index import NameIndex
from triplewise.kg.stores.statistics import Statistics, read_statistics
from triplewise.kg.stores.terms import (
    ALIAS,
    DESCRIPTION,
    LABELS,
    LINKS,
    META,
    RDF_TYPE,
    id_to_iri,
    iri_to_id,
    literal_id,
    own_iri,
    split_literal,
)
from triplewise.types import Triple

_FEW = 300
"""Triples at a node that are read one by one; more are counted by a query."""


class Terms:
    """Ids as pyoxigraph's terms and back."""

    def __init__(self, engine: Any) -> None:
        self.engine = engine
        self.node = lru_cache(maxsize=50_000)(self._node)

    def relation(self, relation: str) -> Any:
        """A relation's term."""
        try:
            return self.engine.NamedNode(id_to_iri(relation))
        except ValueError:  # what looks like an IRI may be none to Oxigraph
            return self.engine.NamedNode(own_iri(relation))

    def _node(self, node: str) -> Any:
        """A node's term."""
        if (parts := split_literal(node)) is None:
            return self.relation(node)
        value, language, datatype = parts
        if language:
            return self.engine.Literal(value, language=language)
        return (
            self.engine.Literal(value, datatype=self.engine.NamedNode(datatype))
            if datatype
            else self.engine.Literal(value)
        )

    def id(self, term: Any) -> str:
        """The id of a term out of the store."""
        if isinstance(term, self.engine.NamedNode):
            return iri_to_id(term.value)
        if isinstance(term, self.engine.Literal):
            return literal_id(term.value, term.language or "", term.datatype.value)
        return str(term)


def best_labels(db: Any, terms: Terms, node: str) -> tuple[str | None, list[str]]:
    """(label, other names) that the statements at a node tell."""
    found = []
    for number, relation in enumerate((*LABELS, ALIAS)):
        for quad in db.quads_for_pattern(terms.relation(node), terms.relation(relation), None, None):
            text, language = quad.object.value, getattr(quad.object, "language", None) or ""
            found.append((number == len(LABELS), foreign(language), number, text))
    found.sort()
    label = found[0][3] if found and not found[0][0] else None
    return label, [text for *_, text in found[label is not None :]]


def relation_label(db: Any, terms: Terms, relation: str) -> str | None:
    """A relation's label, else that of the Wikibase's property that it states."""
    told = (
        q.subject for link in LINKS for q in db.quads_for_pattern(None, terms.relation(link), terms.relation(relation))
    )
    names = (best_labels(db, terms, node)[0] for node in (relation, *(terms.id(s) for s in told)))
    return next((name for name in names if name), None)


def foreign(language: str) -> bool:
    """Whether a language tag is that of another language than English."""
    return bool(language) and language.lower().split("-")[0] != "en"


class OxigraphStore(RdfStore):
    """A graph on disk; implements ``KGStore``."""

    def __init__(self, path: str | Path, *, db: Any = None) -> None:
        """``db``: Oxigraph's store where the caller, a writer, has opened it."""
        self.path = Path(path)
        self.manifest = folder.read_manifest(self.path)
        self.name = self.manifest.name
        self.skipped = tuple(self.manifest.skipped)
        engine = folder.pyoxigraph()
        try:
            where = folder.reading(self.path, self.manifest.generation)
            self.db = engine.Store.read_only(str(where)) if db is None else db
        except OSError as error:
            raise GraphFileError(path, f"it cannot be opened: {error}.", hint="Import the graph again.") from None
        self.terms = Terms(engine)
        self._default = engine.DefaultGraph()
        self.index = NameIndex(self.path / folder.INDEX)
        self._counts = lru_cache(maxsize=50_000)(self._read_counts)

    def __repr__(self) -> str:
        return f"OxigraphStore({str(self.path)!r}, {len(self)} triples)"

    @property
    def content_hash(self) -> str:
        """A hash over the files that were imported and the edits since; an edit that is undone leaves none."""
        return self.manifest.content

    @cached_property
    def statistics(self) -> Statistics:
        """Counts over the whole graph."""
        return read_statistics(self.index.db)

    @property
    def roles(self) -> RelationRoles:
        """The relations that tell classes and other names, found at the import, and those that tell subclasses."""
        return self._roles

    @cached_property
    def _roles(self) -> RelationRoles:
        types, aliases = self.manifest.type_relations, self.manifest.alias_relations
        nested = frozenset(self.manifest.nested_relations)
        subclasses = subclass_relations(self.relation_ids()) | nested
        rows = frozenset(self.manifest.row_classes.values())
        return RelationRoles(frozenset(types), frozenset(aliases), subclasses, nested, rows)

    def __len__(self) -> int:
        return self.statistics.triples

    def nodes(self) -> Sequence[str]:
        """All ids, entities and literals; read when they are asked for."""
        return self.index.nodes()

    def entities(self) -> Sequence[str]:
        """All entity ids; read when they are asked for."""
        return self.index.entities()

    def relation_ids(self) -> Sequence[str]:
        """All relation ids, those with the most triples first."""
        return tuple(self.statistics.relations)

    def relation_labels(self) -> Mapping[str, str]:
        """The labels that the graph gives its relations."""
        return self.statistics.relation_labels

    def has_entity(self, entity: str) -> bool:
        """Whether the id is a node (entity or literal)."""
        return self.index.has(entity)

    def forget(self) -> None:
        """Drop what was read before an edit."""
        self._counts.cache_clear()
        for name in ("statistics", "_roles", "_class_labels", "_relation_names", "_type_names"):
            vars(self).pop(name, None)

    # names ------------------------------------------------------------------------------------

    def own_label(self, node: str) -> str | None:
        """The label that the graph gives a node."""
        return self.index.label(node) or self._class_labels.get(node) or self.relation_labels().get(node)

    @cached_property
    def _class_labels(self) -> dict[str, str]:
        """Labels of classes, which are no nodes where only rdf:type leads to them."""
        found = {}
        for class_id in self.statistics.classes:
            if label := best_labels(self.db, self.terms, class_id)[0]:
                found[class_id] = label
        return found

    def aliases(self, entity: str) -> Sequence[str]:
        """Other names of an entity."""
        return self.index.aliases(entity)

    def description(self, entity: str) -> str:
        """A sentence about the entity where the graph has one, English before others, else ""."""
        found = [q.object for q in self.match(entity, DESCRIPTION, None)]
        found.sort(key=lambda t: (foreign(t.language or ""), t.value))
        return found[0].value if found else ""

    def namesakes(self, label: str, limit: int) -> Sequence[str]:
        """Nodes with exactly this label."""
        return self.index.namesakes(label, limit)

    def named(self, text: str) -> list[EntityHit]:
        """Entities called exactly ``text``, by label, id or alias, up to case and accents."""
        return self.index.candidates(text)

    def fuzzy(self, text: str, limit: int, cutoff: float) -> list[EntityHit]:
        """Entities with a name like ``text``; ``cutoff`` is the least similarity, 0 to 100."""
        return self.index.fuzzy(text, limit, cutoff)

    def by_words(self, text: str, limit: int) -> list[EntityHit]:
        """Entities whose names share words with ``text``."""
        return self.index.bm25(text, limit)

    # classes ----------------------------------------------------------------------------------

    def types(self, entity: str) -> Sequence[str]:
        """Type ids of an entity: those that it is told to be of, then the classes above them, the nearest first."""
        return with_classes_above((c for _, c in self.told(entity)), self.just_above)

    def told(self, entity: str) -> Iterator[tuple[str, str]]:
        """(relation, class) of each statement that an entity is of a class; a class is none of the class above it."""
        nested = self.roles.nested
        if any(next(self.match(None, r, entity), None) for r in nested) and self._only_below(entity):
            return iter(())
        return ((r, self.terms.id(q.object)) for r in self._type_relations for q in self.match(entity, r, None))

    def _only_below(self, node: str) -> bool:
        """Whether all that a node has are classes above it."""
        return self.roles.subclasses.issuperset(self.out_relations(node))

    def just_above(self, class_id: str) -> Iterator[str]:
        """The classes that the subclass relations lead to from a class."""
        return (self.terms.id(q.object) for r in sorted(self.roles.subclasses) for q in self.match(class_id, r, None))

    def _just_below(self, class_id: str) -> Iterator[str]:
        return (self.terms.id(q.subject) for r in sorted(self.roles.subclasses) for q in self.match(None, r, class_id))

    @cached_property
    def _type_relations(self) -> tuple[str, ...]:
        return (RDF_TYPE, *self.manifest.type_relations)

    def instances(self, type_id: str) -> Sequence[str]:
        """Entities of a type; read when they are asked for."""
        return Instances(self, type_id)

    def read_instances(self, type_id: str) -> Iterator[str]:
        """The entities of a type and of those below it, one after the other."""
        below = reached([type_id], self._just_below)
        for relation in self._type_relations:
            for class_id in below:
                for quad in self.match(None, relation, class_id):
                    entity = self.terms.id(quad.subject)
                    if next((told for told in self.told(entity) if told[1] in below), None) == (relation, class_id):
                        yield entity

    def class_counts(self) -> Mapping[str, int]:
        """Class → how many entities are of it."""
        return self.statistics.classes

    def type_relations(self, type_id: str) -> frozenset[DirectedRelation]:
        """Relations at entities of a type, on both sides."""
        return frozenset(self.statistics.class_steps.get(type_id, ()))

    # structure --------------------------------------------------------------------------------

    def match(self, head: str | None, relation: str | None, tail: str | None) -> Iterator[Any]:
        """The quads of a pattern, those about names and classes too."""
        terms = self.terms
        if head is not None and self.is_literal(head) and split_literal(head):  # no literal is a subject in RDF
            return iter(())
        return self.db.quads_for_pattern(
            None if head is None else terms.node(head),
            None if relation is None else terms.relation(relation),
            None if tail is None else terms.node(tail),
            self._default,
        )

    def triples(
        self, head: str | None = None, relation: str | None = None, tail: str | None = None
    ) -> Iterator[Triple]:
        """Triples that match; None is a wildcard. At least one argument avoids a full scan."""
        if relation in META:
            return
        ident = self.terms.id
        for quad in self.match(head, relation, tail):
            told = relation if relation is not None else ident(quad.predicate)
            if told not in META:
                yield Triple(
                    ident(quad.subject) if head is None else head, told, ident(quad.object) if tail is None else tail
                )

    def statements(self, limit: int) -> list[Triple] | None:
        """All statements, those about names and classes too; None where there are more than ``limit``."""
        if len(self) > limit:
            return None
        ident = self.terms.id
        quads = islice(self.match(None, None, None), limit + 1)
        found = [Triple(ident(q.subject), ident(q.predicate), ident(q.object)) for q in quads]
        return found if len(found) <= limit else None

    def counts_at(self, entity: str, *, inverse: bool) -> Mapping[str, int]:
        """Relation → triples of which the entity is the head, or the tail where ``inverse``."""
        return self._counts(entity, inverse)

    def _read_counts(self, entity: str, inverse: bool) -> Mapping[str, int]:
        quads = self.match(None, None, entity) if inverse else self.match(entity, None, None)
        first = [self.terms.id(q.predicate) for q in islice(quads, _FEW)]
        if len(first) < _FEW:
            found = Counter(first)
        else:
            node = str(self.terms.node(entity))
            pattern = f"?s ?r {node}" if inverse else f"{node} ?r ?o"
            rows = self.db.query(f"SELECT ?r (COUNT(*) AS ?n) WHERE {{ {pattern} }} GROUP BY ?r")
            found = {self.terms.id(row[0]): int(row[1].value) for row in rows}
        return {r: found[r] for r in sorted(found) if r not in META}


class Instances(Sequence[str]):
    """The entities of a class: counted by the statistics, read from the store."""

    def __init__(self, store: OxigraphStore, type_id: str) -> None:
        self._store = store
        self._type = type_id

    def __len__(self) -> int:
        return self._store.statistics.classes.get(self._type, 0)

    def __iter__(self) -> Iterator[str]:
        return self._store.read_instances(self._type) if len(self) else iter(())

    def __getitem__(self, item: int | slice) -> str | list[str]:  # pyright: ignore[reportIncompatibleMethodOverride]
        if isinstance(item, slice):
            start, stop, step = item.indices(len(self))
            return list(self)[item] if step < 1 else list(islice(iter(self), start, stop, step))
        found = list(islice(iter(self), item % max(len(self), 1), item % max(len(self), 1) + 1))
        if not found or not -len(self) <= item < len(self):
            raise IndexError(item)
        return found[0]
