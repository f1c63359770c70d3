"""What all stores outside memory share: names, classes and walks, computed from a few primitives of each store."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice

from triplewise.errors import UnknownEntityError, UnknownRelationError
from triplewise.kg.base import DirectedRelation, EntityHit
from triplewise.kg.display import entity_hint, relation_names, unique_names
from triplewise.kg.names import entity_label, fold, literal_parts, name_line, relation_words
from triplewise.kg.schema import RelationRoles
from triplewise.types import Triple

MAX_NAMESAKES = 100
"""Entities of one label that are disambiguated by a year or a type; where there are more, by their ids."""
MAX_FRONTIER = 20_000
"""Nodes from which a walk goes on; one with more reaches so many."""


class RdfStore(ABC):
    """A read-only graph that is not in memory; implements ``KGStore`` over the primitives of a subclass."""

    name: str
    skipped: tuple[tuple[int, str], ...] = ()
    """Lines that the importer left out; an endpoint has none."""

    # primitives -------------------------------------------------------------------------------

    @property
    @abstractmethod
    def content_hash(self) -> str:
        """A hash that differs where the graph does."""

    @property
    @abstractmethod
    def roles(self) -> RelationRoles:
        """The relations that tell classes and other names."""

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def relation_ids(self) -> Sequence[str]:
        """All relation ids."""

    @abstractmethod
    def nodes(self) -> Sequence[str]:
        """All ids, entities and literals."""

    @abstractmethod
    def entities(self) -> Sequence[str]:
        """All entity ids (no literals)."""

    @abstractmethod
    def has_entity(self, entity: str) -> bool:
        """Whether the id is a node (entity or literal)."""

    @abstractmethod
    def counts_at(self, entity: str, *, inverse: bool) -> Mapping[str, int]:
        """Relation → triples of which the entity is the head, or the tail where ``inverse``."""

    @abstractmethod
    def triples(
        self, head: str | None = None, relation: str | None = None, tail: str | None = None
    ) -> Iterator[Triple]:
        """Triples that match; None is a wildcard. At least one argument avoids a full scan."""

    @abstractmethod
    def statements(self, limit: int) -> list[Triple] | None:
        """All statements, those about names and classes too, in any order; None where there are more than ``limit``."""

    @abstractmethod
    def own_label(self, node: str) -> str | None:
        """The label that the graph gives a node, None where it gives none."""

    @abstractmethod
    def aliases(self, entity: str) -> Sequence[str]:
        """Other names of an entity."""

    @abstractmethod
    def description(self, entity: str) -> str:
        """A sentence about the entity where the graph has one, else ""."""

    @abstractmethod
    def types(self, entity: str) -> Sequence[str]:
        """Type ids of an entity."""

    @abstractmethod
    def instances(self, type_id: str) -> Sequence[str]:
        """Entities of a type."""

    @abstractmethod
    def type_relations(self, type_id: str) -> frozenset[DirectedRelation]:
        """Relations at entities of a type, on both sides."""

    @abstractmethod
    def class_counts(self) -> Mapping[str, int]:
        """Class → how many entities are of it."""

    @abstractmethod
    def relation_labels(self) -> Mapping[str, str]:
        """The labels that the graph gives its relations."""

    @abstractmethod
    def namesakes(self, label: str, limit: int) -> Sequence[str]:
        """Nodes with exactly this label, at most ``limit``."""

    @abstractmethod
    def named(self, text: str) -> list[EntityHit]:
        """Entities called exactly ``text``, by label, id or alias, up to case and accents."""

    @abstractmethod
    def fuzzy(self, text: str, limit: int, cutoff: float) -> list[EntityHit]:
        """Entities with a name like ``text``; ``cutoff`` is the least similarity, 0 to 100."""

    @abstractmethod
    def by_words(self, text: str, limit: int) -> list[EntityHit]:
        """Entities whose names share words with ``text``."""

    # names ------------------------------------------------------------------------------------

    def is_literal(self, entity: str) -> bool:
        """Whether the id is a literal's quoted form."""
        return entity.startswith('"') and literal_parts(entity) is not None

    def label(self, entity: str) -> str:
        """The bare label, on one line; two entities may have the same."""
        return name_line(self.own_label(entity) or entity_label(entity))

    def display(self, entity: str) -> str:
        """The label made unique where it clashes, e.g. "Planet of the Apes (2001)"."""
        label = self.label(entity)
        return self._displays(label).get(entity, label)

    def resolve_display(self, text: str) -> str | None:
        """The id whose ``display`` is exactly ``text``, else None."""
        same = self.namesakes(text, 2)
        if len(same) == 1:
            return same[0]
        bare = text.rstrip("'").rpartition(" (")[0]
        while bare:
            if found := [e for e, shown in self._displays(bare).items() if shown == text]:
                return found[0]
            bare = bare.rpartition(" (")[0]
        return text if self.has_entity(text) and self.display(text) == text else None  # a name that is a node, too

    def _displays(self, label: str) -> dict[str, str]:
        """Id → display of the nodes of a label that more than one has."""
        same = self.namesakes(label, MAX_NAMESAKES + 1)
        if len(same) < 2:
            return {}
        if len(same) > MAX_NAMESAKES:
            return _ById(label)
        shown, _ = unique_names(same, lambda e: label, lambda e, text: entity_hint(self, e, text))
        for entity, name in shown.items():
            while self.namesakes(name, 1):
                name += "'"
            shown[entity] = name
        return shown

    @cached_property
    def _relation_names(self) -> dict[str, str]:
        return relation_names(self.relation_ids(), self.relation_labels())

    def relation_label(self, relation: str) -> str:
        """A relation in words, unique among the relations."""
        try:
            return self._relation_names[relation]
        except KeyError:
            raise UnknownRelationError(
                f"no relation has the id {relation!r}.", "See them all with: triplewise kg stats"
            ) from None

    def search(self, text: str, limit: int = 10) -> list[EntityHit]:
        """Entities by name: exact, alias, folded, then fuzzy and by words, best first."""
        text = text.strip()
        if not text:
            return []
        hits: dict[str, EntityHit] = {}
        for hit in [*self.named(text), *self.fuzzy(text, limit, 70), *self.by_words(text, limit)]:
            if hit.id not in hits or hits[hit.id].score < hit.score:
                hits[hit.id] = hit
        return sorted(hits.values(), key=lambda h: -h.score)[:limit]

    # classes ----------------------------------------------------------------------------------

    def is_class(self, node: str) -> bool:
        """Whether a node is a class and nothing else: it has instances, and only classes above it."""
        return node in self.class_counts() and self.roles.subclasses.issuperset(self.out_relations(node))

    def is_name(self, node: str) -> bool:
        """Whether a node is only another name of something: all that leads to it are alias relations."""
        if not self.roles.aliases or self.out_relations(node):
            return False
        return bool(found := self.in_relations(node)) and self.roles.aliases.issuperset(found)

    @cached_property
    def _type_names(self) -> dict[str, str]:
        names: dict[str, str] = {}
        for type_id in self.class_counts():
            name = fold(" ".join(relation_words(self.label(type_id)).split()))
            for form in (name, f"{name}s", f"{name}es", f"{name[:-1]}ies" if name.endswith("y") else name):
                names.setdefault(form, type_id)
            names[fold(self.label(type_id))] = type_id
        return names

    def find_type(self, text: str) -> str | None:
        """The type whose label is ``text`` (case- and accent-folded, singular or plural)."""
        return self._type_names.get(fold(text.replace("_", " ")))

    # structure --------------------------------------------------------------------------------

    def check(self, entity: str) -> None:
        """Raise UnknownEntityError where no node has the id."""
        if not self.has_entity(entity):
            raise UnknownEntityError(f"no entity has the id {entity!r}.", "Search for it with: triplewise kg find NAME")

    def out_relations(self, entity: str) -> Sequence[str]:
        """Relation ids of which the entity is the head."""
        return tuple(self.counts_at(entity, inverse=False))

    def in_relations(self, entity: str) -> Sequence[str]:
        """Relation ids of which the entity is the tail."""
        return tuple(self.counts_at(entity, inverse=True))

    def pairs(self, relation: str) -> list[tuple[str, str]]:
        """(head, tail) of each triple of a relation."""
        return [(t.head, t.tail) for t in self.triples(relation=relation)]

    def relations(self, entity: str) -> frozenset[DirectedRelation]:
        """Relations at one entity, both directions."""
        self.check(entity)
        found = {DirectedRelation(r, False) for r in self.out_relations(entity)}
        return frozenset(found | {DirectedRelation(r, True) for r in self.in_relations(entity)})

    def degree(self, entity: str) -> int:
        """Number of triples at the entity, either side."""
        self.check(entity)
        return sum(sum(self.counts_at(entity, inverse=way).values()) for way in (False, True))

    def neighbors(self, entity: str) -> set[str]:
        """Entities one edge away, either direction."""
        self.check(entity)
        return {t.tail for t in self.triples(head=entity)} | {t.head for t in self.triples(tail=entity)}

    def neighborhood(self, seeds: Iterable[str], hops: int, limit: int | None = None) -> list[Triple]:
        """Triples within ``hops`` edges of the seeds, nearest first, at most ``limit``."""
        frontier = list(dict.fromkeys(seeds))
        for seed in frontier:
            self.check(seed)
        if limit is not None and limit < 1:
            return []
        reached, found = set(frontier), dict[Triple, None]()
        for _ in range(hops):
            following: dict[str, None] = {}
            for triple in self.around(frontier):
                found[triple] = None
                if limit is not None and len(found) >= limit:
                    return list(found)
                following.update(dict.fromkeys(e for e in (triple.head, triple.tail) if e not in reached))
            reached.update(following)
            frontier = list(following)
        return list(found)

    def edges(self, nodes: Sequence[str], limit: int, *, hubs: bool = True) -> Iterator[Triple]:
        """Triples at nodes, at most ``limit`` of each node, relation and direction; without ``hubs`` none where there
        are more."""
        for node in nodes:
            for inverse in (False, True):
                for relation, count in self.counts_at(node, inverse=inverse).items():
                    if hubs or count <= limit:
                        ends = (None, relation, node) if inverse else (node, relation)
                        yield from islice(self.triples(*ends), limit)

    def prefetch(self, nodes: Iterable[str]) -> None:  # noqa: B027
        """Names and classes of these nodes will be asked for; a store with requests reads them together."""

    def expect_names(self, texts: Iterable[str]) -> None:  # noqa: B027
        """These texts will be asked for by ``named``; a store with requests looks them up together."""

    def around(self, entities: Sequence[str]) -> Iterator[Triple]:
        """The triples at some entities, of each in turn."""
        for entity in entities:
            yield from self.triples(head=entity)
            yield from self.triples(tail=entity)

    def relations_within(self, entity: str, hops: int) -> frozenset[str]:
        """Relation ids on any path of at most ``hops`` edges from the entity, either direction."""
        self.check(entity)
        everything = set(self.relation_ids())
        found: set[str] = set()
        reached, frontier = {entity}, [entity]
        for hop in range(hops):
            following: set[str] = set()
            for node in frontier:
                found.update(d.relation for d in self.relations(node))
                if found >= everything:
                    return frozenset(found)
                if hop < hops - 1 and len(following) < MAX_FRONTIER:
                    following |= self.neighbors(node)
            frontier = list(following - reached)[:MAX_FRONTIER]
            reached.update(frontier)
        return frozenset(found)


class _ById(dict[str, str]):
    """The displays of a label that very many nodes have."""

    def __init__(self, label: str) -> None:
        super().__init__()
        self.text = label

    def get(self, key: str, default: object = None) -> str:  # pyright: ignore[reportIncompatibleMethodOverride]
        return f"{self.text} ({key})"
