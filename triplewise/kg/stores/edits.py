"""Edits of a store on disk, each written to a log, so that it can be undone; names, classes and counts follow.

An edit is first logged as pending, then made in Oxigraph, then counted and marked as done. A writer that was killed in
between leaves a pending edit, which the next one makes again: all counts are read off the graph after the edit.
Readers that open the store later see the edits; those that have it open see the graph as it was.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from triplewise.errors import ConfigError, QuestionError
from triplewise.kg.base import DirectedRelation
from triplewise.kg.names import entity_label, literal_parts
from triplewise.kg.row_classes import IRIS, row_class
from triplewise.kg.schema import subclass_relations, with_classes_above
from triplewise.kg.stores import folder, statistics
from triplewise.kg.stores.name_index import NameIndex
from triplewise.kg.stores.oxigraph import OxigraphStore, best_labels
from triplewise.kg.stores.terms import ALIAS, DESCRIPTION, LABELS, META, RDF_TYPE, SHORT, split_literal
from triplewise.types import Triple

_LOG = """
CREATE TABLE IF NOT EXISTS edit (
    n INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, op TEXT NOT NULL,
    head TEXT NOT NULL, relation TEXT NOT NULL, tail TEXT NOT NULL, undoes INTEGER, done INTEGER NOT NULL);
"""
Op = Literal["+", "-"]


@dataclass(frozen=True, slots=True)
class Edit:
    """One line of the log. ``undoes``: the number of the edit that it takes back."""

    number: int
    at: str
    op: Op
    triple: Triple
    undoes: int | None = None


def read_log(path: Path) -> list[Edit]:
    """All edits of a store, the first first."""
    folder.read_manifest(path)
    index = NameIndex(path / folder.INDEX)
    try:
        found = index.db.execute("SELECT name FROM sqlite_master WHERE name = 'edit'").fetchone()
        rows = index.db.execute("SELECT * FROM edit WHERE done ORDER BY n") if found else ()
        return [Edit(n, at, op, Triple(h, r, t), undoes) for n, at, op, h, r, t, undoes, _ in rows]
    finally:
        index.close()


def net_changes(log: Iterable[Edit]) -> tuple[list[Triple], list[Triple]]:
    """(triples added, triples removed) by all edits together."""
    balance: dict[Triple, int] = {}
    for edit in log:
        balance[edit.triple] = balance.get(edit.triple, 0) + (1 if edit.op == "+" else -1)
    return [t for t, n in balance.items() if n > 0], [t for t, n in balance.items() if n < 0]


@contextmanager
def editing(path: Path) -> Iterator[Editor]:
    """A store opened for edits; they are published at the end.

    Raises ConfigError where another process writes, and where an import is unfinished: it would be published with them.
    """
    folder.read_manifest(path)
    with folder.locked(path):
        if source := folder.unfinished_import(path):
            raise ConfigError(
                f"an import of {source} into {path} is unfinished.",
                f"Finish it with the same command: triplewise kg import {source} --store {path}",
            )
        with folder.opened(path) as db:
            editor = Editor(path, db)
            try:
                yield editor
            finally:
                editor.publish()


class Editor:
    """Adds and removes triples of one store; names and classes are written as triples (``rdfs:label``, …) too."""

    def __init__(self, path: Path, db: Any) -> None:
        self.path, self.db = path, db
        self.store = OxigraphStore(path, db=db)
        self.index = self.store.index = NameIndex(path / folder.INDEX, write=True)
        self.index.db.executescript(_LOG)
        for n, op, *triple in self.index.db.execute("SELECT n, op, head, relation, tail FROM edit WHERE NOT done"):
            self._make(n, op, Triple(*triple))

    def add(self, triples: Iterable[Triple]) -> int:
        """Add triples; how many were not there."""
        return sum(self._edit("+", triple) for triple in triples)

    def remove(self, triples: Iterable[Triple]) -> int:
        """Remove triples; how many were there."""
        return sum(self._edit("-", triple) for triple in triples)

    def undo(self, count: int = 1) -> list[Edit]:
        """Take back the last ``count`` edits that are not taken back yet; the edits taken back, the last first."""
        rows = self.index.db.execute(
            "SELECT n, at, op, head, relation, tail FROM edit WHERE done AND undoes IS NULL"
            " AND n NOT IN (SELECT undoes FROM edit WHERE undoes IS NOT NULL) ORDER BY n DESC LIMIT ?",
            (count,),
        ).fetchall()
        found = [Edit(n, at, op, Triple(h, r, t)) for n, at, op, h, r, t in rows]
        for edit in found:
            self._edit("-" if edit.op == "+" else "+", edit.triple, undoes=edit.number)
        return found

    def publish(self) -> None:
        """Make the edits visible to readers that open the store from now on."""
        manifest, content = self.store.manifest, int(self.store.manifest.content, 16)
        rows = self.index.db.execute("SELECT * FROM edit WHERE n > ? AND done ORDER BY n", (manifest.edits,)).fetchall()
        for n, _, op, *triple, _, _ in rows:
            content += _digest(Triple(*triple)) if op == "+" else -_digest(Triple(*triple))
            manifest.edits = n
        if rows:
            manifest.content = f"{content % 2**256:064x}"
            folder.publish(self.path, self.db, manifest)
        self.index.close()

    def _edit(self, op: Op, triple: Triple, undoes: int | None = None) -> bool:
        triple = Triple(triple.head, SHORT.get(triple.relation, triple.relation), triple.tail)
        _check(triple)
        if any(True for _ in self._quads(triple)) == (op == "+"):
            return False
        with self.index.db as log:
            n = log.execute(
                "INSERT INTO edit (at, op, head, relation, tail, undoes, done) VALUES (?, ?, ?, ?, ?, ?, 0)",
                (datetime.now(UTC).isoformat(timespec="seconds"), op, *triple, undoes),
            ).lastrowid
        assert n is not None
        self._make(n, op, triple)
        return True

    def _make(self, n: int, op: Op, triple: Triple) -> None:
        terms, engine = self.store.terms, self.store.terms.engine
        head, object = terms.node(triple.head), self._object(triple)
        quad = engine.Quad(head, terms.relation(triple.relation), object, engine.DefaultGraph())
        self.db.add(quad) if op == "+" else self.db.remove(quad)
        self.store.forget()
        with self.index.db as db:
            self._follow(triple, 1 if op == "+" else -1)
            db.execute("UPDATE edit SET done = 1 WHERE n = ?", (n,))
        self.store.forget()

    def _object(self, triple: Triple) -> Any:
        """The tail as a term; names are literals, however they are written."""
        terms = self.store.terms
        if triple.relation in (*LABELS, ALIAS, DESCRIPTION) and not split_literal(triple.tail):
            return terms.engine.Literal(triple.tail)
        return terms.node(triple.tail)

    def _quads(self, triple: Triple) -> Iterator[Any]:
        terms = self.store.terms
        return self.db.quads_for_pattern(
            terms.node(triple.head), terms.relation(triple.relation), self._object(triple), None
        )

    # what follows -----------------------------------------------------------------------------

    def _follow(self, triple: Triple, change: int) -> None:
        head, relation, tail = triple
        store, db = self.store, self.index.db
        old_classes = set(store.types(head))
        if relation == RDF_TYPE or relation in store.roles.types:
            old_classes -= self._follow_class(head, relation, tail, change)
        if relation not in META:
            single = [sum(1 for _, _ in zip(store.triples(*end), "ab", strict=False)) for end in _ends(triple)]
            gone = 1 if change > 0 else 0
            heads, tails = (change * (n == gone) for n in single)
            statistics.count_relation(db, relation, change, heads, tails)
            statistics.count_steps(db, old_classes, [(DirectedRelation(relation), change)])
            statistics.count_steps(db, store.types(tail), [(DirectedRelation(relation, True), change)])
        if subclass_relations([relation]) or (relation in store.roles.nested and store.is_class(head)):
            store.forget()  # the first of these relations is one from now on
            self._count_anew(with_classes_above([tail], store.just_above))
        self._follow_row(head)
        for node in (head, tail) if relation not in META else (head,):
            self._follow_names(node)

    def _follow_class(self, head: str, relation: str, tail: str, change: int) -> set[str]:
        """The classes that an entity has now, or has no more, and all that it has with them."""
        store = self.store
        told = set(store.told(head))
        without = {c for r, c in told if (r, c) != (relation, tail)}
        changed = {*with_classes_above({*without, tail}, store.just_above)}
        changed.difference_update(with_classes_above(without, store.just_above))
        steps = [
            (DirectedRelation(r, inverse), change * n)
            for inverse in (False, True)
            for r, n in store.counts_at(head, inverse=inverse).items()
        ]
        if change < 0 and relation not in META:
            steps.append((DirectedRelation(relation), change))  # the triple itself, which is gone
        for class_id in changed:
            statistics.count_class(self.index.db, class_id, change)
        statistics.count_steps(self.index.db, changed, steps)
        return changed

    def _follow_row(self, node: str) -> None:
        """A row that has come or gone, of the class of those that are called as it is."""
        store, terms = self.store, self.store.terms
        kind = row_class(entity_label(node), store.manifest.row_classes)
        if kind is None or node.startswith(IRIS):
            return
        quad = terms.engine.Quad(
            terms.node(node), terms.relation(RDF_TYPE), terms.node(kind), terms.engine.DefaultGraph()
        )
        if store.counts_at(node, inverse=False):
            if store.types(node):
                return
            self.db.add(quad)
        else:
            self.db.remove(quad)
        self._count_anew([kind])

    def _count_anew(self, classes: Iterable[str]) -> None:
        """Count the things of classes below which a class has come or gone."""
        db, store = self.index.db, self.store
        for class_id in classes:
            members, steps = 0, Counter[DirectedRelation]()
            for entity in store.read_instances(class_id):
                members += 1
                for inverse in (False, True):
                    for relation, n in store.counts_at(entity, inverse=inverse).items():
                        steps[DirectedRelation(relation, inverse)] += n
            statistics.drop_class(db, class_id)
            statistics.count_class(db, class_id, members)
            statistics.count_steps(db, (class_id,), list(steps.items()))

    def _follow_names(self, node: str) -> None:
        store, terms = self.store, self.store.terms
        label, aliases = (None, []) if store.is_literal(node) else best_labels(self.db, terms, node)
        aliases += [store.label(t.tail) for r in sorted(store.roles.aliases) for t in store.triples(node, r)]
        named = bool(label or aliases or store.types(node))
        if any(store.counts_at(node, inverse=way) for way in (False, True)) or (named and not self._is_schema(node)):
            self.index.put(node, label, aliases, found=not store.is_name(node))
        else:
            self.index.drop(node)

    def _is_schema(self, node: str) -> bool:
        db = self.index.db
        relation = db.execute("SELECT 1 FROM relation WHERE id = ? AND triples > 0", (node,)).fetchone()
        return bool(relation or db.execute("SELECT 1 FROM class WHERE id = ? AND instances > 0", (node,)).fetchone())


def _ends(triple: Triple) -> tuple[tuple[str | None, str, str | None], ...]:
    return (triple.head, triple.relation, None), (None, triple.relation, triple.tail)


def _check(triple: Triple) -> None:
    for part in triple:
        if not part.strip() or len(part) > 100_000 or any(c in part for c in "\0\r\n\t"):
            raise QuestionError("a part of the triple is empty, too long or holds a control character.")
    if split_literal(triple.head) or literal_parts(triple.head):
        raise QuestionError("the head of a triple is an entity, not a value.", "Turn the triple around.")


def _digest(triple: Triple) -> int:
    return int.from_bytes(hashlib.sha256("\0".join(triple).encode("utf-8", "surrogatepass")).digest(), "big")
