"""Counts of a store, kept in SQLite: triples of a relation, entities of a class, and which class has which relation.

They are taken from a few aggregate queries after an import, and follow each edit by its differences.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from triplewise.kg.base import DirectedRelation

SCHEMA = """
CREATE TABLE IF NOT EXISTS relation (
    id TEXT PRIMARY KEY, triples INTEGER NOT NULL, heads INTEGER, tails INTEGER, label TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS class (id TEXT PRIMARY KEY, instances INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS class_step (
    class TEXT NOT NULL, relation TEXT NOT NULL, inverse INTEGER NOT NULL, triples INTEGER NOT NULL,
    PRIMARY KEY (class, relation, inverse)) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class RelationCount:
    """A relation's triples, distinct heads and distinct tails (None where they were not counted)."""

    triples: int
    heads: int | None = None
    tails: int | None = None


@dataclass(frozen=True)
class Statistics:
    """What a store knows of its whole graph without a scan."""

    relations: dict[str, RelationCount]
    relation_labels: dict[str, str]
    classes: dict[str, int]
    class_steps: dict[str, dict[DirectedRelation, int]]
    """Class → relation at its entities → triples."""

    @property
    def triples(self) -> int:
        """All triples of the graph."""
        return sum(c.triples for c in self.relations.values())


def read_statistics(db: sqlite3.Connection) -> Statistics:
    """All counts, the relations with the most triples first."""
    rows = db.execute(
        "SELECT id, triples, heads, tails, label FROM relation WHERE triples > 0 ORDER BY triples DESC, id"
    )
    relations, labels = {}, {}
    for id, triples, heads, tails, label in rows:
        relations[id] = RelationCount(triples, heads, tails)
        if label:
            labels[id] = label
    steps: dict[str, dict[DirectedRelation, int]] = defaultdict(dict)
    for class_id, relation, inverse, n in db.execute("SELECT * FROM class_step WHERE triples > 0"):
        steps[class_id][DirectedRelation(relation, bool(inverse))] = n
    classes = dict(db.execute("SELECT id, instances FROM class WHERE instances > 0 ORDER BY instances DESC, id"))
    return Statistics(relations, labels, classes, dict(steps))


def write_statistics(db: sqlite3.Connection, statistics: Statistics) -> None:
    """Replace all counts; the caller commits."""
    for table in ("relation", "class", "class_step"):
        db.execute(f"DELETE FROM {table}")  # noqa: S608
    db.executemany(
        "INSERT INTO relation VALUES (?, ?, ?, ?, ?)",
        [(r, c.triples, c.heads, c.tails, statistics.relation_labels.get(r)) for r, c in statistics.relations.items()],
    )
    db.executemany("INSERT INTO class VALUES (?, ?)", statistics.classes.items())
    db.executemany(
        "INSERT INTO class_step VALUES (?, ?, ?, ?)",
        [(c, d.relation, d.inverse, n) for c, steps in statistics.class_steps.items() for d, n in steps.items()],
    )


def count_relation(db: sqlite3.Connection, relation: str, triples: int, heads: int, tails: int) -> None:
    """Add differences to a relation's counts; the caller commits."""
    db.execute(
        "INSERT INTO relation VALUES (?1, ?2, ?3, ?4, NULL) ON CONFLICT (id) DO UPDATE SET"
        " triples = triples + ?2, heads = heads + ?3, tails = tails + ?4",
        (relation, triples, heads, tails),
    )


def count_class(db: sqlite3.Connection, class_id: str, instances: int) -> None:
    """Add a difference to a class's entities; the caller commits."""
    db.execute(
        "INSERT INTO class VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET instances = instances + ?2",
        (class_id, instances),
    )


def drop_class(db: sqlite3.Connection, class_id: str) -> None:
    """Forget a class's counts; the caller commits."""
    db.execute("DELETE FROM class WHERE id = ?", (class_id,))
    db.execute("DELETE FROM class_step WHERE class = ?", (class_id,))


def count_steps(db: sqlite3.Connection, classes: Iterable[str], steps: Sequence[tuple[DirectedRelation, int]]) -> None:
    """Add differences to what the entities of classes have; the caller commits."""
    db.executemany(
        "INSERT INTO class_step VALUES (?1, ?2, ?3, ?4)"
        " ON CONFLICT (class, relation, inverse) DO UPDATE SET triples = triples + ?4",
        [(c, d.relation, int(d.inverse), n) for c in classes for d, n in steps],
    )
