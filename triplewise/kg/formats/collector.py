"""What the loaders gather: triples, the statements about names and types, and lines left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from triplewise.errors import GraphFileError
from triplewise.kg.names import one_line
from triplewise.kg.schema import RelationRoles
from triplewise.kg.store import NetworkxStore

ONE_A_LINE = "A graph has one triple a line: head, relation, tail."
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_SKOS = "http://www.w3.org/2004/02/skos/core#"
_META = {
    "rdfs:label": "label", "skos:prefLabel": "label", "schema:name": "label", "skos:altLabel": "alias",
    "rdf:type": "type", "rdfs:comment": "description",
    f"{_RDFS}label": "label", f"{_SKOS}prefLabel": "label", "http://schema.org/name": "label",
    "https://schema.org/name": "label", f"{_SKOS}altLabel": "alias", f"{_RDF}type": "type",
    f"{_RDFS}comment": "description",
}  # fmt: skip


@dataclass
class Collector:
    """Gathers triples and meta statements; decides what a bad line does."""

    path: Path
    skip: bool
    triples: list[tuple[str, str, str]] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)
    aliases: dict[str, list[str]] = field(default_factory=dict)
    types: dict[str, list[str]] = field(default_factory=dict)
    descriptions: dict[str, str] = field(default_factory=dict)
    relation_labels: dict[str, str] = field(default_factory=dict)
    foreign: dict[str, list[str]] = field(default_factory=dict)
    """Labels in languages other than English."""
    foreign_descriptions: dict[str, str] = field(default_factory=dict)
    skipped: list[tuple[int, str]] = field(default_factory=list)
    type_relations: Sequence[str] | None = None
    """Relations that tell classes, where the caller names them."""

    def bad(self, line: int, reason: str, hint: str = "") -> None:
        """Raise GraphFileError, or note the line where bad lines are left out."""
        reason = one_line(reason)[:300]
        if not self.skip:
            raise GraphFileError(self.path, reason, line, hint or "Mend the line, or load the rest: --skip-bad-lines.")
        self.skipped.append((line, reason))

    def add(self, head: str, relation: str, tail: str, *, text: str, language: str = "") -> None:
        """``text`` is the tail as plain text: a literal's value, else the id."""
        kind = _META.get(relation)
        foreign = bool(language) and language.lower().split("-")[0] != "en"
        if kind is None:
            self.triples.append((head, relation, tail))
        elif kind == "type":
            self.types.setdefault(head, []).append(text)
        elif kind == "description":
            (self.foreign_descriptions if foreign else self.descriptions).setdefault(head, text)
        elif kind == "label" and foreign:
            self.foreign.setdefault(head, []).append(text)
        elif kind == "label" and head not in self.labels:
            self.labels[head] = text
        else:  # an alias, or one more label
            self.aliases.setdefault(head, []).append(text)

    def store(self, name: str, roles: RelationRoles | None = None) -> NetworkxStore:
        """The store of all that was gathered; raises GraphFileError where there is no triple. ``roles``: the relations
        that tell classes and other names, where they are known."""
        if not self.triples:
            bad = "its only line is bad" if len(self.skipped) == 1 else f"all {len(self.skipped)} lines are bad"
            what = bad if self.skipped else "it holds no triple"
            raise GraphFileError(self.path, f"{what}.", hint=ONE_A_LINE)
        for entity, (first, *more) in self.foreign.items():
            if entity in self.labels:
                more = [first, *more]
            else:
                self.labels[entity] = first
            self.aliases.setdefault(entity, []).extend(more)
        aliases = {e: [a for a in dict.fromkeys(found) if a != self.labels.get(e)] for e, found in self.aliases.items()}
        relations = {r for _, r, _ in self.triples}
        return NetworkxStore(
            self.triples,
            labels=self.labels,
            aliases={e: found for e, found in aliases.items() if found},
            types={e: list(dict.fromkeys(found)) for e, found in self.types.items()},
            descriptions=self.foreign_descriptions | self.descriptions,
            relation_labels={r: self.labels[r] for r in relations if r in self.labels} | self.relation_labels,
            name=name,
            skipped=self.skipped,
            type_relations=roles.types if roles else self.type_relations,
            alias_relations=roles.aliases if roles else None,
        )
