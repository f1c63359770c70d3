"""Names and classes of an endpoint's nodes: read together, looked up together, and kept.

A name is first looked up as written and in the usual cases, which servers do by their index. What that does not find
is looked for by the dialect's text index, or, in graphs up to ``Dialect.largest_scan`` triples, by a scan.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from triplewise.kg.base import EntityHit
from triplewise.kg.names import entity_label, fold, literal_parts, words_of
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.kg.stores.dialects import NAMES
from triplewise.kg.stores.terms import (
    ALIAS,
    DESCRIPTION,
    LABELS,
    META,
    RDF_TYPE,
    id_to_iri,
    own_iri,
    sparql_string,
)

if TYPE_CHECKING:
    from triplewise.kg.stores.endpoint import EndpointStore

_XSD = "http://www.w3.org/2001/XMLSchema#"
_MAX_TEXT = 200
"""Characters of a name that is looked up."""
TOGETHER = 200
"""Nodes that one request asks about."""
_TOGETHER = 300
"""Names that one request looks up."""
_LIKE = 500
"""Names that a search ranks."""


@dataclass(frozen=True, slots=True)
class NodeNames:
    """What the statements at a node say about its names and classes."""

    label: str | None = None
    aliases: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    description: str = ""


class _Name(NamedTuple):
    entity: str
    text: str
    is_label: bool


class Names:
    """The names that were read from an endpoint."""

    def __init__(self, store: EndpointStore) -> None:
        self.store = store
        self.shown: dict[str, str] = {}
        """Display → node."""
        self.clear()

    def clear(self) -> None:
        """Forget all names."""
        self._names: dict[str, NodeNames] = {}
        self._displays: dict[str, str] = {}
        self._hits: dict[str, list[EntityHit]] = {}
        self._like: dict[str, list[_Name]] = {}
        self.shown.clear()

    # reading ----------------------------------------------------------------------------------

    def _of(self, node: str) -> NodeNames:
        if node not in self._names:
            self.read([node])
        return self._names[node]

    def label(self, node: str) -> str | None:
        """The label that the graph gives a node."""
        return self._of(node).label

    def aliases(self, node: str) -> tuple[str, ...]:
        """Other names of a node."""
        return self._of(node).aliases

    def types(self, node: str) -> tuple[str, ...]:
        """Classes of a node."""
        return self._of(node).types

    def description(self, node: str) -> str:
        """What the graph says about a node."""
        return self._of(node).description

    def read(self, nodes: Sequence[str]) -> None:
        """Read the names of nodes, and of others that came up, in as few requests as hold them."""
        missing = [n for n in dict.fromkeys(nodes) if n not in self._names]
        for node in missing:
            if node.startswith(("_:", '"')) and (node.startswith("_:") or literal_parts(node)):
                self._names[node] = NodeNames()
        missing = [n for n in missing if n not in self._names]
        if missing:
            missing += self.store.unread(self._names.keys() | set(missing), TOGETHER - len(missing))
        for start in range(0, len(missing), TOGETHER):
            self._read(missing[start : start + TOGETHER])

    def _read(self, nodes: Sequence[str]) -> None:
        store, roles = self.store, self.store.roles
        relations = [*LABELS, ALIAS, DESCRIPTION, RDF_TYPE, *sorted(roles.types), *sorted(roles.aliases)]
        values = f"VALUES ?e {{ {store.terms(nodes)} }} VALUES ?p {{ {store.terms(relations)} }}"
        rows = store.select(f"SELECT ?e ?p ?x WHERE {{ {values} ?e ?p ?x{self._language('?x')} }}")
        found: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for row in rows:
            found[row["e"]].append((row["p"], row["x"]))
        names = {x for told in found.values() for p, x in told if p in roles.aliases and not literal_parts(x)}
        for node in nodes:
            self._names[node] = self._names_from(found[node], roles.types, roles.aliases)
        if names:  # other names that are nodes of their own have labels of their own
            self.read(sorted(names))
            for node in nodes:
                self._names[node] = self._names_from(found[node], roles.types, roles.aliases)

    def _language(self, variable: str) -> str:
        if not (languages := self.store.dialect.languages):
            return ""
        spoken = " || ".join(f"LANGMATCHES(LANG({variable}), {sparql_string(t)})" for t in languages)
        return f' FILTER(!ISLITERAL({variable}) || LANG({variable}) = "" || {spoken})'

    def _names_from(self, rows: list[tuple[str, str]], types: frozenset[str], aliases: frozenset[str]) -> NodeNames:
        names, about, classes, others = [], [], [], []
        for relation, node in rows:
            value, language = literal_parts(node) or (node, "")
            foreign = bool(language) and language.lower().split("-")[0] != "en"
            if relation in LABELS or relation == ALIAS:
                number = LABELS.index(relation) if relation in LABELS else len(LABELS)
                names.append((relation == ALIAS, foreign, number, value))
            elif relation == DESCRIPTION:
                about.append((foreign, value))
            if relation == RDF_TYPE or relation in types:
                classes.append((relation != RDF_TYPE, node))
            elif relation in aliases:
                told = self._names.get(node)
                others.append((told.label if told else None) or entity_label(node))
        names.sort()
        label = names[0][3] if names and not names[0][0] else None
        texts = [text for *_, text in names[label is not None :]] + sorted(others)
        return NodeNames(
            label,
            tuple(t for t in dict.fromkeys(texts) if t != label),
            self.store.classes_above(c for _, c in sorted(classes)),
            min(about)[1] if about else "",
        )

    def display(self, node: str) -> str:
        """The label, with the id where another node that came up before has it."""
        if node not in self._displays:
            text = label = self.store.label(node)
            if self.shown.setdefault(text, node) != node:
                text = f"{label} ({node})"
                while self.shown.setdefault(text, node) != node:
                    text += "'"
            self._displays[node] = text
        return self._displays[node]

    # looking up -------------------------------------------------------------------------------

    def named(self, text: str) -> list[EntityHit]:
        """Nodes called ``text``."""
        if text not in self._hits:
            self.look_up([text])
        return self._hits[text]

    def look_up(self, texts: Iterable[str]) -> None:
        """Find the nodes called one of the texts; those that nothing is called are known then, too."""
        missing = [t for t in dict.fromkeys(texts) if t not in self._hits]
        for text in missing:
            self._hits[text] = []
        missing = [t for t in missing if t.strip() and len(t) <= _MAX_TEXT and t.isprintable()]
        for start in range(0, len(missing), _TOGETHER):
            batch = missing[start : start + _TOGETHER]
            names = self._as_written(batch)
            by_key: dict[str, list[_Name]] = defaultdict(list)
            for name in names:
                by_key[fold(name.text)].append(name)
            rest = [t for t in batch if fold(t) not in by_key]
            if rest and len(self.store) <= self.store.dialect.largest_scan:
                for name in self._in_any_case(rest):
                    by_key[fold(name.text)].append(name)
            entities = {n.entity for names in by_key.values() for n in names}
            self.store.read_counts(
                [e for e in entities if e in self.store.relation_counts or e in self.store.class_counts()]
            )
            for text in batch:
                self._hits[text] = _ranked(text, [n for n in by_key[fold(text)] if not self._is_schema(n.entity)])
            self.store.saw(h.id for text in batch for h in self._hits[text])

    def _is_schema(self, node: str) -> bool:
        """A relation or class that is named, but is no node of the graph."""
        store = self.store
        if node not in store.relation_counts and node not in store.class_counts():
            return False
        return not any(store.counts_at(node, inverse=way) for way in (False, True))

    def _as_written(self, texts: Sequence[str]) -> list[_Name]:
        forms = {f for t in texts for f in (t, t.lower(), t.capitalize(), t.title(), t[0].upper() + t[1:])}
        strings = [sparql_string(f) for f in sorted(forms)]
        tags = ("", *(f"@{tag}" for tag in self.store.dialect.languages or ("en",)))
        literals = " ".join(s + tag for s in strings for tag in tags)
        rows = self.store.select(f"SELECT ?e ?p ?l WHERE {{ VALUES ?l {{ {literals} }} ?e ?p ?l }}")
        found = []
        for row in rows:
            text = entity_label(row["l"])
            if row["p"] in LABELS or row["p"] == ALIAS:
                found.append(_Name(row["e"], text, row["p"] != ALIAS))
            elif row["p"] not in META:
                found.append(_Name(row["l"], text, True))
                if row["p"] in self.store.roles.aliases:
                    found[-1] = _Name(row["e"], text, False)
        return found + self._by_id(texts, forms)

    def _by_id(self, texts: Sequence[str], forms: set[str]) -> list[_Name]:
        """Nodes whose ids are the names: those of a TSV, IRIs, and numbers."""
        iris = {id_to_iri(t) for t in texts} | {own_iri(f) for f in forms}
        iris |= {ns + f.replace(" ", "_") for ns in self._namespaces for f in forms if f.replace(" ", "").isalnum()}
        terms = [f"<{iri}>" for iri in sorted(iris)]
        values = [t for t in texts if t.isascii() and t.replace(".", "", 1).lstrip("-").isdigit()]
        kinds = ("integer", "decimal", "gYear", "double", "int")
        numbers = " ".join(f"{sparql_string(v)}^^<{_XSD}{kind}>" for v in values for kind in kinds)
        meta = ", ".join(f"<{m}>" for m in sorted(META))
        aliases = self.store.terms(sorted(self.store.roles.aliases))
        ways = [
            f"{{ VALUES ?e {{ {' '.join(terms)} }} ?e ?p ?x FILTER(?p NOT IN ({meta})) }}",
            f"{{ VALUES ?e {{ {' '.join(terms)} {numbers} }} ?y ?p ?e FILTER(?p NOT IN ({meta})) }}",
        ]
        if aliases:
            ways.append(f"{{ VALUES ?e {{ {' '.join(terms)} }} VALUES ?r {{ {aliases} }} ?of ?r ?e }}")
        variables = "?e ?of" if aliases else "?e"
        rows = self.store.select(f"SELECT DISTINCT {variables} WHERE {{ {' UNION '.join(ways)} }}")
        called = {row["e"] for row in rows if "of" in row}
        names = [_Name(row["of"], entity_label(row["e"]), False) for row in rows if "of" in row]
        nodes = {row["e"]: None for row in rows if "of" not in row}
        things = [n for n in nodes if n not in called or not self.store.is_name(n)]
        return names + [_Name(n, entity_label(n), n not in called) for n in things]

    @cached_property
    def _namespaces(self) -> tuple[str, ...]:
        """The beginnings of IRIs whose last part is a name, where nodes have no labels."""
        if self._labelled:
            return ()
        rows = self.store.select("SELECT DISTINCT ?e WHERE { ?e ?p ?x } LIMIT 50")
        ends = {row["e"][: max(row["e"].rfind("/"), row["e"].rfind("#")) + 1] for row in rows}
        return tuple(sorted(e for e in ends if e.startswith(("http://", "https://"))))[:3]

    @cached_property
    def _labelled(self) -> bool:
        """Whether any node has a label."""
        return bool(self.store.select(f"SELECT ?e WHERE {{ VALUES ?p {{ {NAMES} }} ?e ?p ?l }} LIMIT 1"))

    def _in_any_case(self, texts: Sequence[str]) -> list[_Name]:
        if self._labelled:
            lowered = ", ".join(sparql_string(t.lower()) for t in texts)
            where = f"VALUES ?p {{ {NAMES} }} ?e ?p ?l . FILTER(LCASE(STR(?l)) IN ({lowered}))"
            rows = self.store.select(f"SELECT ?e ?p ?l WHERE {{ {where} }}")
            return [_Name(row["e"], entity_label(row["l"]), row["p"] != ALIAS) for row in rows]
        keys = {fold(t) for t in texts}
        return [n for n in self._ids if fold(n.text) in keys]

    @cached_property
    def _ids(self) -> list[_Name]:
        """The names of a graph without labels, as many as one request gives."""
        return [_Name(n, entity_label(n), True) for n in self.store.nodes()]

    # searching --------------------------------------------------------------------------------

    def _alike(self, text: str) -> list[_Name]:
        """Names that share the beginning of a word with the text."""
        key = fold(text[:_MAX_TEXT])
        if key not in self._like:
            words = [w for w in words_of(key) if w not in STOP_WORDS] or words_of(key)
            stems = list(dict.fromkeys(w[:4] for w in sorted(words, key=len, reverse=True)[:6]))
            self._like[key] = self._find(stems) if stems else []
        return self._like[key]

    def _find(self, stems: list[str]) -> list[_Name]:
        dialect = self.store.dialect
        if not self._labelled:
            return [n for n in self._ids if any(s in fold(n.text) for s in stems)]
        if not dialect.indexed and len(self.store) > dialect.largest_scan:
            return []
        where = dialect.begins(stems) + self._language("?l")
        rows = self.store.select(f"SELECT ?e ?p ?l WHERE {{ {where} }}", rows=_LIKE)
        self.store.saw(row["e"] for row in rows)
        return [_Name(row["e"], entity_label(row["l"]), row["p"] != ALIAS) for row in rows]

    def fuzzy(self, text: str, limit: int, cutoff: float) -> list[EntityHit]:
        """Nodes with a name like ``text``."""
        from rapidfuzz import fuzz, process

        names = self._alike(text)
        found = process.extract(
            fold(text), [fold(n.text) for n in names], scorer=fuzz.ratio, limit=limit, score_cutoff=cutoff
        )
        return [EntityHit(names[i].entity, score / 100 * 0.95, f"fuzzy {score / 100:.2f}") for _, score, i in found]

    def by_words(self, text: str, limit: int) -> list[EntityHit]:
        """Nodes whose names share words with ``text``."""
        asked = set(words_of(text))
        hits: dict[str, float] = {}
        for name in self._alike(text):
            words = words_of(name.text)
            shared = len(asked & set(words)) / max(len(asked), 1)
            score = 0.8 * shared * (0.5 + 0.5 / max(1, len(words) - len(asked & set(words)) + 1))
            hits[name.entity] = max(score, hits.get(name.entity, 0.0))
        best = sorted(hits, key=lambda e: -hits[e])[:limit]
        return [EntityHit(e, hits[e], "words") for e in best if hits[e]]


def _ranked(text: str, names: Sequence[_Name]) -> list[EntityHit]:
    """The hits of one text, the best reason first."""
    stages = (
        ([n.entity for n in names if n.is_label and n.text == text], 1.0, "exact label"),
        ([n.entity for n in names if n.entity == text], 1.0, "id"),
        ([n.entity for n in names if not n.is_label and n.text == text], 0.99, "alias"),
        ([n.entity for n in names if fold(n.text) == fold(text)], 0.98, "case- and accent-folded"),
    )
    hits: dict[str, EntityHit] = {}
    for ids, score, reason in stages:
        for node in ids:
            hits.setdefault(node, EntityHit(node, score, reason))
    return list(hits.values())
