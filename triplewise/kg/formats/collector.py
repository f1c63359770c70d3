"""What the loaders gather: triples, the statements about names and types, and lines left out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from triplewise.errors import GraphFileError
from triplewise.kg.names import literal_parts, one_line
from triplewise.kg.schema import RelationRoles
from triplewise.kg.store import NetworkxStore
from triplewise.kg.values import month_first_dates
from triplewise.kg.vocabulary import NAME_PARTS, NAMES, PROPERTY_LINKS

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
    **dict.fromkeys(NAMES, "name"), **{part: "part" for parts in NAME_PARTS for part in parts},
    **dict.fromkeys(PROPERTY_LINKS, "property"),
}  # fmt: skip
_LATER = {
    "skos:prefLabel": 1, f"{_SKOS}prefLabel": 1, "schema:name": 2, "http://schema.org/name": 2,
    "https://schema.org/name": 2,
}  # fmt: skip
"""Relations of labels before which another goes, the greater the number the more."""
_SLASHED = re.compile(r'\d/[12]\d{3}"?$')
"""How a date with slashes ends."""


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
    names: dict[str, list[tuple[bool, int, str, str]]] = field(default_factory=dict)
    """What may be labels where there is no other: (in another language, rank, relation, text)."""
    name_parts: dict[str, dict[str, str]] = field(default_factory=dict)
    """Given and family names by their relations."""
    properties: dict[str, str] = field(default_factory=dict)
    """Relation of a Wikibase → the entity that has its label."""
    skipped: list[tuple[int, str]] = field(default_factory=list)
    part: int = 0
    """Number of the file of a folder that is read, from 1; 0 where the graph is one file."""
    type_relations: Sequence[str] | None = None
    """Relations that tell classes, where the caller names them."""
    _ranks: dict[str, int] = field(default_factory=dict)
    """How late the relation of a label comes, where it is not the first."""

    def bad(self, line: int, reason: str, hint: str = "") -> None:
        """Raise GraphFileError, or note the line where bad lines are left out."""
        reason = one_line(reason)[:300]
        if not self.skip:
            raise GraphFileError(self.path, reason, line, hint or "Mend the line, or load the rest: --skip-bad-lines.")
        self.skipped.append((line, f"{one_line(self.path.name)}: {reason}" if self.part else reason))

    def add(self, head: str, relation: str, tail: str, *, text: str, language: str = "") -> None:
        """``text`` is the tail as plain text: a literal's value, else the id."""
        kind = _META.get(relation)
        foreign = bool(language) and language.lower().split("-")[0] != "en"
        if kind is None:
            self.triples.append((head, relation, tail))
        elif kind in ("name", "part"):
            self.triples.append((head, relation, tail))
            if text.strip() and (text != tail or "://" not in relation):  # a text, not a thing
                if kind == "name":
                    self.names.setdefault(head, []).append((foreign, NAMES[relation], relation, text))
                else:
                    self.name_parts.setdefault(head, {}).setdefault(relation, text)
        elif kind == "property":
            self.properties.setdefault(tail, head)
        elif kind == "type":
            self.types.setdefault(head, []).append(text)
        elif kind == "description":
            (self.foreign_descriptions if foreign else self.descriptions).setdefault(head, text)
        elif kind == "label" and foreign:
            self.foreign.setdefault(head, []).append(text)
        elif kind == "label":
            self._label(head, relation, text)
        else:
            self.aliases.setdefault(head, []).append(text)

    def _label(self, head: str, relation: str, text: str) -> None:
        """A label that is not foreign: the first of the relation that comes first is kept, the others are aliases."""
        rank = _LATER.get(relation, 0)
        if head in self.labels and rank >= self._ranks.get(head, 0):
            self.aliases.setdefault(head, []).append(text)
            return
        if head in self.labels:
            self.aliases.setdefault(head, []).append(self.labels[head])
        self.labels[head] = text
        if rank:
            self._ranks[head] = rank
        else:
            self._ranks.pop(head, None)

    def store(self, name: str, roles: RelationRoles | None = None) -> NetworkxStore:
        """The store of all that was gathered; raises GraphFileError where there is no triple. ``roles``: the relations
        that tell classes and other names, where they are known."""
        for entity, (first, *more) in self.foreign.items():
            if entity in self.labels:
                more = [first, *more]
            else:
                self.labels[entity] = first
            self.aliases.setdefault(entity, []).extend(more)
        self._name_the_rest()
        if not self.triples:
            bad = "its only line is bad" if len(self.skipped) == 1 else f"all {len(self.skipped)} lines are bad"
            what = bad if self.skipped else "it holds no triple"
            raise GraphFileError(self.path, f"{what}.", hint=ONE_A_LINE)
        told = {tail: literal_parts(tail) for _, _, tail in self.triples if "/" in tail[-6:] and _SLASHED.search(tail)}
        texts = {tail: parts.value if parts else tail for tail, parts in told.items()}
        dates = month_first_dates(texts.values())
        self.labels = {tail: dates[text] for tail, text in texts.items() if text in dates} | self.labels
        relations = {r: self.properties.get(r, r) for _, r, _ in self.triples}
        relation_labels = {r: self.labels[e] for r, p in relations.items() for e in (p, r) if e in self.labels}
        self._forget_properties()
        aliases = {e: [a for a in dict.fromkeys(found) if a != self.labels.get(e)] for e, found in self.aliases.items()}
        return NetworkxStore(
            self.triples,
            labels=self.labels,
            aliases={e: found for e, found in aliases.items() if found},
            types={e: list(dict.fromkeys(found)) for e, found in self.types.items()},
            descriptions=self.foreign_descriptions | self.descriptions,
            relation_labels=relation_labels | self.relation_labels,
            name=name,
            skipped=self.skipped,
            type_relations=roles.types if roles else self.type_relations,
            alias_relations=roles.aliases if roles else None,
            row_classes=roles.row_classes if roles else None,
        )

    def _name_the_rest(self) -> None:
        """Labels of what has none: its best name, whose statements are no triples then, else its given and family name
        together."""
        used = set()
        for head, found in self.names.items():
            if head not in self.labels:
                relation = min(found)[2]
                self.labels[head], *more = (
                    text for *_, told, text in sorted(found, key=lambda n: n[0]) if told == relation
                )
                self.aliases.setdefault(head, []).extend(more)
                used.add((head, relation))
        if used:
            self.triples = [t for t in self.triples if (t[0], t[1]) not in used]
        for head, parts in self.name_parts.items():
            if head not in self.labels:
                whole = [f"{parts[a]} {parts[b]}" for a, b in NAME_PARTS if a in parts and b in parts]
                self.labels.update((head, name) for name in whole[:1])

    def _forget_properties(self) -> None:
        """Drop what is said of a Wikibase's properties that no triple is about: their relations have the labels."""
        if self.properties:
            idle = set(self.properties.values()).difference(n for h, _, t in self.triples for n in (h, t))
            for table in (self.labels, self.aliases, self.types, self.descriptions, self.foreign_descriptions):
                for entity in idle & table.keys():
                    del table[entity]
