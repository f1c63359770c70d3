"""The store protocol: what every knowledge graph offers, whatever holds it.

Ids are strings. An entity's id is what the file calls it (a name in a TSV, an IRI in RDF).
A literal is a node too; its id is its quoted form (``"1972"``, ``"5"^^<…#integer>``), so that it
can never be mistaken for an entity, and its label is the bare value. Labels, aliases and types
come from rdfs:label/skos:prefLabel/schema:name, skos:altLabel and rdf:type, in RDF as IRIs and in
TSV/CSV under exactly these prefixed names; these statements are not triples of the graph. What has no such label is
called by its foaf:name, dct:title, dc:title or vcard:fn, which is no triple then (beside a label it stays one), else by
its given and family name together, which stay triples (``triplewise.kg.vocabulary``). Relations that are types or
other names in all but name ("is_a", "also known as") are found (``triplewise.kg.schema``); their triples stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, runtime_checkable

from triplewise.kg.schema import RelationRoles
from triplewise.types import Triple

if TYPE_CHECKING:
    from triplewise.kg.query.graph import QueryGraph

Direction = Literal["out", "in", "both"]


class DirectedRelation(NamedTuple):
    """A relation as seen from one entity: ``inverse`` is True where the entity is the tail."""

    relation: str
    inverse: bool = False


@dataclass(frozen=True, slots=True)
class EntityHit:
    """One search result: ``score`` in [0, 1], ``reason`` such as "exact label" or "fuzzy 0.91"."""

    id: str
    score: float
    reason: str


@runtime_checkable
class KGStore(Protocol):
    """A read-only knowledge graph. Unknown ids raise UnknownEntityError or UnknownRelationError."""

    @property
    def name(self) -> str:
        """A short name for screens, usually the file's stem."""
        ...

    @property
    def content_hash(self) -> str:
        """SHA-256 (hex) over the sorted triples, labels, aliases and types."""
        ...

    def __len__(self) -> int:
        """Number of triples."""
        ...

    def entities(self) -> Sequence[str]:
        """All entity ids (no literals), in file order."""
        ...

    def relation_ids(self) -> Sequence[str]:
        """All relation ids, in file order."""
        ...

    def nodes(self) -> Iterable[str]:
        """All ids, entities and literals."""
        ...

    def has_entity(self, entity: str) -> bool:
        """Whether the id is a node (entity or literal)."""
        ...

    def is_literal(self, entity: str) -> bool: ...

    def label(self, entity: str) -> str:
        """The bare label; two entities may have the same."""
        ...

    def display(self, entity: str) -> str:
        """The label made unique where it clashes, e.g. "Planet of the Apes (2001)"."""
        ...

    def resolve_display(self, text: str) -> str | None:
        """The id whose ``display`` is exactly ``text``, else None."""
        ...

    def relation_label(self, relation: str) -> str:
        """A relation in words, unique among the relations."""
        ...

    def aliases(self, entity: str) -> Sequence[str]: ...

    def description(self, entity: str) -> str:
        """A sentence about the entity where the graph or a text file has one, else ""."""
        ...

    def types(self, entity: str) -> Sequence[str]:
        """Type ids of an entity: those that it is told to be of, then the classes above them, the nearest first."""
        ...

    def instances(self, type_id: str) -> Sequence[str]:
        """Entities of a type and of the types below it."""
        ...

    @property
    def roles(self) -> RelationRoles:
        """The relations that tell classes and other names."""
        ...

    def is_class(self, node: str) -> bool:
        """Whether a node is a class and nothing else: it has instances, and only classes above it."""
        ...

    def is_name(self, node: str) -> bool:
        """Whether a node is only another name of something: all that leads to it are alias relations."""
        ...

    def find_type(self, text: str) -> str | None:
        """The type whose label is ``text`` (case- and accent-folded, singular or plural)."""
        ...

    def type_relations(self, type_id: str) -> frozenset[DirectedRelation]:
        """Relations at entities of a type, on both sides: the paper's TypeDBpedia (KG-GPT, B.1)."""
        ...

    def relations(self, entity: str) -> frozenset[DirectedRelation]:
        """Relations at one entity, both directions."""
        ...

    def out_relations(self, entity: str) -> Sequence[str]:
        """Relation ids of which the entity is the head."""
        ...

    def in_relations(self, entity: str) -> Sequence[str]:
        """Relation ids of which the entity is the tail."""
        ...

    def relations_within(self, entity: str, hops: int) -> frozenset[str]:
        """Relation ids on any path of at most ``hops`` edges from the entity, either direction."""
        ...

    def triples(
        self, head: str | None = None, relation: str | None = None, tail: str | None = None
    ) -> Iterator[Triple]:
        """Triples that match; None is a wildcard. At least one argument avoids a full scan."""
        ...

    def neighborhood(self, seeds: Iterable[str], hops: int, limit: int | None = None) -> list[Triple]:
        """Triples within ``hops`` edges of the seeds, nearest first, at most ``limit``."""
        ...

    def degree(self, entity: str) -> int:
        """Number of triples at the entity, either side."""
        ...

    def named(self, text: str) -> list[EntityHit]:
        """Entities called exactly ``text``, by label, id or alias, up to case and accents."""
        ...

    def fuzzy(self, text: str, limit: int, cutoff: float) -> list[EntityHit]:
        """Entities with a name like ``text``; ``cutoff`` is the least similarity, 0 to 100."""
        ...

    def search(self, text: str, limit: int = 10) -> list[EntityHit]:
        """Entities by name: exact, alias, folded, then fuzzy and BM25, best first."""
        ...


class LoadedGraph(KGStore, Protocol):
    """A graph as ``load_kg`` gives it."""

    @property
    def skipped(self) -> Sequence[tuple[int, str]]:
        """Lines that were left out: (line number, reason)."""
        ...


@runtime_checkable
class DistantStore(Protocol):
    """A store behind a network, whose look-ups are requests: callers announce those that can go in one request."""

    def expect_names(self, texts: Iterable[str]) -> None:
        """These texts will be asked for by ``named``."""
        ...

    def prefetch(self, nodes: Iterable[str]) -> None:
        """Names and classes of these nodes will be asked for."""
        ...

    def part_for(self, query: QueryGraph, max_rows: int) -> tuple[KGStore, bool]:
        """A part of the graph on which the query graph has the same answers, and whether all of it came."""
        ...
