"""Names of all nodes of a store on disk, in SQLite: the look-ups of ``triplewise.kg.search`` without a name in memory.

Names are folded once. Exact matches are look-ups; fuzzy matches are ranked by rapidfuzz over the names that share the
rarest groups of three letters with the query (FTS5, trigram), words by their rarity over the names that share one.
Scores are those of the index in memory.
"""

from __future__ import annotations

import math
import re
import sqlite3
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from triplewise.kg.base import EntityHit
from triplewise.kg.names import entity_label, fold, literal_parts, name_line, words_of

LABEL, ALIAS, BARE = 0, 1, 2
_SCHEMA = """
CREATE TABLE IF NOT EXISTS node (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, label TEXT, literal INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS alias (n INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (n, text)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS name (k INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS called (k INTEGER NOT NULL, n INTEGER NOT NULL, kind INTEGER NOT NULL,
    PRIMARY KEY (k, n, kind)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS common (term TEXT PRIMARY KEY, docs INTEGER NOT NULL) WITHOUT ROWID;
CREATE VIRTUAL TABLE IF NOT EXISTS grams USING fts5 (
    text, tokenize = 'trigram case_sensitive 1', content = '', columnsize = 0, detail = none);
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (
    text, tokenize = "unicode61 remove_diacritics 0 tokenchars '''’_'", content = '', columnsize = 0, detail = none);
CREATE VIRTUAL TABLE IF NOT EXISTS gram_docs USING fts5vocab (grams, row);
CREATE VIRTUAL TABLE IF NOT EXISTS word_docs USING fts5vocab (words, row);
"""
_BRACKET = re.compile(r"\s*\([^()]*\)$")
_COMMON = 5_000
"""Names that hold a group of letters or a word, beyond which it is noted as common."""
_MAX_POSTINGS = 20_000
_MAX_GRAMS = 8
_MAX_RANKED = 1_000
_SHORT = 12
MAX_QUERY = 500
"""Characters of a query that are looked at."""
FUZZY_CUTOFF = 70
_BATCH = 20_000


class NameIndex:
    """The names of a store's nodes in one SQLite file; a connection for each thread."""

    def __init__(self, path: Path, *, write: bool = False) -> None:
        self.path = path
        self.write = write
        self._local = threading.local()
        if write:
            self.db.executescript(_SCHEMA)

    @property
    def db(self) -> sqlite3.Connection:
        """This thread's connection."""
        db: sqlite3.Connection | None = getattr(self._local, "db", None)
        if db is None:
            mode = "rwc" if self.write else "ro"
            db = sqlite3.connect(f"{self.path.absolute().as_uri()}?mode={mode}", uri=True, timeout=30)
            db.execute("PRAGMA cache_size = -16384")
            if self.write:
                db.execute("PRAGMA journal_mode = WAL")
                db.execute("PRAGMA synchronous = NORMAL")
            self._local.db = db
        return db

    def close(self) -> None:
        """Close this thread's connection."""
        db = getattr(self._local, "db", None)
        if db is not None:
            db.close()
            self._local.db = None

    # building ---------------------------------------------------------------------------------

    def build(
        self,
        nodes: Iterable[str],
        labels: Iterable[tuple[str, str]],
        aliases: Iterable[tuple[str, str]],
        nameless: Iterable[str] = (),
    ) -> None:
        """Fill the index anew: nodes, then (node, label) and (node, other name) of some of them.

        ``nameless`` nodes are not found by name: they are the other names of others.
        """
        db = self.db
        for table in ("node", "alias", "name", "called", "common"):
            db.execute(f"DELETE FROM {table}")  # noqa: S608
        for table in ("grams", "words"):
            db.execute(f"INSERT INTO {table} ({table}) VALUES ('delete-all')")  # noqa: S608
        db.commit()
        for batch in _batches(nodes):
            rows = [(n, int(literal_parts(n) is not None)) for n in batch]
            db.executemany("INSERT OR IGNORE INTO node (id, literal) VALUES (?, ?)", rows)
            db.commit()
        for pairs in _batches(labels):
            db.executemany("UPDATE node SET label = ?2 WHERE id = ?1", pairs)
            db.commit()
        for pairs in _batches(aliases):
            rows = "INSERT OR IGNORE INTO alias SELECT n, ?2 FROM node WHERE id = ?1 AND label IS NOT ?2"
            db.executemany(rows, pairs)
            db.commit()
        last, total = 0, db.execute("SELECT max(n) FROM node").fetchone()[0] or 0
        while last < total:
            rows = db.execute("SELECT n, id, label FROM node WHERE n > ? ORDER BY n LIMIT ?", (last, _BATCH)).fetchall()
            shown = ((n, name_line(label or entity_label(id))) for n, id, label in rows)
            self._call((n, name, kind) for n, label in shown for name, kind in _names(label))
            last = rows[-1][0]
            db.commit()
        for n, text in db.execute("SELECT n, text FROM alias").fetchall():
            self._call([(n, fold(text), ALIAS)])
        for node in nameless:
            if (n := self._number(node)) is not None:
                self._uncall(n)
        for table in ("grams", "words"):
            db.execute(f"INSERT INTO {table} (rowid, text) SELECT k, text FROM name")  # noqa: S608
            db.commit()
        for vocabulary in ("gram_docs", "word_docs"):
            common = f"INSERT OR REPLACE INTO common SELECT ?1 || term, doc FROM {vocabulary} WHERE doc > ?2"  # noqa: S608
            db.execute(common, (vocabulary[0], _COMMON))
        db.commit()
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _call(self, rows: Iterable[tuple[int, str, int]]) -> list[str]:
        """Note (node, folded name, kind); the names that are new."""
        db, new = self.db, []
        for n, text, kind in rows:
            found = db.execute("SELECT k FROM name WHERE text = ?", (text,)).fetchone()
            if found is None:
                found = db.execute("INSERT INTO name (text) VALUES (?) RETURNING k", (text,)).fetchone()
                new.append(text)
            db.execute("INSERT OR IGNORE INTO called VALUES (?, ?, ?)", (found[0], n, kind))
        return new

    def put(self, node: str, label: str | None, aliases: Sequence[str], *, found: bool = True) -> None:
        """Add a node or change its names; ``found``: whether a search finds it. The caller commits."""
        db = self.db
        if (old := self._number(node)) is not None:
            self._uncall(old)
        db.execute(
            "INSERT INTO node (id, label, literal) VALUES (?1, ?2, ?3) ON CONFLICT (id) DO UPDATE SET label = ?2",
            (node, label, int(literal_parts(node) is not None)),
        )
        n = self._number(node)
        assert n is not None
        aliases = [a for a in dict.fromkeys(aliases) if a != label]
        db.executemany("INSERT INTO alias VALUES (?, ?)", [(n, a) for a in aliases])
        names = [(n, name, kind) for name, kind in _names(name_line(label or entity_label(node)))]
        for text in self._call([*names, *((n, fold(a), ALIAS) for a in aliases)] if found else []):
            for table in ("grams", "words"):
                rows = f"INSERT INTO {table} (rowid, text) SELECT k, text FROM name WHERE text = ?"  # noqa: S608
                db.execute(rows, (text,))

    def drop(self, node: str) -> None:
        """Forget a node; the caller commits."""
        if (n := self._number(node)) is not None:
            self._uncall(n)
            self.db.execute("DELETE FROM node WHERE n = ?", (n,))

    def _uncall(self, n: int) -> None:
        names = [name for name, _ in _names(self._label(n))]
        names += [fold(text) for (text,) in self.db.execute("SELECT text FROM alias WHERE n = ?", (n,))]
        for name in names:
            self.db.execute("DELETE FROM called WHERE n = ? AND k = (SELECT k FROM name WHERE text = ?)", (n, name))
        self.db.execute("DELETE FROM alias WHERE n = ?", (n,))

    # nodes ------------------------------------------------------------------------------------

    def _number(self, node: str) -> int | None:
        found = self.db.execute("SELECT n FROM node WHERE id = ?", (node,)).fetchone()
        return None if found is None else found[0]

    def has(self, node: str) -> bool:
        """Whether the id is a node."""
        return self._number(node) is not None

    def label(self, node: str) -> str | None:
        """The label that the graph gives a node."""
        found = self.db.execute("SELECT label FROM node WHERE id = ?", (node,)).fetchone()
        return None if found is None else found[0]

    def _label(self, n: int) -> str:
        id, label = self.db.execute("SELECT id, label FROM node WHERE n = ?", (n,)).fetchone()
        return name_line(label or entity_label(id))

    def aliases(self, node: str) -> tuple[str, ...]:
        """Other names of a node."""
        rows = self.db.execute("SELECT text FROM alias WHERE n = (SELECT n FROM node WHERE id = ?)", (node,))
        return tuple(text for (text,) in rows)

    def nodes(self) -> NodeList:
        """All ids, entities and literals."""
        return NodeList(self, "1")

    def entities(self) -> NodeList:
        """All ids of entities."""
        return NodeList(self, "literal = 0")

    def namesakes(self, label: str, limit: int) -> list[str]:
        """Nodes with exactly this label, at most ``limit``."""
        rows = self._called(fold(label), (LABEL,))
        return [id for id, shown, _ in rows if shown == label][:limit]

    def _called(self, folded: str, kinds: tuple[int, ...]) -> list[tuple[str, str, int]]:
        """(id, label, kind) of the nodes of a folded name."""
        rows = self.db.execute(
            "SELECT id, label, kind FROM called JOIN node USING (n)"
            " WHERE k = (SELECT k FROM name WHERE text = ?) ORDER BY n LIMIT 10000",
            (folded,),
        )
        return [(id, name_line(label or entity_label(id)), kind) for id, label, kind in rows if kind in kinds]

    # search -----------------------------------------------------------------------------------

    def candidates(self, text: str) -> list[EntityHit]:
        """Nodes that are named exactly ``text``, up to case and accents, best reason first."""
        rows = self._called(fold(text), (LABEL, ALIAS, BARE))
        stages = (
            ([i for i, label, kind in rows if kind == LABEL and label == text], 1.0, "exact label"),
            ([text] if self._is_found(text) else [], 1.0, "id"),
            ([i for i, _, kind in rows if kind == ALIAS and text in self.aliases(i)], 0.99, "alias"),
            ([i for i, _, kind in rows if kind in (LABEL, ALIAS)], 0.98, "case- and accent-folded"),
            ([i for i, _, kind in rows if kind == BARE], 0.9, "label without its bracket"),
        )
        hits: dict[str, EntityHit] = {}
        for ids, score, reason in stages:
            for id in ids:
                hits.setdefault(id, EntityHit(id, score, reason))
        return list(hits.values())

    def _is_found(self, node: str) -> bool:
        """Whether the id is a node that is not only another name of something."""
        label = name_line(self.label(node) or entity_label(node))
        return self.has(node) and any(id == node for id, _, _ in self._called(fold(label), (LABEL,)))

    def fuzzy(self, text: str, limit: int, cutoff: float = FUZZY_CUTOFF) -> list[EntityHit]:
        """Nodes with a name like ``text``; ``cutoff`` is the least similarity, 0 to 100."""
        from rapidfuzz import fuzz, process

        query = fold(text[:MAX_QUERY])
        shared = Counter[int]()
        for gram in self._rarest("grams", [query[i : i + 3] for i in range(len(query) - 2)], _MAX_GRAMS):
            shared.update(self._postings("grams", gram))
        names = self._texts(k for k, _ in shared.most_common(_MAX_RANKED))
        if len(query) <= _SHORT:  # letters that changed places leave a short name no group of three
            rows = self.db.execute(
                "SELECT text FROM name WHERE text >= ? AND text < ? LIMIT ?",
                (query[:2], query[:2] + "\U0010ffff", _MAX_RANKED),
            )
            names = list(dict.fromkeys([*names, *(name for (name,) in rows)]))
        found = process.extract(query, names, scorer=fuzz.ratio, limit=limit, score_cutoff=cutoff)
        return [
            EntityHit(id, score / 100 * 0.95, f"fuzzy {score / 100:.2f}")
            for name, score, _ in found
            for id in dict.fromkeys(id for id, _, _ in self._called(name, (LABEL, ALIAS)))
        ]

    def bm25(self, text: str, limit: int) -> list[EntityHit]:
        """Nodes that share words with ``text``; the rarest words choose the candidates."""
        asked = set(words_of(text[:MAX_QUERY]))
        total = self.db.execute("SELECT max(k) FROM name").fetchone()[0] or 1
        rarity = {w: math.log(1 + total / (1 + self._docs("words", w))) for w in asked}
        chosen: dict[int, None] = {}
        for word in sorted(asked, key=lambda w: (-rarity[w], w)):
            if chosen and len(chosen) + self._docs("words", word) > _MAX_RANKED:
                break
            chosen.update(dict.fromkeys(self._postings("words", word)[:_MAX_RANKED]))
        scores: dict[str, float] = {}
        for name in self._texts(chosen):
            words = words_of(name)
            scores[name] = sum(rarity[w] for w in asked & set(words)) / (0.7 + 0.1 * len(words))
        best = sorted(scores, key=lambda name: -scores[name])[:limit]
        if not best or not scores[best[0]]:
            return []
        share = sum(rarity[w] for w in asked & set(words_of(best[0]))) / sum(rarity.values())
        unit = 0.8 * share / scores[best[0]]
        return [
            EntityHit(id, unit * scores[name], f"words {scores[name]:.1f}")
            for name in best
            for id in dict.fromkeys(id for id, _, _ in self._called(name, (LABEL, ALIAS)))
        ]

    def _docs(self, table: str, term: str) -> int:
        """How many names hold a term; exact up to what is common."""
        found = self.db.execute("SELECT docs FROM common WHERE term = ?", (table[0] + term,)).fetchone()
        return found[0] if found else len(self._postings(table, term))

    def _rarest(self, table: str, terms: Iterable[str], limit: int) -> list[str]:
        docs = {t: self._docs(table, t) for t in dict.fromkeys(terms)}
        return sorted((t for t, n in docs.items() if n), key=lambda t: (docs[t], t))[:limit]

    def _postings(self, table: str, term: str) -> list[int]:
        quoted = '"' + term.replace('"', '""') + '"'
        rows = self.db.execute(
            f"SELECT rowid FROM {table} WHERE {table} MATCH ? LIMIT ?",  # noqa: S608
            (quoted, _MAX_POSTINGS),
        )
        return [k for (k,) in rows]

    def _texts(self, names: Iterable[int]) -> list[str]:
        found = (self.db.execute("SELECT text FROM name WHERE k = ?", (k,)).fetchone() for k in names)
        return [row[0] for row in found if row]


class NodeList(Sequence[str]):
    """Ids read from the index when they are asked for."""

    def __init__(self, index: NameIndex, condition: str) -> None:
        self._index = index
        self._condition = condition
        self._length: int | None = None

    def __len__(self) -> int:
        if self._length is None:
            self._length = self._index.db.execute(f"SELECT count(*) FROM node WHERE {self._condition}").fetchone()[0]  # noqa: S608
        return self._length or 0

    def __iter__(self) -> Iterator[str]:
        last, rows = 0, [(0, "")]
        while rows:
            rows = self._index.db.execute(
                f"SELECT n, id FROM node WHERE n > ? AND {self._condition} ORDER BY n LIMIT 1000",  # noqa: S608
                (last,),
            ).fetchall()
            yield from (id for _, id in rows)
            last = rows[-1][0] if rows else last

    def __getitem__(self, item: int | slice) -> str | list[str]:  # pyright: ignore[reportIncompatibleMethodOverride]
        rows = range(len(self))[item]
        if isinstance(rows, range):
            if not rows:
                return []
            if rows.step != 1:
                return [str(self[i]) for i in rows]
            return self._read(len(rows), rows.start)
        return self._read(1, rows)[0]

    def __contains__(self, value: object) -> bool:
        return isinstance(value, str) and self._index.has(value)

    def _read(self, limit: int, offset: int) -> list[str]:
        rows = self._index.db.execute(
            f"SELECT id FROM node WHERE {self._condition} ORDER BY n LIMIT ? OFFSET ?",  # noqa: S608
            (limit, offset),
        )
        return [id for (id,) in rows]


def _names(label: str) -> list[tuple[str, int]]:
    """(folded name, kind) of a label, and of it without its closing bracket."""
    bare = _BRACKET.sub("", label) if label.endswith(")") else ""
    return [(fold(label), LABEL), *([(fold(bare), BARE)] if bare else [])]


def _batches(items: Iterable[Any]) -> Iterator[list[Any]]:
    batch: list[Any] = []
    for item in items:
        batch.append(item)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    yield batch
